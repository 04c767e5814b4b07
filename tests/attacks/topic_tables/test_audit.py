"""The attack on a topic table: nothing on an independent one, something where a table knows its documents."""

import numpy as np
import pytest

import dplda
from dplda.attacks.topic_tables import audit as audit_module
from dplda.attacks.topic_tables.audit import TopicTableAudit, audit_topics
from dplda.attacks.topic_tables.description import describe_audit
from dplda.core.errors import CorpusError, InputError
from dplda.corpus import Corpus, Label

N_DOCUMENTS, N_TOPICS = 120, 4


def documents(n_documents: int, seed: int, n_words: int = 150) -> np.ndarray:
    corpus = dplda.simulate(
        n_documents=n_documents,
        n_words=n_words,
        n_topics=N_TOPICS,
        alpha0=0.5,
        mean_length=40,
        seed=seed,
    )
    return corpus.counts.toarray()


@pytest.fixture(scope="module")
def divided() -> tuple[np.ndarray, np.ndarray]:
    """Members, and three times as many others."""
    rows = documents(4 * N_DOCUMENTS, seed=0)
    return rows[:N_DOCUMENTS], rows[N_DOCUMENTS:]


@pytest.fixture(scope="module")
def leaky(divided) -> TopicTableAudit:
    """The audit of topics without noise."""
    members, other_documents = divided
    corpus = Corpus.from_counts(members, label=Label.SIMULATED, name="members")
    model = dplda.SpectralLDA(N_TOPICS, alpha0=0.5, refine=10).fit(corpus)
    return audit_topics(model.components_, members, other_documents, delta=1e-7)


def test_table_without_noise_of_few_documents_shows_a_positive_bound(leaky) -> None:
    assert leaky.bound.epsilon > 0.2
    assert leaky.auc > 0.5 + 4 * leaky.auc_error
    assert leaky.are_alike
    assert "ε is at least" in describe_audit(leaky)[-2]
    assert "lower bound" in describe_audit(leaky)[-1]


def test_detection_rates_leave_out_levels_that_the_others_are_too_few_for(leaky) -> None:
    assert leaky.n_reference == 2 * N_DOCUMENTS
    assert [rate.level for rate in leaky.rates] == [0.1]
    assert all(rate.detected_at_least <= rate.detected for rate in leaky.rates)


def test_table_of_independent_documents_claims_nothing_but_for_the_stated_chance() -> None:
    """Each of twelve is allowed a chance of 5 %, and more than two of them have 2 %; seeds are fixed."""
    audits = []
    for seed in range(12):
        rows = documents(330, seed=100 + seed, n_words=60)
        independent, members, other_documents = rows[:150], rows[150:210], rows[210:]
        table = np.array([np.sum(part, axis=0) for part in np.array_split(independent, 3)])
        audits.append(audit_topics(table, members, other_documents, seed=seed))
    assert sum(audit.bound.epsilon > 0 for audit in audits) <= 2
    assert np.mean([audit.auc for audit in audits]) == pytest.approx(0.5, abs=0.03)
    assert all(audit.are_alike for audit in audits)


def test_documents_of_the_reference_are_not_judged(divided, monkeypatch) -> None:
    members, other_documents = divided
    fitted, scored_documents = [], []
    make_reference, score_documents = audit_module.make_reference, audit_module.score_documents

    def record_reference(counts, n_topics, seed):
        fitted.append(counts.toarray())
        return make_reference(counts, n_topics, seed=seed)

    def record_scored(counts, *arguments):
        scored_documents.append(counts.toarray())
        return score_documents(counts, *arguments)

    monkeypatch.setattr(audit_module, "make_reference", record_reference)
    monkeypatch.setattr(audit_module, "score_documents", record_scored)
    audit_topics(np.ones((2, 150)), members, other_documents)
    parts = np.vstack([fitted[0], scored_documents[1]])
    np.testing.assert_array_equal(scored_documents[0], members)
    np.testing.assert_array_equal(np.unique(parts, axis=0), np.unique(other_documents, axis=0))
    assert len(parts) == len(other_documents)


def test_audit_of_nothing_found_never_says_private(divided) -> None:
    members, other_documents = divided
    frequencies = documents(100, seed=9).sum(axis=0)[None, :] + 1
    audit = audit_topics(frequencies, members, other_documents)
    assert audit.bound.epsilon == 0
    assert describe_audit(audit)[-1].startswith("No lower bound on ε: this attack found nothing.")


def test_documents_that_differ_without_the_table_get_no_bound(divided) -> None:
    members, other_documents = divided
    rotated = np.roll(members, 1, axis=1)
    audit = audit_topics(rotated.sum(axis=0)[None, :], rotated, other_documents)
    assert not audit.are_alike
    assert audit.auc_without_table > 0.8
    assert "no bound is stated" in describe_audit(audit)[-1]


def test_longer_members_are_noticed_too(divided) -> None:
    members, other_documents = divided
    audit = audit_topics(
        np.ones((2, 150)), members, other_documents[:, :] // 2 + other_documents % 2
    )
    assert not audit.are_alike


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"topics": np.ones((2, 3))}, "members must be over the 3 words"),
        ({"topics": -np.ones((2, 150))}, "topics must be of finite numbers"),
        ({"topics": "topics"}, "topics must be a table of numbers"),
        ({"members": np.ones((9, 150), int)}, "members must be at least 10 documents, got 9"),
        ({"others": np.ones((19, 150), int)}, "others must be at least 20 documents, got 19"),
        ({"error": 1.0}, "error must be a number between 0 and 1"),
        ({"delta": 0.7}, "delta must be a number between 0 and 0.5"),
        ({"seed": -1}, "seed must be"),
        ({"others": np.zeros((30, 150), int)}, "no word of the table"),
    ],
)
def test_arguments_out_of_bounds_are_refused(changes, refusal, divided) -> None:
    members, other_documents = divided
    arguments = {
        "topics": np.ones((2, 150)),
        "members": members,
        "others": other_documents,
    } | changes
    with pytest.raises((InputError, CorpusError), match=refusal):
        audit_topics(**arguments)
