r"""A document's contribution to the moments, and bounds on its norm.

A document with word counts ``c`` and length ``l ≥ 3`` contributes the frequencies of its words, of
its ordered pairs and of its ordered triples of distinct token positions:

.. math::
    f_1 = \frac{c}{l},\quad f_2 = \frac{cc^\top - \mathrm{diag}\,c}{l(l-1)},\quad
    f_3 = \frac{c^{\otimes 3} - s_3(\mathrm{diag}\,c, c) + 2\sum_i c_i e_i^{\otimes 3}}{l(l-1)(l-2)}

(the middle term of ``f3`` in the symmetric sense). A shorter document contributes zero to all three
and stays in N.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from dplda.core.engine import CHUNK_ROWS, UNIT_ROUNDOFF, each_document
from dplda.core.types import Counts, Matrix, Rows, Vector

MINIMUM_LENGTH = 3
"""Words in a document below which it contributes zero."""
MANY_TOPICS = 50
"""From here on documents are handled one by one: k² numbers exceed the work for words."""
LARGEST_PAIR_NORM = math.sqrt(0.5)
"""``‖f2‖_θ`` of a document that repeats one word, the largest; rounded up."""


@dataclass(frozen=True, slots=True, eq=False)
class Lengths:
    """Divisors that follow from documents' lengths ``l``; zero for one that is too short.

    Attributes:
        usable: whether ``l ≥ 3``, shape (N,).
        per_word: ``1/l``, shape (N,).
        per_pair: ``1/(l(l−1))``, shape (N,).
        per_triple: ``1/(l(l−1)(l−2))``, shape (N,).
    """

    usable: np.ndarray[tuple[int], np.dtype[np.bool_]]
    per_word: Vector
    per_pair: Vector
    per_triple: Vector


def measure_lengths(counts: Rows) -> Lengths:
    """Measure which documents are usable, and ``1/l``, ``1/l(l−1)`` and ``1/l(l−1)(l−2)`` of each.

    Documents of fewer than three words are not usable, and get 0. Lengths are float64, so that
    their products never overflow.
    """
    n_tokens = each_document(counts, lambda _: partial(power_sum, power=1))
    is_usable = n_tokens >= MINIMUM_LENGTH
    length = np.where(is_usable, n_tokens, float(MINIMUM_LENGTH))  # no division by zero
    n_pairs = length * (length - 1)
    n_triples = n_pairs * (length - 2)
    return Lengths(
        usable=is_usable,
        per_word=is_usable / length,
        per_pair=is_usable / n_pairs,
        per_triple=is_usable / n_triples,
    )


def project_counts(counts: Counts, directions: Matrix) -> Matrix:
    """Add up rows of k directions over documents' tokens, ``S = Σ_tokens B_x``, shape (N, k).

    Args:
        counts: shape (N, d).
        directions: ``B``, shape (d, k).
    """
    sums = counts @ directions
    return np.asarray(sums, dtype=np.float64)


def power_sum(counts: Counts, power: int) -> Vector:
    """``Σ_i c_i^power`` of every document, shape (N,).

    Args:
        counts: shape (N, d).
        power: a whole number, at least 1.
    """
    powered = counts.astype(np.float64)
    for _ in range(power - 1):
        powered.data *= counts.data
    return np.asarray(powered.sum(axis=1), dtype=np.float64)


def count_norms(counts: Rows) -> Vector:
    """Euclidean norm of every document's counts, shape (N,)."""
    squared_norms = each_document(counts, lambda _: partial(power_sum, power=2))
    return np.sqrt(squared_norms)


def pair_norms(counts: Rows, length: Lengths) -> Vector:
    r"""Norm of every document's frequencies of unordered pairs, over √2; never too small.

    With :math:`s_j = \sum c^j` the square is :math:`(s_2^2 - s_3 + (s_2-s_4)/2)/(l(l-1))^2`. The
    numerator is at least :math:`\tfrac12 s_2^2(1-1/l)^2 \ge \tfrac29 s_2^2` (see
    ``privacy.sensitivity.word_average``); its terms are at most :math:`3 s_2^2` together and go
    through at most ``2d + 4`` roundings, so the root is right up to ``13.5 d + 35`` units and the
    divisor up to 8; ``16 d + 80`` are added.

    Returns:
        ``‖f2‖_θ``, shape (N,), where ``‖A‖_θ² = ‖A‖_F² − ½‖diag A‖²``; in [0, 1/√2], attained by a
        document that repeats one word. Zero for documents that are too short.
    """
    per_pair = length.per_pair
    return each_document(counts, lambda rows: partial(_pair_norms, per_pair[rows]))


def _pair_norms(per_pair: Vector, block: Counts) -> Vector:
    """``pair_norms`` of a block of documents, rounded up and at most ``LARGEST_PAIR_NORM``."""
    n_words = block.shape[1]
    s2 = power_sum(block, 2)
    s3 = power_sum(block, 3)
    s4 = power_sum(block, 4)
    squared_norms = s2**2 - s3 + (s2 - s4) / 2
    norms = np.sqrt(squared_norms) * per_pair
    relative_slack = (16 * n_words + 80) * UNIT_ROUNDOFF
    rounded_up = norms * (1 + relative_slack)
    return np.minimum(rounded_up, LARGEST_PAIR_NORM)


def triple_norm_bounds(counts: Rows, length: Lengths, directions: Matrix) -> Vector:
    r"""Upper bound on the Frobenius norm of documents' triple frequencies along k directions.

    With one row :math:`y = B_x` for each token, ``S = Σy``, ``Q = Σyyᵀ``, ``r = ‖y‖`` and ``p_j = Σ
    r^j``, the document's tensor is :math:`z = (S^{⊗3} - s_3(Q, S) + 2Σ y^{⊗3})/(l(l-1)(l-2))`. The
    smaller of two bounds is returned: the exact norm of the first two terms plus :math:`2 p_3`,
    close for long documents; and :math:`p_1^3 - 3p_1p_2 + 2p_3`, since ``z`` is a mean over ordered
    triples of distinct positions of tensors of norm at most ``r r' r''``, close for short ones.

    Rounding never makes the bound too small, however much of ``S`` cancels. With whole counts
    :math:`p_2 \le p_1^2` and :math:`p_3 \le p_1^3`, so in absolute value the terms of the first
    norm's square :math:`‖S‖^6 - 6‖S‖^2 S^⊤QS + 3‖Q‖^2‖S‖^2 + 6‖QS‖^2` are at most :math:`16 p_1^6`
    together, those of the second bound :math:`6 p_1^3`; each goes through at most ``m = 6d + k² +
    3k + 20`` roundings of relative size ``u``. Added are ``64 m u p1⁶`` under the root, where it is
    at most :math:`4 p_1^3`, and ``16 m u p1³``: the remaining ``5 m u p1³`` and more covers the
    roundings of ``2 p3``, fewer than m, and the last eight. A document's bound depends on its own
    row alone, to the last bit.

    Args:
        counts: shape (N, d).
        directions: ``B``, shape (d, k).

    Returns:
        Shape (N,), unit of ``B`` cubed, at most the computed ``max_x r_x³``; zero for documents
        that are too short.
    """
    row_norms = np.linalg.norm(directions, axis=1)
    largest_norm = float(np.max(row_norms))
    per_triple = length.per_triple

    def bound_block(rows: slice) -> Callable[[Counts], Vector]:
        """Function that bounds the norms of these documents, with their divisors."""
        return partial(_triple_norm_bounds, directions, row_norms, per_triple[rows])

    bounds = each_document(counts, bound_block, rows=CHUNK_ROWS)
    return np.minimum(bounds, largest_norm**3)


def _triple_norm_bounds(
    directions: Matrix, row_norms: Vector, per_triple: Vector, block: Counts
) -> Vector:
    """The smaller bound of ``triple_norm_bounds`` for a block, with slack for rounding.

    ``p_m`` are sums of the m-th powers of norms of a document's tokens along the directions.
    """
    d, k = directions.shape
    S = project_counts(block, directions)
    if k >= MANY_TOPICS:
        QQ, SQS, QSQS = _squares_one_by_one(block, directions, S)
    else:
        QQ, SQS, QSQS = _squares_together(block, directions, S)
    s2 = np.einsum("ni,ni->n", S, S)
    first_two_terms = s2**3 - 6 * s2 * SQS
    first_two_terms += 3 * QQ * s2 + 6 * QSQS
    n_roundings = 6 * d + k**2 + 3 * k + 20
    slack = 16 * n_roundings * UNIT_ROUNDOFF
    powers_of_norms = np.column_stack([row_norms, row_norms**2, row_norms**3])
    p1, p2, p3 = project_counts(block, powers_of_norms).T
    squared_norms = np.maximum(first_two_terms, 0) + 4 * slack * p1**6
    long_bound = np.sqrt(squared_norms) + 2 * p3
    short_bound = p1**3 - 3 * p1 * p2 + 2 * p3
    short_bound = short_bound + slack * p1**3
    smaller_bound = np.minimum(long_bound, short_bound)
    return np.asarray(smaller_bound * per_triple)


def _squares_together(
    block: Counts, directions: Matrix, S: Matrix
) -> tuple[Vector, Vector, Vector]:
    """``‖Q‖²``, ``SᵀQS`` and ``‖QS‖²`` of a block's documents, from a (k, k) array ``Q`` each.

    Args:
        block: counts of n documents.
        directions: ``B``, shape (d, k).
        S: the documents' counts along the directions, shape (n, k).
    """
    k = directions.shape[1]
    rows, columns = np.triu_indices(k)
    multiplicity = np.where(rows == columns, 1.0, 2.0)
    index_products = directions[:, rows] * directions[:, columns]
    upper_Q = project_counts(block, index_products)
    Q = np.empty((len(S), k, k))
    Q[:, rows, columns] = upper_Q
    Q[:, columns, rows] = upper_Q
    S_columns = S[:, :, None]
    QS = (Q @ S_columns)[:, :, 0]
    QQ = np.einsum("ni,i->n", upper_Q**2, multiplicity)
    SQS = np.einsum("ni,ni->n", QS, S)
    QSQS = np.einsum("ni,ni->n", QS, QS)
    return QQ, SQS, QSQS


def _squares_one_by_one(
    block: Counts, directions: Matrix, S: Matrix
) -> tuple[Vector, Vector, Vector]:
    """``‖Q‖²``, ``SᵀQS`` and ``‖QS‖²`` as ``_squares_together`` gives them, one document at a time.

    From the rows ``Y`` of B of its own words, ``Q = Yᵀ diag(counts) Y``.

    The roundings are no more: 2k + 2d + 4 in ``‖Q‖² = Σ c_i c_j (y_i·y_j)²``, or d + k² + 4 by Q,
    whose terms are at most ``c_i c_j r_i² r_j²``, and 4d + 3k + 5 in the others.
    """
    n_documents = block.shape[0]
    QQ = np.empty(n_documents)
    SQS = np.empty(n_documents)
    QSQS = np.empty(n_documents)
    entry_ranges = zip(block.indptr[:-1], block.indptr[1:], strict=True)
    for n, (start, stop) in enumerate(entry_ranges):
        word_ids = block.indices[start:stop]
        Y = directions[word_ids]
        c = block.data[start:stop].astype(np.float64)
        YS = Y @ S[n]
        QS = (c * YS) @ Y
        QQ[n] = _squared_outer_norm(Y, c)
        SQS[n] = c @ YS**2
        QSQS[n] = QS @ QS
    return QQ, SQS, QSQS


def _squared_outer_norm(Y: Matrix, c: Vector) -> float:
    """``‖Yᵀ diag(c) Y‖²``, by the smaller of two products, with words or with directions.

    Args:
        Y: directions of a document's m words, shape (m, k).
        c: their counts, shape (m,).
    """
    n_words, k = Y.shape
    if n_words > k:
        weighted_rows = c[:, None] * Y
        Q = weighted_rows.T @ Y
        return float(np.sum(Q**2))
    squared_products = (Y @ Y.T) ** 2
    return float(c @ squared_products @ c)
