"""Starts of refinement: data-free topics near the word frequencies, or the ``adaptive`` route on part of the budget.

The spectral start is the ``adaptive`` configuration after its first words, with its releases and proof, at a share of
μ²; its topics are post-processing of released values.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Vector, silent
from dplda.methods.base.problem import Budget, ProblemSize
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.configurations.chain.whole_number_statistics import statistics_for
from dplda.methods.configurations.pairs_then_tensor import TRIPLES, PairsThenTensor
from dplda.methods.configurations.route import Numerics
from dplda.methods.configurations.variant import Calibration
from dplda.methods.denoising.empirical_bayes import SMALLEST_POSITIVE
from dplda.methods.denoising.spectral_topics import (
    OWN_TOPIC_WEIGHT,
    denoise_topics,
    estimate_word_frequencies,
)
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral.corpus_statistics import StatisticsCache
from dplda.spectral.topics import finish
from dplda.spectral.whitening import whiten

RANDOM_TOPIC_CONCENTRATION = 10.0  # shape of the gamma law of data-free topics
START_VARIANCE_FACTOR = 3.0  # times a start's known error, as it may miss a topic: with 1, L1 is 8 % higher where one in ten is missed


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SpectralStart:
    """Topics of a spectral start.

    Attributes:
        topics: shape (k, d), rows on the simplex; those that were not found are the mean.
        error_variance: squared error of each by known noise, to first order, shape (k,); shrinking leaves less of it.
        was_found: shape (k,), which were found.
        unclipped_share: fraction of documents that the clip level of pairs aims to leave unchanged; public.
    """

    topics: Matrix
    error_variance: Vector
    was_found: NDArray[np.bool_]
    unclipped_share: float

    def reorder_topics(self, order: Sequence[int]) -> "SpectralStart":
        """With topics in another order."""
        rows = list(order)
        return replace(
            self,
            topics=self.topics[rows],
            error_variance=self.error_variance[rows],
            was_found=self.was_found[rows],
        )

    def shrinkage_target(self, other: Matrix | Vector, variance: Vector) -> Matrix:
        """What noisy topics are shrunk toward, shape (k, d): these as far as they are surer, else ``other`` ones.

        ``variance`` is their squared error by known noise, shape (k,): larger in first steps than that of a start,
        which they would forget without this. ``other`` is above 0, shape (k, d) or (d,) for the same in all.
        """
        surer = variance / np.maximum(
            variance + START_VARIANCE_FACTOR * self.error_variance, SMALLEST_POSITIVE
        )
        weight = np.where(self.was_found, OWN_TOPIC_WEIGHT * surer, 0.0)[:, None]
        return np.asarray(other + weight * (self.topics - other))

    def mixing_weight(self, refined: Matrix, variance: Vector, misfit: float) -> Vector:
        r"""``ω``, their weight beside refined topics, shape (k,), in [0, 1]; 0 for those they did not find.

        Moments err by misfit where documents do not follow the model or many are clipped, a variational fixed point by
        a bias that is small on documents of the model. Both show in the readings' squared distance ``D``, beside noise:

        .. math:: b^2 = \max(0, D - V_A - V_W),\quad b_A^2 = b^2 \frac{t}{1 + (b/β)^4},\quad
            ω = \frac{V_A + b_A^2}{V_A + V_W + b^2},

        where disagreement well below ``β`` counts as bias, as far as moments are trusted (``t``), and well above it, as
        on real text, as misfit. :math:`A + ω(W - A)` has least squared error for independent errors.

        Args:
            refined: ``A``, shape (k, d), rows on the simplex in the order of these topics ``W``.
            variance: ``V_A``, shape (k,), squared error of a row from known noise.
            misfit: ``β`` relative to the norm of a topic, at least 0.
        """
        both = variance + self.error_variance
        beyond = np.maximum(np.sum((refined - self.topics) ** 2, axis=1) - both, 0.0)
        most = misfit**2 * np.sum(refined**2, axis=1)
        own = (
            beyond
            * self.unclipped_share**4
            * most**2
            / np.maximum(most**2 + beyond**2, SMALLEST_POSITIVE)
        )
        return np.where(
            self.was_found, (variance + own) / np.maximum(both + beyond, SMALLEST_POSITIVE), 0.0
        )


def split_start_share(share: float) -> dict[str, float]:
    """The ``adaptive`` configuration's own split, scaled to a share of the whole run's μ²."""
    return {
        name: share * part for name, part in ADAPTIVE.variants[Calibration.CORRECTED].default_split
    }


def find_spectral_start(
    sums: StatisticsCache, shape: ProblemSize, mechanisms: Mechanisms, budget: Budget, *, seed: int
) -> SpectralStart | None:
    """The ``adaptive`` route on the budget's fractions of μ²; None where noise leaves nothing to start from.

    Guarantee:
        As the ``adaptive`` configuration: μ² of its releases is at most the whole run's times the fractions' sum.
    """
    route = PairsThenTensor(shape, budget, mechanisms)
    source = statistics_for(mechanisms)(sums, shape.coefficients, keep_short=True)
    averages = route.e2(route.pairs(source))
    if averages.mass <= 0:
        return None
    shape = replace(shape, alpha0=averages.weighed(shape.coefficients).alpha0)
    pairs = averages.pair_moment(
        shape.coefficients
    )  # a noisy direction harms no start; without it a topic has none
    whitening = whiten(pairs, shape.n_topics, entry_noise=averages.noise_level(), within_noise=True)
    if not whitening.resolved:
        return None
    numerics = Numerics(shape, np.random.default_rng(seed), silent)
    found = route.finish_from_whitening(source, numerics, whitening, whitening, averages, averages)
    raw = denoise_topics(
        found.topics,
        whitening,
        averages,
        estimate_word_frequencies(averages),
        shape.alpha0,
        shape.n_topics,
    )
    topics = finish(raw, found.components, whitening, shape.coefficients, shape.n_topics)
    # noise on pairs moves a topic beyond the kept directions; that on the tensor mixes topics, each with σ/√3
    d, m = whitening.unwhitener.shape
    pulls = (topics.words @ whitening.whitener) @ whitening.whitener.T
    beyond = averages.noise_level() * np.linalg.norm(pulls, axis=1)
    scale = (
        mechanisms.noise_std_of(TRIPLES) / averages.mass * shape.coefficients.eigenvalue_to_topic()
    )
    mixing = scale / math.sqrt(3) * (whitening.unwhitener @ found.components.vectors)
    return SpectralStart(
        topics=topics.words,
        error_variance=(d - m) * beyond**2 + float(np.sum(mixing**2)),
        was_found=np.arange(shape.n_topics) < topics.resolved,
        unclipped_share=route.pair_quantile,
    )


def random_topics(mean_words: Vector, k: int, rng: np.random.Generator) -> Matrix:
    """Topics that are free of data, shape (k, d): word frequencies times gamma numbers, rows on the simplex."""
    drawn = mean_words * rng.gamma(
        RANDOM_TOPIC_CONCENTRATION, 1 / RANDOM_TOPIC_CONCENTRATION, (k, len(mean_words))
    )
    return np.asarray(drawn / np.sum(drawn, axis=1, keepdims=True))
