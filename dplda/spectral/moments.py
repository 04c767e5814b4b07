"""Weighted sums of document frequencies: words, pairs, and triples seen along k directions.

Each is a function of a block of rows, summed by ``engine``. Nothing here grows with d³ or with N·d
dense.
"""

import math
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
ScaledCounts: TypeAlias = "csr_array[np.float64, tuple[int, int]]"

CACHE_BYTES = 400_000
"""Bytes of a block's documents along directions: they stay in a processor's cache."""
MAX_BLOCK_ROWS = 16_384
"""Most documents that are projected on directions at once."""
MAX_UNTHREADED_ENTRIES = 10_000
"""Up to this many entries of the directions, threads cost more than they save."""
MIN_DENSE_SHARE = 0.2
"""Non-zero share of a block of counts from which a dense product is faster."""
STRIP_WORDS = 128
"""Words whose pairs are summed at once: their sums stay in the cache."""


def word_sum(counts: Rows, weights: Vector) -> Vector:
    """``Σ_n w_n c_n``, shape (d,).

    Args:
        counts: ``c``, shape (N, d).
        weights: ``w``, shape (N,).
    """
    sums = word_sums(counts, weights[:, None])
    return sums[:, 0]


def word_sums(counts: Rows, weights: Matrix) -> Matrix:
    """``word_sum`` of several weights, shape (N, m), in one pass; shape (d, m).

    Args:
        counts: shape (N, d).
        weights: shape (N, m).
    """

    def sum_block(rows: slice) -> Callable[[Counts], Matrix]:
        """Function that sums the words of these rows, with their weights."""
        return partial(_sum_words, weights[rows])

    return sum_over(counts, sum_block, _add_in_place)


def _sum_words(weights: Matrix, block: Counts) -> Matrix:
    """``word_sums`` of a block of documents."""
    sums = block.T @ weights
    return np.asarray(sums, dtype=np.float64)


def pair_sum(counts: Rows, weights: Vector, tick: Callable[[float], None] | None = None) -> Matrix:
    """``Σ_n w_n (c_n c_nᵀ − diag c_n)``, shape (d, d): ordered pairs of distinct positions.

    Symmetric, non-negative up to rounding; always in row order, since a product's last bits depend
    on it.

    Args:
        counts: of N documents.
        weights: ``w``, shape (N,), at least 0.
        tick: gets the fraction of the documents that is counted, in [0, 1].
    """
    n_words = counts.shape[1]
    root_weights = np.sqrt(weights)

    def scale_block(rows: slice) -> Callable[[Counts], ScaledCounts]:
        """Function that multiplies the counts of these rows by the roots of their weights."""
        return partial(_scale_counts, root_weights[rows])

    pair_sums = gram_sum(counts, scale_block, tick)
    diagonal = np.diag_indices(n_words)
    pair_sums[diagonal] -= word_sum(counts, weights)
    return pair_sums


def _scale_counts(factors: Vector, block: Counts) -> ScaledCounts:
    """Counts of a block's documents, each multiplied by its factor."""
    scaled_counts = block.astype(np.float64)
    entries_of_documents = np.diff(block.indptr)
    scaled_counts.data *= np.repeat(factors, entries_of_documents)
    return scaled_counts


def gram_sum(
    counts: Rows,
    scaled: Callable[[slice], Callable[[Counts], ScaledCounts]],
    tick: Callable[[float], None] | None = None,
) -> Matrix:
    """``Σ_n x_n x_nᵀ``, shape (d, d), of vectors ``x`` that are made from each document's counts.

    Args:
        counts: of N documents.
        scaled: for a slice of rows, the function that makes ``x`` of their block, with its sparsity
            pattern.
        tick: gets the fraction of the documents that is counted, in [0, 1].
    """

    def sum_block(rows: slice) -> Callable[[Counts], Matrix]:
        """Function that sums ``x xᵀ`` of these rows."""
        return partial(_sum_outer_products, scaled(rows))

    gram = sum_over(counts, sum_block, _add_in_place, tick=tick)
    return np.ascontiguousarray(gram)


def _sum_outer_products(scaled: Callable[[Counts], ScaledCounts], block: Counts) -> Matrix:
    """``Σ_n x_n x_nᵀ`` of a block, by a dense product if many of its counts are not 0."""
    n, d = block.shape
    x = scaled(block)
    fewest_for_dense = MIN_DENSE_SHARE * n * d
    if x.nnz > fewest_for_dense:
        return _dense_gram(x)
    return _sparse_gram(x)


def _dense_gram(x: ScaledCounts) -> Matrix:
    """``xᵀ x`` of a block, written out: half of a symmetric product, mirrored."""
    lower: Matrix = dsyrk(1.0, x.toarray(order="F"), trans=1, lower=1)
    below_diagonal = np.tril(lower, -1)
    return lower + below_diagonal.T


def _sparse_gram(x: ScaledCounts) -> Matrix:
    """``xᵀ x`` of a sparse block, a strip of words at a time.

    From the most frequent word on, each is paired with those that are rarer: half of all pairs, and
    few of the others.
    """
    d = x.shape[1]
    documents_of_words = np.bincount(x.indices, minlength=d)
    word_order = np.argsort(-documents_of_words, kind="stable")
    remaining_columns = x[:, word_order]
    gram = np.empty((d, d))
    for strip_start in range(0, d, STRIP_WORDS):
        strip = slice(strip_start, strip_start + STRIP_WORDS)
        strip_columns = remaining_columns[:, :STRIP_WORDS]
        pair_sums = remaining_columns.T @ strip_columns.toarray()
        gram[strip_start:, strip] = np.asarray(pair_sums)
        gram[strip, strip_start:] = gram[strip_start:, strip].T
        remaining_columns = remaining_columns[:, STRIP_WORDS:]
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
    if outers is None:
        no_weights = np.empty((len(cubes), 0))
        outers = no_weights
    n_rows = _rows_in_cache(precision, k)

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
    cross_word_sums = word_sums[:, :k]
    diagonal_word_sums = word_sums[:, k]
    for rows in row_blocks(len(directions), n_rows):
        columns = transposed_directions[:, rows]
        half_cubes += _half_cubes(columns, diagonal_word_sums[rows])
    upper = _scatter_half_cubes(half_cubes)
    cross = _cross_sums(directions, transposed_directions, cross_word_sums)
    second_order = cross.transpose(1, 0, 2)
    third_order = cross.transpose(1, 2, 0)
    upper += cross + second_order + third_order
    return _mirror_upper(upper), outer_sums


def _rows_in_cache(precision: np.dtype[np.float64], k: int) -> int:
    """Documents whose k numbers each stay in a processor's cache; at most ``CHUNK_ROWS``."""
    bytes_of_document = precision.itemsize * k
    n_cached = CACHE_BYTES // bytes_of_document
    return min(max(n_cached, FEWEST_ROWS), CHUNK_ROWS)


def _cross_sums(directions: Matrix, columns: Matrix, word_sums: Matrix) -> Tensor3:
    """``Σ_x t_x ⊗ B_x B_xᵀ``, shape (k, k, k), of directions ``B`` and sums ``t`` of each word.

    Args:
        directions: ``B``, shape (d, k).
        columns: ``Bᵀ``, contiguous.
        word_sums: ``t``, shape (d, k).
    """
    map_columns = map_threads if directions.size > MAX_UNTHREADED_ENTRIES else map
    weights_by_direction = list(word_sums.T)

    def sum_slab(weights: Vector) -> Matrix:
        """``Σ_x t_xi B_x B_xᵀ`` of one direction i, whose sums ``t_xi`` are the weights."""
        return (columns * weights) @ directions

    slabs = map_columns(sum_slab, weights_by_direction)
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
    """Terms of ``triple_sums`` from a block of n documents; weights are those of its documents.

    Returns:
        Cubes of ``S`` as ``_half_cubes`` packs them; sums of ``v S`` by word and, in the last
        column, of ``w``, shape (d, k + 1); and the m sums of ``S Sᵀ``, shape (m, k, k).
    """
    k = directions.shape[1]
    by_document, by_word = _with_transpose(block, directions.dtype)
    direction_sums = np.asarray(by_document @ directions)
    transposed_sums = np.ascontiguousarray(direction_sums.T)
    n_outers = outers.shape[1]
    outer_sums = np.empty((n_outers, k, k))
    for sum_index, weights in enumerate(outers.T):
        outer_sums[sum_index] = (transposed_sums * weights) @ direction_sums
    weighted_sums = direction_sums * crosses[:, None]
    word_sums = by_word @ np.column_stack([weighted_sums, diagonals])
    half_cubes = _half_cubes(transposed_sums, cubes)
    return half_cubes, np.asarray(word_sums, np.float64), outer_sums


def _add_triple_terms(terms: _TripleTerms, other: _TripleTerms) -> _TripleTerms:
    """Add the second terms to the first, in place where these can be written."""
    return (
        _add_in_place(terms[0], other[0]),
        _add_in_place(terms[1], other[1]),
        _add_in_place(terms[2], other[2]),
    )


def _halves(k: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The ends of each half of k indices: of any three indices, two are in the same half."""
    middle = k // 2
    return (0, middle), (middle, k)


def _half_cubes(columns: Floats, weights: Floats) -> Matrix:
    """``Σ_n w_n y_n⊗y_n⊗y_n``, a row for ascending pairs of indices, a column for the third.

    Both indices of a pair are in the same half of the k indices; see ``_halves``.
    Products are in the precision of ``columns``, the result in float64.

    Args:
        columns: ``y_n``, shape (k, n).
        weights: ``w``, shape (n,).
    """
    k, n_columns = columns.shape
    rows_by_half = []
    for half_start, half_stop in _halves(k):
        n_indices = half_stop - half_start
        n_pairs = n_indices * (n_indices + 1) // 2
        products = np.empty((n_pairs, n_columns), columns.dtype)
        row = 0
        for i in range(half_start, half_stop):
            next_row = row + half_stop - i
            weighted_column = columns[i] * weights
            products_of_i = products[row:next_row]
            np.multiply(columns[i:half_stop], weighted_column, out=products_of_i)
            row = next_row
        sums_of_half = products @ columns.T
        rows_by_half.append(sums_of_half)
    return np.concatenate(rows_by_half, dtype=np.float64)


def _scatter_half_cubes(half_cubes: Matrix) -> Tensor3:
    """A new (k, k, k) array with the entries of ``_half_cubes`` at indices ``i ≤ j ≤ l``.

    Its other entries are not meaningful.
    """
    k = half_cubes.shape[1]
    upper = np.zeros((k, k, k))
    row = 0
    for half_start, half_stop in _halves(k):
        for i in range(half_start, half_stop):
            next_row = row + half_stop - i
            rows_of_i = half_cubes[row:next_row]
            upper[i, i:half_stop, i:] = rows_of_i[:, i:]
            upper[:half_start, i, i:half_stop] = rows_of_i[:, :half_start].T
            row = next_row
    return upper


def _mirror_upper(upper: Tensor3) -> Tensor3:
    """The symmetric (k, k, k) array with the entries that another one has at ascending indices."""
    tensor = np.empty_like(upper)
    for i in range(len(upper)):
        upper_slice = np.triu(upper[i, i:, i:])
        above_diagonal = np.triu(upper_slice, 1)
        symmetric_slice = upper_slice + above_diagonal.T
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
    rows_of_all_workers = MOST_WORKERS * MAX_BLOCK_ROWS
    n_rounds = math.ceil(n_documents / rows_of_all_workers)
    n_blocks = MOST_WORKERS * n_rounds
    block_rows = math.ceil(n_documents / n_blocks)
    weights_in_precision = weights.astype(x.dtype)

    def multiply_block(rows: slice) -> Callable[[Counts], Matrix]:
        """Function that multiplies these rows, with their weights in working precision."""
        return partial(_gram_times, x, weights_in_precision[rows])

    return sum_over(counts, multiply_block, _add_in_place, rows=block_rows)


def _gram_times(x: Matrix, weights: Vector, block: Counts) -> Matrix:
    """``gram_times`` of a block of documents."""
    by_document, by_word = _with_transpose(block, x.dtype)
    products = by_document @ x
    products *= weights[:, None]
    return np.asarray(by_word @ products)


def _with_transpose(
    block: Counts, precision: np.dtype[Real]
) -> "tuple[csr_array[Real, tuple[int, int]], csc_array[Real]]":
    """Counts in a precision, shape (n, d), and their transpose, which shares their memory.

    Both share the index arrays of ``block``; the entries are a copy.
    """
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
