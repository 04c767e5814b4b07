"""Weighted sums of document frequencies: words, pairs, and triples seen along k directions.

Each is one function of a block of rows, added up by ``engine``. Nothing here grows with d³ or with N·d dense.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

import numpy as np
from scipy.linalg.blas import dsyrk
from scipy.sparse import csr_array

from dplda._types import Counts, Matrix, Tensor3, Vector
from dplda.engine import CHUNK_ROWS, FEWEST_ROWS, map_threads, row_blocks, sum_over, workers
from dplda.spectral.documents import seen_along

A = TypeVar("A", Vector, Matrix, Tensor3)

Scaled: TypeAlias = csr_array[np.float64, tuple[int, int]]

CACHED = 50_000  # numbers: documents seen along directions stay in a processor's cache while they are multiplied
LARGE_ROWS = 65_536  # as large as what documents are seen as may grow at once
SPARSE_COST = 12.0  # one multiply–add of a sparse product costs about this many of a dense one


def word_sum(counts: Counts, weights: Vector) -> Vector:
    """``Σ_n w_n c_n``, shape (d,)."""

    def block_words(block: Counts, rows: slice) -> Vector:
        return np.asarray(block.T @ weights[rows], dtype=np.float64)

    return sum_over(counts, block_words, _add_in_place)


def word_sums(counts: Counts, weights: Matrix) -> Matrix:
    """``word_sum`` of several weights, shape (N, m), in one pass; shape (d, m)."""

    def block_words(block: Counts, rows: slice) -> Matrix:
        return np.asarray(block.T @ weights[rows], dtype=np.float64)

    return sum_over(counts, block_words, _add_in_place)


def pair_sum(counts: Counts, weights: Vector, tick: Callable[[float], None] | None = None) -> Matrix:
    """``Σ_n w_n (c_n c_nᵀ − diag c_n)``: ordered pairs of distinct token positions.

    Args:
        counts: shape (N, d).
        weights: ``w``, shape (N,), non-negative.
        tick: told the fraction done, in the calling thread; may raise to give up.

    Returns:
        Shape (d, d), symmetric, entrywise non-negative up to rounding; row by row in memory, however it was added up,
        since the last bits of a product depend on that.
    """
    d = counts.shape[1]
    roots = np.sqrt(weights)

    def scaled(block: Counts, rows: slice) -> Scaled:
        result = block.astype(np.float64)
        result.data *= np.repeat(roots[rows], np.diff(block.indptr))
        return result

    total = gram_sum(counts, scaled, tick)
    total[np.diag_indices(d)] -= word_sum(counts, weights)
    return total


def gram_sum(
    counts: Counts, scaled: Callable[[Counts, slice], Scaled], tick: Callable[[float], None] | None = None
) -> Matrix:
    """``Σ_n x_n x_nᵀ`` of what a function makes of blocks of documents, shape (d, d), symmetric.

    Args:
        counts: shape (N, d).
        scaled: of a block and its slice of row numbers, ``x`` in its rows, of the block's own pattern.
        tick: told the fraction done, in the calling thread; may raise to give up.
    """
    d = counts.shape[1]

    def gram(block: Counts, rows: slice) -> Matrix:
        x = scaled(block, rows)
        row_sizes = np.diff(block.indptr).astype(np.float64)
        if SPARSE_COST * float(np.sum(row_sizes**2)) < block.shape[0] * d * d / 2:
            product: Matrix = (x.T @ x).toarray()
            return product
        lower: Matrix = dsyrk(1.0, x.toarray(order="F"), trans=1, lower=1)
        for i in range(d):
            lower[i, i + 1 :] = lower[i + 1 :, i]
        return lower

    return np.ascontiguousarray(sum_over(counts, gram, _add_in_place, rows=2048, tick=tick))


def triple_sum(counts: Counts, directions: Matrix, *, cubes: Vector, crosses: Vector, diagonals: Vector) -> Tensor3:
    r"""``Σ_n (u_n S⊗S⊗S + v_n s₃(Q, S) + w_n K)`` with each document seen along k directions.

    For document n, with ``y = B_x`` for each of its tokens: ``S = Σ y``, ``Q = Σ y yᵀ``, ``K = Σ y⊗y⊗y``. The weights
    ``(u, v, w) = (1, −1, 2)/(l(l−1)(l−2))`` give the triple frequencies ``f3(B, B, B)``.

    Args:
        counts: shape (N, d).
        directions: ``B``, shape (d, k).
        cubes: ``u``, shape (N,).
        crosses: ``v``, shape (N,).
        diagonals: ``w``, shape (N,).

    Returns:
        Shape (k, k, k), symmetric to the last bit. Time O(nnz·k + N·k³ + d·k³): ``Q`` and ``K`` are never formed by
        document, since ``Σ_n v_n Q_n⊗S_n = Σ_x B_x B_xᵀ ⊗ (Σ_n v_n c_nx S_n)``.
    """
    return triple_and_outer_sums(
        counts, directions, cubes=cubes, crosses=crosses, diagonals=diagonals, outers=np.empty((len(cubes), 0))
    )[0]


def triple_and_outer_sums(
    counts: Counts, directions: Matrix, *, cubes: Vector, crosses: Vector, diagonals: Vector, outers: Matrix
) -> tuple[Tensor3, Tensor3]:
    """``triple_sum``, and beside it, from the same pass over the documents, weighted sums of ``S Sᵀ``.

    Args:
        counts: shape (N, d).
        directions: ``B``, shape (d, k).
        cubes: ``u`` of ``triple_sum``, shape (N,).
        crosses: ``v``, shape (N,).
        diagonals: ``w``, shape (N,).
        outers: shape (N, m), m weights of ``S Sᵀ`` for every document.

    Returns:
        Shapes (k, k, k) and (m, k, k), symmetric, the first to the last bit.
    """
    k = directions.shape[1]
    size = min(max(CACHED // max(k, 1), FEWEST_ROWS), CHUNK_ROWS)

    def block_terms(block: Counts, rows: slice) -> tuple[Tensor3, Matrix, Tensor3]:
        S = seen_along(block, directions)
        columns = np.ascontiguousarray(S.T)
        squares = np.empty((outers.shape[1], k, k))
        for m, weights in enumerate(outers[rows].T):
            squares[m] = (columns * weights) @ S
        seen_with = np.asarray(block.T @ np.column_stack([S * crosses[rows, None], diagonals[rows]]), dtype=np.float64)
        return _cubes(columns, cubes[rows]), seen_with, squares

    def add(x: tuple[Tensor3, Matrix, Tensor3], y: tuple[Tensor3, Matrix, Tensor3]) -> tuple[Tensor3, Matrix, Tensor3]:
        return _add_in_place(x[0], y[0]), _add_in_place(x[1], y[1]), _add_in_place(x[2], y[2])

    upper, seen_with, squares = sum_over(counts, block_terms, add, rows=size)
    columns, word_weights = np.ascontiguousarray(directions.T), seen_with[:, k]
    diagonal = np.zeros_like(upper)
    for rows in row_blocks(len(directions), size):
        diagonal += _cubes(columns[:, rows], word_weights[rows])
    cross = np.stack(map_threads(lambda column: (columns * column) @ directions, list(seen_with.T[:k])))
    upper += cross + cross.transpose(1, 0, 2) + cross.transpose(1, 2, 0)
    upper += diagonal
    return _mirrored(upper), squares


def _cubes(columns: Matrix, weights: Vector) -> Tensor3:
    """``Σ_n w_n y_n⊗y_n⊗y_n`` where the first index is the smallest, 0 elsewhere; columns ``y_n``, shape (k, n)."""
    k = len(columns)
    upper = np.zeros((k, k, k))
    for i in range(k):
        upper[i, i:, i:] = (columns[i:] * (columns[i] * weights)) @ columns[i:].T
    return upper


def _mirrored(upper: Tensor3) -> Tensor3:
    """The symmetric tensor of the entries whose indices ascend."""
    tensor = np.empty_like(upper)
    for i in range(len(upper)):
        ascending = np.triu(upper[i, i:, i:])
        square = ascending + np.triu(ascending, 1).T
        tensor[i, i:, i:] = square
        tensor[i:, i, i:] = square
        tensor[i:, i:, i] = square
    return tensor


def gram_times(counts: Counts, weights: Vector, x: Matrix) -> Matrix:
    """``Σ_n w_n c_n c_nᵀ x``, in the precision of ``x``: (N, d), (N,), (d, m) → (d, m)."""
    n = counts.shape[0]
    blocks = workers() * -(-n // (workers() * LARGE_ROWS))
    precise = weights[:, None].astype(x.dtype)

    def product(block: Counts, rows: slice) -> Matrix:
        rounded = csr_array((block.data.astype(x.dtype), block.indices, block.indptr), shape=block.shape)
        seen = rounded @ x
        seen *= precise[rows]
        return np.asarray(rounded.T @ seen)

    return sum_over(counts, product, _add_in_place, rows=-(-n // blocks))


def _add_in_place(x: A, y: A) -> A:
    x += y
    return x
