"""Noise sources, the only place that draws privacy noise.

A value's coordinates go in, and noisy ones come out.
"""

from functools import partial
from typing import Protocol

import numpy as np

from dplda.core.types import Vector
from dplda.privacy.noise.keys import NoiseKey, NoiseKind
from dplda.privacy.noise.layouts import Draw, Spread

NUMBERS_PER_DRAW = 1 << 16  # drawn at once


class NoiseSource(Protocol):
    """A source of noise; it sees the value, as exact noise has to (grids, whole numbers)."""

    @property
    def kind(self) -> NoiseKind:
        """Kind of noise; a release shows it."""

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, stream: str) -> Vector:
        """Add Gaussian noise to the coordinates of a value.

        Args:
            coordinates: one number for each degree of freedom, shape (p,); int64 where noise is
                exact.
            scale: standard deviation of the noise, or Laplace scale, in the unit of the
                coordinates.
            spread: how the noise is spread over coordinates.
            stream: edge and quantity, which name the stream of random numbers.

        Returns:
            Noisy coordinates, shape (p,), float64.
        """

    def perturb_laplace(
        self, coordinates: Vector, scale: float, spread: Spread, stream: str
    ) -> Vector:
        """Add Laplace noise; arguments as in ``perturb``."""


class SimulatedNoise:
    """NumPy noise for exploring, teaching and measuring, not for release.

    Its low bits depend on the value.
    """

    def __init__(self, key: NoiseKey) -> None:
        """Begin without streams; each is opened when it is first drawn from."""
        self.kind: NoiseKind = key.kind
        self._key = key
        self._streams: dict[str, np.random.Generator] = {}

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, stream: str) -> Vector:
        """Add normal numbers, as in ``NoiseSource``."""
        draw_normals = partial(self.normals, stream)
        return _with_noise(coordinates, scale, spread, draw_normals)

    def perturb_laplace(
        self, coordinates: Vector, scale: float, spread: Spread, stream: str
    ) -> Vector:
        """Add Laplace numbers, as in ``NoiseSource``."""
        draw_laplaces = partial(self.laplaces, stream)
        return _with_noise(coordinates, scale, spread, draw_laplaces)

    def normals(self, stream: str, size: int) -> Vector:
        """Independent standard normal numbers of a stream.

        Args:
            stream: edge and quantity.
            size: how many numbers.
        """
        return self._stream(stream).standard_normal(size)

    def laplaces(self, stream: str, size: int) -> Vector:
        """Independent Laplace numbers of scale 1; arguments as in ``normals``."""
        return self._stream(stream).laplace(size=size)

    def _stream(self, stream: str) -> np.random.Generator:
        """The stream of random numbers of this name, which goes on where it was left."""
        if stream not in self._streams:
            self._streams[stream] = self._key.generator(stream)
        return self._streams[stream]


class NoNoise:
    """Source that returns values unchanged, as a mechanism without noise; never private."""

    kind = NoiseKind.NONE

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, stream: str) -> Vector:
        """A copy of the coordinates; arguments as in ``NoiseSource``."""
        return coordinates.copy()

    def perturb_laplace(
        self, coordinates: Vector, scale: float, spread: Spread, stream: str
    ) -> Vector:
        """A copy of the coordinates; arguments as in ``NoiseSource``."""
        return coordinates.copy()


def _with_noise(coordinates: Vector, scale: float, spread: Spread, draw: Draw) -> Vector:
    """Add noise to coordinates; long isotropic ones get it part by part."""
    n_coordinates = len(coordinates)
    if n_coordinates <= NUMBERS_PER_DRAW or not spread.isotropic:
        unit_noise = spread.noise(draw, n_coordinates)
        return np.asarray(coordinates + scale * unit_noise)
    noisy_coordinates: Vector = np.empty(n_coordinates)
    for block_start in range(0, n_coordinates, NUMBERS_PER_DRAW):
        block_end = min(block_start + NUMBERS_PER_DRAW, n_coordinates)
        block = slice(block_start, block_end)
        unit_noise = spread.noise(draw, block_end - block_start)
        noisy_coordinates[block] = coordinates[block] + scale * unit_noise
    return noisy_coordinates
