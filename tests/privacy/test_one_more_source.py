"""A source of noise added as one class is held to the contract of all of them, on every layout."""

import math

import numpy as np
import pytest

from dplda.privacy.noise.keys import NoiseKind, SeedKey
from dplda.privacy.noise.layouts import PairHistogram, PlainVector, Spread
from tests.privacy.contract import CASES, Case
from tests.statistical.laws import follows

GRID = 2.0**-30


class OnAGrid:
    """A toy: rounds what it sees and what it returns to a grid; its noise has the promised law but for that."""

    kind = NoiseKind.SEEDED

    def __init__(self, seed: int, factor: float = 1.0) -> None:
        self._key, self._factor = SeedKey(seed, ("grid",)), factor

    def perturb(self, coordinates: np.ndarray, scale: float, spread: Spread, of: str) -> np.ndarray:
        rng = self._key.generator(of)
        return self._rounded(
            coordinates, scale * spread.noise(rng.standard_normal, len(coordinates))
        )

    def perturb_laplace(
        self, coordinates: np.ndarray, scale: float, spread: Spread, of: str
    ) -> np.ndarray:
        rng = self._key.generator(of)
        return self._rounded(
            coordinates, scale * spread.noise(lambda n: rng.laplace(size=n), len(coordinates))
        )

    def _rounded(self, coordinates: np.ndarray, noise: np.ndarray) -> np.ndarray:
        return np.round((np.round(coordinates / GRID) * GRID + self._factor * noise) / GRID) * GRID


every_mechanism = pytest.mark.parametrize("case", CASES, ids=lambda case: case.method)


@every_mechanism
def test_new_source_of_noise_follows_the_declared_law(case: Case) -> None:
    assert follows(case.standardised([OnAGrid(seed) for seed in range(case.enough_draws())]))


@every_mechanism
def test_new_source_of_noise_returns_the_released_value(case: Case) -> None:
    """What is released lies on the grid of its coordinates: the source returned it, nobody added to it after."""
    value, release = case.run(OnAGrid(3))
    if not case.others or isinstance(case.others[0], PlainVector | PairHistogram):
        steps = np.asarray(value) / (GRID / 2)
        np.testing.assert_array_equal(steps, np.round(steps))
    assert release.scale >= 0
    assert math.isfinite(release.scale)
