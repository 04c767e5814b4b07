r"""Parts of documents in a variational step: a k×d matrix for each, weighted, clipped and summed.

With point topics ``A`` a document with counts ``c`` has :math:`φ_{wi} ∝ e^{ψ(γ_i)} A_{iw}` and
:math:`γ_i = α + \sum_w c_w φ_{wi}`, found in rounds from equal shares. Plain rounds come near from
one side, so the later ones of a fixed number go further than where they point. A document adds
:math:`s_{iw} = c_w φ_{wi} u_w`, scaled down to Frobenius norm ``C`` where that is larger.

Sums of blocks (``document_blocks``) are added up in their order within each run of
``DOCUMENTS_AT_ONCE`` documents, and those of runs in theirs: the same bits on any number of
threads, in any process, of documents in memory, padded once, and on disk. Rounds run in float32, at
half the time: they are off by a millionth, where stopping them is by a percent and more.
"""

from collections.abc import Callable, Iterator
from functools import partial, reduce
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array

from dplda.core.engine import map_threads, row_blocks, rows_of, sum_over
from dplda.core.types import Counts, Matrix, Rows, Single, Vector
from dplda.methods.refined.documents.document_blocks import (
    DocumentBlock,
    clip_factors,
    exp_digamma,
    gather_columns,
    padded_blocks,
    scatter_matrix,
)
from dplda.methods.refined.plan.constants import (
    BLOCKS_AT_ONCE,
    DOCUMENTS_AT_ONCE,
    MAX_BLOCK_CELLS,
    MAX_DOCUMENT_LENGTH,
    MIN_TOPIC_SHARE,
    MIN_TOPIC_WEIGHT,
    MIN_WORD_PROBABILITY,
    OVER_RELAXATION,
)
from dplda.privacy.bounded_sum import BoundedSum, SumBound
from dplda.privacy.noise.fixed_point import truncate_to_grid

EStep: TypeAlias = Callable[[Single, Single, Single, Single], Single]
"""Topics at a document's words, its counts, α, and the first γ → the last γ, document by
document."""
BlockSum: TypeAlias = Callable[[DocumentBlock], Matrix]
"""A block's documents → the sum of their parts."""
InferredBlock: TypeAlias = tuple[Matrix, Matrix]


class Documents:
    """The documents of a corpus, for repeated inference.

    Args:
        counts: word counts, (N, d); a matrix or documents on disk.
        n_topics: number of topics k that parts are divided over.
        max_length: words of a document; a longer one counts as one of this length; None for that of
            a private step.
        e_step: rounds of inference; None for those of a private step.

    Attributes:
        n_documents, n_words: size of the corpus, N and d.
        n_topics: number of topics k.
    """

    def __init__(
        self,
        counts: Rows,
        n_topics: int,
        *,
        max_length: float | None = None,
        e_step: EStep | None = None,
    ) -> None:
        """Pad the documents in memory; those on disk are padded anew whenever they are read.

        Args:
            counts: word counts, (N, d), in memory or on disk.
            n_topics: k, which decides the size of blocks.
            max_length: words of a document, to which a longer one is scaled down; None for
                ``MAX_DOCUMENT_LENGTH``.
            e_step: infers documents' topics; None for ``over_relaxed_e_step``.
        """
        self.n_documents, self.n_words = counts.shape
        self.n_topics = n_topics
        self._e_step = e_step or over_relaxed_e_step
        self._counts = counts
        self._pad = partial(
            padded_blocks,
            max_cells=MAX_BLOCK_CELLS // n_topics,
            max_length=MAX_DOCUMENT_LENGTH if max_length is None else max_length,
        )
        self._runs: list[list[DocumentBlock]] | None = None
        if isinstance(counts, csr_array):
            self._runs = [
                list(self._pad(rows_of(counts, run_rows)))
                for run_rows in row_blocks(self.n_documents, DOCUMENTS_AT_ONCE)
            ]

    def sum_contributions(
        self,
        topics: Matrix,
        word_weights: Vector,
        *,
        prior: Vector,
        clip_norm: float,
        grid_step: float = 0.0,
    ) -> Matrix:
        """The sum of all documents' contributions, shape (k, d).

        Args:
            topics: A, shape (k, d).
            word_weights: u, shape (d,).
            prior: α, shape (k,).
            clip_norm: C, largest norm of a contribution.
            grid_step: step of the whole numbers that contributions are cut to, in which the sum
                comes; 0 for none.

        Guarantee:
            A contribution is a function of its document and of the arguments, entrywise
            non-negative and of Frobenius norm at most ``clip_norm`` up to rounding. With the
            ``grid_step`` of ``clipped_bound`` it is of whole steps, and its norm is at most
            ``clip_norm`` exactly.
        """
        posteriors = topic_posteriors(topics)
        infer = partial(_infer_block, self._e_step, posteriors, word_weights, prior, clip_norm)
        contribute = partial(_sum_contributions, infer, posteriors, grid_step)
        summed_by_word = self.sum_blocks(contribute, posteriors.T.shape).T
        if not grid_step:
            summed_by_word = summed_by_word * posteriors
        return np.ascontiguousarray(summed_by_word)

    def sum_word_counts(self, *, clip_norm: float, grid_step: float = 0.0) -> Vector:
        """The sum of all documents' counts, each scaled down to norm ``clip_norm``, shape (d,).

        Args:
            clip_norm: C, largest norm of a document's counts, in words; infinite for no clipping.
            grid_step: as in ``sum_contributions``.
        """
        count = partial(_sum_counts, clip_norm=clip_norm, n_words=self.n_words, grid_step=grid_step)
        return self.sum_blocks(count, (self.n_words, 1))[:, 0]

    def sum_blocks(self, sum_block: BlockSum, shape: tuple[int, int]) -> Matrix:
        """Add up what ``sum_block`` gives for each block of padded documents.

        The order is fixed, so that sums are equal to the last bit: blocks within each run of
        documents, then the runs. Documents on disk are padded as they are read.
        """
        if self._runs is None:

            def sum_run(counts: Counts) -> Matrix:
                return reduce(_add, map(sum_block, self._pad(counts)), np.zeros(shape))

            return sum_over(
                self._counts, lambda _: sum_run, _add, rows=DOCUMENTS_AT_ONCE, together=1
            )
        run_sums = (
            reduce(_add, _map_blocks(sum_block, blocks), np.zeros(shape)) for blocks in self._runs
        )
        return reduce(_add, run_sums, np.zeros(shape))


def clipped_bound(documents: Documents, clip_norm: float) -> SumBound:
    """Bound of sums whose parts are non-negative and clipped to ``clip_norm``."""
    return SumBound.of_clipped_counts(
        n_documents=documents.n_documents,
        n_words=documents.n_words,
        n_topics=documents.n_topics,
        clip_norm=clip_norm,
    )


def bounded_word_counts(
    documents: Documents, clip_norm: float, *, is_exact: bool
) -> BoundedSum[Vector]:
    """Clipped word counts of all documents with their sensitivity, shape (d,).

    Args:
        clip_norm: C, largest length of a document's counts, in words.
        is_exact: whether the noise is exact, so that counts are cut to whole steps.
    """
    sum_bound = clipped_bound(documents, clip_norm)
    grid_step = sum_bound.grid_step if is_exact else 0.0
    counts_of_all = documents.sum_word_counts(clip_norm=clip_norm, grid_step=grid_step)
    return sum_bound.attach(counts_of_all, is_exact=is_exact)


def bounded_statistic(
    documents: Documents,
    topics: Matrix,
    word_weights: Vector,
    *,
    prior: Vector,
    clip_norm: float,
    is_exact: bool,
) -> BoundedSum[Matrix]:
    """Sum the clipped statistic of a variational step, with its sensitivity, shape (k, d).

    Args:
        topics: A, (k, d), rows on the simplex.
        word_weights: u, (d,), above 0.
        prior: α, (k,).
        clip_norm: C, largest Frobenius norm of a document's part.
        is_exact: whether the noise is exact, so that parts are cut to whole steps.
    """
    sum_bound = clipped_bound(documents, clip_norm)
    clipped_sum = documents.sum_contributions(
        topics,
        word_weights,
        prior=prior,
        clip_norm=clip_norm,
        grid_step=sum_bound.grid_step if is_exact else 0.0,
    )
    return sum_bound.attach(clipped_sum, is_exact=is_exact)


def bounded_vectors(
    documents: Documents,
    vectors_of: Callable[[DocumentBlock], Matrix],
    size: int,
    bound: SumBound,
    *,
    is_exact: bool,
) -> BoundedSum[Vector]:
    """The sum of one vector a document with its sensitivity, shape (size,).

    Args:
        vectors_of: vectors of a block's documents, (n, size), within ``bound``.
        size: length of a vector.
        bound: bound on two documents' vectors.
        is_exact: whether the noise is exact, so that vectors are cut to whole steps.
    """
    grid_step = bound.grid_step if is_exact else 0.0
    sum_rows = partial(_sum_vectors, vectors_of, grid_step)
    sum_of_vectors = documents.sum_blocks(sum_rows, (size, 1))[:, 0]
    return bound.attach(sum_of_vectors, is_exact=is_exact)


def topic_posteriors(topics: Matrix) -> Single:
    """Divide each word's probabilities by their sum over topics, ``A_iw / Σ_j A_jw``, (k, d).

    1/k in a word that no topic knows.
    """
    word_totals = np.sum(topics, axis=0)
    posteriors = np.divide(
        topics,
        word_totals,
        out=np.full_like(topics, 1 / len(topics)),
        where=word_totals > MIN_WORD_PROBABILITY,
    )
    return np.ascontiguousarray(posteriors, dtype=np.float32)


def over_relaxed_e_step(
    local_topics: Single,
    counts: Single,
    prior: Single,
    gamma: Single,
    weigh_topics: Callable[[Single], Single] = exp_digamma,
) -> Single:
    """Variational ``γ`` of each document after the rounds of a private step, shape (n, k).

    A round moves γ toward the usual update, by its own factor in ``OVER_RELAXATION``. No γ falls
    below its α, nor below ``MIN_TOPIC_WEIGHT``. Rows are not normalized.

    Args:
        local_topics: topics at the documents' words, (n, k, width).
        counts: counts of these words, (n, width).
        prior: α, (n, k).
        gamma: first γ, (n, k).
        weigh_topics: weight of a topic at its γ; the identity leads to a document's most likely
            shares.
    """
    smallest_gamma = np.maximum(prior, MIN_TOPIC_WEIGHT)
    gamma = np.maximum(gamma, smallest_gamma)
    for relaxation in OVER_RELAXATION:
        topic_weights = weigh_topics(gamma)
        word_ratios = counts / np.vecmat(topic_weights, local_topics)
        target_posterior = np.matvec(local_topics, word_ratios) * topic_weights + prior
        gamma = np.maximum(gamma + (target_posterior - gamma) * relaxation, smallest_gamma)
    return gamma


def _map_blocks(sum_block: BlockSum, blocks: list[DocumentBlock]) -> Iterator[Matrix]:
    """The blocks' sums in order, some blocks in threads at a time."""
    for start in range(0, len(blocks), BLOCKS_AT_ONCE):
        yield from map_threads(sum_block, blocks[start : start + BLOCKS_AT_ONCE])


def _add(total: Matrix, term: Matrix) -> Matrix:
    return np.add(total, term, out=total)


def _sum_contributions(
    infer: Callable[[DocumentBlock], InferredBlock],
    posteriors: Single,
    grid_step: float,
    block: DocumentBlock,
) -> Matrix:
    """Sum the contributions of a block's documents by word, (d, k).

    With a grid, each contribution is cut to whole steps. Without one (step 0) the sum is not yet
    multiplied by the topics of its words.

    Args:
        infer: finds the factors of a block's documents.
        posteriors: ``A_iw / Σ_j A_jw``, (k, d).
        grid_step: width of a step; 0 for no grid.
        block: padded documents.
    """
    word_ratios, clipped_shares = infer(block)
    n_words = posteriors.shape[1]
    if not grid_step:
        return np.asarray(scatter_matrix(block.word_ids, word_ratios, n_words) @ clipped_shares)
    local_topics = gather_columns(posteriors, block.word_ids).swapaxes(1, 2)
    contributions = local_topics * clipped_shares[:, None, :] * word_ratios[:, :, None]
    n_local_words = block.word_ids.size
    scatter = scatter_matrix(block.word_ids.reshape(-1, 1), np.ones((n_local_words, 1)), n_words)
    return np.asarray(
        scatter @ truncate_to_grid(contributions, grid_step).reshape(n_local_words, -1)
    )


def _sum_counts(
    block: DocumentBlock, *, clip_norm: float, n_words: int, grid_step: float
) -> Matrix:
    """The sum of a block's clipped counts, (d, 1): in words, or in steps of a grid.

    With a grid each document's counts are cut to whole steps; ``grid_step`` is 0 for no grid.
    """
    norms = np.sqrt(np.einsum("nw,nw->n", block.counts, block.counts))
    counts = block.counts * clip_factors(norms, clip_norm)[:, None]
    if grid_step:
        counts = truncate_to_grid(counts, grid_step)
    return np.asarray(scatter_matrix(block.word_ids, counts, n_words) @ np.ones((len(counts), 1)))


def _sum_vectors(
    vectors_of: Callable[[DocumentBlock], Matrix], grid_step: float, block: DocumentBlock
) -> Matrix:
    """The sum of a block's vectors, (size, 1): in their unit, or in steps of a grid.

    With a grid each vector is cut to whole steps; ``grid_step`` is 0 for no grid.
    """
    vectors = vectors_of(block)
    if grid_step:
        vectors = truncate_to_grid(vectors, grid_step)
    return np.asarray(np.sum(vectors, axis=0)[:, None])


def _infer_block(
    e_step: EStep,
    posteriors: Single,
    word_weights: Vector,
    prior: Vector,
    clip_norm: float,
    block: DocumentBlock,
) -> InferredBlock:
    r"""``r = c_w u_w / Σ_j θ_j A_jw`` (n, width) and clipped ``θ`` (n, k).

    Args:
        e_step: infers γ.
        posteriors: ``A``, (k, d), as ``topic_posteriors`` gives them.
        word_weights: ``u``, (d,).
        prior: α, (k,).
        clip_norm: largest norm of a document's contribution.
        block: padded documents.

    Guarantee:
        The norm of ``r_w θ_i A_iw`` is at most ``clip_norm`` up to the rounding of float64, for
        these very numbers. For r, θ and A are what they are, however they were found, and only
        :math:`r_w \sqrt{q_w}`, with :math:`q_w = \sum_i θ_i^2 A_{iw}^2`, is rounded to float32 on
        the way to their norm. As every θ is at least 2⁻⁴⁰ and the largest A of a known word at
        least 1/2k, ``q`` is far above where numbers underflow; so it is a sum of non-negative terms
        with fewer than ``k + 4`` roundings each. Its root and the product have one more, so the
        norm times ``1 + (k + 8) 2⁻²⁴`` is not below the exact one.
    """
    local_topics = gather_columns(posteriors, block.word_ids)
    counts = block.counts.astype(np.float32)
    gamma = np.matvec(local_topics, counts)
    local_prior = np.full(gamma.shape, prior, np.float32)
    topic_shares = exp_digamma(e_step(local_topics, counts, local_prior, gamma + local_prior))
    topic_shares = topic_shares / np.sum(topic_shares, axis=1, keepdims=True) + MIN_TOPIC_SHARE
    local_weights = np.take(word_weights, block.word_ids, mode="clip")
    weighted_counts = (local_weights * block.counts).astype(np.float32)
    word_ratios = weighted_counts / np.vecmat(topic_shares, local_topics)
    np.square(local_topics, out=local_topics)
    word_norms = (
        word_ratios * np.sqrt(np.vecmat(topic_shares * topic_shares, local_topics))
    ).astype(np.float64)
    rounding_factor = 1 + (topic_shares.shape[1] + 8) * 2.0**-24
    norms = np.sqrt(np.vecdot(word_norms, word_norms)) * rounding_factor
    clipped_shares = topic_shares * clip_factors(norms, clip_norm)[:, None]
    return word_ratios.astype(np.float64), clipped_shares
