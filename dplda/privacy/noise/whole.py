r"""Sums of whole numbers: what exact noise is added to.

A document's part is brought down to norm B, multiplied by ``1 − 2⁻³²``, divided by a step ``s`` and cut towards zero to
whole numbers. Each of its entries only shrinks, so that these have norm at most B/s, however the part was computed:
fewer than 2¹⁹ roundings, each of relative size 2⁻⁵³, lie between its norm or an entry as computed and as they are, and
the factor makes room for them. Sums of such parts stay below 2⁵³, where floating-point additions of whole
numbers are exact: in any order, on any number of threads, with any BLAS a sum is the same number, and replacing a
document replaces one part and nothing else.

So two neighbours' sums are as far apart as two parts can be, to the last bit: √2 B/s where parts are non-negative,
2 B/s where they are not. What sensitivities add for rounding is not needed here, and does no harm.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core import checks

ROOM = 1 - 2.0**-32
FINEST, COUNTED = 36, 32  # bits of a part's norm where there are few documents, and of one in a count
MOST_DOCUMENTS = 2**26


@dataclass(frozen=True, slots=True, eq=False)
class FixedPointSum:
    """A sum over documents in the coordinates of its layout, as whole numbers of one unit.

    It stands where a mechanism asks for an array. There is no arithmetic on it: only a mechanism has any use for it.

    Attributes:
        numbers: shape (p,).
        unit: what 1 stands for, in the unit of the quantity.
        shape: of the array that these are the coordinates of; empty for a number.
    """

    numbers: NDArray[np.int64]
    unit: float
    shape: tuple[int, ...] = ()

    def __len__(self) -> int:
        return self.shape[0]

    @classmethod
    def summed(cls, coordinates: NDArray[np.float64], unit: float, shape: tuple[int, ...] = ()) -> "FixedPointSum":
        """Of whole numbers that were added up in floating point.

        Raises:
            ArithmeticError: they are no whole numbers, or too large to have been added exactly.
        """
        numbers = np.ravel(coordinates).astype(np.int64)
        if not np.array_equal(numbers, np.ravel(coordinates)) or np.any(np.abs(numbers) > 2**53):
            raise ArithmeticError("a sum that should be of whole numbers is not")
        return cls(numbers, unit, shape)

    @classmethod
    def count(cls, number: int, n_documents: int) -> "FixedPointSum":
        """How many of N documents something holds of, in steps that are fine against its noise."""
        fine = int(counted_fineness(n_documents))
        return cls(np.array([number * fine], dtype=np.int64), 1 / fine)


def fineness(n_documents: int) -> float:
    """``B/s``: how many steps long a part may be; a power of two, the same for all corpora of one size.

    Args:
        n_documents: ``N``, public, up to 2²⁶.

    Returns:
        From 2²⁶ to 2³⁶, such that N parts add up to at most 2⁵² in any coordinate.
    """
    checks.integer_between("n_documents", n_documents, 1, MOST_DOCUMENTS)
    return math.ldexp(1.0, min(FINEST, 52 - (n_documents - 1).bit_length()))


def counted_fineness(n_documents: int) -> float:
    """The same for a document that is counted, at most 2³²: noise on counts is wide, and has to stay within 64 bits."""
    return min(2.0**COUNTED, fineness(n_documents))


def cut(parts: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Documents' parts in whole steps, towards zero; same shape."""
    steps: NDArray[np.float64] = parts * (ROOM / step)
    return np.trunc(steps, out=steps)
