"""A smooth surface through measured values: the posterior mean of a Gaussian process."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist

from dplda.core.types import Matrix, Vector


@dataclass(frozen=True, slots=True)
class Law:
    """What a surface is like before anything is measured; of values with mean 0 and deviation 1, as are coordinates.

    Attributes:
        lengths: how far one has to go along each coordinate until values are another's.
        smooth: variance of the part that is smooth (Matérn, ν = 5/2).
        linear: variance of the slope along each coordinate, and of the level.
        noise: variance of a single measurement.
    """

    lengths: tuple[float, ...]
    smooth: float
    linear: float
    noise: float

    def covariance(self, one: Matrix, other: Matrix) -> Matrix:
        """Between values at places, shape (n, p) and (m, p): shape (n, m)."""
        r = np.sqrt(5) * cdist(one / np.array(self.lengths), other / np.array(self.lengths))
        result: Matrix = self.smooth * (1 + r + r**2 / 3) * np.exp(-r) + self.linear * (1 + one @ other.T)
        return result


class Surface:
    """A law that has seen values.

    Args:
        places: shape (n, p).
        values: shape (n,).
    """

    def __init__(self, places: Matrix, values: Vector, law: Law) -> None:
        self._law, self._centre, self._spread = law, np.mean(places, axis=0), np.std(places, axis=0) + 1e-12
        self._level, self._scale = float(np.mean(values)), float(np.std(values)) + 1e-12
        self._places = self._standard(places)
        covariance = law.covariance(self._places, self._places) + law.noise * np.eye(len(values))
        self._factor = cho_factor(covariance, lower=True)
        self._weights = cho_solve(self._factor, (values - self._level) / self._scale)

    def at(self, places: Matrix) -> Vector:
        """The values to expect at places, shape (m, p): shape (m,)."""
        result: Vector = self._law.covariance(self._standard(places), self._places) @ self._weights
        return self._level + self._scale * result

    def left_out(self) -> Vector:
        """By how much each value seen is off what all others say, shape (n,)."""
        inverse = cho_solve(self._factor, np.eye(len(self._weights)))
        result: Vector = self._scale * self._weights / np.diag(inverse)
        return result

    def _standard(self, places: Matrix) -> Matrix:
        result: Matrix = (places - self._centre) / self._spread
        return result
