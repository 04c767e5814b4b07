r"""What documents add to a full-batch variational step: every document's k×d matrix, weighted, clipped and summed.

With point topics ``A`` a document with counts ``c`` has :math:`φ_{wi} ∝ e^{ψ(γ_i)} A_{iw}` and
:math:`γ_i = α + \sum_w c_w φ_{wi}`, found in rounds from equal shares: unless others are given in a fixed number, which
come near from one side, so that most of the later ones go further than where they point. A document adds
:math:`s_{iw} = c_w φ_{wi} u_w`, scaled down to Frobenius norm ``C`` where that is larger.

Sums of blocks (``padded``) are added up in their order within each ``RUN`` of documents, and those of runs in theirs:
the same bits on any number of threads, in any process, of documents in memory, laid out once, and on disk. Rounds run
in float32, at half the time: they are off by a millionth, where stopping them is by a percent and more.
"""

from collections.abc import Callable, Iterator
from functools import partial, reduce
from typing import TypeAlias, TypeVar

import numpy as np
from scipy.sparse import csr_array

from dplda.core.engine import map_threads, row_blocks, rows_of, sum_over
from dplda.core.types import Counts, Matrix, Rows, Single, Vector
from dplda.methods.refined.document_blocks import (
    DocumentBlock,
    clip_factors,
    exp_digamma,
    gather_columns,
    padded_blocks,
    scatter_matrix,
)
from dplda.privacy.noise.fixed_point import (
    NON_NEGATIVE_DISTANCE,
    FixedPointSum,
    grid_resolution,
    truncate_to_grid,
)
from dplda.privacy.sensitivity import word_counts as of_counts

Rounds: TypeAlias = Callable[
    [Single, Single, Single, Single], Single
]  # A, c, α, first γ → last γ, row by row
Shape: TypeAlias = tuple[int, int]
Sum = TypeVar("Sum", Vector, Matrix)
Inferred: TypeAlias = tuple[Matrix, Matrix]

CELLS_AT_ONCE = (
    1 << 19
)  # numbers in a block's largest array: two megabytes, which stay in the processor's cache
DOCUMENTS_AT_ONCE = 1 << 15  # documents that are read and laid out together, where they lie on disk
BLOCKS_AT_ONCE = 16  # blocks whose sums are held before they are added up
OVER_RELAXATION = (
    1.3,
    2.3,
    7.5,
    1.5,
)  # of the way a round points, after the first: as good as 14 plain ones
MAX_DOCUMENT_LENGTH = (
    200.0  # words of a document in a private step; a longer one counts as one of this length
)
MIN_WORD_PROBABILITY = 1e-100  # of a word in all topics, below which none knows it
MIN_TOPIC_WEIGHT = np.float32(
    1 / 64
)  # of a topic in a document where rounds overshoot: its weight, 10⁻²⁸, keeps 0/0 out of them
MIN_TOPIC_SHARE = np.float32(
    2.0**-40
)  # of a topic in a document that is added up: keeps squares from underflow


class Documents:
    """The documents of a corpus, for repeated inference; a longer one counts as one of ``longest`` words."""

    def __init__(
        self,
        counts: Rows,
        n_topics: int,
        *,
        longest: float = MAX_DOCUMENT_LENGTH,
        rounds: Rounds | None = None,
    ) -> None:
        self.n_documents, self.n_words = counts.shape
        self.n_topics, self._rounds = n_topics, rounds or over_relaxed_e_step
        self._counts, self._lay_out = (
            counts,
            partial(padded_blocks, cells=CELLS_AT_ONCE // n_topics, longest=longest),
        )
        self._runs: list[list[DocumentBlock]] | None = None
        if isinstance(counts, csr_array):
            self._runs = [
                list(self._lay_out(rows_of(counts, rows)))
                for rows in row_blocks(self.n_documents, DOCUMENTS_AT_ONCE)
            ]

    def sum_contributions(
        self, topics: Matrix, weights: Vector, *, prior: Vector, bound: float, unit: float = 0.0
    ) -> Matrix:
        """The sum of all documents' contributions, shape (k, d).

        Guarantee:
            A contribution is a function of its document and of the arguments, entrywise non-negative and of Frobenius
            norm at most ``bound`` up to rounding. With a ``unit`` of ``bound/grid_resolution(N)`` it is of whole units, its
            norm at most ``bound`` exactly: two neighbours' sums are less than ``sensitivity(bound)`` apart.
        """
        known = topic_posteriors(topics)
        infer = partial(_inferred, self._rounds, known, weights, prior, bound)
        total = self.sum_blocks(partial(_contributed, infer, known, unit), known.T.shape).T
        return np.ascontiguousarray(total if unit else total * known)

    def sum_blocks(self, part: Callable[[DocumentBlock], Matrix], shape: Shape) -> Matrix:
        """Adds up what blocks contribute: in their order within each run, and the runs in theirs."""
        if self._runs is None:

            def of_run(counts: Counts) -> Matrix:
                return reduce(_plus, map(part, self._lay_out(counts)), np.zeros(shape))

            return sum_over(
                self._counts, lambda _: of_run, _plus, rows=DOCUMENTS_AT_ONCE, together=1
            )
        runs = (reduce(_plus, _in_threads(part, run), np.zeros(shape)) for run in self._runs)
        return reduce(_plus, runs, np.zeros(shape))

    def sensitivity(self, bound: float, *, exact: bool = False) -> float:
        """Bound on the Frobenius distance of two neighbours' computed sums of parts of norm ``bound``.

        Sums of whole numbers are ``exact``; others have a term for rounding.
        """
        if exact:
            return NON_NEGATIVE_DISTANCE * bound * (1 + 2**-51)
        return of_counts(
            n_documents=self.n_documents,
            n_words=self.n_words,
            n_topics=self.n_topics,
            clip_norm=bound,
        )

    def sum_word_counts(self, *, bound: float, unit: float = 0.0) -> Vector:
        """The sum of all documents' counts, each scaled down to norm ``bound``, shape (d,); in units too."""
        part = partial(_counted, bound=bound, n_words=self.n_words, unit=unit)
        return self.sum_blocks(part, (self.n_words, 1))[:, 0]


def _in_threads(
    part: Callable[[DocumentBlock], Matrix], blocks: list[DocumentBlock]
) -> Iterator[Matrix]:
    for start in range(0, len(blocks), BLOCKS_AT_ONCE):
        yield from map_threads(part, blocks[start : start + BLOCKS_AT_ONCE])


def _plus(one: Matrix, other: Matrix) -> Matrix:
    return np.add(one, other, out=one)


def _contributed(
    infer: Callable[[DocumentBlock], Inferred], known: Single, unit: float, block: DocumentBlock
) -> Matrix:
    pulled, shares = infer(block)
    if not unit:  # topics of words are multiplied by once they are added up
        return np.asarray(scatter_matrix(block.word_ids, pulled, known.shape[1]) @ shares)
    each = (
        gather_columns(known, block.word_ids).swapaxes(1, 2)
        * shares[:, None, :]
        * pulled[:, :, None]
    )
    places = scatter_matrix(
        block.word_ids.reshape(-1, 1), np.ones((block.word_ids.size, 1)), known.shape[1]
    )
    return np.asarray(places @ truncate_to_grid(each, unit).reshape(block.word_ids.size, -1))


def _counted(block: DocumentBlock, *, bound: float, n_words: int, unit: float) -> Matrix:
    norms = np.sqrt(np.einsum("nw,nw->n", block.counts, block.counts))
    counts = block.counts * clip_factors(norms, bound)[:, None]
    parts = truncate_to_grid(counts, unit) if unit else counts
    return np.asarray(scatter_matrix(block.word_ids, parts, n_words) @ np.ones((len(parts), 1)))


def fixed_point_step(documents: Documents, bound: float) -> float:
    """Step of the whole numbers that parts of norm ``bound`` are cut to."""
    return bound / grid_resolution(documents.n_documents, documents.n_words)


def as_fixed_point(
    total: Sum, unit: float, *, bound: float, largest_distance: float = NON_NEGATIVE_DISTANCE
) -> Sum | FixedPointSum:
    """A sum, of whole numbers with a ``unit``, as mechanisms take it.

    Args:
        bound: largest norm of a document's part, in the unit of the value.
        largest_distance: of two documents' parts of norm 1 at most.
    """
    if not unit:
        return total
    neighbor_distance = largest_distance * (bound / unit)
    return FixedPointSum.from_whole_floats(
        total, unit, total.shape, neighbor_distance=neighbor_distance
    )


def topic_posteriors(topics: Matrix) -> Single:
    """``A_iw / Σ_j A_jw``, shape (k, d): columns that add up to 1, with equal shares in a word that no topic knows."""
    known = np.sum(topics, axis=0)
    shared = np.divide(
        topics, known, out=np.full_like(topics, 1 / len(topics)), where=known > MIN_WORD_PROBABILITY
    )
    return np.ascontiguousarray(shared, dtype=np.float32)


def _inferred(
    rounds: Rounds,
    known: Single,
    weights: Vector,
    prior: Vector,
    bound: float,
    block: DocumentBlock,
) -> Inferred:
    r"""``r = c_w u_w / Σ_j θ_j A_jw`` (n, width) and clipped ``θ`` (n, k).

    Guarantee:
        The norm of ``r_w θ_i A_iw`` is at most ``bound`` up to the rounding of float64, for these very numbers. For r,
        θ and A are what they are, however they were found, and only :math:`r_w \sqrt{q_w}`, with :math:`q_w = \sum_i
        θ_i^2 A_{iw}^2`, is rounded to float32 on the way to their norm. As every θ is at least 2⁻⁴⁰ and the largest A
        of a known word at least 1/2k, ``q`` is far above where numbers underflow; so it is a sum of non-negative terms
        with fewer than ``k + 4`` roundings each. Its root and the product have one more, so the norm times
        ``1 + (k + 8) 2⁻²⁴`` is not below the exact one.
    """
    seen, counts = gather_columns(known, block.word_ids), block.counts.astype(np.float32)
    gamma = np.matvec(seen, counts)
    added = np.full(gamma.shape, prior, np.float32)
    shares = exp_digamma(rounds(seen, counts, added, gamma + added))
    shares = shares / np.sum(shares, axis=1, keepdims=True) + MIN_TOPIC_SHARE
    weighted = (np.take(weights, block.word_ids, mode="clip") * block.counts).astype(np.float32)
    pulled = weighted / np.vecmat(shares, seen)
    np.square(seen, out=seen)
    sizes = (pulled * np.sqrt(np.vecmat(shares * shares, seen))).astype(np.float64)
    norms = np.sqrt(np.vecdot(sizes, sizes)) * (1 + (shares.shape[1] + 8) * 2.0**-24)
    return pulled.astype(np.float64), shares * clip_factors(norms, bound)[:, None]


def over_relaxed_e_step(
    seen: Single,
    counts: Single,
    added: Single,
    gamma: Single,
    weigh: Callable[[Single], Single] = exp_digamma,
) -> Single:
    """``γ`` after the rounds of a private step; without ``weigh`` they lead to a document's most likely shares."""
    least = np.maximum(added, MIN_TOPIC_WEIGHT)
    gamma = np.maximum(gamma, least)
    for pull in OVER_RELAXATION:
        shares = weigh(gamma)
        found = np.matvec(seen, counts / np.vecmat(shares, seen)) * shares + added
        gamma = np.maximum(gamma + (found - gamma) * pull, least)
    return gamma
