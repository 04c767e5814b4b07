"""Noise drawn whitened has the law of noise drawn on all triples of words and whitened afterwards."""

import numpy as np
import pytest

from dplda.privacy import whitened
from dplda.privacy.whitened import WhitenedCells, WhitenedMoment, WhitenedTriples
from tests.privacy.sources import seeded
from tests.statistical.laws import ENOUGH, follows, unit_scale
from tests.statistical.whitened import Given, cells, linear_map, n_coordinates, seen_cells, standardised


def whitener(d: int, k: int) -> np.ndarray:
    """Columns of very different size, neither orthogonal nor sparse."""
    rng = np.random.default_rng(d)
    return rng.standard_normal((d, k)) * np.geomspace(1, 30, k) + rng.dirichlet(np.full(d, 0.1), size=k).T


def full_map(W: np.ndarray, kind: str) -> np.ndarray:
    """From independent numbers of variance one, one for each cell, to what is seen: the full law.

    Of isotropic noise a cell's coordinate stands on all its orders with 1/√orders each, so its part is √orders of
    the symmetric unit; of a histogram's noise it is the unit itself.
    """
    seen = seen_cells(W)
    return seen * np.sqrt(cells(len(W))[1]) if kind == "isotropic" else seen


LAYOUTS = {"isotropic": WhitenedMoment, "histogram": WhitenedTriples, "Laplace": WhitenedCells}
gaussian = pytest.mark.parametrize("kind", ["isotropic", "histogram"])
every_law = pytest.mark.parametrize("kind", LAYOUTS)


@gaussian
@pytest.mark.parametrize(("d", "k"), [(2, 2), (3, 1), (6, 3), (50, 3)])
def test_the_covariance_is_exactly_that_of_the_full_tensor(kind: str, d: int, k: int) -> None:
    """Both laws are Gaussian and centred, so equal covariances are equal laws."""
    W = whitener(d, k)
    numbers = k * (k + 1) * (k + 2) // 6 + (d * d if kind == "histogram" else 0)
    drawn, full = linear_map(LAYOUTS[kind](W), k, numbers), full_map(W, kind)
    scale = np.sqrt(np.diag(full @ full.T))
    np.testing.assert_allclose(
        drawn @ drawn.T / np.outer(scale, scale), full @ full.T / np.outer(scale, scale), atol=1e-9
    )


@pytest.mark.parametrize(("d", "k"), [(2, 2), (6, 3), (50, 3)])
def test_laplace_numbers_land_on_the_cells_in_order_and_none_is_left_over(d: int, k: int) -> None:
    """The law of every number is Laplace's; the map from cells is that of the full tensor, tried on five draws."""
    W = whitener(d, k)
    full = seen_cells(W)
    for seed in range(5):
        numbers = np.random.default_rng(seed).laplace(size=full.shape[1])
        given = Given(numbers)
        drawn = WhitenedCells(W).noise(given, n_coordinates(k))
        assert given.left == 0
        np.testing.assert_allclose(drawn, full @ numbers, rtol=1e-9, atol=1e-9 * np.max(np.abs(drawn)))


def sampled(kind: str, W: np.ndarray, draws: int) -> np.ndarray:
    layout, zeros, source = LAYOUTS[kind](W), np.zeros(n_coordinates(W.shape[1])), seeded(0)
    add = source.perturb_laplace if kind == "Laplace" else source.perturb
    return np.array([add(zeros, 1.0, layout, "T") for _ in range(draws)])


@pytest.mark.parametrize(("kind", "rows"), [("isotropic", 256), ("histogram", 256), ("histogram", 32)])
def test_draws_follow_the_covariance_and_a_scale_ten_percent_off_does_not(
    kind: str, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """False-alarm rate 1e-4 each, misses below 1e-6 (laws.py); 50 words take two rounds of 32 of the sampler."""
    monkeypatch.setattr(whitened, "BLOCK", rows)
    W = whitener(50, 3)
    full = full_map(W, kind)
    found = standardised(sampled(kind, W, 520), full @ full.T)
    assert found.size >= ENOUGH
    assert follows(found)
    assert not unit_scale(1.1 * found)
    assert not unit_scale(0.9 * found)


def test_laplace_draws_have_the_variance_of_the_full_tensor() -> None:
    """Sums of many Laplace numbers; at d = 20 their squares vary by a few percent more than normal ones."""
    W = whitener(20, 3)
    full = np.sqrt(2) * seen_cells(W)
    found = standardised(sampled("Laplace", W, 1000), full @ full.T)
    assert np.mean(found**2) == pytest.approx(1, abs=0.08)  # four standard errors of 10,000 squares are 0.06
    assert np.mean((1.1 * found) ** 2) > 1.13
    assert np.mean((0.9 * found) ** 2) < 0.87
