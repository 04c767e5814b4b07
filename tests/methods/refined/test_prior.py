"""Tables of public knowledge: one formula, a gate that shuffled words do not pass, what a guarantee says of them."""

import hashlib
import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

import dplda
from dplda.core.errors import DpldaError, InputError
from dplda.corpus import Corpus, Label
from dplda.evaluation.perplexity import completion_perplexity
from dplda.methods.base.prior_source import PriorKind, PriorSource, describe_assumption
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined import algorithm
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.documents.documents import Documents, bounded_vectors
from dplda.methods.refined.documents.topic_scorer import TopicScorer
from dplda.methods.refined.plan.constants import (
    FULL_LEANING_EXCESS,
    INITIAL_PRIOR_POWER,
    LEANING_DOCUMENT_WORDS,
    MIN_PRIOR_ADVANTAGE,
    RefinedConstants,
)
from dplda.methods.refined.plan.public_shares import prior_acceptance_threshold, prior_test_share
from dplda.methods.refined.plan.start_fraction import start_fraction
from dplda.methods.refined.plan.sum_bounds import prior_test_bound
from dplda.methods.refined.prior import prior_files, prior_mixtures, public_corpora
from dplda.methods.refined.prior.prior_files import prior_from_source
from dplda.methods.refined.prior.topic_prior import (
    PriorTilt,
    TopicPrior,
    prior_leaning,
    prior_power,
)
from dplda.methods.refined.refined_methods import refined, refined_with
from dplda.methods.refined.stages.prior_test import prior_advantages
from dplda.privacy.noise.keys import Secret
from dplda.privacy.release import Status
from dplda.spectral.topics import match
from tests.asking import bought
from tests.privacy.sources import ScaledNoise
from tests.tiny_corpora import topical_corpus

K, D = 3, 60
CORPUS = topical_corpus(5, n_documents=4000, n_words=D)
TRUE = TopicPrior(
    "truth",
    "the draw",
    CORPUS.vocabulary,
    CORPUS.truth.topics / np.mean(CORPUS.truth.topics, axis=0) + 0.01,
)
SHUFFLED = replace(TRUE, ratios=TRUE.ratios[:, np.random.default_rng(1).permutation(D)])


def fit(
    prior: TopicPrior | None,
    *,
    epsilon: float = 1.0,
    corpus: Corpus = CORPUS,
    is_trusted: bool = False,
    **runtime_arguments: object,
):
    return fit_refined(
        corpus,
        Problem(K, 1.0),
        Budget(epsilon, 1e-6),
        Runtime(**runtime_arguments),
        prior=prior,
        prior_is_trusted=is_trusted,
    )


def test_prior_tilt_keeps_to_the_simplex() -> None:
    p = np.random.default_rng(0).dirichlet(np.ones(D))
    np.testing.assert_allclose(PriorTilt(TRUE.ratios, 0.0)(p), np.tile(p, (K, 1)))
    tilted = PriorTilt(TRUE.ratios, 1.0)(p)
    np.testing.assert_allclose(np.sum(tilted, axis=1), 1)
    np.testing.assert_allclose(
        (tilted / p) / TRUE.ratios, np.tile((tilted / p / TRUE.ratios)[:, :1], (1, D))
    )
    over = TRUE.ratios_for(["nowhere", CORPUS.vocabulary[4]])
    np.testing.assert_array_equal(over, np.column_stack([np.ones(K), TRUE.ratios[:, 4]]))


def test_prior_test_accepts_useful_tables_alone() -> None:
    for epsilon in (0.3, 3.0):
        useful_run, false = fit(TRUE, epsilon=epsilon), fit(SHUFFLED, epsilon=epsilon)
        assert useful_run.prior.used
        assert useful_run.prior.advantage > MIN_PRIOR_ADVANTAGE > false.prior.advantage
        assert not false.prior.used
        assert false.prior_topics is None
    with_table, without = (
        dplda.topic_error(CORPUS.truth.topics, fit(prior, epsilon=0.3).topics.words).l1_mean
        for prior in (TRUE, None)
    )
    assert with_table < 0.8 * without
    assert MIN_PRIOR_ADVANTAGE < prior_acceptance_threshold(10**7, 1.0) < 1.01 * MIN_PRIOR_ADVANTAGE
    assert prior_acceptance_threshold(200, 0.2) == pytest.approx(
        MIN_PRIOR_ADVANTAGE + 1.5 / math.sqrt(40)
    ), "so much noise at least is left out"


def test_prior_advantages_count_the_placebos_gain_against_a_table() -> None:
    """Where even shuffled words would explain the documents, steps find topics without a table."""
    smoothed_counts = np.asarray(CORPUS.counts.sum(axis=0)) + 1.0
    p = smoothed_counts / np.sum(smoothed_counts)
    documents, prior = Documents(CORPUS.counts, K), np.full(K, 1 / K)
    bound = prior_test_bound(n_documents=CORPUS.n_documents, n_words=D)
    useful_scorer, even_scorer = (
        TopicScorer(PriorTilt(ratios, INITIAL_PRIOR_POWER)(p), p, prior)
        for ratios in (TRUE.ratios, np.ones((K, D)))
    )
    over = {
        name: float(
            bounded_vectors(
                documents, partial(prior_advantages, *pair, 99.0), 1, bound, is_exact=False
            ).value[0]
        )
        * 99
        / CORPUS.n_documents
        for name, pair in {
            "none": (useful_scorer, even_scorer),
            "the same": (useful_scorer, useful_scorer),
            "it": (even_scorer, useful_scorer),
        }.items()
    }
    assert over["none"] > 0.5
    assert over["the same"] < -over["none"]
    assert over["it"] == pytest.approx(over["the same"] - over["none"], abs=0.01)


@pytest.mark.parametrize("epsilon", [0.1, 3.0])
def test_order_of_a_tables_rows_changes_nothing(epsilon: float) -> None:
    """Moments find topics in an order of their own, and each gets the row that is most like it."""
    reordered_prior = replace(TRUE, ratios=TRUE.ratios[[2, 0, 1]])
    first_run, second_run = (
        fit(prior, epsilon=epsilon, is_trusted=True, noise=ScaledNoise(0, 1.0))
        for prior in (TRUE, reordered_prior)
    )
    assert bought(first_run) == (epsilon == 3.0)
    order = match(first_run.topics.words, second_run.topics.words)
    np.testing.assert_array_equal(order, [0, 1, 2] if bought(first_run) else [1, 2, 0])
    if bought(first_run):
        np.testing.assert_allclose(second_run.topics.words, first_run.topics.words, atol=1e-6)
    distances = np.sum(np.abs(first_run.prior_topics[:, None] - first_run.topics.words), axis=2)
    np.testing.assert_array_equal(np.argmin(distances, axis=1), range(K))


def test_start_beside_a_table_is_bought_only_where_surer() -> None:
    bought_by = [
        [bought(fit(table, epsilon=e)) for table in (None, TRUE, SHUFFLED)] for e in (0.1, 0.4, 1.0)
    ]
    assert bought_by == [[False, False, False], [True, False, True], [True, True, True]]


def way_counts(monkeypatch) -> dict[str, Mock]:
    """Both ways of a run beside a table, counted."""
    ways = {
        name: Mock(wraps=getattr(algorithm, name)) for name in ("fit_prior_only", "fit_variational")
    }
    for name, way in ways.items():
        monkeypatch.setattr(algorithm, name, way)
    return ways


@pytest.mark.parametrize(
    ("epsilon", "expected_way"), [(0.05, "fit_prior_only"), (0.2, "fit_variational")]
)
def test_steps_beside_a_table_are_made_below_the_border(
    epsilon: float, expected_way: str, monkeypatch
) -> None:
    """And runs on documents without topics, which evidence is set beside, do as the run itself did."""
    ways = way_counts(monkeypatch)
    fitted_run = fit(TRUE, epsilon=epsilon)
    assert fitted_run.prior.used
    assert fitted_run.prior.stepped is (expected_way == "fit_variational")
    fitted_run.evidence.null_fit(0)
    assert {name: way.call_count for name, way in ways.items()} == {
        name: 2 * (name == expected_way) for name in ways
    }


def test_leaning_on_a_table_grows_from_nothing_with_its_advantage() -> None:
    full_advantage = MIN_PRIOR_ADVANTAGE + FULL_LEANING_EXCESS
    advantages = [MIN_PRIOR_ADVANTAGE, 0.18, 0.24, full_advantage, 0.9, math.nan]
    leanings = [prior_leaning(advantage, LEANING_DOCUMENT_WORDS) for advantage in advantages]
    assert leanings == pytest.approx([0, 0.2, 0.6, 1, 1, 1])
    assert [prior_power(0.045, leaning) for leaning in (0.0, 1.0)] == [0.0, 0.5]
    noise = 0.9 * RefinedConstants().max_start_noise
    fractions = [
        start_fraction(RefinedConstants(), noise, 10, 1.0, prior_leaning=leaning)
        for leaning in (0.0, 0.1, 0.2, 1.0)
    ]
    assert fractions[0] == fractions[1] > 0
    assert fractions[2:] == [0, 0], "a start beside a table has to be surer"


def test_prior_leaning_counts_an_advantage_by_the_words_of_documents() -> None:
    leanings = [
        prior_leaning(0.2 * length, LEANING_DOCUMENT_WORDS * length) for length in (0.5, 1, 2)
    ]
    assert leanings == pytest.approx([1 / 3] * 3)
    assert prior_leaning(0.2, LEANING_DOCUMENT_WORDS / 2) == 1


def test_prior_test_in_much_noise_is_left_out() -> None:
    noisy_run = fit(TRUE, epsilon=0.01)
    assert not noisy_run.prior.asked
    assert math.isnan(noisy_run.prior.advantage)
    assert not noisy_run.prior.used
    trusted_run = fit(SHUFFLED, is_trusted=True)
    assert trusted_run.prior.used
    assert not trusted_run.prior.asked
    method = refined(prior=lambda *_: SHUFFLED, trusted=True)
    assert method.fit(CORPUS, Problem(K, 1.0), Budget(1.0, 1e-6), Runtime()).uncertainty is None
    for n, mu in ((100, 0.3), (1000, 0.1), (10**6, 1.0)):
        share = prior_test_share(RefinedConstants(), n, mu)
        assert 0 <= share <= 0.1
        assert not share or 1 / math.sqrt(n * mu) == pytest.approx(2 / (n * mu * math.sqrt(share)))


def test_table_is_named_in_the_guarantee() -> None:
    fitted_run = fit(TRUE)
    assert fitted_run.guarantee.mechanism is Status.PROVEN
    assert any(
        TRUE.digest[:12] in sentence and "truth" in sentence
        for sentence in fitted_run.guarantee.rests_on
    )
    sensitive = Corpus.from_counts(
        CORPUS.counts, label=Label.SENSITIVE, name="s", vocabulary=CORPUS.vocabulary
    )
    secret = Secret()
    first_value, second_value = (
        fit(prior, corpus=sensitive, secret=secret).releases[0].value
        for prior in (TRUE, replace(TRUE, ratios=TRUE.ratios * np.float64(1.0 + 2**-52)))
    )
    assert np.any(first_value != second_value)


def test_prior_sources_of_every_kind_give_tables() -> None:
    seeds = prior_files.prior_from_seed_words({"a": ["moon", "sun"], "b": ["war"]}, 3)
    assert seeds.words == ("moon", "sun", "war")
    np.testing.assert_allclose(
        np.log(seeds.ratios) / np.log(8), [[1, 1, -1], [-1, -1, 1], [-1, -1, -1]]
    )
    prior_from_file = prior_files.prior_from_csv("word,1,2\nmoon,2,0.5\nsun,1,1\n", 2)
    np.testing.assert_array_equal(prior_from_file.ratios_for(["sun", "moon"]), [[1, 2], [1, 0.5]])
    p, off = np.asarray(CORPUS.counts.sum(axis=0), dtype=float).ravel() / CORPUS.counts.sum(), []
    for starts in (1, public_corpora.N_PRIOR_STARTS):
        some = replace(CORPUS, counts=CORPUS.counts[:500], label=Label.PUBLIC)
        public = public_corpora.prior_from_corpus(some, K, CORPUS.vocabulary[:40], starts)
        assert public.words == CORPUS.vocabulary[:40]
        topics = PriorTilt(public.ratios_for(CORPUS.vocabulary), 1.0)(p)
        off.append(
            completion_perplexity(topics, np.ones(K), test=CORPUS.counts, mean_words=p, seed=0)
        )
    assert off[1] <= off[0], "the best of several starts"
    assert prior_files.load_english_prior(10).ratios.shape == (
        10,
        len(prior_files.load_english_prior(2).words),
    )
    assert prior_files.load_english_prior(10).digest == prior_files.load_english_prior(2).digest


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: prior_files.load_english_prior(22), "Ask for 20"),
        (lambda: prior_files.prior_from_seed_words({"a": [], "b": []}, 2), "seed word"),
        (lambda: prior_files.prior_from_csv("word,1\nmoon,2\n", 2), "a new word and 2 ratios"),
        (lambda: prior_files.prior_from_csv("word,1,2\nmoon,x,2\n", 2), "ratios"),
        (lambda: prior_files.prior_from_csv("word,1,2\nmoon,0,2\n", 2), "ratios"),
        (lambda: prior_files.prior_from_csv("word,1,2\nmoon,1,2\nmoon,1,2\n", 2), "line 3 of"),
        (
            lambda: public_corpora.prior_from_corpus(
                replace(CORPUS, label=Label.SENSITIVE), K, CORPUS.vocabulary
            ),
            "public",
        ),
        (lambda: public_corpora.prior_from_corpus(CORPUS, K, ("nowhere",)), "shares"),
        (
            lambda: prior_files.prior_from_csv("moon,2,0.5\nsun,1,1\n", 2),
            "first row must be names",
        ),
        (lambda: prior_files.prior_from_csv("", 2), "first row"),
        (
            lambda: prior_files.prior_from_seed_words({"a": "moon", "b": ["war"]}, 2),
            "a list of words for each",
        ),
        (
            lambda: prior_files.prior_from_seed_words({"a": ["moon"], "b": [7]}, 2),
            "a list of words for each",
        ),
        (
            lambda: prior_files.prior_from_seed_words({"a": ["moon"], "b": None}, 2),
            "a list of words for each",
        ),
        (
            lambda: prior_files.prior_from_seed_words({"a": ["moon"], "b": iter(["war"])}, 2),
            "a list of words for each",
        ),
        (lambda: prior_files.prior_from_csv("word,1,2\n,1,2\n", 2), "line 2 of"),
        (lambda: prior_mixtures.make_prior("german", 3, ()), "english"),
        (
            lambda: prior_mixtures.make_prior({"a": ["Moon"], "b": ["War"]}, 2, ("moon", "war")),
            "as they are there",
        ),
        (lambda: prior_mixtures.make_prior("english", 2, ("w0", "w1")), "as they are there"),
    ],
)
def test_bad_source_is_refused_without_its_content(make, says: str) -> None:
    with pytest.raises(InputError, match=says) as refusal:
        make()
    assert "moon" not in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [("", "an empty file. Choose a CSV file"), ("\ufffdPNG", "Save the table as CSV, in UTF-8.")],
)
def test_file_that_is_no_table_is_refused_with_what_to_choose(content, reason) -> None:
    with pytest.raises(InputError) as refusal:
        prior_from_source(PriorSource(PriorKind.FILE, content, "table.csv"), 3)
    assert reason in str(refusal.value)


def test_prior_source_is_named_by_its_own_digest(
    tmp_path: Path,
) -> None:
    seeds, table = tmp_path / "seeds.txt", tmp_path / "table.csv"
    seeds.write_text("Sky: Moon, sun\n\nwar: war\n", "utf-8")
    table.write_bytes(b"word,1,2\rmoon,2,0.5\r")  # as old Macs end lines
    for path, k, words in (
        (seeds, 2, ("moon", "sun", "war")),
        (seeds, 5, ("moon", "sun", "war")),
        (table, 2, ("moon",)),
    ):
        prior, content = prior_mixtures.make_prior(path, k, ("moon",)), path.read_bytes()
        assert (len(prior.ratios), prior.words, prior.name) == (k, words, path.name)
        assert (
            prior.digest
            == prior_files.source_from_file(path).digest
            == hashlib.sha256(content).hexdigest()
        )
        assert (
            describe_assumption(prior.name, prior.digest, prior.source)
            == prior_files.source_from_file(path).assumption
        )
    for content, says in (("moon sun", "space: orbit"), (" ", "Type seed words, or choose")):
        with pytest.raises(DpldaError, match=says) as refusal:
            prior_from_source(PriorSource(PriorKind.SEEDS, content), 2)
        assert "moon" not in str(refusal.value)
    trusted_method = refined_with(prior_files.source_from_file(seeds), trusted=True)
    assert trusted_method is refined_with(prior_files.source_from_file(seeds), trusted=True), (
        "results are kept by method"
    )
    assert trusted_method.title == "Refined + seeds.txt, trusted"


def csv_source(name: str, *rows: str) -> PriorSource:
    return PriorSource(PriorKind.FILE, "\n".join(("word,1,2", *rows)) + "\n", name)


SPACE_FIRST = csv_source("one.csv", "moon,8,0.5", "war,0.5,8", "sun,4,1")
SPACE_LAST = csv_source("other.csv", "war,4,0.25", "moon,0.5,4")


def test_mixed_tables_are_matched_then_averaged() -> None:
    mixture = prior_mixtures.mix_prior_sources([SPACE_FIRST, SPACE_LAST], 2)
    prior = prior_from_source(mixture, 2)
    assert prior.words == ("moon", "war", "sun")
    np.testing.assert_array_equal(prior.ratios, [[6, 0.375, 2.5], [0.5, 6, 1]])
    assert mixture.title == "one.csv + other.csv"
    assert prior.digest == hashlib.sha256(mixture.content.encode()).hexdigest()
    assert prior_mixtures.mix_prior_sources([SPACE_FIRST], 2) is SPACE_FIRST


def test_mixed_tables_of_other_numbers_of_topics_are_refused() -> None:
    three = prior_files.prior_from_seed_words({"a": ["moon"], "b": ["war"], "c": ["sun"]}, 3)
    with pytest.raises(InputError, match="one number of topics"):
        prior_mixtures.mix_priors([prior_from_source(SPACE_FIRST, 2), three])


def test_mixed_public_corpora_have_equal_parts() -> None:
    small, large = (
        replace(CORPUS, counts=CORPUS.counts[:n], label=Label.PUBLIC, name=str(n), intake=None)
        for n in (150, 400)
    )
    words = CORPUS.vocabulary[:20]
    with pytest.MonkeyPatch.context() as patch:
        fit_of_corpus = Mock(wraps=partial(public_corpora.prior_from_corpus, n_starts=1))
        patch.setattr(public_corpora, "prior_from_corpus", fit_of_corpus)
        prior = prior_mixtures.make_prior([small, large], K, words)
    (joined, *_), _ = fit_of_corpus.call_args
    assert joined.n_documents == 800
    expected_counts = small.counts[np.resize(np.arange(150), 400)][:, :20].sum(axis=0)
    expected_counts += large.counts[:, :20].sum(axis=0)
    np.testing.assert_array_equal(np.asarray(joined.counts.sum(axis=0)), expected_counts)
    assert prior.name == "150 + 400"
    assert "150 (150 documents)" in prior.source
    assert prior_mixtures.make_prior([prior, small], K, words).ratios.shape == (K, 20)


def test_run_tests_a_mixture_once() -> None:
    fitted_run = fit(prior_mixtures.mix_priors([TRUE, TRUE]), epsilon=0.05)
    assert fitted_run.prior.used
    assert [release.edge for release in fitted_run.releases].count("gate") == 1
