"""Weighted sums of document frequencies: words, pairs, and triples seen along k directions.

Each is one function of a block of rows, added up by ``engine``. Nothing here grows with d³ or with N·d dense.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

import numpy as np
from scipy.linalg.blas import dsyrk
from scipy.sparse import csr_array

from dplda._types import Counts, Matrix, Tensor3, Vector
from dplda.engine import sum_over
from dplda.spectral.documents import seen_along

A = TypeVar("A", Vector, Matrix, Tensor3)

Scaled: TypeAlias = csr_array[np.float64, tuple[int, int]]

SPARSE_COST = 12.0  # one multiply–add of a sparse product costs about this many of a dense one


def word_sum(counts: Counts, weights: Vector) -> Vector:
    """``Σ_n w_n c_n``, shape (d,)."""

    def block_words(block: Counts, rows: slice) -> Vector:
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
        lower = dsyrk(1.0, x.toarray(order="F"), trans=1, lower=1)
        full: Matrix = lower + np.tril(lower, -1).T
        return full

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
    k = directions.shape[1]

    def block_terms(block: Counts, rows: slice) -> tuple[Tensor3, Matrix]:
        S = seen_along(block, directions)
        weighted = S * cubes[rows, None]
        upper = np.zeros((k, k, k))
        for i in range(k):
            upper[i, i:, i:] = (weighted[:, i, None] * S[:, i:]).T @ S[:, i:]
        return upper, np.asarray(block.T @ (S * crosses[rows, None]), dtype=np.float64)

    def add(x: tuple[Tensor3, Matrix], y: tuple[Tensor3, Matrix]) -> tuple[Tensor3, Matrix]:
        return _add_in_place(x[0], y[0]), _add_in_place(x[1], y[1])

    total, seen_with = sum_over(counts, block_terms, add)
    word_weights = word_sum(counts, diagonals)
    pair_rows = np.einsum("xi,xj->xij", directions, directions).reshape(-1, k * k)
    cross: Tensor3 = (pair_rows.T @ seen_with).reshape(k, k, k)
    total += cross + cross.transpose(0, 2, 1) + cross.transpose(2, 0, 1)
    total += (pair_rows.T @ (word_weights[:, None] * directions)).reshape(k, k, k)
    i, j, m = np.sort(np.indices((k, k, k)).reshape(3, -1), axis=0)
    result: Tensor3 = total[i, j, m].reshape(k, k, k)
    return result


def outer_sum(counts: Counts, directions: Matrix, weights: Vector) -> Matrix:
    """``Σ_n w_n S_n S_nᵀ`` with ``S_n`` the document seen along k directions; shape (k, k)."""

    def block_outer(block: Counts, rows: slice) -> Matrix:
        S = seen_along(block, directions)
        result: Matrix = (S * weights[rows, None]).T @ S
        return result

    return sum_over(counts, block_outer, _add_in_place)


def _add_in_place(x: A, y: A) -> A:
    x += y
    return x
