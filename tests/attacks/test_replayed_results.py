"""Whole results and whole released files are functions of releases: equal bytes on neighbors with equal releases.

The documents use words that the English table knows, and one of them tips what they say of the table without noise.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from dplda.attacks.replay import Recorder, replay
from dplda.corpus import Corpus, Label
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.plan.public_shares import prior_acceptance_threshold
from dplda.methods.refined.plan.quantities import GAIN, GATE, STATISTIC, WORDS
from dplda.methods.refined.prior.prior_files import prior_from_source
from dplda.methods.refined.stages import bootstrap, prior_test
from dplda.methods.registry import METHODS, parse_method
from dplda.privacy.accounting import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.exact import ExactNoise, delta_of_noise
from dplda.privacy.noise.fixed_point import FixedPointSum
from dplda.privacy.noise.sources import NoiseSource, NoNoise
from dplda.release.artefact.released_file import write_release
from dplda.release.ledger.ledger import LedgerEntry
from dplda.release.workflow.publish import make_artefact
from dplda.release.workflow.request import Request
from tests.asking import settings_of
from tests.attacks.test_replay import published
from tests.privacy.sources import seeded
from tests.tiny_corpora import english_corpus_of, table_words

N_DOCUMENTS, N_THEMES, N_WORDS = 400, 3, 15
EPSILON, DELTA = 20.0, 1e-6
PROBLEM = Problem(N_THEMES, 0.1)


def english_corpus(n_with_theme: int) -> Corpus:
    """Documents of one theme each, as in the table, and others of one word from every theme, against it."""
    themes, rng = np.arange(N_WORDS) % N_THEMES, np.random.default_rng(0)
    rows = np.zeros((N_DOCUMENTS, N_WORDS), dtype=np.int64)
    for document, row in enumerate(rows):
        own_counts = rng.poisson(4 * (themes == document % N_THEMES))
        against = [rng.choice(np.flatnonzero(themes == theme)) for theme in range(N_THEMES)]
        if document < n_with_theme:
            row += own_counts
        else:
            row[against] = 8
    return english_corpus_of(rows, N_THEMES, Label.SENSITIVE)


@cache
def tipping_neighbors() -> tuple[Corpus, Corpus]:
    """Neighbors of which the second alone bears the table out, if nothing is noised."""
    threshold = prior_acceptance_threshold(
        N_DOCUMENTS, gaussian.mu_for(EPSILON, delta_of_noise(DELTA))
    )
    low, high = 0, N_DOCUMENTS
    while high - low > 1:
        middle = (low + high) // 2
        if noiseless_advantage(english_corpus(middle)) > threshold:
            high = middle
        else:
            low = middle
    first_corpus, second_corpus = english_corpus(low), english_corpus(high)
    assert noiseless_advantage(first_corpus) <= threshold < noiseless_advantage(second_corpus)
    return first_corpus, second_corpus


def noiseless_advantage(corpus: Corpus) -> float:
    method = METHODS["refined-english"]
    prior = method.fit(corpus, PROBLEM, Budget(EPSILON, DELTA), Runtime(0, NoNoise())).prior
    assert prior is not None
    return prior.advantage


def fitted(method: str, corpus: Corpus, noise: NoiseSource) -> bytes:
    return published(
        parse_method(method).fit(corpus, PROBLEM, Budget(EPSILON, DELTA), Runtime(3, noise))
    )


def continued(method: str, corpus: Corpus, noise: NoiseSource) -> bytes:
    """A release to a third of ε and the one that continues it, both results."""
    known_method, first_budget = parse_method(method), Budget(EPSILON / 3, DELTA)
    look = known_method.fit(corpus, PROBLEM, first_budget, Runtime(3, noise))
    assert look.state is not None
    assert known_method.fit_continued is not None
    previous = PreviousRelease(
        look.state,
        gaussian.mu_for(first_budget.epsilon, DELTA),
        look.evidence,
        "first",
        prior_was_tested=look.prior is not None and look.prior.asked,
    )
    result = known_method.fit_continued(
        previous, corpus, PROBLEM, Budget(EPSILON, DELTA), Runtime(4, noise)
    )
    return published(look) + published(result)


METHODS_WITH_RELEASES = ("refined", "refined-english", "private-unigram", "adaptive/corrected")
RUNS = {
    **{method: partial(fitted, method) for method in METHODS_WITH_RELEASES},
    **{f"{method}, continued": partial(continued, method) for method in METHODS_WITH_RELEASES[:3]},
}


def results_are_equal(run: Callable[[Corpus, NoiseSource], bytes]) -> bool:
    record = replay(run, tipping_neighbors(), (Recorder(seeded(1)), Recorder(seeded(2))))
    first_result, second_result = record.results
    return first_result == second_result


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_whole_results_on_neighbors_with_equal_releases_are_equal_bytes(run) -> None:
    assert results_are_equal(run)


def test_replayed_fit_runs_the_prior_test() -> None:
    """Else the mutants below would have nothing to change."""
    method = METHODS["refined-english"]
    prior = method.fit(
        tipping_neighbors()[0], PROBLEM, Budget(EPSILON, DELTA), Runtime(3, seeded(1))
    ).prior
    assert prior is not None
    assert prior.asked
    table = method.prior_source
    assert table is not None
    assert set(table_words(N_THEMES, N_WORDS)) <= set(prior_from_source(table, N_THEMES).words)


class DecidedWithoutNoise(float):
    """A noisy advantage, pickled as a plain number, that is judged by the one without noise."""

    noiseless: float
    threshold: float

    def __gt__(self, threshold: float) -> bool:
        return self.noiseless > self.threshold

    def __reduce__(self) -> tuple[type[float], tuple[float]]:
        return float, (float(self),)


def decide_the_prior_test_without_noise(patch: pytest.MonkeyPatch) -> None:
    """Only the decision is un-noised: the advantage that is shown, and all releases, have their noise.

    The threshold is where it is worst: what the first corpus says.
    """
    honest, noiseless = prior_test.release_prior_advantage, []

    def advantage(run, *arguments):
        decided_run = DecidedWithoutNoise(honest(run, *arguments))
        silent = replace(run, mechanisms=Mechanisms(NoNoise()))
        decided_run.noiseless = honest(silent, *arguments)
        noiseless.append(decided_run.noiseless)
        decided_run.threshold = noiseless[0]
        return decided_run

    patch.setattr(prior_test, "release_prior_advantage", advantage)


def without_noise(value, layout):
    """A value as a mechanism returns it, also where it is a sum of whole numbers."""
    if isinstance(value, FixedPointSum):
        return layout.array(value.numbers * value.unit)
    return np.array(value)


def pass_noise_by(edge: str, patch: pytest.MonkeyPatch) -> None:
    """A quantity is released with its noise, and what the run goes on with has none."""
    honest = Mechanisms.gaussian

    def gaussian_(self, of, value, layout, *, sensitivity, mu):
        noiseless = without_noise(value, layout)
        noisy = honest(self, of, value, layout, sensitivity=sensitivity, mu=mu)
        return noiseless if of.edge == edge else noisy

    patch.setattr(Mechanisms, "gaussian", gaussian_)


MUTANTS = {"prior test decided without noise": decide_the_prior_test_without_noise} | {
    f"no noise on {quantity.words}": partial(pass_noise_by, quantity.edge)
    for quantity in (WORDS, GATE, STATISTIC, GAIN)
}


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_replay_of_whole_results_kills_what_goes_on_without_noise(
    mutant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tipping_neighbors()
    mutant(monkeypatch)
    try:
        equal = results_are_equal(RUNS["refined-english"])
    except AssertionError:  # a release, or its noise, differs
        return
    assert not equal


ENTRY = LedgerEntry(
    number=1,
    at="2026-01-01T00:00:00.000+00:00",
    kind="charged",
    dataset="mail",
    epsilon=1,
    delta=1,
    detail="{}",
    hash="ab" * 32,
)


def released_file(method: str, corpus: Corpus, noise: NoiseSource) -> bytes:
    """The file of a release: public facts and noisy values, without the time and the ledger."""
    settings = settings_of(
        parse_method(method), n_topics=N_THEMES, alpha0=0.1, epsilon=EPSILON, delta=DELTA
    )
    budget = replace(settings.budget, delta=delta_of_noise(DELTA))
    result = settings.registered_method.fit(corpus, settings.problem, budget, Runtime(0, noise))
    return write_release(make_artefact(result, corpus, Request("mail", "letters", settings), ENTRY))


def exact_recorders() -> tuple[Recorder, Recorder]:
    return tuple(Recorder(ExactNoise(epsilon=EPSILON, delta=DELTA)) for _ in range(2))


@pytest.mark.parametrize("method", METHODS_WITH_RELEASES)
def test_whole_released_files_on_neighbors_with_equal_releases_are_equal_bytes(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the noise that may leave, and the ranges of words, which are computed from the release."""
    monkeypatch.setattr(bootstrap, "N_BOOTSTRAP_TOPICS", 1)
    run = partial(released_file, method)
    record = replay(run, tipping_neighbors(), exact_recorders())
    first_result, second_result = record.results
    assert first_result == second_result
    assert record.spent_budget <= gaussian.mu_for(EPSILON, DELTA)


DRAWS = 20


def replayed_file_differs() -> bool:
    """Whether files on neighbors differ, or a release or its noise does, at one draw of exact noise."""
    run = partial(released_file, "refined-english")
    try:
        first_result, second_result = replay(run, tipping_neighbors(), exact_recorders()).results
    except AssertionError:
        return True
    return first_result != second_result


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_replay_of_whole_files_kills_what_goes_on_without_noise(
    mutant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exact noise has no seed, and a decision near its threshold differs in about three draws of four."""
    tipping_neighbors()
    monkeypatch.setattr(bootstrap, "N_BOOTSTRAP_TOPICS", 1)
    mutant(monkeypatch)
    assert any(replayed_file_differs() for _ in range(DRAWS))
