"""Documents of one padded width side by side, and tables gathered at their words.

Widths follow from a document's own words, and products of its topics (``matvec`` with ratios,
``vecmat`` with weights) are taken document by document: a document has the same bits whatever its
neighbors are.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array
from scipy.special import psi

from dplda.core.engine import row_blocks
from dplda.core.types import Counts, Matrix, Single, Vector
from dplda.methods.refined.plan.constants import MAX_FINE_WIDTH, WIDTH_STEP


@dataclass(frozen=True, slots=True, eq=False)
class DocumentBlock:
    """Documents of one padded width.

    Attributes:
        word_ids: words of each document, (n, width); any word where a document has no more.
        counts: counts of these words, (n, width); 0 where a document has no more.
        document_ids: rows of the corpus that the documents are, (n,).
    """

    word_ids: NDArray[np.int32]
    counts: Matrix
    document_ids: NDArray[np.intp]


def padded_blocks(counts: Counts, *, max_cells: int, max_length: float) -> Iterator[DocumentBlock]:
    """Pad documents with zero counts, and yield blocks of documents of one padded width.

    Empty documents are left out. Narrow blocks come first.

    Args:
        counts: word counts of all documents, (N, d).
        max_cells: largest number of cells in a block.
        max_length: words of a document; a longer one is scaled down to this length.
    """
    n_distinct = np.diff(counts.indptr)
    doublings = np.ceil(np.log2(np.maximum(n_distinct, MAX_FINE_WIDTH) / MAX_FINE_WIDTH))
    width_multiples = WIDTH_STEP << doublings.astype(np.intp)
    padded_widths = -(-n_distinct // width_multiples) * width_multiples
    for padded_width in np.unique(padded_widths[padded_widths > 0]).tolist():
        document_ids = np.flatnonzero(padded_widths == padded_width)
        for block_rows in row_blocks(len(document_ids), max(1, max_cells // padded_width)):
            yield _padded_block(counts, document_ids[block_rows], padded_width, max_length)


def _padded_block(
    counts: Counts, document_ids: NDArray[np.intp], width: int, max_length: float
) -> DocumentBlock:
    """Pad some documents to ``width`` distinct words, and scale them down to ``max_length``.

    Padding is word 0 with count 0. Distinct words of a document beyond ``width`` are cut off.
    An infinite ``max_length`` leaves counts as they are.
    """
    entry_positions = counts.indptr[document_ids, None] + np.arange(width)
    is_filled = entry_positions < counts.indptr[document_ids + 1, None]
    word_ids = np.where(is_filled, np.take(counts.indices, entry_positions, mode="clip"), 0)
    padded_counts: Matrix = np.where(
        is_filled, np.take(counts.data, entry_positions, mode="clip"), 0.0
    )
    if np.isfinite(max_length):
        document_lengths = np.maximum(padded_counts.sum(axis=1), 1.0)
        padded_counts *= np.minimum(1.0, max_length / document_lengths)[:, None]
    return DocumentBlock(word_ids.astype(np.int32, copy=False), padded_counts, document_ids)


def gather_columns(table: Single, word_ids: NDArray[np.integer]) -> Single:
    """Gather ``table[:, word_ids]`` for each document: (k, d, …) and (n, width) → (n, k, width, …).

    A lone document has room for two: where rows of a matrix lie one after the other, some libraries
    add up in another order, so it would have other bits than among others.
    """
    n_documents, *inner_shape = word_ids.shape
    shape = (len(table), max(n_documents, 2), *inner_shape, *table.shape[2:])
    gathered = np.empty(shape, np.float32)[:, :n_documents]
    return np.take(table, word_ids, axis=1, out=gathered, mode="clip").swapaxes(0, 1)


def clip_factors(norms: Vector, clip_norm: float) -> Vector:
    """Clipping factors min(1, clip_norm / norm), shape (n,).

    Args:
        norms: length of each document's part, (n,).
        clip_norm: largest length, in the same unit.
    """
    return np.divide(clip_norm, norms, out=np.ones_like(norms), where=norms > clip_norm)


def scatter_matrix(
    word_ids: NDArray[np.int32], cells: Matrix, n_words: int
) -> "csc_array[np.float64]":
    """Sparse (d, n) matrix of the documents' cells; times one row a document it sums by word.

    Args:
        word_ids: words of each document, (n, width).
        cells: number at each of these, (n, width).
    """
    column_starts = np.arange(len(cells) + 1, dtype=np.int32) * cells.shape[1]
    return csc_array((cells.ravel(), word_ids.ravel(), column_starts), shape=(n_words, len(cells)))


def exp_digamma(x: Single) -> Single:
    """``exp(ψ(x))`` of every entry above 0, same shape: the weight of a topic in a document."""
    return np.asarray(np.exp(psi(x)))
