"""A smooth surface through measured values: the posterior mean of a Gaussian process."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist

from dplda.core.types import Matrix, Vector


@dataclass(frozen=True, slots=True)
class Law:
    """Prior of a Gaussian process over standardized coordinates and values.

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

    def covariance(self, places: Matrix, other_places: Matrix) -> Matrix:
        """Covariance between values at places of shape (n, p) and (m, p), shape (n, m).

        It leaves out the measurement noise.

        Args:
            places: shape (n, p).
            other_places: shape (m, p).
        """
        length_scales = np.array(self.lengths)
        scaled_distances = np.sqrt(5) * cdist(places / length_scales, other_places / length_scales)
        smooth_part = (
            self.smooth
            * (1 + scaled_distances + scaled_distances**2 / 3)
            * np.exp(-scaled_distances)
        )
        linear_part = self.linear * (1 + places @ other_places.T)
        return np.asarray(smooth_part + linear_part)


class Surface:
    """Posterior mean of a Gaussian process, given measured values.

    Args:
        places: where values were measured, shape (n, p).
        values: shape (n,).
        law: prior, over standardized coordinates and values.
        own_variances: each value's own variance of measurement, added to ``law.noise``; shape (n,)
            or one number.
    """

    def __init__(
        self, places: Matrix, values: Vector, law: Law, own_variances: Vector | float = 0.0
    ) -> None:
        """Standardize places and values, and solve for the weights of the posterior mean."""
        self._law = law
        self._centre = np.mean(places, axis=0)
        self._spread = np.std(places, axis=0) + 1e-12
        self._level = float(np.mean(values))
        self._scale = float(np.std(values)) + 1e-12
        self._places = self._standardize(places)
        n_values = len(values)
        variances = law.noise + own_variances
        covariance = law.covariance(self._places, self._places)
        noisy_covariance = covariance + variances * np.eye(n_values)
        self._factor = cho_factor(noisy_covariance, lower=True)
        standardized_values = (values - self._level) / self._scale
        self._weights = cho_solve(self._factor, standardized_values)

    def at(self, places: Matrix) -> Vector:
        """Expected values at places of shape (m, p), shape (m,)."""
        standardized_places = self._standardize(places)
        covariance = self._law.covariance(standardized_places, self._places)
        standardized_values: Vector = covariance @ self._weights
        return self._level + self._scale * standardized_values

    def _standardize(self, places: Matrix) -> Matrix:
        return np.asarray((places - self._centre) / self._spread)
