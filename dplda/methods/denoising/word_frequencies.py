"""Words first: the share of a budget for word frequencies, before topics.

Topics are shrunk toward word frequencies, and fall back on them where noise leaves nothing else; so they are no better
than these. Two readings of them are averaged by their noise.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dplda.core.types import Vector
from dplda.methods.denoising.empirical_bayes import learn

LEAST = 1e-6  # smallest share for words and for the rest: limits how wide exact noise gets
BOUND = (
    2.0  # largest norm of a document's word counts, in words; chosen for refinement, see its recipe
)
RARE = 0.02  # of an equal share: rarer words weigh as much as these
POWER = -0.25  # of a word's frequency, in its weight: rare words get less noise; chosen on 20 Newsgroups and docstrings


def words_share(n_documents: int, n_words: int, mu: float) -> float:
    """Share of a budget μ for words alone, :math:`ν^2/(1 + ν^2)` in [10⁻⁶, 1 − 10⁻⁶].

    :math:`ν = 2d/(Nμ)` is how far one document can move all word frequencies together, over one of d equal ones. Noise
    on word frequencies costs :math:`κν^2` of perplexity, and with a share ``w`` of the budget :math:`κν^2/w`. One
    percent buys the rest where :math:`w = κν^2/(κν^2 + 0.01)`. κ was 0.005 to 0.02 on four corpora; 0.01 is the only
    constant. Guarantees hold for any share.
    """
    squared = (2 * n_words / (n_documents * mu)) ** 2
    return min(max(squared / (1 + squared), LEAST), 1 - LEAST)


@dataclass(frozen=True, eq=False)
class WordReading:
    """Word frequencies or counts from releases, and the noise's standard deviation (∞ without a release).

    ``first`` holds the weights of an earlier release, where these counts continue one.
    """

    words: Vector
    noise: float
    first: Vector | None = None

    @cached_property
    def frequencies(self) -> Vector:
        """Without known noise, shape (d,), on the simplex, above 0: cells are ratios to equal shares."""
        even = np.full(self.words.shape, self.total / len(self.words))
        positive = learn(self.words, np.full(even.shape, self.noise), even).mean + 1e-12 * even
        return np.asarray(positive / np.sum(positive))

    @cached_property
    def total(self) -> float:
        """Total words, as released, at least 1."""
        return max(1.0, float(np.sum(self.words)))

    @cached_property
    def weights(self) -> Vector:
        """``u``, shape (d,), above 0: weight of every word's cells in a step."""
        d = len(self.words)
        return (
            self.first
            if self.first is not None
            else (d * np.maximum(self.frequencies, RARE / d)) ** POWER
        )

    @classmethod
    def of_counts(cls, counts: Vector, noise: float) -> "WordReading":
        """From noisy word counts, shape (d,), with this noise standard deviation on each."""
        total = max(1.0, float(np.sum(counts)))
        return cls(counts / total, noise / total)


def weighed(one: WordReading, other: WordReading) -> WordReading:
    """Both readings averaged by their noise, else as the first one is; a noiseless one alone."""
    if not one.noise or math.isinf(other.noise):
        return one
    if not other.noise or math.isinf(one.noise):
        return replace(one, words=other.words, noise=other.noise)
    share = other.noise**2 / (one.noise**2 + other.noise**2)
    noise = one.noise * other.noise / math.hypot(one.noise, other.noise)
    return replace(one, words=share * one.words + (1 - share) * other.words, noise=noise)
