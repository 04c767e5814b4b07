"""All mechanisms in one table, each with its noise laid out as independent coordinates of the declared scale."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from dplda.methods.configurations.sizes import Quantity
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise import layouts
from dplda.privacy.noise import whitened_layouts as whitened
from dplda.privacy.noise.sources import NoiseSource
from dplda.privacy.release import Release
from tests.statistical.laws import (
    ENOUGH,
    distinct_entries,
    histogram_cells,
    orthonormal_coordinates,
    triple_cells,
)

LABEL = Quantity("a quantity", "Q", "a quantity", "e2")
Value = np.ndarray | float


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One mechanism.

    Attributes:
        method: its name on ``Mechanisms``.
        value: what is released.
        coordinates: noise → independent coordinates, each of scale ``scale``.
        n_coordinates: how many.
        others: the layout of the noise, where the method does not know it.
        budget: the name of its budget, ``"mu"`` of Gaussian and ``"epsilon"`` of Laplace noise.
        symmetric: whether an array repeats its entries.
    """

    method: str
    value: Value
    coordinates: Callable[[np.ndarray], np.ndarray]
    n_coordinates: int
    others: tuple[layouts.Spread, ...] = ()
    budget: str = "mu"
    symmetric: bool = True

    def release(
        self, mechanisms: Mechanisms, *, sensitivity: float = 0.7, spent_budget: float = 0.25
    ) -> Value:
        method = getattr(mechanisms, self.method)
        return method(
            LABEL, self.value, *self.others, sensitivity=sensitivity, **{self.budget: spent_budget}
        )

    def run(
        self, source: NoiseSource, *, sensitivity: float = 0.7, spent_budget: float = 0.25
    ) -> tuple[Value, Release]:
        mechanisms = Mechanisms(source)
        value = self.release(mechanisms, sensitivity=sensitivity, spent_budget=spent_budget)
        return value, mechanisms.releases[-1]

    def standardised(self, sources: list[NoiseSource]) -> np.ndarray:
        """Measured noise of one release from each source over the declared scale, shape (draws, coordinates).

        Laplace numbers are taken to the normal ones of the same rank, so that one set of checks serves both laws.
        """
        rows = []
        for source in sources:
            noisy, release = self.run(source)
            rows.append(self.coordinates(np.atleast_1d(noisy - self.value)) / release.scale)
        all_rows = np.array(rows)
        return (
            all_rows
            if self.budget == "mu"
            else np.sign(all_rows) * stats.norm.isf(stats.laplace.sf(np.abs(all_rows)))
        )

    def enough_draws(self) -> int:
        return -(-ENOUGH // self.n_coordinates)


def unseen(coordinates: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    """Noise that was seen through ``SQUARE``, looked at as it was before."""
    back = np.linalg.inv(SQUARE)
    return lambda noise: coordinates(
        np.einsum("abc,ai,bj,cm->ijm", noise, back, back, back, optimize=True)
    )


_rng = np.random.default_rng(0)
_matrix = _rng.standard_normal((6, 6))
_tensor = np.einsum("ia,ja,ma->ijm", *[_rng.standard_normal((4, 2))] * 3)
_tensor = _tensor[tuple(np.sort(np.indices((4, 4, 4)), axis=0))]  # symmetric to the last bit
_vector = _rng.standard_normal(7)
SQUARE = _rng.standard_normal((4, 4)) + 2 * np.eye(4)

CASES = (
    Case("number", 3.5, np.ravel, 1),
    Case("vector", _vector, np.ravel, 7),
    Case("matrix", _rng.standard_normal((3, 5)), np.ravel, 15, symmetric=False),
    Case("gaussian", _matrix + _matrix.T, histogram_cells, 21, (layouts.PairHistogram(6),)),
    Case("gaussian", _tensor, orthonormal_coordinates, 20, (layouts.SymmetricTensor(4),)),
    Case(
        "gaussian",
        _matrix + _matrix.T,
        lambda noise: (
            histogram_cells(noise) / np.where(np.eye(6), 1, np.sqrt(2))[np.triu_indices(6)]
        ),
        21,
        (layouts.SymmetricMatrix(6),),
    ),
    Case("gaussian", _matrix + _matrix.T, distinct_entries, 21, (layouts.MirroredMatrix(6),)),
    Case("gaussian", _tensor, distinct_entries, 20, (layouts.MirroredTensor(4),)),
    Case(
        "gaussian",
        _tensor,
        unseen(orthonormal_coordinates),
        20,
        (whitened.WhitenedIsotropic(SQUARE),),
    ),
    Case("gaussian", _tensor, unseen(distinct_entries), 20, (whitened.WhitenedEntries(SQUARE),)),
    Case("gaussian", _tensor, unseen(triple_cells), 20, (whitened.WhitenedTriples(SQUARE),)),
    Case("laplace_number", 3.5, np.ravel, 1, budget="epsilon"),
    Case("laplacian", _vector, np.ravel, 7, (layouts.PlainVector(),), budget="epsilon"),
    Case(
        "laplacian",
        _matrix + _matrix.T,
        histogram_cells,
        21,
        (layouts.PairHistogram(6),),
        budget="epsilon",
    ),
    Case(
        "laplacian",
        _tensor,
        unseen(triple_cells),
        20,
        (whitened.WhitenedCells(SQUARE),),
        budget="epsilon",
    ),
)
