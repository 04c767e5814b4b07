"""Sources of noise for tests: seeded, and tampered with, some of their draws scaled, all of them written down."""

from collections.abc import Callable

import numpy as np

from dplda.privacy.noise.keys import SeedKey
from dplda.privacy.noise.layouts import Layout
from dplda.privacy.noise.sources import SimulatedNoise


def seeded(seed: int) -> SimulatedNoise:
    """Simulated noise of a seed, as a test asks for it."""
    return SimulatedNoise(SeedKey(seed))


def drawn(
    source: SimulatedNoise, layout: Layout[np.ndarray], like: np.ndarray, scale: float
) -> np.ndarray:
    """What a source adds to an array of this shape, as an array."""
    coordinates = layout.coordinates(np.zeros_like(like))
    return layout.array(source.perturb(coordinates, scale, layout, "a quantity"))


class TamperedNoise(SimulatedNoise):
    """Simulated noise whose i-th draw is multiplied by a factor; the streams go on as if nothing had happened.

    Draws of normal and of Laplace numbers are counted together.

    Args:
        seed: of the streams.
        factors: by number of the draw, counted from 0.
        otherwise: the factor of the others.
    """

    def __init__(
        self, seed: int, factors: dict[int, float] | None = None, otherwise: float = 1.0
    ) -> None:
        super().__init__(SeedKey(seed))
        self._factors, self._otherwise = factors or {}, otherwise
        self.sizes: list[int] = []

    def normals(self, of: str, size: int) -> np.ndarray:
        return self._scaled(super().normals, of, size)

    def laplaces(self, of: str, size: int) -> np.ndarray:
        return self._scaled(super().laplaces, of, size)

    def _scaled(self, honest: Callable[[str, int], np.ndarray], of: str, size: int) -> np.ndarray:
        factor = self._factors.get(len(self.sizes), self._otherwise)
        self.sizes.append(size)
        return factor * honest(of, size)


class ScaledNoise(TamperedNoise):
    """Simulated noise that is wrong by one factor throughout."""

    def __init__(self, seed: int, factor: float) -> None:
        super().__init__(seed, otherwise=factor)
