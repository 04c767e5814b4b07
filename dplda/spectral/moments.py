"""Weighted sums of document frequencies: words, pairs, and triples seen along k directions.

Each is a function of a block of rows, summed by ``engine``. Nothing here grows with d³ or with N·d
dense.
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
Scaled: TypeAlias = "csr_array[np.float64, tuple[int, int]]"

CACHED = 400_000
"""Bytes of documents along directions that stay in a processor's cache while multiplied."""
LARGE_ROWS = 16_384
"""Limit for documents along directions at once."""
HANDED_OVER = 10_000
"""Entries of directions up to which threads cost more than they save."""
DENSE = 0.2
"""Non-zero share of a block of counts from which a dense product is faster."""
STRIP = 128
"""Words whose pairs are summed at once: their sums stay in the cache."""


def word_sum(counts: Rows, weights: Vector) -> Vector:
    """``Σ_n w_n c_n``, shape (d,).

    Args:
        counts: ``c``, shape (N, d).
        weights: ``w``, shape (N,).
    """
    return word_sums(counts, weights[:, None])[:, 0]


def word_sums(counts: Rows, weights: Matrix) -> Matrix:
    """``word_sum`` of several weights, shape (N, m), in one pass; shape (d, m).

    Args:
        counts: shape (N, d).
        weights: shape (N, m).
    """
    return sum_over(counts, lambda rows: partial(_words, weights[rows]), _add_in_place)


def _words(weights: Matrix, block: Counts) -> Matrix:
    return np.asarray(block.T @ weights, dtype=np.float64)


def pair_sum(counts: Rows, weights: Vector, tick: Callable[[float], None] | None = None) -> Matrix:
    """``Σ_n w_n (c_n c_nᵀ − diag c_n)``, shape (d, d): ordered pairs of distinct positions.

    Symmetric, non-negative up to rounding; always in row order, since a product's last bits depend
    on it.

    Args:
        counts: of N documents.
        weights: ``w``, shape (N,), at least 0.
        tick: gets the fraction of the documents that is counted, in [0, 1].
    """
    root_weights = np.sqrt(weights)
    pair_sums = gram_sum(counts, lambda rows: partial(_scaled, root_weights[rows]), tick)
    pair_sums[np.diag_indices(counts.shape[1])] -= word_sum(counts, weights)
    return pair_sums


def _scaled(factors: Vector, block: Counts) -> Scaled:
    """Counts of a block's documents, each multiplied by its factor."""
    result = block.astype(np.float64)
    result.data *= np.repeat(factors, np.diff(block.indptr))
    return result


def gram_sum(
    counts: Rows,
    scaled: Callable[[slice], Callable[[Counts], Scaled]],
    tick: Callable[[float], None] | None = None,
) -> Matrix:
    """``Σ_n x_n x_nᵀ``, shape (d, d), of vectors ``x`` that are made from each document's counts.

    Args:
        counts: of N documents.
        scaled: for a slice of rows, the function that makes ``x`` of their block, with its sparsity
            pattern.
        tick: gets the fraction of the documents that is counted, in [0, 1].
    """
    gram = sum_over(counts, lambda rows: partial(_gram, scaled(rows)), _add_in_place, tick=tick)
    return np.ascontiguousarray(gram)


def _gram(scaled: Callable[[Counts], Scaled], block: Counts) -> Matrix:
    """``Σ_n x_n x_nᵀ`` of a block, by a dense product if many of its counts are not 0."""
    n, d = block.shape
    x = scaled(block)
    if x.nnz > DENSE * n * d:
        lower: Matrix = dsyrk(1.0, x.toarray(order="F"), trans=1, lower=1)
        return lower + np.tril(lower, -1).T
    return _sparse_gram(x)


def _sparse_gram(x: Scaled) -> Matrix:
    """``xᵀ x`` of a sparse block, a strip of words at a time.

    From the most frequent word on, each is paired with those that are rarer: half of all pairs, and
    few of the others.
    """
    d = x.shape[1]
    documents_of_words = np.bincount(x.indices, minlength=d)
    word_order = np.argsort(-documents_of_words, kind="stable")
    remaining_columns = x[:, word_order]
    gram = np.empty((d, d))
    for strip_start in range(0, d, STRIP):
        strip = slice(strip_start, strip_start + STRIP)
        gram[strip_start:, strip] = np.asarray(
            remaining_columns.T @ remaining_columns[:, :STRIP].toarray()
        )
        gram[strip, strip_start:] = gram[strip_start:, strip].T
        remaining_columns = remaining_columns[:, STRIP:]
    original_order = np.argsort(word_order)
    gram = gram[original_order]
    return gram[:, original_order]


def triple_sums(
    counts: Rows,
    directions: Matrix,
    *,
    cubes: Vector,
    crosses: Vector,
    diagonals: Vector,
    outers: Matrix | None = None,
) -> tuple[Tensor3, Tensor3]:
    """``Σ_n (u_n S⊗S⊗S + v_n s₃(Q, S) + w_n K)`` of documents along k directions, and ``Σ S Sᵀ``.

    For document n, with ``y = B_x`` for each of its tokens: ``S = Σ y``, ``Q = Σ y yᵀ``, ``K = Σ
    y⊗y⊗y``. The weights ``(u, v, w) = (1, −1, 2)/(l(l−1)(l−2))`` give the triple frequencies
    ``f3(B, B, B)``. Blocks have the precision of ``B``. Time O(nnz·k + N·k³ + d·k³): ``Σ_n v_n
    Q_n⊗S_n = Σ_x B_x B_xᵀ ⊗ (Σ_n v_n c_nx S_n)``, so no document forms its Q.

    Args:
        counts: of N documents.
        directions: ``B``, shape (d, k).
        cubes: ``u``, shape (N,).
        crosses: ``v``, shape (N,).
        diagonals: ``w``, shape (N,).
        outers: weights of ``S Sᵀ`` in m sums, shape (N, m); None for no sums.

    Returns:
        The first sum, shape (k, k, k), symmetric to the last bit; and the sums of ``S Sᵀ``, shape
        (m, k, k).
    """
    k = directions.shape[1]
    precision = directions.dtype
    outers = np.empty((len(cubes), 0)) if outers is None else outers
    n_rows = min(max(CACHED // (precision.itemsize * k), FEWEST_ROWS), CHUNK_ROWS)

    def sum_block(rows: slice) -> Callable[[Counts], _TripleTerms]:
        """Function that sums the terms of these rows, with their weights in working precision."""
        return partial(
            _triple_terms,
            directions,
            cubes[rows].astype(precision),
            crosses[rows].astype(precision),
            diagonals[rows].astype(precision),
            outers[rows].astype(precision),
        )

    half_cubes, word_sums, outer_sums = sum_over(counts, sum_block, _add_triple_terms, rows=n_rows)
    transposed_directions = np.ascontiguousarray(directions.T)
    word_sums = word_sums.astype(precision)
    for rows in row_blocks(len(directions), n_rows):
        half_cubes += _half_cubes(transposed_directions[:, rows], word_sums[rows, k])
    upper = _spread(half_cubes)
    cross = _cross_sums(directions, transposed_directions, word_sums[:, :k])
    upper += cross + cross.transpose(1, 0, 2) + cross.transpose(1, 2, 0)
    return _mirrored(upper), outer_sums


def _cross_sums(directions: Matrix, columns: Matrix, word_sums: Matrix) -> Tensor3:
    """``Σ_x t_x ⊗ B_x B_xᵀ``, shape (k, k, k), of directions ``B`` and sums ``t`` of each word.

    Args:
        directions: ``B``, shape (d, k).
        columns: ``Bᵀ``, contiguous.
        word_sums: ``t``, shape (d, k).
    """
    map_columns = map_threads if directions.size > HANDED_OVER else map
    weights_by_direction = list(word_sums.T)
    slabs = map_columns(lambda weights: (columns * weights) @ directions, weights_by_direction)
    return np.stack(list(slabs))


_TripleTerms: TypeAlias = tuple[Matrix, Matrix, Tensor3]


def _triple_terms(
    directions: Floats,
    cubes: Floats,
    crosses: Floats,
    diagonals: Floats,
    outers: Floats,
    block: Counts,
) -> _TripleTerms:
    """Terms of ``triple_sums`` from a block of n documents; weights are those of its documents."""
    k = directions.shape[1]
    by_document, by_word = _both_ways(block, directions.dtype)
    direction_sums = np.asarray(by_document @ directions)
    transposed_sums = np.ascontiguousarray(direction_sums.T)
    outer_sums = np.empty((outers.shape[1], k, k))
    for sum_index, weights in enumerate(outers.T):
        outer_sums[sum_index] = (transposed_sums * weights) @ direction_sums
    word_sums = by_word @ np.column_stack([direction_sums * crosses[:, None], diagonals])
    return _half_cubes(transposed_sums, cubes), np.asarray(word_sums, np.float64), outer_sums


def _add_triple_terms(terms: _TripleTerms, other: _TripleTerms) -> _TripleTerms:
    """Add the second terms to the first, in place where these can be written."""
    return (
        _add_in_place(terms[0], other[0]),
        _add_in_place(terms[1], other[1]),
        _add_in_place(terms[2], other[2]),
    )


def _halves(k: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The ends of each half of k indices: of any three indices, two are in the same half."""
    return (0, k // 2), (k // 2, k)


def _half_cubes(columns: Floats, weights: Floats) -> Matrix:
    """``Σ_n w_n y_n⊗y_n⊗y_n``, a row for ascending pairs of indices, a column for the third.

    Pairs are those of one half.

    Args:
        columns: ``y_n``, shape (k, n).
        weights: ``w``, shape (n,).
    """
    n_columns = columns.shape[1]
    rows_by_half = []
    for first, stop in _halves(len(columns)):
        n_pairs = (stop - first) * (stop - first + 1) // 2
        products = np.empty((n_pairs, n_columns), columns.dtype)
        row = 0
        for i in range(first, stop):
            next_row = row + stop - i
            np.multiply(columns[i:stop], columns[i] * weights, out=products[row:next_row])
            row = next_row
        rows_by_half.append(products @ columns.T)
    return np.concatenate(rows_by_half, dtype=np.float64)


def _spread(half_cubes: Matrix) -> Tensor3:
    """The rows of ``_half_cubes`` in a (k, k, k) array, at ascending indices.

    Elsewhere it is 0 or any value.
    """
    k = half_cubes.shape[1]
    upper = np.zeros((k, k, k))
    row = 0
    for first, stop in _halves(k):
        for i in range(first, stop):
            next_row = row + stop - i
            rows_of_i = half_cubes[row:next_row]
            upper[i, i:stop, i:] = rows_of_i[:, i:]
            upper[:first, i, i:stop] = rows_of_i[:, :first].T
            row = next_row
    return upper


def _mirrored(upper: Tensor3) -> Tensor3:
    """The symmetric (k, k, k) array with the entries that another one has at ascending indices."""
    tensor = np.empty_like(upper)
    for i in range(len(upper)):
        upper_slice = np.triu(upper[i, i:, i:])
        symmetric_slice = upper_slice + np.triu(upper_slice, 1).T
        tensor[i, i:, i:] = symmetric_slice
        tensor[i:, i, i:] = symmetric_slice
        tensor[i:, i:, i] = symmetric_slice
    return tensor


def gram_times(counts: Rows, weights: Vector, x: Matrix) -> Matrix:
    """``Σ_n w_n c_n c_nᵀ x``, in the precision of ``x``: (N, d), (N,), (d, m) → (d, m).

    Args:
        counts: ``c``, shape (N, d).
        weights: ``w``, shape (N,).
        x: shape (d, m).
    """
    n_documents = counts.shape[0]
    n_blocks = MOST_WORKERS * -(-n_documents // (MOST_WORKERS * LARGE_ROWS))
    block_rows = -(-n_documents // n_blocks)
    weights_in_precision = weights.astype(x.dtype)
    return sum_over(
        counts,
        lambda rows: partial(_gram_times, x, weights_in_precision[rows]),
        _add_in_place,
        rows=block_rows,
    )


def _gram_times(x: Matrix, weights: Vector, block: Counts) -> Matrix:
    """``gram_times`` of a block of documents."""
    by_document, by_word = _both_ways(block, x.dtype)
    products = by_document @ x
    products *= weights[:, None]
    return np.asarray(by_word @ products)


def _both_ways(
    block: Counts, precision: np.dtype[Real]
) -> "tuple[csr_array[Real, tuple[int, int]], csc_array[Real]]":
    """Counts in a precision, shape (n, d), and their transpose, which shares their memory."""
    n, d = block.shape
    by_document: csr_array[Real, tuple[int, int]] = csr_array((n, d))
    by_word: csc_array[Real] = csc_array((d, n))
    entries = block.data.astype(precision)
    for sparse_array in (by_document, by_word):
        sparse_array.data = entries
        sparse_array.indices = block.indices
        sparse_array.indptr = block.indptr
    return by_document, by_word


def _add_in_place(total: A, part: A) -> A:
    """Add a part to a total in place.

    A total from another process, which cannot be written, is replaced.
    """
    if not total.flags.writeable:
        return total + part
    total += part
    return total
