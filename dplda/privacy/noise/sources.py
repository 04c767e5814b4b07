"""Noise sources, the only place that draws privacy noise: a value's coordinates in, noisy ones out."""

from functools import partial
from typing import Protocol

import numpy as np

from dplda.core.types import Vector
from dplda.privacy.noise.keys import NoiseKey, NoiseKind
from dplda.privacy.noise.layouts import Draw, Spread

NUMBERS_PER_DRAW = 1 << 16  # numbers per draw


class NoiseSource(Protocol):
    """A source of noise. It sees the value, as exact noise has to (grids, whole numbers)."""

    @property
    def kind(self) -> NoiseKind:
        """Kind of noise; a release shows it."""

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds Gaussian noise of this scale to coordinates, int64 where it is exact; ``of`` names its stream."""

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """The same with Laplace noise of Laplace scale ``scale``."""


class SimulatedNoise:
    """NumPy noise for exploring, teaching and measuring, not for release: its low bits depend on the value."""

    def __init__(self, key: NoiseKey) -> None:
        self.kind: NoiseKind = key.kind
        self._key = key
        self._streams: dict[str, np.random.Generator] = {}

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds normal numbers."""
        return _with_noise(coordinates, scale, spread, partial(self.normals, of))

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds Laplace numbers."""
        return _with_noise(coordinates, scale, spread, partial(self.laplaces, of))

    def normals(self, of: str, size: int) -> Vector:
        """``size`` independent standard normal numbers, shape (size,)."""
        return self._stream(of).standard_normal(size)

    def laplaces(self, of: str, size: int) -> Vector:
        """``size`` independent Laplace numbers of scale 1, shape (size,)."""
        return self._stream(of).laplace(size=size)

    def _stream(self, of: str) -> np.random.Generator:
        if of not in self._streams:
            self._streams[of] = self._key.generator(of)
        return self._streams[of]


class NoNoise:
    """Returns values unchanged, as a mechanism without noise; never private."""

    kind = NoiseKind.NONE

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """The coordinates, unchanged."""
        return coordinates.copy()

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """The coordinates, unchanged."""
        return coordinates.copy()


def _with_noise(coordinates: Vector, scale: float, spread: Spread, draw: Draw) -> Vector:
    size = len(coordinates)
    if size <= NUMBERS_PER_DRAW or not spread.isotropic:
        return np.asarray(coordinates + scale * spread.noise(draw, size))
    result: Vector = np.empty(size)
    for start in range(0, size, NUMBERS_PER_DRAW):
        part = slice(start, min(start + NUMBERS_PER_DRAW, size))
        result[part] = coordinates[part] + scale * spread.noise(draw, part.stop - start)
    return result
