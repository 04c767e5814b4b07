"""Back from components: nearest distributions, best matching, α, and topics that the noise hides."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda.spectral.tensor import Components, decompose
from dplda.spectral.topics import match, parts_of_mean_words, project_to_simplex
from dplda.spectral.whitening import noise_edge, whiten
from tests.spectral.populations import draw_population, recover

values = st.floats(-1e3, 1e3, allow_nan=False)


@given(st.lists(st.lists(values, min_size=4, max_size=4), min_size=1, max_size=3))
def test_projections_meet_the_conditions_of_the_nearest_distribution(
    rows: list[list[float]],
) -> None:
    """KKT: p = max(y − θ, 0) with one θ a row, and Σ p = 1; convex, so sufficient."""
    y = np.array(rows)
    p = project_to_simplex(y)
    assert np.all(p >= 0)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
    for row, projected in zip(y, p, strict=True):
        theta = (row - projected)[projected > 0]
        tolerance = 1e-9 * (1 + np.max(np.abs(row)))
        assert np.ptp(theta) <= tolerance
        assert np.all(row[projected == 0] <= theta.mean() + tolerance)


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_matched_order_is_the_closest(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    truth, estimate = rng.dirichlet(np.ones(6), size=(2, k))
    matched = np.sum(np.abs(estimate[match(truth, estimate)] - truth))
    best = min(np.sum(np.abs(estimate[list(order)] - truth)) for order in permutations(range(k)))
    assert matched == pytest.approx(best, abs=1e-12)


def test_topics_below_the_noise_floor_are_weightless_mean_words() -> None:
    """Two of four topics are resolved: noise lies between the second and the third eigenvalue."""
    truth = draw_population(4, seed=1)
    M2 = truth.pair_moment()
    second, third = np.linalg.eigvalsh(M2)[[-2, -3]]
    whitening = whiten(M2, 4, entry_noise=(second + third) / 2 / noise_edge(len(M2), 1.0))
    m = whitening.resolved
    assert m == 2
    tensor = truth.third_moment(whitening.whitener)
    components = decompose(tensor, rng=np.random.default_rng(0))
    topics = recover(components, whitening, truth.mean_words(), 4)
    assert topics.resolved == 2
    np.testing.assert_array_equal(
        topics.words[m:], np.repeat(topics.mean_words[None, :], 4 - m, axis=0)
    )
    np.testing.assert_array_equal(topics.alpha[m:], 0)
    np.testing.assert_array_equal(topics.overlap[m:], 0)
    assert np.all(topics.overlap[:m] > 0)
    assert topics.alpha.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(topics.words.sum(axis=1), 1)


def test_topics_of_no_direction_are_the_mean_words() -> None:
    whitening = whiten(-np.eye(3), 2)
    nothing = Components(np.empty(0), np.empty((0, 0)), 0.0, converged=True, n_starts=0)
    mean = np.array([0.5, 0.3, 0.2])
    topics = recover(nothing, whitening, mean, 2)
    np.testing.assert_allclose(topics.words, [mean, mean])
    assert topics.resolved == 0
    noisy = recover(nothing, whitening, np.array([0.9, 0.2, -0.2]), 2)
    np.testing.assert_allclose(noisy.mean_words.sum(), 1)
    assert noisy.mean_words.min() >= 0


def test_component_of_no_size_at_all_is_no_division_by_zero() -> None:
    """A tensor of lower rank than the space it lives in: an eigenvalue is exactly 0."""
    whitening = whiten(np.diag([3.0, 2.0, 1.0]), 2)
    parts = Components(np.array([1.0, 0.0]), np.eye(2), 0.0, converged=True, n_starts=1)
    topics = recover(parts, whitening, np.full(3, 1 / 3), 2)
    np.testing.assert_allclose(topics.words.sum(axis=1), 1)
    assert np.all(np.isfinite(topics.alpha))


@pytest.mark.parametrize("dust", [0.0, 1e-19, -1e-19])
def test_parts_of_mean_words_are_zero_for_topics_the_mean_lacks(
    dust: float,
) -> None:
    """Words 2 and 3 belong to topics that the mean words lack; a processor leaves dust on them."""
    topics = np.array([[0.5, 0.5, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    mean_words = np.array([0.5, 0.5, dust, 0])
    parts = parts_of_mean_words(topics, mean_words)
    np.testing.assert_array_equal(parts[1:], 0)
    assert parts[0] == pytest.approx(1)


def test_parts_of_mixed_mean_words_are_those_of_the_mixture() -> None:
    rng = np.random.default_rng(3)
    topics = rng.dirichlet(np.ones(20), size=4)
    shares = rng.dirichlet(np.ones(4))
    np.testing.assert_allclose(parts_of_mean_words(topics, shares @ topics), shares, rtol=1e-9)
