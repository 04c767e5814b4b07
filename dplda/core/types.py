"""Array rank as a type: every array that crosses a function boundary says how many axes it has; and who is told."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np
from scipy.sparse import csr_array

Vector: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
Matrix: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Tensor3: TypeAlias = np.ndarray[tuple[int, int, int], np.dtype[np.float64]]
Counts: TypeAlias = csr_array[np.int32, tuple[int, int]]


class StoredCounts(Protocol):
    """Counts that lie somewhere else and are met a few rows at a time."""

    @property
    def shape(self) -> tuple[int, int]:
        """``(N, d)``."""

    def rows(self, rows: slice, /) -> Counts:
        """Consecutive rows, in canonical form."""


Rows: TypeAlias = Counts | StoredCounts
"""Documents as sums over them take them."""

Report: TypeAlias = Callable[[float, str], None]
"""Told the fraction done and the step; may raise to give up."""


def silent(fraction: float, step: str, /) -> None:
    """The report of whoever does not listen."""
