"""Types of arrays by their number of axes, of documents, and of progress callbacks."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Vector: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
Matrix: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Single: TypeAlias = NDArray[np.float32]
Tensor3: TypeAlias = np.ndarray[tuple[int, int, int], np.dtype[np.float64]]
if TYPE_CHECKING:
    Counts: TypeAlias = csr_array[np.int32, tuple[int, int]]
else:
    Counts = csr_array  # which takes no parameters before SciPy 1.16


class StoredCounts(Protocol):
    """Counts that are not in memory and are read a few rows at a time."""

    @property
    def shape(self) -> tuple[int, int]:
        """``(N, d)``."""

    def rows(self, rows: slice, /) -> Counts:
        """Consecutive rows, in canonical form."""


Rows: TypeAlias = Counts | StoredCounts  # documents that can be summed over

Report: TypeAlias = Callable[[float, str], None]
"""A progress callback: receives the fraction done and the step, and may raise to cancel."""


def silent(fraction: float, step: str, /) -> None:
    """A progress callback that does nothing; arguments as in ``Report``."""
