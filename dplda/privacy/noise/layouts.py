"""Orthonormal coordinates of arrays: where mechanisms add noise, and how arrays are rebuilt.

Repeated entries, as in symmetric arrays, must not be released twice: copies that differ in their
last bits, as sums in another order do, would carry un-noised bits past the noise. So one copy of
each entry gets noise and the array is rebuilt from those: exactly symmetric, a function of noisy
coordinates alone.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Tensor3, Vector

Draw: TypeAlias = Callable[[int], Vector]
"""Draws this many independent numbers of scale 1."""

Value = TypeVar("Value")


class Spread(Protocol):
    """Spread of noise over coordinates: all that a source of noise knows of a value."""

    @property
    def isotropic(self) -> bool:
        """Whether noise is independent and of one scale in these coordinates."""

    def noise(self, draw: Draw, size: int, /) -> Vector:
        """Noise of scale 1 on ``size`` coordinates, shape (size,)."""


class Layout(Spread, Protocol, Generic[Value]):
    """Coordinates of one kind of array, in which sensitivity and noise are measured."""

    @property
    def place(self) -> str:
        """Place of the noise, worded to follow its distribution's name.

        It is empty for a single number.
        """

    def coordinates(self, value: Value, /) -> Vector:
        """One number for each degree of freedom, shape (p,)."""

    def array(self, coordinates: Vector, /) -> Value:
        """The array with these coordinates; repeated entries are exactly equal."""


class _Isotropic:
    """Spread of independent noise of one scale."""

    isotropic = True

    def noise(self, draw: Draw, size: int, /) -> Vector:
        """One number for each coordinate."""
        return draw(size)


@dataclass(frozen=True, slots=True)
class Number(_Isotropic):
    """A single number."""

    place = ""

    def coordinates(self, value: float, /) -> Vector:
        """Shape (1,)."""
        return np.array([value])

    def array(self, coordinates: Vector, /) -> float:
        """The number."""
        return float(coordinates[0])


@dataclass(frozen=True, slots=True)
class PlainVector(_Isotropic):
    """A vector."""

    place = "on every coordinate"

    def coordinates(self, value: Vector, /) -> Vector:
        """The entries."""
        return value

    def array(self, coordinates: Vector, /) -> Vector:
        """The entries."""
        return coordinates


@dataclass(frozen=True, slots=True)
class Rectangle(_Isotropic):
    """A matrix without symmetry.

    Attributes:
        columns: number of columns.
    """

    columns: int
    place = "on every entry"

    def coordinates(self, value: Matrix, /) -> Vector:
        """Row after row."""
        return np.ravel(value)

    def array(self, coordinates: Vector, /) -> Matrix:
        """Row after row."""
        return coordinates.reshape(-1, self.columns)


@dataclass(frozen=True, slots=True)
class SymmetricMatrix(_Isotropic):
    """A symmetric matrix in an orthonormal basis: ``A_ii`` and ``√2 A_ij``.

    Attributes:
        size: number of rows, d.
    """

    size: int
    place = "isotropic on symmetric matrices"
    _off_diagonal_factor = np.sqrt(2)
    _inverse_factor = np.sqrt(0.5)

    def coordinates(self, value: Matrix, /) -> Vector:
        """Shape (d(d+1)/2,), rows of the upper triangle in order; no index array is built.

        Entries below the diagonal are not read.
        """
        n_coordinates = self.size * (self.size + 1) // 2
        coordinates = np.empty(n_coordinates)
        for i, row in self._rows(coordinates):
            upper_row = value[i, i:]
            np.multiply(upper_row, self._off_diagonal_factor, out=row)
            row[0] = upper_row[0]
        return coordinates

    def array(self, coordinates: Vector, /) -> Matrix:
        """The matrix with these coordinates, shape (d, d), exactly symmetric."""
        matrix = np.empty((self.size, self.size))
        for i, row in self._rows(coordinates):
            upper_row = matrix[i, i:]
            np.multiply(row, self._inverse_factor, out=upper_row)
            upper_row[0] = row[0]
            matrix[i + 1 :, i] = upper_row[1:]
        return matrix

    def _rows(self, coordinates: Vector) -> Iterator[tuple[int, Vector]]:
        """Yield each row's index with its coordinates, from the diagonal to the right."""
        start = 0
        for i in range(self.size):
            end = start + self.size - i
            yield i, coordinates[start:end]
            start = end


class PairHistogram(SymmetricMatrix):
    """A symmetric matrix as a histogram over unordered pairs.

    Its cells are ``q_ii = A_ii`` and ``q_ij = 2 A_ij``.
    """

    __slots__ = ()
    place = "on every unordered pair (half of it on off-diagonal entries)"
    _off_diagonal_factor = 2.0
    _inverse_factor = 0.5


class MirroredMatrix(SymmetricMatrix):
    """A symmetric matrix by its distinct entries, ``A_ij`` for ``i ≤ j``, mirrored below.

    All entries have noise of one standard deviation: √2 times that of ``SymmetricMatrix`` off the
    diagonal. Distances in these coordinates are at most Frobenius distances.
    """

    __slots__ = ()
    place = "on every distinct entry, mirrored"
    _off_diagonal_factor = 1.0
    _inverse_factor = 1.0


@dataclass(frozen=True, slots=True)
class SymmetricTensor(_Isotropic):
    """A symmetric tensor in an orthonormal basis.

    Coordinates are ``√m T_ijl``, ``i ≤ j ≤ l``, with ``m`` orders of the indices. Entries with
    three, two and no equal indices have noise of standard deviation ``σ``, ``σ/√3`` and ``σ/√6``.

    Attributes:
        size: length of each side, k.
    """

    size: int
    place = "isotropic on symmetric tensors"

    def coordinates(self, value: Tensor3, /) -> Vector:
        """Shape (k(k+1)(k+2)/6,), by sorted indices."""
        i, j, m, root = self._sorted_triples()
        return value[i, j, m] * root

    def array(self, coordinates: Vector, /) -> Tensor3:
        """The tensor with these coordinates, shape (k, k, k), exactly symmetric."""
        i, j, m, root = self._sorted_triples()
        entries = coordinates / root
        tensor = np.empty((self.size,) * 3)
        for order in permutations((i, j, m)):
            tensor[order] = entries
        return tensor

    def _sorted_triples(self) -> "tuple[Indices, Indices, Indices, Vector]":
        return sorted_triples(self.size)


class MirroredTensor(SymmetricTensor):
    """A symmetric tensor by its distinct entries, ``T_ijl`` for ``i ≤ j ≤ l``, mirrored.

    All entries have noise of one standard deviation: that of ``SymmetricTensor`` on ``iii``, √3 and
    √6 times as much on entries with two and no equal indices.
    """

    __slots__ = ()
    place = "on every distinct entry, mirrored"

    def _sorted_triples(self) -> "tuple[Indices, Indices, Indices, Vector]":
        i, j, m, root = sorted_triples(self.size)
        return i, j, m, np.ones_like(root)


Indices: TypeAlias = NDArray[np.intp]


@lru_cache(maxsize=8)
def sorted_triples(size: int) -> tuple[Indices, Indices, Indices, Vector]:
    """Indices ``i ≤ j ≤ m`` below ``size`` in lexicographic order, and their weights.

    A weight is the root of a triple's number of orders.
    """
    rows, columns = np.triu_indices(size)  # all pairs j ≤ m, in order
    n_pairs = len(rows)
    first_pair_of_row = np.searchsorted(rows, np.arange(size))
    n_later_pairs = n_pairs - first_pair_of_row
    i = np.repeat(np.arange(size), n_later_pairs)
    later_pairs = [np.arange(first_pair, n_pairs) for first_pair in first_pair_of_row]
    pair_index = np.concatenate(later_pairs)
    j = rows[pair_index]
    m = columns[pair_index]
    rises_to_j = (i != j).astype(int)
    rises_to_m = (j != m).astype(int)
    orders_by_rises = np.array([1.0, 3.0, 6.0])
    n_orders = orders_by_rises[rises_to_j + rises_to_m]
    return i, j, m, np.sqrt(n_orders)
