r"""What documents add to a full-batch variational step: every document's k×d matrix, weighted, clipped and summed.

With point topics ``A`` a document with counts ``c`` has :math:`φ_{wi} ∝ e^{ψ(γ_i)} A_{iw}` and
:math:`γ_i = α + \sum_w c_w φ_{wi}`, found in a fixed number of rounds from equal shares, each
of which goes further than where it points, as rounds come near from one side. It adds
:math:`s_{iw} = c_w φ_{wi} u_w`, scaled down to Frobenius norm ``C`` where that is larger.

Documents are laid out once, padded to widths that depend on their own number of words alone, and inferred in blocks
of fixed size; the blocks' sums are added in their order. So a document has the same bits whatever its neighbours are,
and a sum the same bits on any number of threads.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.core.engine import map_threads
from dplda.core.types import Counts, Matrix, Vector
from dplda.methods.full_batch_vi.digamma import exp_digamma
from dplda.privacy.noise.whole import FixedPointSum, cut, fineness
from dplda.privacy.sensitivity import word_counts as of_counts

STRIDE, FINE = 8, 32  # documents are padded to a multiple of 8 distinct words; of 16 beyond 32, of 32 beyond 64, …
CELLS = 1 << 17  # numbers in a block's largest array: a megabyte, which stays in the processor's cache
AT_ONCE = 16  # blocks whose sums are held before they are added up
ROUNDS = 8  # of inference, the first of which is from equal shares
REACH = 1.9  # of the way to where a round points: eight rounds then arrive where 14 would; below 2 they settle
LONGEST = 200.0  # words of a document in a private step; a longer one counts as one of this length
SMALLEST = 1e-100  # keeps 0/0 out where no topic knows a word


@dataclass(frozen=True, slots=True, eq=False)
class Clipped:
    """A sum of clipped contributions.

    Attributes:
        total: shape (k, d).
        clipped: how many documents were scaled down; exact, for the curator alone.
    """

    total: Matrix
    clipped: int


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Documents of one padded width: words and counts (n, width), which cells are filled, and the cells as a csr."""

    words: NDArray[np.intp]
    counts: Matrix
    filled: NDArray[np.bool_]
    cells: Counts


class Documents:
    """The documents of a corpus, laid out for repeated inference.

    Args:
        counts: shape (N, d).
        n_topics: ``k``; fixes the size of blocks.
        longest: words, above 0; a longer document counts as one of this length.
    """

    def __init__(self, counts: Counts, n_topics: int, *, longest: float = LONGEST) -> None:
        self.n_documents, self.n_words = counts.shape
        self.n_topics = n_topics
        distinct = np.diff(counts.indptr)
        strides = STRIDE << np.ceil(np.log2(np.maximum(distinct, FINE) / FINE)).astype(np.intp)
        widths = -(-distinct // strides) * strides
        self._blocks: list[_Block] = []
        for width in np.unique(widths[widths > 0]):
            rows = np.flatnonzero(widths == width)
            many = max(1, CELLS // (int(width) * n_topics))
            starts = range(0, len(rows), many)
            self._blocks += [_laid_out(counts[rows[i : i + many]], int(width), longest) for i in starts]

    def contributions(self, topics: Matrix, weights: Vector, *, prior: Vector, bound: float) -> Clipped:
        """The sum of all documents' contributions.

        Args:
            topics: ``A``, shape (k, d), rows on the simplex.
            weights: ``u``, shape (d,), above 0.
            prior: ``α``, shape (k,), above 0.
            bound: ``C``, above 0; infinite for no clipping.

        Guarantee:
            A contribution is a function of its document and of the arguments, entrywise non-negative and of Frobenius
            norm at most ``bound`` up to rounding.
        """
        by_word = np.ascontiguousarray(topics.T)

        def summed(block: _Block, equal: Vector) -> tuple[Matrix, int]:
            pulled, shares, _, over = _inferred(block, by_word, equal, weights, prior, bound)
            return np.asarray(_cells(block, pulled).T @ shares), over

        total, clipped = self._total(by_word, summed)
        return Clipped(np.ascontiguousarray((total * by_word).T), clipped)

    def whole_contributions(
        self, topics: Matrix, weights: Vector, *, prior: Vector, bound: float
    ) -> tuple[FixedPointSum, int]:
        """The same sum in whole numbers, and how many documents were scaled down; for arguments see there.

        Guarantee:
            A contribution is a function of its document and of the arguments: whole numbers, none negative, of norm
            at most ``fineness(N)`` steps of ``bound/fineness(N)``. So two neighbours' sums are at most √2 of that
            apart, exactly, which is less than ``sensitivity(bound)``.
        """
        by_word, step = np.ascontiguousarray(topics.T), bound / fineness(self.n_documents)

        def summed(block: _Block, equal: Vector) -> tuple[Matrix, int]:
            pulled, shares, each, over = _inferred(block, by_word, equal, weights, prior, bound)
            each *= shares[:, None, :]
            each *= pulled[:, :, None]
            return _by_word(block, cut(each, step), self.n_words), over

        total, clipped = self._total(by_word, summed)
        return FixedPointSum.summed(total.T, step, topics.shape), clipped

    def _total(self, by_word: Matrix, summed: Callable[[_Block, Vector], tuple[Matrix, int]]) -> tuple[Matrix, int]:
        """Adds blocks up in their order; ``equal`` is the mixture of every word at equal shares, for all documents."""
        equal = np.sum(by_word, axis=1) + SMALLEST
        total, clipped = np.zeros(by_word.shape), 0
        for start in range(0, len(self._blocks), AT_ONCE):
            for part, over in map_threads(lambda block: summed(block, equal), self._blocks[start : start + AT_ONCE]):
                total += part
                clipped += over
        return total, clipped

    def sensitivity(self, bound: float) -> float:
        """How far apart two neighbours' computed sums of parts of norm ``bound`` may be: see the function below."""
        return sensitivity(bound, n_documents=self.n_documents, n_words=self.n_words, n_topics=self.n_topics)

    def word_counts(self, *, bound: float) -> Vector:
        """The sum of the documents' counts, each document scaled down to Euclidean norm ``bound``, shape (d,)."""
        total = np.zeros(self.n_words)
        for block in self._blocks:
            norms = np.sqrt(np.einsum("nw,nw->n", block.counts, block.counts))
            scaled = block.counts * _factors(norms, bound)[:, None]
            total += np.asarray(_cells(block, scaled).T @ np.ones(len(norms)))
        return total

    def whole_word_counts(self, *, bound: float) -> FixedPointSum:
        """The same sum in whole numbers; as ``whole_contributions``, no two neighbours' are √2 ``bound`` apart."""
        step, total = bound / fineness(self.n_documents), np.zeros(self.n_words)
        for block in self._blocks:
            norms = np.sqrt(np.einsum("nw,nw->n", block.counts, block.counts))
            scaled = block.counts * _factors(norms, bound)[:, None]
            total += _by_word(block, cut(scaled, step), self.n_words)[:, 0]
        return FixedPointSum.summed(total, step, total.shape)


def sensitivity(bound: float, *, n_documents: int, n_words: int, n_topics: int) -> float:
    """How far apart, in the Frobenius norm, two neighbours' computed sums of parts of norm ``bound`` may be."""
    return of_counts(n_documents=n_documents, n_words=n_words, n_topics=n_topics, bound=bound)


def _laid_out(counts: Counts, width: int, longest: float) -> _Block:
    filled = np.arange(width) < np.diff(counts.indptr)[:, None]
    words = np.zeros(filled.shape, dtype=np.intp)
    words[filled] = counts.indices
    padded: Matrix = np.zeros((len(filled), width))
    padded[filled] = counts.data
    padded *= np.minimum(1.0, longest / np.maximum(padded.sum(axis=1), 1.0))[:, None]
    return _Block(words, padded, filled, counts)


def _inferred(
    block: _Block, by_word: Matrix, equal: Vector, weights: Vector, prior: Vector, bound: float
) -> tuple[Matrix, Matrix, NDArray[np.float64], int]:
    """``c_w u_w / Σ_j θ_j A_jw`` (n, width), clipped ``θ`` (n, k), ``A`` (n, width, k): their product is what is added.

    The last number says how many documents were clipped.
    """
    seen = by_word[block.words]
    gamma = prior + _taken(block.counts / equal[block.words], seen)
    for _ in range(ROUNDS - 1):
        shares = exp_digamma(gamma)
        found = prior + shares * _taken(block.counts / _mixture(seen, shares), seen)
        gamma = np.maximum(prior, gamma + REACH * (found - gamma))
    shares = exp_digamma(gamma)
    pulled = block.counts / _mixture(seen, shares) * weights[block.words]
    norms = np.sqrt(np.einsum("nw,nw,nw->n", pulled, pulled, _mixture(seen * seen, shares * shares)))
    return pulled, shares * _factors(norms, bound)[:, None], seen, int(np.count_nonzero(norms > bound))


def _taken(ratios: Matrix, seen: NDArray[np.float64]) -> Matrix:
    """``Σ_w r_w A_iw`` for every document and each topic, shape (n, k)."""
    result: Matrix = np.matmul(ratios[:, None, :], seen)[:, 0, :]
    return result


def _mixture(seen: NDArray[np.float64], shares: Matrix) -> Matrix:
    """``Σ_i θ_i A_iw`` for every document and each of its words, shape (n, width)."""
    result: Matrix = np.matmul(seen, shares[:, :, None])[:, :, 0] + SMALLEST
    return result


def _factors(norms: Vector, bound: float) -> Vector:
    over = norms > bound
    return np.where(over, bound / np.where(over, norms, 1.0), 1.0)


def _by_word(block: _Block, cells: NDArray[np.float64], n_words: int) -> Matrix:
    """Sums over documents of what stands in their cells, (n, width, …), none where none is filled: shape (d, …)."""
    words, ones = block.words.ravel(), np.ones(block.words.size)
    places = csr_array((ones, words, np.arange(len(words) + 1)), shape=(len(words), n_words))
    return np.asarray(places.T @ cells.reshape(len(words), -1))


def _cells(block: _Block, padded: Matrix) -> csr_array[np.float64, tuple[int, int]]:
    return csr_array((padded[block.filled], block.cells.indices, block.cells.indptr), shape=block.cells.shape)
