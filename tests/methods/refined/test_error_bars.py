"""How far refined topics are off: whether intervals hold the truth, and what they are made of."""

import pickle
from dataclasses import replace
from functools import cache, partial
from typing import TypeAlias

import numpy as np
import pytest

from dplda.core import checks
from dplda.methods.base import error_bars as module
from dplda.methods.base.error_bars import Uncertainty
from dplda.methods.base.method import FitResult
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.stages import bootstrap
from dplda.privacy.accounting import gaussian
from dplda.spectral.topics import match
from tests.tiny_corpora import topical_corpus

N, K, D, LENGTH = 5000, 3, 80, 40
Pair: TypeAlias = tuple[FitResult, np.ndarray]
EPSILON = 0.5  # noise dominates: sampling errs by about a third of it


def found(
    seed: int,
    epsilon: float = EPSILON,
    alpha0: float = 1.0,
    previous: PreviousRelease | None = None,
):
    corpus = topical_corpus(
        seed, n_documents=N, n_words=D, n_topics=K, mean_length=LENGTH, alpha0=alpha0
    )
    refined = fit_refined(
        corpus, Problem(K, alpha0), Budget(epsilon, 1e-7), Runtime(seed), previous=previous
    )
    return refined, corpus.truth.topics[match(refined.topics.words, corpus.truth.topics)]


@cache
def runs():
    return [found(seed) for seed in range(5)]


def held(pairs, stretch: float = 1.0) -> tuple[float, float]:
    """Parts of all cells, and of ten leading words, whose truth lies inside when deviations are multiplied."""
    inside, leading = [], []
    for refined, truth in pairs:
        known_errors = replace(
            refined.uncertainty, known_error_std=stretch * refined.uncertainty.deviation
        )
        lower, upper = known_errors.interval()
        within = (lower <= truth) & (truth <= upper)
        inside.append(np.mean(within))
        leading.append(
            np.mean(
                np.take_along_axis(
                    within, np.argsort(-refined.topics.words, axis=1)[:, :10], axis=1
                )
            )
        )
    return float(np.mean(inside)), float(np.mean(leading))


def mean_squares(pairs) -> np.ndarray:
    """The mean square of all error bars, of each run."""
    return np.array([np.mean(refined.uncertainty.deviation**2) for refined, _ in pairs])


def test_interval_at_ninety_percent_holds_the_truth_nine_times_in_ten() -> None:
    """The mean over five corpora of 240 cells has a standard error of 0.01 over draws; ends are three of them away."""
    assert 0.85 <= held(runs())[0] <= 0.95
    assert held(runs(), 0.6)[0] < 0.85
    assert held(runs(), 2.0)[0] > 0.95


def test_interval_of_topics_from_moments_holds_the_truth() -> None:
    pairs = [found(seed, epsilon=20.0, alpha0=0.1) for seed in range(2)]
    assert all(refined.state.start is not None for refined, _ in pairs)
    every, leading = held(pairs)
    assert 0.85 <= every <= 0.95
    assert leading >= 0.8


def test_interval_of_a_continued_run_holds_the_truth() -> None:
    pairs = []
    for seed, (first_run, _) in enumerate(runs()[:2]):
        previous = PreviousRelease(
            first_run.state, gaussian.mu_for(EPSILON, 1e-7), first_run.evidence, str(seed)
        )
        pairs.append(found(seed, 2 * EPSILON, previous=previous))
        assert np.mean(pairs[-1][0].uncertainty.deviation) < np.mean(
            first_run.uncertainty.deviation
        )
    every, leading = held(pairs)
    assert 0.85 <= every <= 0.97
    assert leading >= 0.8


def repeated_on(n_documents: int, pair: Pair) -> Pair:
    """A run and its truth, its error bars from one run on so many documents."""
    refined, truth = pair
    first_fit, *_ = refined.uncertainty.bootstrap_fits
    smaller_run = replace(first_fit.func, max_documents=n_documents)
    fit_on_few = partial(smaller_run, *first_fit.args)
    few = replace(refined.uncertainty, bootstrap_fits=(fit_on_few,))
    return refined.with_uncertainty(few), truth


def test_bootstrap_of_many_documents_draws_fewer_with_less_noise(monkeypatch) -> None:
    """So noise counts as it is, and sampling for up to 2.5 times that: at ε = 20 it is nearly all. Single runs vary."""
    noisy_runs, sampled_runs = runs()[1:4], [found(seed, 20.0) for seed in range(1, 4)]
    noise_of_few = mean_squares([repeated_on(2000, pair) for pair in noisy_runs])
    sampling_of_few = mean_squares([repeated_on(2000, pair) for pair in sampled_runs])
    noisy = np.median(noise_of_few / mean_squares(noisy_runs))
    sampled = np.median(sampling_of_few / mean_squares(sampled_runs))
    assert 0.4 < noisy < 1.5 < sampled < 3
    monkeypatch.setattr(bootstrap, "MAX_BOOTSTRAP_DOCUMENTS", 2000)
    (fit_on_few,) = found(1)[0].uncertainty.bootstrap_fits
    assert fit_on_few.func.max_documents == 2000


@pytest.mark.parametrize("alpha0", [checks.SMALLEST, checks.LARGEST])
def test_interval_at_the_ends_of_alpha0_is_finite(alpha0: float) -> None:
    """A refusal would come after a release was paid for."""
    corpus = topical_corpus(0, n_documents=N, n_words=D, n_topics=K, mean_length=LENGTH)
    known_errors = fit_refined(
        corpus, Problem(K, alpha0), Budget(20.0, 1e-7), Runtime(0)
    ).uncertainty
    assert np.all(np.isfinite(known_errors.deviation))


def test_error_bars_after_pickling_are_the_same() -> None:
    refined = runs()[0][0]
    unpickled = replace(pickle.loads(pickle.dumps(refined.uncertainty)))
    first_numbers = []

    def watched(fit, report):
        uncertainty, evidence = fit(report)
        first_numbers.append(uncertainty.unshrunk_topics[0, 0])
        return uncertainty, evidence

    fits = tuple(partial(watched, fit) for fit in unpickled.bootstrap_fits)
    np.testing.assert_array_equal(
        replace(unpickled, bootstrap_fits=fits).deviation, refined.uncertainty.deviation
    )
    assert len(set(first_numbers)) == 4
    reordered = Uncertainty(
        *(
            getattr(unpickled, name)[[2, 0, 1]]
            for name in ("topics", "unshrunk_topics", "noise_std", "topic_shares")
        )
    )
    np.testing.assert_allclose(
        reordered.smoothed_error(unpickled.topics), unpickled.smoothed_error(unpickled.topics)
    )


def test_interval_narrows_with_noise_but_widens_with_level() -> None:
    known_errors = runs()[0][0].uncertainty
    (low, high), wider = known_errors.interval(0.9), known_errors.interval(0.99)
    assert np.all((wider[0] <= low) & (high <= wider[1]))
    assert np.all(
        (low >= 0) & (low <= known_errors.topics) & (known_errors.topics <= high) & (high <= 1)
    )
    assert np.mean(known_errors.deviation) > 3 * np.mean(
        found(0, epsilon=5.0)[0].uncertainty.deviation
    )


def test_smooth_finds_the_parts_of_an_error_again() -> None:
    rng = np.random.default_rng(0)
    noise, topics = rng.uniform(0.5, 2, (2, 3000)) * 1e-6, rng.dirichlet(np.full(3000, 0.3), 2)
    noise_sums = np.sum(noise, axis=1, keepdims=True)
    truth = 1.7 * noise + 0.2 * topics * noise_sums + 0.5 * noise_sums / 3000
    np.testing.assert_allclose(module._smooth(truth, noise, topics), truth)
    drawn_errors = truth * rng.chisquare(2, truth.shape) / 2
    np.testing.assert_allclose(module._smooth(drawn_errors, noise, topics), truth, rtol=0.35)


def test_interval_with_known_errors_uses_them() -> None:
    refined = runs()[0][0]
    error_std = np.full_like(refined.topics.words, 0.01)
    known_errors = replace(refined.uncertainty, known_error_std=error_std)
    np.testing.assert_array_equal(known_errors.deviation, error_std)
    lower, upper = known_errors.interval()
    width = np.minimum(known_errors.unshrunk_topics + 0.0164486, 1) - np.maximum(
        known_errors.unshrunk_topics - 0.0164486, 0
    )
    assert np.all(upper - lower >= width - 1e-6)


def test_refined_result_with_another_uncertainty_keeps_its_evidence() -> None:
    refined = runs()[0][0]
    other_uncertainty = replace(
        refined.uncertainty, known_error_std=np.zeros_like(refined.topics.words)
    )
    changed_run = refined.with_uncertainty(other_uncertainty)
    assert changed_run.uncertainty is other_uncertainty
    assert changed_run.evidence is refined.evidence
    assert refined.uncertainty is not other_uncertainty
