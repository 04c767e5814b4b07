from functools import cache

import numpy as np
import pytest

from dplda.corpus import Corpus
from dplda.corpus.simulation.simulate import simulate
from dplda.evaluation import topic_error
from dplda.methods.chain.pipeline import fit
from dplda.methods.chain.sums import Sums
from dplda.methods.configurations.adaptive import AdaptiveRoute
from dplda.methods.configurations.route import Route
from dplda.methods.plan import Plan
from dplda.methods.problem import Problem
from dplda.methods.resources import Resources
from dplda.spectral.cumulants import Coefficients, cube, three_positions
from dplda.spectral.population import Population
from dplda.spectral.topics import project_to_simplex
from dplda.theory.prediction import projection, sampling
from dplda.theory.prediction.geometry import Geometry, geometry_of, poisson_lengths
from dplda.theory.prediction.predictor import predict

N, K, ALPHA0 = 100_000, 3, 0.3


@cache
def corpus() -> Corpus:
    return simulate(n_documents=N, n_words=80, n_topics=K, alpha0=ALPHA0, mean_length=60, seed=4)


@cache
def sums() -> Sums:
    return Sums(corpus().counts)


def truth() -> Population:
    assert corpus().truth is not None
    return Population(corpus().truth.topics, corpus().truth.alpha)


@cache
def true_geometry() -> Geometry:
    return geometry_of(truth(), poisson_lengths(60))


@cache
def observed(plan: Plan | None, seeds: int, *, shrunk: bool = False) -> float:
    """Mean error of runs, before shrinkage as predicted, or after."""
    with pytest.MonkeyPatch.context() as patch:
        if not shrunk:
            patch.setattr(AdaptiveRoute, "polish", Route.polish)
        found = [fit(corpus(), plan, Problem(K, ALPHA0), Resources(seed, sums=sums())) for seed in range(seeds)]
    return float(np.mean([topic_error(truth().topics, one.topics.words).l1_mean for one in found]))


def test_projection_equals_the_average_of_projected_draws() -> None:
    rng = np.random.default_rng(0)
    topic = rng.dirichlet(np.full(400, 0.1))
    shift = 0.002 * rng.standard_normal(400)
    shift -= shift.mean()
    deviation = rng.uniform(0.0005, 0.004, size=400)
    draws = topic + shift + deviation * rng.standard_normal((4000, 400))
    draws += (1 - draws.sum(axis=1, keepdims=True)) / 400
    average = np.mean(np.sum(np.abs(project_to_simplex(draws) - topic), axis=1))
    ones = np.ones((1, 400))
    found = projection.expected_l1(topic[None], ones, shift[None], deviation[None])[0]
    assert found == pytest.approx(average, rel=0.01)
    without = np.sqrt(2 / np.pi) * deviation.sum()
    assert found < 0.75 * without  # what projection saves


def test_no_noise_no_error() -> None:
    topic = np.array([[0.7, 0.3, 0.0]])
    zero = np.zeros((1, 3))
    assert projection.expected_l1(topic, np.ones((1, 3)), zero, zero)[0] == pytest.approx(0, abs=1e-12)
    assert projection.expected_l1(topic, np.ones((1, 3)), zero, zero + 1e6)[0] <= 2


def test_variance_of_turns_equals_the_average_over_documents() -> None:
    """Half a million proportions in groups of 500: the spread of c_ij is the promised one."""
    alpha = np.array([0.2, 0.5, 0.4])
    rng = np.random.default_rng(7)
    groups, size = 1000, 500
    c = Coefficients(float(alpha.sum()))
    lam = c.eigenvalues(alpha)
    w = alpha / (c.alpha0 * (c.alpha0 + 1))
    ideal = np.zeros((3, 3, 3))
    ideal[np.arange(3), np.arange(3), np.arange(3)] = lam
    found = []
    for _ in range(groups):
        y = rng.dirichlet(alpha, size=size) / np.sqrt(w)
        first, second = y.mean(axis=0), y.T @ y / size
        third = np.einsum("na,nb,nc->abc", y, y, y, optimize=True) / size
        E = second - c.a * np.outer(first, first) - np.eye(3)
        tensor = third + c.b * three_positions(second, first) + c.c * cube(first) - ideal
        found.append(sampling.turns(E, np.einsum("iij->ij", tensor), lam))
    off = ~np.eye(3, dtype=bool)
    variance = np.var(found, axis=0)[off] * size
    np.testing.assert_allclose(variance, sampling.in_plane(alpha)[off], rtol=0.25)


def test_groups_of_words_stand_for_the_words() -> None:
    rng = np.random.default_rng(1)
    p = Population(rng.dirichlet(np.full(1500, 0.1), size=5), np.full(5, 0.2))
    grouped, exact = (geometry_of(p, poisson_lengths(80), groups=count) for count in (128, 1500))
    assert grouped.words.mass.shape == (5, 128)
    np.testing.assert_allclose(np.sum(grouped.words.size * grouped.words.mass, axis=1), 1, rtol=1e-12)
    for epsilon in (0.5, 3.0):
        plan = Plan("adaptive", epsilon)
        one, other = (predict(plan, g, n_documents=N).l1 for g in (grouped, exact))
        assert one == pytest.approx(other, rel=0.02)


@pytest.mark.parametrize("configuration", ["adaptive", "shared-moment", "config-1"])
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_predicted_errors_are_observed(configuration: str, epsilon: float) -> None:
    plan = Plan(configuration, epsilon)
    found = predict(plan, true_geometry(), n_documents=N)
    assert found.l1 == pytest.approx(observed(plan, 5), rel=0.1)
    assert sum(part for _, part in found.parts) == pytest.approx(found.l1)
    assert found.resolved == K


def test_the_un_noised_error_is_observed() -> None:
    found = predict(None, true_geometry(), n_documents=N)
    assert found.l1 == pytest.approx(observed(None, 1), rel=0.15)
    assert found.l1 == pytest.approx(found.sampling)


def test_below_the_noise_nothing_but_the_mean_is_left() -> None:
    found = predict(Plan("shared-moment", 0.1), true_geometry(), n_documents=2000)
    assert found.resolved == 0
    assert found.l1 == pytest.approx(float(np.mean(true_geometry().unigram)))
