"""Weighted sums of document frequencies: words, pairs, and triples seen along k directions.

Each is a function of a block of rows, summed by ``engine``. Nothing here grows with d³ or with N·d dense.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dsyrk
from scipy.sparse import csc_array, csr_array

from dplda.core.engine import (
    CHUNK_ROWS,
    FEWEST_ROWS,
    MOST_WORKERS,
    map_threads,
    row_blocks,
    sum_over,
)
from dplda.core.types import Counts, Matrix, Rows, Tensor3, Vector

A = TypeVar("A", Vector, Matrix, Tensor3)

Real: TypeAlias = np.float32 | np.float64
Floats: TypeAlias = NDArray[Real]
Scaled: TypeAlias = csr_array[np.float64, tuple[int, int]]

CACHED = (
    400_000  # bytes of documents along directions that stay in a processor's cache while multiplied
)
LARGE_ROWS = 16_384  # limit for documents along directions at once
HANDED_OVER = 10_000  # entries of directions up to which threads cost more than they save
DENSE = 0.2  # non-zero share of a block of counts from which a dense product is faster
STRIP = 128  # words whose pairs are summed at once: their sums stay in the cache


def word_sum(counts: Rows, weights: Vector) -> Vector:
    """``Σ_n w_n c_n``, shape (d,)."""
    return word_sums(counts, weights[:, None])[:, 0]


def word_sums(counts: Rows, weights: Matrix) -> Matrix:
    """``word_sum`` of several weights, shape (N, m), in one pass; shape (d, m)."""
    return sum_over(counts, lambda rows: partial(_words, weights[rows]), _add_in_place)


def _words(weights: Matrix, block: Counts) -> Matrix:
    return np.asarray(block.T @ weights, dtype=np.float64)


def pair_sum(counts: Rows, weights: Vector, tick: Callable[[float], None] | None = None) -> Matrix:
    """``Σ_n w_n (c_n c_nᵀ − diag c_n)``, shape (d, d): ordered pairs of distinct positions; ``w ≥ 0``.

    Symmetric, non-negative up to rounding; always in row order, since a product's last bits depend on it.
    """
    roots = np.sqrt(weights)
    total = gram_sum(counts, lambda rows: partial(_scaled, roots[rows]), tick)
    total[np.diag_indices(counts.shape[1])] -= word_sum(counts, weights)
    return total


def _scaled(factors: Vector, block: Counts) -> Scaled:
    result = block.astype(np.float64)
    result.data *= np.repeat(factors, np.diff(block.indptr))
    return result


def gram_sum(
    counts: Rows,
    scaled: Callable[[slice], Callable[[Counts], Scaled]],
    tick: Callable[[float], None] | None = None,
) -> Matrix:
    """``Σ_n x_n x_nᵀ``, (d, d); ``scaled`` of a slice of rows makes ``x`` of their block, with its sparsity pattern."""
    added = sum_over(counts, lambda rows: partial(_gram, scaled(rows)), _add_in_place, tick=tick)
    return np.ascontiguousarray(added)


def _gram(scaled: Callable[[Counts], Scaled], block: Counts) -> Matrix:
    n, d = block.shape
    x = scaled(block)
    if x.nnz > DENSE * n * d:
        lower: Matrix = dsyrk(1.0, x.toarray(order="F"), trans=1, lower=1)
        return lower + np.tril(lower, -1).T
    order = np.argsort(
        -np.bincount(x.indices, minlength=d), kind="stable"
    )  # from the most frequent word on, …
    rarer, found = x[:, order], np.empty((d, d))
    for first in range(
        0, d, STRIP
    ):  # … each with those that are rarer: half of all pairs, and few of the others
        strip = slice(first, first + STRIP)
        found[first:, strip] = np.asarray(rarer.T @ rarer[:, :STRIP].toarray())
        found[strip, first:] = found[first:, strip].T
        rarer = rarer[:, STRIP:]
    back = np.argsort(order)
    found = found[back]
    return found[:, back]


def triple_sums(
    counts: Rows,
    directions: Matrix,
    *,
    cubes: Vector,
    crosses: Vector,
    diagonals: Vector,
    outers: Matrix | None = None,
) -> tuple[Tensor3, Tensor3]:
    """``Σ_n (u_n S⊗S⊗S + v_n s₃(Q, S) + w_n K)`` for documents seen along k directions, and sums of ``S Sᵀ``.

    For document n, with ``y = B_x`` for each of its tokens: ``S = Σ y``, ``Q = Σ y yᵀ``, ``K = Σ y⊗y⊗y``. The weights
    ``(u, v, w) = (1, −1, 2)/(l(l−1)(l−2))`` give the triple frequencies ``f3(B, B, B)``; ``outers``, shape (N, m), are
    those of ``S Sᵀ``. The first result is symmetric to the last bit. Blocks have the precision of ``B = directions``.
    Time O(nnz·k + N·k³ + d·k³): ``Σ_n v_n Q_n⊗S_n = Σ_x B_x B_xᵀ ⊗ (Σ_n v_n c_nx S_n)``, so no document forms its Q.
    """
    k, kind = directions.shape[1], directions.dtype
    outers = np.empty((len(cubes), 0)) if outers is None else outers
    size = min(max(CACHED // (kind.itemsize * k), FEWEST_ROWS), CHUNK_ROWS)

    def part(rows: slice) -> Callable[[Counts], _Terms]:
        u, v, w, others = (each[rows].astype(kind) for each in (cubes, crosses, diagonals, outers))
        return partial(_terms, directions, u, v, w, others)

    pairs, seen_with, squares = sum_over(counts, part, _add_terms, rows=size)
    columns, seen_with = np.ascontiguousarray(directions.T), seen_with.astype(kind)
    for rows in row_blocks(len(directions), size):
        pairs += _cubes(columns[:, rows], seen_with[rows, k])
    each = map_threads if directions.size > HANDED_OVER else map
    cross = np.stack(
        list(each(lambda column: (columns * column) @ directions, list(seen_with.T[:k])))
    )
    upper = _spread(pairs)
    upper += cross + cross.transpose(1, 0, 2) + cross.transpose(1, 2, 0)
    return _mirrored(upper), squares


_Terms: TypeAlias = tuple[Matrix, Matrix, Tensor3]


def _terms(
    directions: Floats,
    cubes: Floats,
    crosses: Floats,
    diagonals: Floats,
    outers: Floats,
    block: Counts,
) -> _Terms:
    (counted, turned), k = _both_ways(block, directions.dtype), directions.shape[1]
    S = np.asarray(counted @ directions)
    columns = np.ascontiguousarray(S.T)
    squares = np.empty((outers.shape[1], k, k))
    for m, weights in enumerate(outers.T):
        squares[m] = (columns * weights) @ S
    seen_with = turned @ np.column_stack([S * crosses[:, None], diagonals])
    return _cubes(columns, cubes), np.asarray(seen_with, np.float64), squares


def _add_terms(x: _Terms, y: _Terms) -> _Terms:
    return _add_in_place(x[0], y[0]), _add_in_place(x[1], y[1]), _add_in_place(x[2], y[2])


def _halves(k: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The ends of each half of k indices: of any three indices, two are in the same half."""
    return (0, k // 2), (k // 2, k)


def _cubes(columns: Floats, weights: Floats) -> Matrix:
    """``Σ_n w_n y_n⊗y_n⊗y_n``, a row for each pair of indices in one half; columns ``y_n``, shape (k, n)."""
    found = []
    for first, stop in _halves(len(columns)):
        products = np.empty(
            ((stop - first) * (stop - first + 1) // 2, columns.shape[1]), columns.dtype
        )
        row = 0
        for i in range(first, stop):
            np.multiply(columns[i:stop], columns[i] * weights, out=products[row : row + stop - i])
            row += stop - i
        found.append(products @ columns.T)
    return np.concatenate(found, dtype=np.float64)


def _spread(pairs: Matrix) -> Tensor3:
    k, row = pairs.shape[1], 0
    upper = np.zeros((k, k, k))
    for first, stop in _halves(k):
        for i in range(first, stop):
            found = pairs[row : row + stop - i]
            upper[i, i:stop, i:] = found[:, i:]
            upper[:first, i, i:stop] = found[:, :first].T
            row += stop - i
    return upper


def _mirrored(upper: Tensor3) -> Tensor3:
    tensor = np.empty_like(upper)
    for i in range(len(upper)):
        ascending = np.triu(upper[i, i:, i:])
        square = ascending + np.triu(ascending, 1).T
        tensor[i, i:, i:] = square
        tensor[i:, i, i:] = square
        tensor[i:, i:, i] = square
    return tensor


def gram_times(counts: Rows, weights: Vector, x: Matrix) -> Matrix:
    """``Σ_n w_n c_n c_nᵀ x``, in the precision of ``x``: (N, d), (N,), (d, m) → (d, m)."""
    n = counts.shape[0]
    blocks = MOST_WORKERS * -(-n // (MOST_WORKERS * LARGE_ROWS))
    precise = weights.astype(x.dtype)
    return sum_over(
        counts, lambda rows: partial(_times, x, precise[rows]), _add_in_place, rows=-(-n // blocks)
    )


def _times(x: Matrix, weights: Vector, block: Counts) -> Matrix:
    counted, turned = _both_ways(block, x.dtype)
    seen = counted @ x
    seen *= weights[:, None]
    return np.asarray(turned @ seen)


def _both_ways(
    block: Counts, kind: np.dtype[Real]
) -> tuple[csr_array[Real, tuple[int, int]], csc_array[Real]]:
    n, d = block.shape
    counted: csr_array[Real, tuple[int, int]] = csr_array((n, d))
    turned: csc_array[Real] = csc_array((d, n))
    counted.data, counted.indices, counted.indptr = (
        block.data.astype(kind),
        block.indices,
        block.indptr,
    )
    turned.data, turned.indices, turned.indptr = counted.data, counted.indices, counted.indptr
    return counted, turned


def _add_in_place(x: A, y: A) -> A:
    if not x.flags.writeable:  # as it came from another process
        return x + y
    x += y
    return x
