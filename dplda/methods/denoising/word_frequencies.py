"""Words first: the share of a budget for word frequencies, before topics.

Topics are shrunk toward word frequencies, and fall back on them where noise leaves nothing else; so
they are no better than these. Two releases of them are averaged by their noise.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dplda.core.types import Vector
from dplda.methods.denoising.empirical_bayes import fit_empirical_bayes

MIN_SHARE = 1e-6
"""Smallest share of a budget for words and for the rest: limits how wide exact noise gets."""
CLIP_NORM = 2.0
"""Largest norm of a document's word counts, in words; chosen for *Refined*, see its constants."""
RARE_WORD_SHARE = 0.02  # of an equal share: rarer words weigh as much as these
WORD_WEIGHT_EXPONENT = -0.25
"""Of a word's frequency, in its weight: rare words get less noise; chosen on two corpora."""
MIN_FREQUENCY_SHARE = 1e-12  # of an equal share, added so that no word has frequency 0


def first_word_share(n_documents: int, n_words: int, mu: float) -> float:
    """Choose the share of a budget for words alone, :math:`ν^2/(1 + ν^2)`, from public numbers.

    :math:`ν = 2d/(Nμ)` is how far one document can move all word frequencies together, over one of
    d equal ones. Noise on word frequencies costs :math:`κν^2` of perplexity, and with a share ``w``
    of the budget :math:`κν^2/w`. One percent buys the rest where :math:`w = κν^2/(κν^2 + 0.01)`. κ
    was 0.005 to 0.02 on four corpora; 0.01 is the only constant. Guarantees hold for any share.

    Args:
        n_documents: public ``N``.
        n_words: public ``d``.
        mu: Gaussian budget of the whole run.

    Returns:
        A share of ``μ²`` in [10⁻⁶, 1 − 10⁻⁶].
    """
    squared_nu = (2 * n_words / (n_documents * mu)) ** 2
    return min(max(squared_nu / (1 + squared_nu), MIN_SHARE), 1 - MIN_SHARE)


@dataclass(frozen=True, eq=False)
class NoisyWordCounts:
    """Word frequencies or counts from releases, with their noise.

    Attributes:
        counts: as released, shape (d,); perhaps divided by their total.
        noise_std: standard deviation of the noise on each, in their unit; ∞ without a release.
        fixed_weights: word weights of the release that these counts continue, shape (d,); None if
            they continue none.
    """

    counts: Vector
    noise_std: float
    fixed_weights: Vector | None = None

    @cached_property
    def word_frequencies(self) -> Vector:
        """Word frequencies without known noise, shape (d,), on the simplex, above 0."""
        equal_counts = np.full(self.counts.shape, self.total_count / len(self.counts))
        noise_stds = np.full(equal_counts.shape, self.noise_std)
        posterior = fit_empirical_bayes(self.counts, noise_stds, equal_counts)
        positive = posterior.mean + MIN_FREQUENCY_SHARE * equal_counts
        return np.asarray(positive / np.sum(positive))

    @cached_property
    def total_count(self) -> float:
        """Total of the counts, as released, at least 1."""
        return max(1.0, float(np.sum(self.counts)))

    @cached_property
    def word_weights(self) -> Vector:
        """``u``, weights of every word's cells in a step, shape (d,), above 0."""
        if self.fixed_weights is not None:
            return self.fixed_weights
        d = len(self.counts)
        bounded_frequencies = np.maximum(self.word_frequencies, RARE_WORD_SHARE / d)
        return np.asarray((d * bounded_frequencies) ** WORD_WEIGHT_EXPONENT)

    @classmethod
    def as_frequencies(cls, counts: Vector, noise_std: float) -> "NoisyWordCounts":
        """Divide noisy word counts by their total; one below 1 counts as 1.

        Args:
            counts: shape (d,).
            noise_std: standard deviation of the noise on each, in words.
        """
        total_count = max(1.0, float(np.sum(counts)))
        return cls(counts / total_count, noise_std / total_count)


def inverse_variance_mean(one: NoisyWordCounts, other: NoisyWordCounts) -> NoisyWordCounts:
    """Average two releases of the same counts, weighted by the inverse variances of their noise.

    Returns:
        Counts of less noise than either, with the fixed word weights of ``one``. A release without
        noise is taken alone, one of infinite noise not at all.
    """
    if not one.noise_std or math.isinf(other.noise_std):
        return one
    if not other.noise_std or math.isinf(one.noise_std):
        return replace(one, counts=other.counts, noise_std=other.noise_std)
    weight_of_one = other.noise_std**2 / (one.noise_std**2 + other.noise_std**2)
    return replace(
        one,
        counts=weight_of_one * one.counts + (1 - weight_of_one) * other.counts,
        noise_std=one.noise_std * other.noise_std / math.hypot(one.noise_std, other.noise_std),
    )
