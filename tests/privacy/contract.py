"""All mechanisms in one table, each with its noise laid out as independent coordinates of the declared scale."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplda.privacy.mechanisms import GaussianMechanisms, Label
from dplda.privacy.noise import NoiseSource
from dplda.privacy.release import Release
from tests.statistical.laws import ENOUGH, histogram_cells, orthonormal_coordinates

LABEL = Label("e2", "a quantity", "Q")
Value = np.ndarray | float


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One mechanism.

    Attributes:
        method: its name on ``GaussianMechanisms``.
        value: what is released.
        coordinates: noise → independent coordinates, each of standard deviation ``scale``.
        n_coordinates: how many.
    """

    method: str
    value: Value
    coordinates: Callable[[np.ndarray], np.ndarray]
    n_coordinates: int

    def run(self, source: NoiseSource, *, sensitivity: float = 0.7, mu: float = 0.25) -> tuple[Value, Release]:
        mechanisms = GaussianMechanisms(source)
        value = getattr(mechanisms, self.method)(LABEL, self.value, sensitivity=sensitivity, mu=mu)
        return value, mechanisms.releases[-1]

    def standardised(self, sources: list[NoiseSource]) -> np.ndarray:
        """Measured noise of one release from each source over the declared scale, shape (draws, coordinates)."""
        rows = []
        for source in sources:
            noisy, release = self.run(source)
            rows.append(self.coordinates(np.atleast_1d(noisy - self.value)) / release.scale)
        return np.array(rows)

    def enough_draws(self) -> int:
        return -(-ENOUGH // self.n_coordinates)


_rng = np.random.default_rng(0)
_matrix = _rng.standard_normal((6, 6))
_tensor = np.einsum("ia,ja,ma->ijm", *[_rng.standard_normal((4, 2))] * 3)

CASES = (
    Case("number", 3.5, np.ravel, 1),
    Case("vector", _rng.standard_normal(7), np.ravel, 7),
    Case("pair_histogram", _matrix + _matrix.T, histogram_cells, 21),
    Case("symmetric_tensor", _tensor, orthonormal_coordinates, 20),
)
