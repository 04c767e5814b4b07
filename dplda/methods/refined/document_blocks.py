"""Documents of one padded width side by side, and what topics, as gathered at their words, weigh in each.

Widths follow from a document's own words, and products of its topics (``matvec`` with ratios, ``vecmat`` with weights)
are taken document by document: a document has the same bits whatever its neighbors are.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array
from scipy.special import psi

from dplda.core.engine import row_blocks
from dplda.core.types import Counts, Matrix, Single, Vector

STRIDE = 8  # documents are padded to a multiple of so many distinct words, of twice as many beyond ``FINE``, …
FINE = 64  # words of a document, up to which it is padded to a multiple of 8


@dataclass(frozen=True, slots=True, eq=False)
class DocumentBlock:
    """Documents of one padded width: words and counts (n, width); a count is 0 where a document has no more words."""

    word_ids: NDArray[np.int32]
    counts: Matrix


def padded_blocks(counts: Counts, *, cells: int, longest: float) -> Iterator[DocumentBlock]:
    """Documents of each width, in blocks of so many cells or less, without empty ones; long ones become ``longest``."""
    distinct = np.diff(counts.indptr)
    strides = STRIDE << np.ceil(np.log2(np.maximum(distinct, FINE) / FINE)).astype(np.intp)
    widths = -(-distinct // strides) * strides
    for width in np.unique(widths[widths > 0]).tolist():
        alike = np.flatnonzero(widths == width)
        for rows in row_blocks(len(alike), max(1, cells // width)):
            which = alike[rows]
            places = counts.indptr[which, None] + np.arange(width)
            filled = places < counts.indptr[which + 1, None]
            words = np.where(filled, np.take(counts.indices, places, mode="clip"), 0).astype(
                np.int32, copy=False
            )
            padded: Matrix = np.where(filled, np.take(counts.data, places, mode="clip"), 0.0)
            if np.isfinite(longest):
                padded *= np.minimum(1.0, longest / np.maximum(padded.sum(axis=1), 1.0))[:, None]
            yield DocumentBlock(words, padded)


def gather_columns(table: Single, places: NDArray[np.integer]) -> Single:
    """What lies at places on the second axis of a table whose first is topics; shape (n, k, …) for n documents.

    A lone document has room for two: where rows of a matrix lie one after the other, some libraries add up in another
    order, so it would have other bits than among others.
    """
    n, *each = places.shape
    found = np.empty((len(table), max(n, 2), *each, *table.shape[2:]), np.float32)[:, :n]
    return np.take(table, places, axis=1, out=found, mode="clip").swapaxes(0, 1)


def clip_factors(norms: Vector, bound: float) -> Vector:
    """What brings every norm down to the bound where it is above."""
    return np.divide(bound, norms, out=np.ones_like(norms), where=norms > bound)


def scatter_matrix(words: NDArray[np.int32], cells: Matrix, n_words: int) -> csc_array[np.float64]:
    """The cells of documents at their words, shape (d, n): times a row for each document, sums by word."""
    starts = np.arange(len(cells) + 1, dtype=np.int32) * cells.shape[1]
    return csc_array((cells.ravel(), words.ravel(), starts), shape=(n_words, len(cells)))


def exp_digamma(x: Single) -> Single:
    """``exp(ψ(x))`` of every entry above 0, same shape: the weight of a topic in a document."""
    return np.asarray(np.exp(psi(x)))
