r"""How much better topics explain documents than word frequencies do: bounded numbers, one or a few a document.

A document's words are dealt into two halves by a public hash of the word and of the whole document. Its most likely
topic shares are found on one half and the other half is scored, both ways; the mean of the two is its gain in nats. So
topics gain where words of the two halves belong together, as in perplexity by document completion, and words that
merely occur often gain nothing. A half is a function of its own document alone.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Vector
from dplda.methods.full_batch_vi.documents import LONGEST, Documents, Summed, for_noise, of_words, overshooting
from dplda.methods.full_batch_vi.padded import Block, Single, factors, gathered, row_sums
from dplda.privacy.noise.whole import FixedPointSum, cut, fineness

BACKGROUND = 0.1  # of word frequencies in every topic that is scored, as in completion perplexity
ALL = np.uint32(2**32 - 1)
FAINTEST = np.float32(2.0**-126)  # added to a word's chance: rounding can leave 0, or less
PART = math.sqrt(5) / 2  # largest norm of what a document loses without each topic; so topics get half of the noise


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Topics to score documents with.

    Attributes:
        by_word: shape (d, k), rows that add up to 1.
        base: frequency over that sum, shape (d,): a topic that is the word frequencies.
        prior: ``α``, shape (k,).
    """

    by_word: Single
    base: Single
    prior: Vector

    @classmethod
    def of(cls, topics: Matrix, mean_words: Vector, prior: Vector, background: float = 0.0) -> "Scored":
        """From topics, shape (k, d), mixed with some of the word frequencies, shape (d,), above 0."""
        mixed = (1 - background) * topics + background * mean_words
        sums = np.sum(mixed, axis=0)
        return cls(of_words(mixed), (mean_words / sums).astype(np.float32), prior)

    def gain(self, block: Block, *, parts: bool = False) -> tuple[Vector, Matrix]:
        """Gains, shape (n,), and what of each is lost where one topic is the word frequencies, shape (n, k)."""
        seen = gathered(self.by_word, block.words)
        gain = -np.vecdot(np.take(np.log(self.base), block.words, mode="clip"), block.counts)
        lost, found = np.zeros((len(seen), self.by_word.shape[1] if parts else 0)), []
        halves = [half.astype(np.float32) for half in _halves(block)]
        for counts, scored in (halves, halves[::-1]):
            gamma = np.matvec(seen, counts)
            added = np.full(gamma.shape, self.prior, np.float32)
            shares = overshooting(seen, counts, added, gamma + added, np.positive)
            shares /= row_sums(shares)[:, None]
            found.append((scored, shares, np.vecmat(shares, seen)))
        if parts:  # from here on, how far word frequencies are from topics
            np.subtract(np.take(self.base, block.words, mode="clip")[:, None], seen, out=seen)
        for scored, shares, chances in found:
            whole = np.vecdot(np.log(chances), scored)
            gain += whole
            lost += whole[:, None]
            for i in range(lost.shape[1]):
                without = seen[:, i] * shares[:, i, None]
                without += chances
                np.abs(without, out=without)
                without += FAINTEST
                lost[:, i] -= np.vecdot(np.log(without, out=without), scored)
        return gain / 2, lost / 2


def advantages(one: Scored, other: Scored, bound: float, block: Block) -> Matrix:
    """How much more documents gain by one set of topics than by another, over ``bound``, cut to ±1, shape (n, 1).

    What they gain by the other counts against the one: where any topics gain, steps find their own.

    Guarantee:
        A document's part is a function of it and of the arguments, and in [−1, 1].
    """
    own, its = (each.gain(block)[0] for each in (one, other))
    return np.clip((own - its - np.maximum(its, 0.0)) / bound, -1, 1)[:, None]


def explained(scored: Scored, bound: float, block: Block) -> Matrix:
    """Documents' gains over ``bound``, cut to ±1; lengths, a longest one as 1; and parts; shape (n, 2 + k).

    Guarantee:
        A document's part is a function of it and of the arguments, in [−1, 1] × [0, 1] × a ball of radius ``PART`` (up
        to rounding). Two of them are at most ``√(4 + 1 + 4 PART²)`` apart.
    """
    gain, lost = scored.gain(block, parts=True)
    lost *= PART * factors(np.sqrt(np.vecdot(lost, lost)), 1.0)[:, None]
    length = np.minimum(np.sum(block.counts, axis=1) / LONGEST, 1.0)
    return np.column_stack([np.clip(gain / bound, -1, 1), length, lost])


def summed(
    documents: Documents, numbers: Callable[[Block], Matrix], size: int, *, exact: bool
) -> Vector | FixedPointSum:
    """The sum of a vector of every document, shape (size,), as mechanisms take it."""
    unit = 1 / fineness(documents.n_documents) if exact else 0.0
    total, _ = documents.total(partial(_part, numbers, unit), (size, 1))
    return for_noise(total[:, 0], unit)


def _halves(block: Block) -> tuple[Matrix, Matrix]:
    """Each word's count in two parts, by as many bits of a hash as it counts, at most 32."""
    many = np.ceil(block.counts).astype(np.uint32)
    names = _hashed(block.words.astype(np.uint32))
    whole: NDArray[np.uint32] = np.sum(names * many, axis=1, dtype=np.uint32)
    many = np.minimum(many, np.uint32(32))
    drawn = np.bitwise_count(_hashed(names ^ whole[:, None]) & (ALL >> (np.uint32(32) - many)))
    one = drawn / np.maximum(many, 1) * block.counts
    return one, block.counts - one


def _hashed(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Wellons' mixing of 32 bits: every bit of the result depends on all of a number's."""
    x = numbers + np.uint32(1)
    for shift, times in ((16, 0x7FEB352D), (15, 0x846CA68B), (16, 1)):
        x ^= x >> np.uint32(shift)
        x *= np.uint32(times)
    return x


def _part(numbers: Callable[[Block], Matrix], unit: float, block: Block) -> Summed:
    each = numbers(block)
    return np.sum(cut(each, unit) if unit else each, axis=0)[:, None], 0
