import time
from functools import cache

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.corpus import Corpus
from dplda.corpus.simulation.simulate import simulate
from dplda.evaluation import topic_error
from dplda.methods.chain.pipeline import fit
from dplda.methods.chain.sums import Sums
from dplda.methods.configurations.adaptive import AdaptiveRoute
from dplda.methods.configurations.route import Route
from dplda.methods.configurations.variant import Calibration
from dplda.methods.plan import Plan
from dplda.methods.problem import Problem
from dplda.methods.resources import Resources
from dplda.spectral.cumulants import Coefficients, cube, symmetrise, three_positions
from dplda.spectral.population import Population
from dplda.spectral.tensor import decompose
from dplda.spectral.topics import project_to_simplex, unwhiten
from dplda.spectral.whitening import whiten
from dplda.theory.prediction import projection, sampling
from dplda.theory.prediction.geometry import Geometry, geometry_of, poisson_lengths
from dplda.theory.prediction.noise_levels import measured
from dplda.theory.prediction.predictor import predict, predict_at
from tests.yardstick import slowness

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


def test_turns_follow_the_decomposition() -> None:
    """c_ij against the topics that the package recovers from slightly wrong moments."""
    p, rng, c = truth(), np.random.default_rng(2), Coefficients(ALPHA0)
    small = 1e-6
    basis = p.topics.T @ np.linalg.inv(p.topics @ p.topics.T)  # μ_i · basis_j = δ_ij
    noise = rng.standard_normal((K, K))
    M2 = p.pair_moment() + small * p.topics.T @ (noise + noise.T) @ p.topics
    weights = p.alpha / (ALPHA0 * (ALPHA0 + 1))
    scale = np.sqrt(weights)
    E = small * (noise + noise.T) / np.outer(scale, scale)
    phi = small * symmetrise(rng.standard_normal((K, K, K)))
    W = whiten(M2, K)
    to_frame = (W.whitener.T @ p.topics.T) * scale  # columns: whitened topics
    T = p.third_moment(W.whitener) + np.einsum("abc,ia,jb,mc->ijm", phi, to_frame, to_frame, to_frame)
    raw = unwhiten(decompose(T, rng=rng), W, c, p.mean_words()).words
    raw /= raw.sum(axis=1, keepdims=True)
    coordinates = raw @ basis
    coordinates = coordinates[np.argsort(np.argmax(coordinates, axis=1))]
    predicted = sampling.turns(E, np.einsum("iij->ij", phi), c.eigenvalues(p.alpha))
    off = ~np.eye(K, dtype=bool)
    np.testing.assert_allclose(coordinates[off], predicted[off], rtol=2e-3, atol=1e-9)


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


def test_equal_weights_do_not_move_topics() -> None:
    theta = np.random.default_rng(0).dirichlet(np.ones(4), size=100)
    assert np.max(np.abs(sampling.weighting(theta, np.full(100, 0.3), np.ones(4)))) < 1e-12


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


@pytest.mark.parametrize(("epsilon", "most"), [(0.5, 1.0), (3.0, 1.05)])
def test_shrinkage_after_what_is_predicted_is_no_loss(epsilon: float, most: float) -> None:
    """Less error where there is noise to take off; else the same, ratios of five runs being known to 3 %."""
    plan = Plan("adaptive", epsilon)
    assert observed(plan, 5, shrunk=True) < most * observed(plan, 5)


def test_first_order_is_right_within_a_factor_for_configuration_2() -> None:
    """Its tensor noise makes topics change places."""
    plan = Plan("config-2", 3.0)
    assert 0.5 < observed(plan, 3) / predict(plan, true_geometry(), n_documents=N).l1 < 2


def test_the_un_noised_error_is_observed() -> None:
    found = predict(None, true_geometry(), n_documents=N)
    assert found.l1 == pytest.approx(observed(None, 1), rel=0.15)
    assert found.l1 == pytest.approx(found.sampling)


def test_from_what_a_fit_says_of_itself() -> None:
    """Topics, lengths and clip levels all taken from fits."""
    plan = Plan("adaptive", 1.0)
    un_noised = fit(corpus(), None, Problem(K, ALPHA0), Resources(sums=sums()))
    geometry = geometry_of(Population(un_noised.topics.words, un_noised.topics.alpha), sums().length.tokens)
    private = fit(corpus(), plan, Problem(K, ALPHA0), Resources(sums=sums()))
    found = predict_at(measured(private), geometry, n_documents=N).l1
    assert found == pytest.approx(predict(plan, true_geometry(), n_documents=N).l1, rel=0.15)
    with pytest.raises(InputError):
        measured(un_noised)


@pytest.mark.parametrize("configuration", ["adaptive", "shared-moment", "config-1", "config-2"])
def test_monotone(configuration: str) -> None:
    errors = [predict(Plan(configuration, e), true_geometry(), n_documents=N * 10).l1 for e in (1.0, 2.0, 4.0)]
    assert errors == sorted(errors, reverse=True)
    sizes = [predict(Plan(configuration, 2.0), true_geometry(), n_documents=n).l1 for n in (10**6, 10**7, 10**8)]
    assert sizes == sorted(sizes, reverse=True)
    assert errors[-1] > predict(None, true_geometry(), n_documents=N * 10).l1


def test_below_the_noise_nothing_but_the_mean_is_left() -> None:
    found = predict(Plan("shared-moment", 0.1), true_geometry(), n_documents=2000)
    assert found.resolved == 0
    assert found.l1 == pytest.approx(float(np.mean(true_geometry().unigram)))


def test_unproven_calibrations_are_not_predicted() -> None:
    with pytest.raises(InputError, match="whose error is predicted"):
        predict(Plan("config-1", 1.0, calibration=Calibration.PUBLISHED), true_geometry(), n_documents=N)


@pytest.mark.timing
def test_a_prediction_is_quick() -> None:
    predict(Plan("adaptive", 1.0), true_geometry(), n_documents=N)
    start = time.perf_counter()
    for _ in range(5):
        predict(Plan("adaptive", 1.0), true_geometry(), n_documents=N)
    assert time.perf_counter() - start < 0.5 * slowness()
