"""Sources of noise that were tampered with: the same stream, some of its draws scaled, all of them written down."""

from collections.abc import Callable

import numpy as np

from dplda.privacy.noise import SimulatedNoise


class TamperedNoise:
    """Simulated noise whose i-th draw is multiplied by a factor; the stream itself goes on as if nothing had happened.

    Draws of normal and of Laplace numbers are counted together.

    Args:
        seed: of the stream.
        factors: by number of the draw, counted from 0; 1 for the others.
    """

    kind = "simulated"

    def __init__(self, seed: int, factors: dict[int, float] | None = None) -> None:
        self._honest = SimulatedNoise(seed)
        self._factors = factors or {}
        self.sizes: list[int] = []

    def normals(self, size: int) -> np.ndarray:
        return self._draw(self._honest.normals, size)

    def laplaces(self, size: int) -> np.ndarray:
        return self._draw(self._honest.laplaces, size)

    def _draw(self, honest: Callable[[int], np.ndarray], size: int) -> np.ndarray:
        factor = self._factors.get(len(self.sizes), 1.0)
        self.sizes.append(size)
        return factor * honest(size)


class ScaledNoise:
    """Simulated noise that is wrong by one factor throughout."""

    kind = "simulated"

    def __init__(self, seed: int, factor: float) -> None:
        self._honest, self._factor = SimulatedNoise(seed), factor

    def normals(self, size: int) -> np.ndarray:
        return self._factor * self._honest.normals(size)

    def laplaces(self, size: int) -> np.ndarray:
        return self._factor * self._honest.laplaces(size)
