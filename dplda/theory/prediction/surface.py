"""A smooth surface through measured values: the posterior mean of a Gaussian process."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist

from dplda.core.types import Matrix, Vector


@dataclass(frozen=True, slots=True)
class Law:
    """Prior of a Gaussian process over standardized coordinates and values (mean 0, standard deviation 1).

    Attributes:
        lengths: length scale along each coordinate.
        smooth: variance of the smooth part (Matérn, ν = 5/2).
        linear: variance of the slope along each coordinate, and of the level.
        noise: variance of a single measurement.
    """

    lengths: tuple[float, ...]
    smooth: float
    linear: float
    noise: float

    def covariance(self, one: Matrix, other: Matrix) -> Matrix:
        """Covariance between values at places of shape (n, p) and (m, p), shape (n, m)."""
        r = np.sqrt(5) * cdist(one / np.array(self.lengths), other / np.array(self.lengths))
        return np.asarray(
            self.smooth * (1 + r + r**2 / 3) * np.exp(-r) + self.linear * (1 + one @ other.T)
        )


class Surface:
    """Posterior mean given ``values``, shape (n,), at ``places``, shape (n, p).

    ``own``, shape (n,), is each value's own variance of measurement, added to ``law.noise``.
    """

    def __init__(self, places: Matrix, values: Vector, law: Law, own: Vector | float = 0.0) -> None:
        self._law, self._centre, self._spread = (
            law,
            np.mean(places, axis=0),
            np.std(places, axis=0) + 1e-12,
        )
        self._level, self._scale = float(np.mean(values)), float(np.std(values)) + 1e-12
        self._places = self._standard(places)
        covariance = law.covariance(self._places, self._places) + (law.noise + own) * np.eye(
            len(values)
        )
        self._factor = cho_factor(covariance, lower=True)
        self._weights = cho_solve(self._factor, (values - self._level) / self._scale)

    def at(self, places: Matrix) -> Vector:
        """Expected values at places of shape (m, p), shape (m,)."""
        result: Vector = self._law.covariance(self._standard(places), self._places) @ self._weights
        return self._level + self._scale * result

    def _standard(self, places: Matrix) -> Matrix:
        return np.asarray((places - self._centre) / self._spread)
