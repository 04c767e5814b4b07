"""The predicted error of the private unigram is that of sampled runs, at little noise and at much."""

from functools import cache

import numpy as np

from dplda.corpus import simulate
from dplda.evaluation import topic_error
from dplda.methods.registry import parse_method
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.regimes import reference_of
from dplda.theory.prediction.unigram import RATIO, UNIGRAM, unigram_errors
from tests.asking import asked

POINTS = (
    Point(n_documents=300, n_topics=4, n_words=40, alpha0=1.0, mean_length=20, epsilon=1.0),
    Point(n_documents=1000, n_topics=4, n_words=60, alpha0=1.0, mean_length=60, epsilon=1.0),
    Point(n_documents=2000, n_topics=3, n_words=100, alpha0=0.03, mean_length=300, epsilon=1.0),  # longer than counts
    Point(n_documents=1000, n_topics=10, n_words=500, alpha0=0.1, mean_length=30, epsilon=1.0),
)
EPSILONS = (0.03, 0.1, 1.0, 10.0)
RUNS = 10


def moved(point: Point) -> list[Point]:
    return [point.moved(Axis.EPSILON, epsilon) for epsilon in EPSILONS]


@cache
def observed(point: Point) -> np.ndarray:
    """Of every run at every ε, shape (ε, runs)."""
    d, k, alpha0, length = point.population
    corpus = simulate(n_documents=point.n_documents, n_words=d, n_topics=k, alpha0=alpha0, mean_length=length, seed=0)
    fit, errors = parse_method(UNIGRAM).fit, []
    for each in moved(point):
        found = [fit(corpus, *asked(k, alpha0, each.epsilon, each.delta, seed=i)).topics.words for i in range(RUNS)]
        errors.append([topic_error(corpus.truth.topics, words).l1_mean for words in found])
    return np.array(errors)


def test_the_error_is_that_of_runs() -> None:
    """Mean errors of ten runs within 3 % at every point; those of half the noise are further off."""
    found, halved = [], []
    for point in POINTS:
        runs, more = (
            np.mean(observed(point), axis=1),
            [each.moved(Axis.EPSILON, 2 * each.epsilon) for each in moved(point)],
        )
        found.append(unigram_errors(moved(point), reference_of(point)) / runs)
        halved.append(unigram_errors(more, reference_of(point)) / runs)
    np.testing.assert_allclose(found, 1, rtol=0.03)
    assert np.max(np.abs(np.array(halved) - 1)) > 0.06


def test_the_ratios_are_those_of_runs() -> None:
    """Every run lies within, and the widest ones nearly fill it."""
    ratios = np.array(
        [unigram_errors(moved(point), reference_of(point))[:, None] / observed(point) for point in POINTS]
    )
    assert RATIO.low <= np.min(ratios) < RATIO.low + 0.03
    assert RATIO.high - 0.03 < np.max(ratios) <= RATIO.high
