"""Words first: the share of a budget for word frequencies, before topics.

Topics are shrunk toward word frequencies, and fall back on them where noise leaves nothing else; so they are no better
than these. Two readings of them are averaged by their noise.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dplda.core.types import Vector
from dplda.methods.denoising.empirical_bayes import fit_empirical_bayes

MIN_SHARE = 1e-6  # smallest share for words and for the rest: limits how wide exact noise gets
CLIP_NORM = (
    2.0  # largest norm of a document's word counts, in words; chosen for refinement, see its recipe
)
RARE_WORD_SHARE = 0.02  # of an equal share: rarer words weigh as much as these
WORD_WEIGHT_EXPONENT = -0.25  # of a word's frequency, in its weight: rare words get less noise; chosen on 20 Newsgroups and docstrings


def first_word_share(n_documents: int, n_words: int, mu: float) -> float:
    """Share of a budget μ for words alone, :math:`ν^2/(1 + ν^2)` in [10⁻⁶, 1 − 10⁻⁶].

    :math:`ν = 2d/(Nμ)` is how far one document can move all word frequencies together, over one of d equal ones. Noise
    on word frequencies costs :math:`κν^2` of perplexity, and with a share ``w`` of the budget :math:`κν^2/w`. One
    percent buys the rest where :math:`w = κν^2/(κν^2 + 0.01)`. κ was 0.005 to 0.02 on four corpora; 0.01 is the only
    constant. Guarantees hold for any share.
    """
    squared = (2 * n_words / (n_documents * mu)) ** 2
    return min(max(squared / (1 + squared), MIN_SHARE), 1 - MIN_SHARE)


@dataclass(frozen=True, eq=False)
class NoisyWordCounts:
    """Word frequencies or counts from releases, and the noise's standard deviation (∞ without a release).

    ``first`` holds the weights of an earlier release, where these counts continue one.
    """

    counts: Vector
    noise_std: float
    fixed_weights: Vector | None = None

    @cached_property
    def word_frequencies(self) -> Vector:
        """Without known noise, shape (d,), on the simplex, above 0: cells are ratios to equal shares."""
        even = np.full(self.counts.shape, self.total_count / len(self.counts))
        positive = (
            fit_empirical_bayes(self.counts, np.full(even.shape, self.noise_std), even).mean
            + 1e-12 * even
        )
        return np.asarray(positive / np.sum(positive))

    @cached_property
    def total_count(self) -> float:
        """Total words, as released, at least 1."""
        return max(1.0, float(np.sum(self.counts)))

    @cached_property
    def word_weights(self) -> Vector:
        """``u``, shape (d,), above 0: weight of every word's cells in a step."""
        d = len(self.counts)
        return (
            self.fixed_weights
            if self.fixed_weights is not None
            else (d * np.maximum(self.word_frequencies, RARE_WORD_SHARE / d))
            ** WORD_WEIGHT_EXPONENT
        )

    @classmethod
    def as_frequencies(cls, counts: Vector, noise: float) -> "NoisyWordCounts":
        """From noisy word counts, shape (d,), with this noise standard deviation on each."""
        total = max(1.0, float(np.sum(counts)))
        return cls(counts / total, noise / total)


def inverse_variance_mean(one: NoisyWordCounts, other: NoisyWordCounts) -> NoisyWordCounts:
    """Both readings averaged by their noise, else as the first one is; a noiseless one alone."""
    if not one.noise_std or math.isinf(other.noise_std):
        return one
    if not other.noise_std or math.isinf(one.noise_std):
        return replace(one, counts=other.counts, noise_std=other.noise_std)
    share = other.noise_std**2 / (one.noise_std**2 + other.noise_std**2)
    noise = one.noise_std * other.noise_std / math.hypot(one.noise_std, other.noise_std)
    return replace(one, counts=share * one.counts + (1 - share) * other.counts, noise_std=noise)
