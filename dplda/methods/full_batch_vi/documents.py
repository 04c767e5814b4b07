r"""What documents add to a full-batch variational step: every document's k×d matrix, weighted, clipped and summed.

With point topics ``A`` a document with counts ``c`` has :math:`φ_{wi} ∝ e^{ψ(γ_i)} A_{iw}` and
:math:`γ_i = α + \sum_w c_w φ_{wi}`, found in a fixed number of rounds from equal shares, which
come near from one side: most of the later ones go further than where they point. A document adds
:math:`s_{iw} = c_w φ_{wi} u_w`, scaled down to Frobenius norm ``C`` where that is larger.

Documents are laid out once, padded to widths that depend on their own number of words alone, and inferred in blocks
of fixed size; the blocks' sums are added in their order. So a document has the same bits whatever its neighbours are,
and a sum the same bits on any number of threads. Rounds run in float32, at half the time: they are off by a millionth,
where stopping them is by a percent and more. What is added up, and its norm, are float64.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplda.core.engine import map_threads
from dplda.core.types import Counts, Matrix, Vector
from dplda.methods.variational.padded import (
    alike,
    exp_digamma,
    factors,
    gathered,
    laid_out,
    mixture,
    placed,
    row_sums,
    taken,
)
from dplda.privacy.noise.whole import FixedPointSum, cut, fineness
from dplda.privacy.sensitivity import word_counts as of_counts

Single: TypeAlias = NDArray[np.float32]

CELLS = 1 << 18  # numbers in a block's largest array: a megabyte, which stays in the processor's cache
AT_ONCE = 16  # blocks whose sums are held before they are added up
PULLS = (1.3, 1.8, 2.5, 6.0, 1.2)  # of the way to where a round points, after the first: as near as 14 plain rounds
LONGEST = 200.0  # words of a document in a private step; a longer one counts as one of this length
SMALLEST = 1e-100  # of a word in all topics, below which none knows it
NEGLIGIBLE = np.float32(1e-28)  # weight of a topic in a document, at least; keeps 0/0 out of rounds
LEAST_SHARE = np.float32(2.0**-40)  # of a topic in a document that is added up: keeps squares from underflow
TINY = np.float32(1e-30)  # keeps 0/0 out where no topic knows a word


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Documents of one padded width: words and counts (n, width); a count is 0 where a document has no more words."""

    words: NDArray[np.int32]
    counts: Matrix

    def bounded(self, bound: float) -> Matrix:
        """The counts, each document's scaled down to a norm, shape (n, width)."""
        norms = np.sqrt(np.einsum("nw,nw->n", self.counts, self.counts))
        return self.counts * factors(norms, bound)[:, None]


class Documents:
    """The documents of a corpus, laid out for repeated inference; a longer one counts as one of ``longest`` words."""

    def __init__(self, counts: Counts, n_topics: int, *, longest: float = LONGEST) -> None:
        self.n_documents, self.n_words = counts.shape
        self.n_topics = n_topics
        groups = alike(counts, CELLS // n_topics)
        self._blocks = [_Block(*laid_out(counts, rows, width, longest)) for width, rows in groups]

    def contributions(self, topics: Matrix, weights: Vector, *, prior: Vector, bound: float) -> tuple[Matrix, int]:
        """The sum of all documents' contributions, shape (k, d), and how many were scaled down: for the curator alone.

        Args:
            topics: ``A``, shape (k, d), rows on the simplex.
            weights: ``u``, shape (d,), above 0.
            prior: ``α``, shape (k,), above 0.
            bound: ``C``, above 0; infinite for no clipping.

        Guarantee:
            A contribution is a function of its document and of the arguments, entrywise non-negative and of Frobenius
            norm at most ``bound`` up to rounding.
        """
        by_word = _by_word(topics)

        def summed(block: _Block) -> tuple[Matrix, int]:
            pulled, shares, over = _inferred(block, by_word, weights, prior, bound)
            return np.asarray(placed(block.words, pulled, self.n_words) @ shares), over

        total, clipped = self._total(summed)
        return np.ascontiguousarray((total * by_word).T), clipped

    def whole_contributions(
        self, topics: Matrix, weights: Vector, *, prior: Vector, bound: float
    ) -> tuple[FixedPointSum, int]:
        """The same in whole numbers.

        Guarantee:
            A contribution is a function of its document and of the arguments: whole numbers, none negative, of norm
            at most ``fineness(N)`` steps of ``bound/fineness(N)``. So two neighbours' sums are at most √2 of that
            apart, exactly, which is less than ``sensitivity(bound)``.
        """
        by_word, step = _by_word(topics), bound / fineness(self.n_documents)
        exactly = by_word.astype(np.float64)

        def summed(block: _Block) -> tuple[Matrix, int]:
            pulled, shares, over = _inferred(block, by_word, weights, prior, bound)
            each = np.take(exactly, block.words, axis=0)
            each *= shares[:, None, :]
            each *= pulled[:, :, None]
            return _added(block, cut(each, step), self.n_words), over

        total, clipped = self._total(summed)
        return FixedPointSum.summed(total.T, step, topics.shape), clipped

    def _total(self, summed: Callable[[_Block], tuple[Matrix, int]]) -> tuple[Matrix, int]:
        """Adds blocks up in their order."""
        total, clipped = np.zeros((self.n_words, self.n_topics)), 0
        for start in range(0, len(self._blocks), AT_ONCE):
            for part, over in map_threads(summed, self._blocks[start : start + AT_ONCE]):
                total += part
                clipped += over
        return total, clipped

    def sensitivity(self, bound: float) -> float:
        """How far apart, in the Frobenius norm, two neighbours' computed sums of parts of norm ``bound`` may be."""
        return of_counts(n_documents=self.n_documents, n_words=self.n_words, n_topics=self.n_topics, bound=bound)

    def word_counts(self, *, bound: float) -> Vector:
        """The sum of the documents' counts, each document scaled down to Euclidean norm ``bound``, shape (d,)."""
        total = np.zeros(self.n_words)
        for block in self._blocks:
            total += np.asarray(placed(block.words, block.bounded(bound), self.n_words) @ np.ones(len(block.words)))
        return total

    def whole_word_counts(self, *, bound: float) -> FixedPointSum:
        """The same sum in whole numbers; as ``whole_contributions``, no two neighbours' are √2 ``bound`` apart."""
        step, total = bound / fineness(self.n_documents), np.zeros(self.n_words)
        for block in self._blocks:
            total += _added(block, cut(block.bounded(bound), step), self.n_words)[:, 0]
        return FixedPointSum.summed(total, step, total.shape)


def _by_word(topics: Matrix) -> Single:
    """``A_iw / Σ_j A_jw``, shape (d, k): columns that add up to 1, or 0 where no topic knows a word."""
    known = np.sum(topics, axis=0)
    shared = np.divide(topics, known, out=np.zeros_like(topics), where=known > SMALLEST)
    return np.ascontiguousarray(shared.T, dtype=np.float32)


def _inferred(
    block: _Block, by_word: Single, weights: Vector, prior: Vector, bound: float
) -> tuple[Matrix, Matrix, int]:
    r"""``r = c_w u_w / Σ_j θ_j A_jw`` (n, width), clipped ``θ`` (n, k), and how many documents were clipped.

    Guarantee:
        The norm of ``r_w θ_i A_iw`` is at most ``bound`` up to the rounding of float64, for these very numbers. For r,
        θ and A are what they are, however they were found, and only :math:`q_w = \sum_i θ_i^2 A_{iw}^2` is rounded to
        float32 on the way to their norm. As every θ is at least 2⁻⁴⁰ and the largest A of a known word at least 1/2k,
        ``q`` is far above where numbers underflow; so it is a sum of non-negative terms with fewer than ``k + 4``
        roundings each, and its root times ``1 + (k + 8) 2⁻²⁴`` is not below the exact one.
    """
    seen = gathered(by_word, block.words)
    least = np.maximum(prior, TINY).astype(np.float32)
    counts = block.counts.astype(np.float32)
    gamma = least + taken(counts, seen)
    for pull in PULLS:
        shares = _weights(gamma)
        found = taken(counts / (mixture(seen, shares) + TINY), seen)
        found *= shares
        found += least
        found -= gamma
        found *= np.float32(pull)
        gamma += found
        np.maximum(gamma, least, out=gamma)
    shares = _weights(gamma)
    shares /= row_sums(shares)[:, None]
    np.maximum(shares, LEAST_SHARE, out=shares)
    pulled = block.counts * weights[block.words]
    pulled /= mixture(seen, shares) + TINY
    squares = mixture(seen * seen, shares * shares)
    norms = np.sqrt(np.vecdot(pulled * pulled, squares)) * (1 + (shares.shape[1] + 8) * 2.0**-24)
    return pulled, shares * factors(norms, bound)[:, None], int(np.count_nonzero(norms > bound))


def _weights(gamma: Single) -> Single:
    found = exp_digamma(gamma)
    return np.maximum(found, NEGLIGIBLE, out=found)


def _added(block: _Block, cells: NDArray[np.float64], n_words: int) -> Matrix:
    """Sums over documents of what stands in their cells, (n, width, …), none where none is filled: shape (d, …)."""
    places = placed(block.words.reshape(-1, 1), np.ones((block.words.size, 1)), n_words)
    return np.asarray(places @ cells.reshape(block.words.size, -1))
