"""Sums of whole numbers, which exact noise is added to.

A document's part is scaled down to norm B, multiplied by ``1 − 2⁻³²``, divided by a step ``s`` and cut toward zero to
whole numbers. Entries only shrink, so the norm is at most B/s however the part was computed: fewer than 2¹⁹ roundings,
each of relative size 2⁻⁵³, separate its computed norm or entries from the true ones, and the factor makes room for
them. Sums stay below 2⁵³, where floating-point additions of whole numbers are exact: in any order, on any number of
threads, with any BLAS the sum is the same, and replacing a document replaces one part and nothing else.

So two neighbors' sums are as far apart as two parts can be, to the last bit: √2 B/s where parts are non-negative, 2 B/s
where they are not. The rounding that sensitivities add is not needed here, and does no harm.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core import checks

ROOM = 1 - 2.0**-32
FINEST, COUNTED = 36, 32  # most bits of a part's norm, and of one document in a count
MOST_DOCUMENTS = 2**26


@dataclass(frozen=True, slots=True, eq=False)
class FixedPointSum:
    """A sum over documents as whole numbers of one ``unit``, in its layout's coordinates; for mechanisms."""

    numbers: NDArray[np.int64]
    unit: float
    shape: tuple[int, ...] = ()

    def __len__(self) -> int:
        return self.shape[0]

    @classmethod
    def summed(
        cls, coordinates: NDArray[np.float64], unit: float, shape: tuple[int, ...] = ()
    ) -> "FixedPointSum":
        """From whole numbers added in floating point; an ``ArithmeticError`` if that cannot be exact."""
        numbers = np.ravel(coordinates).astype(np.int64)
        if not np.array_equal(numbers, np.ravel(coordinates)) or np.any(np.abs(numbers) > 2**53):
            raise ArithmeticError("a sum that should be of whole numbers is not")
        return cls(numbers, unit, shape)

    @classmethod
    def count(cls, number: int, n_documents: int) -> "FixedPointSum":
        """A count among N documents, in steps that are fine against its noise."""
        fine = int(counted_fineness(n_documents))
        return cls(np.array([number * fine], dtype=np.int64), 1 / fine)


def fineness(n_documents: int) -> float:
    """``B/s``, a part's largest norm in steps: 2²⁶ to 2³⁶, so that N ≤ 2²⁶ parts sum to at most 2⁵²."""
    checks.integer_between("n_documents", n_documents, 1, MOST_DOCUMENTS)
    return math.ldexp(1.0, min(FINEST, 52 - (n_documents - 1).bit_length()))


def counted_fineness(n_documents: int) -> float:
    """``fineness`` for counts, at most 2³²: noise on counts is wide, and has to fit in 64 bits."""
    return min(2.0**COUNTED, fineness(n_documents))


def cut(parts: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Documents' parts in whole steps, toward zero; same shape."""
    steps: NDArray[np.float64] = parts * (ROOM / step)
    return np.trunc(steps, out=steps)
