r"""Sums of whole numbers, which exact noise is added to.

A document's part is scaled down to norm B, multiplied by ``1 − 2⁻³²``, divided by a step ``s`` and
cut toward zero to whole numbers. Sums stay below 2⁵³, where floating-point additions of whole
numbers are exact: in any order, on any number of threads, with any BLAS the sum is the same, and
replacing a document replaces one part and nothing else.

Theorem:
    Let the whole numbers x and y be two documents' parts, and F = B/s. Then
    :math:`\|x - y\| \le \sqrt2 F` where parts are non-negative, and :math:`\|x - y\| \le 2F` where
    they are not. No rounding is left to add, whatever N is.

Proof:
    *Norm.* A sum of p ≤ 2²⁰ squares is off by at most p + 1 roundings, each of relative size 2⁻⁵³,
    its root by half of these and one more; scaling down and dividing by the step add fewer than 16.
    So a part of computed norm B has true norm at most
    :math:`B(1 + 2^{-53})^{2^{19} + 17} < B(1 + 2^{-33})`. The factor ``1 − 2⁻³²`` takes off more
    than that, and cutting toward zero only shrinks entries: the whole numbers have norm at most F,
    exactly.

    *Distance.* :math:`\|x - y\| \le \|x\| + \|y\| \le 2F`, and
    :math:`\|x - y\|^2 = \|x\|^2 + \|y\|^2 - 2⟨x, y⟩ \le 2F^2` where no entry is negative. Both sums
    are exact, so their difference is that of the two parts.

A sum carries this distance to its mechanism, which scales noise by it. The sensitivities of
floating-point sums (``privacy.sensitivity``) have a term for rounding that grows as N² and would
take 2/3 of the budget at N = 2²⁶.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core import checks

ROUNDING_MARGIN = 1 - 2.0**-32  # shrinks parts by more than their norm may be off
MAX_RESOLUTION_BITS = 36  # of a part's norm, in steps
MAX_COUNT_BITS = 32  # of one document in a count, in steps
MAX_DOCUMENTS = 2**26
MAX_WORDS = 2**20
NON_NEGATIVE_DISTANCE = math.sqrt(2) * (1 + 2**-52)
"""Largest distance of two entrywise non-negative parts of norm 1, by the theorem; rounded up."""
ANY_SIGN_DISTANCE = 2.0
"""Largest distance of any two parts of norm 1."""


@dataclass(frozen=True, slots=True, eq=False)
class FixedPointSum:
    """A sum over documents as whole numbers, in its layout's coordinates.

    It carries a bound on how far a document moves it.

    Attributes:
        numbers: the sum in steps, shape (p,).
        unit: length of a step, in the unit of the value.
        neighbor_distance: bound on the L2 distance of two neighbors' sums, in steps; exact, no
            rounding is to be added.
        shape: shape of the value; empty for a number.
    """

    numbers: NDArray[np.int64]
    unit: float
    neighbor_distance: float
    shape: tuple[int, ...] = ()

    @property
    def sensitivity(self) -> float:
        """``neighbor_distance`` in the unit of the value, rounded up."""
        return self.neighbor_distance * self.unit * (1 + 2**-51)

    def __len__(self) -> int:
        return self.shape[0]

    @classmethod
    def from_whole_floats(
        cls,
        coordinates: NDArray[np.float64],
        unit: float,
        shape: tuple[int, ...] = (),
        *,
        neighbor_distance: float,
    ) -> "FixedPointSum":
        """A sum of whole numbers that were added in floating point.

        Args:
            coordinates: the sum in steps; any shape of p numbers.
            unit: length of a step, in the unit of the value.
            shape: shape of the value.
            neighbor_distance: bound on the L2 distance of two neighbors' sums, in steps.

        Raises:
            ArithmeticError: a number is not whole, or so large that the sum may not be exact.
        """
        flat_coordinates = np.ravel(coordinates)
        whole_numbers = flat_coordinates.astype(np.int64)
        are_whole = np.array_equal(whole_numbers, flat_coordinates)
        if not are_whole or np.any(np.abs(whole_numbers) > 2**53):
            raise ArithmeticError("a sum that should be of whole numbers is not")
        return cls(
            numbers=whole_numbers,
            unit=unit,
            neighbor_distance=neighbor_distance,
            shape=shape,
        )

    @classmethod
    def from_count(cls, number: int, n_documents: int) -> "FixedPointSum":
        """A count among N documents, in steps that are fine against its noise.

        A document moves it by 1.
        """
        resolution = int(count_resolution(n_documents))
        count_in_steps = number * resolution
        return cls(
            numbers=np.array([count_in_steps], dtype=np.int64),
            unit=1 / resolution,
            neighbor_distance=resolution,
        )


def grid_resolution(n_documents: int, n_words: int = 1) -> float:
    """Largest norm of a part in steps, ``B/s``: 2²⁶ to 2³⁶.

    So N ≤ 2²⁶ parts sum to at most 2⁵².

    Args:
        n_documents: number of parts, N.
        n_words: bound on how many numbers the norm of a part is computed from, for the theorem.

    Raises:
        InputError: N or d is more than the theorem covers.
    """
    checks.integer_between("n_documents", n_documents, 1, MAX_DOCUMENTS)
    checks.integer_between("n_words", n_words, 1, MAX_WORDS)
    n_bits_of_documents = (n_documents - 1).bit_length()
    n_bits = min(MAX_RESOLUTION_BITS, 52 - n_bits_of_documents)
    return math.ldexp(1.0, n_bits)


def count_resolution(n_documents: int) -> float:
    """Resolution of counts: ``grid_resolution``, but at most 2³².

    Noise on counts is wide, and has to fit in 64 bits.
    """
    return min(2.0**MAX_COUNT_BITS, grid_resolution(n_documents))


def truncate_to_grid(parts: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Documents' parts in whole steps, cut toward zero.

    They are shrunk by ``ROUNDING_MARGIN`` first, so that no rounding leaves a norm above B. Parts
    are not clipped here.

    Args:
        parts: in the unit of the value, each of a document of computed norm at most B.
        step: length of a step, ``B/grid_resolution``.

    Returns:
        Whole numbers, float64, of the same shape.
    """
    steps: NDArray[np.float64] = parts * (ROUNDING_MARGIN / step)
    return np.trunc(steps, out=steps)
