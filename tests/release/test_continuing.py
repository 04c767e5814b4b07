"""Releases that continue others: they keep what was paid for, charge what is missing, and refuse any other parent."""

import math
import multiprocessing
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dplda import simulate, topic_error
from dplda.core.errors import DpldaError
from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.methods.refined.prior_sources import PriorKind, PriorSource
from dplda.methods.refined.quantities import GATE
from dplda.methods.refined.refined_methods import refined_with
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import SELECTION_FAILURE_SHARE
from dplda.privacy.accounting.groups import describe_ten_documents
from dplda.privacy.noise.exact import delta_of_noise
from dplda.privacy.release import Caveat
from dplda.privacy.word_selection.thresholds import RESERVED_DELTA_SHARE
from dplda.release.artefact.findings import name_by_themes
from dplda.release.artefact.released_file import (
    parent_of,
    read_release,
    read_release_file,
    write_release,
)
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger, noted_in
from dplda.release.report.page import render_report
from dplda.release.report.released import contents_of_release
from dplda.release.workflow.checks import LARGEST_NOISE_FACTOR
from dplda.release.workflow.perform import release
from dplda.release.workflow.price import describe_price
from dplda.release.workflow.recovery import recover_interrupted
from dplda.release.workflow.release_store import load_prior
from dplda.release.workflow.request import Request
from tests.release.conftest import asked
from tests.tiny_corpora import topical_corpus
from tests.yardstick import waited_for


@pytest.mark.parametrize("method", ["refined", "private-unigram"])
def test_continued_release_is_charged_what_its_total_misses(
    method, corpus: Corpus, folder: Folder
) -> None:
    whole = gaussian.mu_for(1.5, delta_of_noise(1e-6))
    one = release(corpus, asked(method, epsilon=0.5), folder).artefact
    two = release(corpus, replace(asked(method, epsilon=1.0), previous=one), folder).artefact
    last = replace(asked(method, epsilon=1.5), previous=two)
    found = release(corpus, last, folder)
    three = found.artefact
    assert (three.guarantee.epsilon, three.guarantee.delta) == (1.5, 1e-6)
    assert three.noisy_values[: len(two.noisy_values)] == two.noisy_values
    # one draw in some fifty buys a spectral start for these documents and gives it up, with a part of its share
    assert (
        0.95 * whole
        < gaussian.compose([value.mu for value in three.noisy_values])
        <= whole * (1 + 1e-12)
    )
    used = found.balance.used_totals.squared_mu / 1e15
    assert whole**2 * (1 - 1e-9) <= used < 1.0001 * whole**2
    assert three.resumable.parent == parent_of(two)
    assert not release(corpus, last, folder).charged
    again = read_release(write_release(three), "again")
    assert write_release(again) == write_release(three)
    if three.resumable.state.steps is not None:
        assert three.resumable.state.steps.precision > one.resumable.state.steps.precision
    assert three.evidence is None or three.evidence.gain_noise < one.evidence.gain_noise


def test_topics_keep_their_numbers(corpus: Corpus, folder: Folder) -> None:
    one = release(corpus, asked(epsilon=2.0), folder).artefact
    two = release(corpus, replace(asked(epsilon=2.5), previous=one), folder).artefact
    apart = np.sum(np.abs(two.topics[:, None] - one.topics[None]), axis=2)
    assert np.argmin(apart, axis=1).tolist() == [0, 1, 2]


def test_any_other_parent_is_refused_before_it_is_charged(corpus: Corpus, folder: Folder) -> None:
    Ledger(folder).declare("other", epsilon=3.0, delta=1e-5)
    one = release(corpus, asked("private-unigram", epsilon=0.5), folder).artefact
    adaptive = replace(asked("adaptive", epsilon=1.0), previous=one)
    counts = corpus.counts.copy()
    counts.data[0] += 1
    changed = Corpus(counts, corpus.vocabulary, Label.SENSITIVE, "letters", VocabularySource.FIXED)
    request = replace(asked("private-unigram", epsilon=1.0), previous=one)
    edited = replace(one, word_frequencies=one.word_frequencies[::-1].copy())
    refused = [
        (corpus, adaptive, "cannot be continued"),
        (
            corpus,
            replace(request, previous=replace(one, resumable=None)),
            "nothing to continue from",
        ),
        (corpus, replace(request, dataset="other"), "never charged"),
        (changed, request, "other documents"),
        (corpus, replace(request, previous=edited), "edited"),
        (corpus, replace(asked(epsilon=1.0), previous=one), "differ"),
        (corpus, replace(asked("private-unigram", epsilon=0.5), previous=one), "larger total"),
    ]
    before = Ledger(folder).entries()
    for documents, asks, why in refused:
        with pytest.raises(DpldaError, match=why):
            release(documents, asks, folder)
    (folder.path / f"{one.receipt_number}.dplda.json").unlink()
    with pytest.raises(DpldaError, match="missing"):
        release(corpus, request, folder)
    assert Ledger(folder).entries() == before


def with_seeds(
    seeds: str = "one: w0000, w0001", *, epsilon: float, trusted: bool = True
) -> Request:
    method = refined_with(PriorSource(PriorKind.SEEDS, seeds), trusted=trusted).spec
    one = asked(epsilon=epsilon)
    return replace(one, experiment=replace(one.experiment, method=method))


@pytest.mark.parametrize("trusted", [True, False])
def test_continued_release_with_another_table_is_refused(
    trusted, corpus: Corpus, folder: Folder
) -> None:
    one = release(corpus, with_seeds(epsilon=0.5, trusted=trusted), folder).artefact
    more = replace(
        with_seeds(epsilon=1.0, trusted=trusted),
        previous=read_release(write_release(one), "parent"),
    )
    others = (
        with_seeds("one: w0000, w0002", epsilon=1.0, trusted=trusted),
        with_seeds(epsilon=1.0, trusted=not trusted),
    )
    plain = release(corpus, asked(epsilon=0.4), folder).artefact
    before = Ledger(folder).entries()
    for other in (asked(epsilon=1.0), *others):
        with pytest.raises(DpldaError, match=r"other public knowledge|differ"):
            release(corpus, replace(other, previous=one), folder)
    with pytest.raises(DpldaError, match="or none"):
        release(corpus, replace(more, previous=plain), folder)
    assert Ledger(folder).entries() == before
    two = release(corpus, more, folder).artefact
    assert (two.prior_use.digest, two.prior_use.used) == (one.prior_use.digest, one.prior_use.used)
    assert (one.names, two.names) == (
        name_by_themes(one, more.experiment.method.prior),
        more.previous.names,
    )
    next(folder.path.glob("*.seeds")).unlink()
    assert (release(corpus, more, folder).charged, load_prior(one, folder).digest) == (
        False,
        one.prior_use.digest,
    )
    asks = [
        [value.quantity for value in found.noisy_values].count(GATE.words) for found in (one, two)
    ]
    assert asks[0] == asks[1] == one.prior_use.asked
    assert gaussian.compose([value.mu for value in two.noisy_values]) <= gaussian.mu_for(
        1.0, delta_of_noise(1e-6)
    )


def test_topics_of_a_table_keep_their_places_when_steps_begin(folder: Folder) -> None:
    """Where noise left room for word frequencies alone, and a continuation has enough for steps and a start."""
    known = simulate(n_documents=5000, n_words=30, n_topics=3, alpha0=0.3, mean_length=60, seed=0)
    corpus = Corpus(
        known.counts, known.vocabulary, Label.SENSITIVE, "letters", VocabularySource.FIXED
    )
    leading = np.argsort(-known.truth.topics / known.truth.topics.sum(axis=0), axis=1)[:, :4]
    seeds = "\n".join(
        f"{row}: {' '.join(np.take(corpus.vocabulary, own))}" for row, own in enumerate(leading)
    )
    Ledger(folder).declare("large", epsilon=20.0, delta=1e-4)
    one = release(
        corpus, replace(with_seeds(seeds, epsilon=0.025), dataset="large"), folder
    ).artefact
    assert (
        "nothing says how sure their words are" in render_report(contents_of_release(one))
    ) == bool(one.supported_topics)
    asks = replace(with_seeds(seeds, epsilon=0.05, trusted=False), dataset="large")
    assert any(
        "no error bars" in line
        for line in describe_price(corpus, asks, Ledger(folder).balance("large"), "document")
    )
    two = release(
        corpus, replace(with_seeds(seeds, epsilon=6.0), dataset="large", previous=one), folder
    ).artefact
    for found, stepped in ((one, False), (two, True)):
        assert found.prior_use.stepped is stepped
        assert np.argmax(found.topics[:, leading].sum(axis=2), axis=0).tolist() == [0, 1, 2]
    assert two.resumable.state.start is not None


def test_what_follows_words_has_noise_that_can_be_drawn_although_words_lack_all_the_rest(
    folder: Folder,
) -> None:
    """The first run asks about its table, and a continuation does not: so its words lack more than it has."""
    known = topical_corpus(0, n_documents=200, n_words=40)
    corpus = Corpus(
        known.counts, known.vocabulary, Label.SENSITIVE, "letters", VocabularySource.FIXED
    )
    one = release(corpus, with_seeds(epsilon=1.0, trusted=False), folder).artefact
    assert one.prior_use.asked
    more = with_seeds(epsilon=1.05, trusted=False).continuing(one, 1.05)
    new = release(corpus, more, folder).artefact.noisy_values[len(one.noisy_values) :]
    assert more.mu < LARGEST_NOISE_FACTOR * min(value.mu for value in new)


def test_what_was_seen_before_a_release_is_said_by_those_that_continue_it(
    corpus: Corpus, folder: Folder
) -> None:
    one = release(
        corpus, replace(asked(epsilon=0.5), caveats=(Caveat.TRIED, Caveat.LOOKED)), folder
    ).artefact
    more = replace(asked(epsilon=1.0), caveats=(Caveat.LOOKED,)).continuing(one, 1.0)
    two = release(corpus, more, folder).artefact
    assert {Caveat.TRIED, Caveat.LOOKED} <= set(two.guarantee.caveats)
    assert two.guarantee.caveats.count(Caveat.LOOKED) == 1
    assert not any("without looking" in said for said in two.guarantee.rests_on)
    assert any(
        "saw results" in line
        for line in describe_price(corpus, more, Ledger(folder).balance("mail"), "document")
    )
    blind = release(corpus, asked(epsilon=0.7), folder).artefact
    lines = " ".join(
        describe_price(
            corpus, asked().continuing(blind, 1.2), Ledger(folder).balance("mail"), "document"
        )
    )
    assert "k, α₀ and δ without looking" in lines, (
        "the total may be chosen after a look at the first"
    )
    assert describe_ten_documents(1.2, 1e-6, gaussian_fit=True) in lines, "of all releases together"


def test_a_parent_that_promises_less_than_was_paid_for_is_refused(
    corpus: Corpus, folder: Folder
) -> None:
    """Although the folder's own copy was edited in the same way."""
    made = release(corpus, asked(epsilon=1.0), folder)
    promise = replace(made.artefact.guarantee, claimed_epsilon=0.5)
    drawn = tuple(
        replace(one, scale=9 * one.scale, mu=one.mu / 9) for one in made.artefact.noisy_values
    )
    less = replace(made.artefact, guarantee=promise, noisy_values=drawn)
    made.path.write_bytes(write_release(less))
    with pytest.raises(DpldaError, match="edited"):
        release(corpus, asked(epsilon=1.0).continuing(less, 1.5), folder)


def test_a_chain_goes_on_from_a_spectral_start(folder: Folder) -> None:
    known = simulate(n_documents=20_000, n_words=30, n_topics=3, alpha0=1.0, mean_length=60, seed=0)
    corpus = Corpus(
        known.counts, known.vocabulary, Label.SENSITIVE, "letters", VocabularySource.FIXED
    )
    one = release(corpus, asked(epsilon=2.0), folder).artefact
    assert one.resumable is not None
    assert one.resumable.state.start is not None
    two = release(
        corpus,
        replace(asked(epsilon=3.0), previous=read_release(write_release(one), "parent")),
        folder,
    ).artefact
    assert two.resumable.state.start is not None
    np.testing.assert_allclose(
        two.resumable.state.start.topics, one.resumable.state.start.topics, atol=0.01
    )
    errors = [topic_error(known.truth.topics, found.topics).l1_mean for found in (one, two)]
    assert errors[1] < 1.05 * errors[0] < 0.2


def test_continued_release_keeps_selected_words_without_paying_again(
    corpus: Corpus, folder: Folder
) -> None:
    met = Corpus(corpus.counts, corpus.vocabulary, Label.SENSITIVE, "letters", VocabularySource.MET)
    words = Selection(n_words=20, epsilon=0.5, listed=corpus.vocabulary[:12])
    first = replace(asked(epsilon=1.0), selection=words)
    seeded, balance = (
        replace(with_seeds("a: nowhere", epsilon=1.0), selection=words),
        Ledger(folder).balance("mail"),
    )
    for one, warned in (
        (seeded, True),
        (replace(seeded, selection=replace(words, listed=())), False),
    ):
        assert (
            "No word of the table is on the"
            in str([*describe_price(met, one, balance, "document")])
        ) is warned
    made = release(met, first, folder)
    one = read_release(made.path.read_bytes(), "parent")
    assert write_release(one) == write_release(made.artefact) == made.path.read_bytes()
    assert set(words.listed) <= set(one.vocabulary)
    paid = Ledger(folder).balance("mail").used_totals
    more = asked(epsilon=1.0).continuing(made.artefact, 2.0)
    two = release(met, more, folder).artefact
    assert two.vocabulary == one.vocabulary
    assert 1.999 < two.guarantee.epsilon <= 2.0
    assert two.guarantee.delta == one.guarantee.delta
    assert two.noisy_values[: len(one.noisy_values)] == one.noisy_values
    assert any("a public list of 12 need no threshold" in said for said in two.guarantee.rests_on)
    assert [value.quantity.startswith("weights of words") for value in two.noisy_values].count(
        True
    ) == 2
    used = Ledger(folder).balance("mail").used_totals
    assert used.selection_failure == paid.selection_failure
    left = (1 - RESERVED_DELTA_SHARE) * (
        two.guarantee.delta - words.delta + (1 - SELECTION_FAILURE_SHARE) * words.delta
    )
    spent = gaussian.compose([value.mu for value in two.noisy_values])
    assert gaussian.epsilon_for(spent, left) <= two.guarantee.epsilon
    whole = gaussian.mu_for(
        two.guarantee.epsilon, left
    )  # a spectral start that is given up spends less
    assert 0.95 * whole < spent <= whole * (1 + 1e-12)
    assert math.isclose(used.squared_mu, whole**2 * 1e15, rel_tol=1e-3)
    three = release(
        met, asked(epsilon=1.0).continuing(read_release(write_release(two), "parent"), 2.5), folder
    ).artefact
    assert three.vocabulary == one.vocabulary
    before = Ledger(folder).entries()
    for other in (
        replace(more, selection=None),
        replace(more, selection=replace(words, epsilon=0.4)),
        asked("private-unigram").continuing(one, 2.2),
    ):
        with pytest.raises(DpldaError, match="differ"):
            release(met if other.selection else corpus, other, folder)
    with pytest.raises(DpldaError, match="above what words alone take"):
        asked().continuing(one, 0.2)
    assert Ledger(folder).entries() == before


def test_an_edited_state_is_noticed(corpus: Corpus, folder: Folder) -> None:
    file = release(corpus, asked("private-unigram"), folder).path.read_bytes()
    with pytest.raises(DpldaError, match="checksum of its state"):
        read_release(file.replace(b'"tilted": false', b'"tilted": true'), "edited")


def _continue_for_ever(path: Path, corpus: Corpus) -> None:
    since = None
    for step in range(1, 100):
        request = replace(asked("private-unigram", epsilon=0.02 * step), previous=since)
        since = release(corpus, request, Folder(path)).artefact


def test_killed_chain_continues_with_each_release_paid_once(corpus: Corpus, folder: Folder) -> None:
    """Two kills at random moments."""
    rng, spawn = np.random.default_rng(0), multiprocessing.get_context("spawn")
    for _ in range(2):
        process = spawn.Process(target=_continue_for_ever, args=(folder.path, corpus))
        before = len(list(folder.path.glob("*.json")))
        process.start()
        waited_for(lambda n=before: len(list(folder.path.glob("*.json"))) >= n + 2)
        time.sleep(0.2 * rng.random())
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join(240)
    recover_interrupted(folder)
    noted = [noted_in(entry) for entry in Ledger(folder).entries() if entry.kind == "charged"]
    requests = {each["receipt"]: each["request"] for each in noted}
    files = [read_release_file(path) for path in folder.path.glob("*.json")]
    parents = [one.resumable.parent for one in files if one.resumable is not None]
    kept = [requests[one.receipt_number] for one in files]
    assert sum(parent is None for parent in parents) == 1
    assert all(parent is None or parent.receipt_number in requests for parent in parents)
    assert len(kept) == len(set(kept))
    assert len(noted) <= len(files) + 2
    assert Ledger(folder).faults() == ()
