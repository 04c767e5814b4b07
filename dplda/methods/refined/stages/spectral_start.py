"""Topics by the ``adaptive`` route on part of the budget.

The spectral start is the ``adaptive`` configuration after its first words, with its releases and
proof, at a share of μ²; its topics are post-processing of released values.
"""

import math
from dataclasses import replace

import numpy as np

from dplda.core.types import Matrix, Vector, silent
from dplda.methods.base.previous_release import SpectralStart
from dplda.methods.base.problem import Budget, ProblemSize
from dplda.methods.configurations.chain.whole_number_statistics import statistics_for
from dplda.methods.configurations.pairs_then_tensor import TRIPLES, PairsThenTensor
from dplda.methods.configurations.route import Numerics
from dplda.methods.denoising.empirical_bayes import SMALLEST_POSITIVE
from dplda.methods.denoising.spectral_topics import (
    OWN_TOPIC_WEIGHT,
    denoise_topics,
    estimate_word_frequencies,
)
from dplda.methods.refined.plan.constants import START_VARIANCE_FACTOR
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral.corpus_statistics import StatisticsCache
from dplda.spectral.statistics import Averages
from dplda.spectral.tensor import Components
from dplda.spectral.topics import finish_topics
from dplda.spectral.whitening import Whitening, whiten


def shrinkage_target(start: SpectralStart, fallback: Matrix | Vector, variance: Vector) -> Matrix:
    """Target that noisy topics are shrunk toward, (k, d): the start as far as it is surer.

    Args:
        fallback: target without a start, above 0, (k, d), or (d,) for the same in all topics.
        variance: squared error of the noisy topics by known noise, (k,): larger in first steps
            than that of a start, which they would forget without this.
    """
    start_variance = START_VARIANCE_FACTOR * start.error_variance
    start_precision = variance / np.maximum(variance + start_variance, SMALLEST_POSITIVE)
    weight_of_start = np.where(start.was_found, OWN_TOPIC_WEIGHT * start_precision, 0.0)[:, None]
    return np.asarray(fallback + weight_of_start * (start.topics - fallback))


def mixing_weight(
    start: SpectralStart, refined_topics: Matrix, variance: Vector, misfit_tolerance: float
) -> Vector:
    r"""Weight ``ω`` in [0, 1] of the start's topics beside refined ones, (k,); 0 if not found.

    Moments err by misfit where documents do not follow the model or many are clipped, a
    variational fixed point by a bias that is small on documents of the model. Both show in
    their topics' squared distance ``D``, beside noise:

    .. math:: b^2 = \max(0, D - V_A - V_W),\quad b_A^2 = b^2 \frac{t}{1 + (b/β)^4},\quad
        ω = \frac{V_A + b_A^2}{V_A + V_W + b^2},

    where disagreement well below ``β`` counts as bias, as far as moments are trusted (``t``),
    and well above it, as on real text, as misfit. :math:`A + ω(W - A)` has least squared error
    for independent errors.

    Args:
        refined_topics: ``A``, (k, d), rows on the simplex in the order of these topics ``W``.
        variance: ``V_A``, squared error of a row by known noise, (k,).
        misfit_tolerance: ``β`` relative to the norm of a topic, at least 0.
    """
    noise_variance = variance + start.error_variance
    squared_distance = np.sum((refined_topics - start.topics) ** 2, axis=1)
    squared_bias = np.maximum(squared_distance - noise_variance, 0.0)
    tolerated_squared_bias = misfit_tolerance**2 * np.sum(refined_topics**2, axis=1)
    trust = start.unclipped_share**4
    bias_and_tolerance = np.maximum(tolerated_squared_bias**2 + squared_bias**2, SMALLEST_POSITIVE)
    refined_bias = squared_bias * trust * tolerated_squared_bias**2 / bias_and_tolerance
    total_variance = np.maximum(noise_variance + squared_bias, SMALLEST_POSITIVE)
    return np.where(start.was_found, (variance + refined_bias) / total_variance, 0.0)


def find_spectral_start(
    sums: StatisticsCache, size: ProblemSize, mechanisms: Mechanisms, budget: Budget, *, seed: int
) -> SpectralStart | None:
    """Find topics by the ``adaptive`` route; None where noise leaves nothing to start from.

    That is no mean weight, or no positive eigenvalue; directions within the noise are kept. From
    the released averages on, α0 is that of the documents by their weights.

    Args:
        sums: sums of the documents that the route reads.
        size: documents, words, topics and α0.
        mechanisms: noise, and the releases so far.
        budget: (ε, δ) of the whole run, and the start's fractions of its μ².
        seed: of the tensor decomposition, which no document affects.

    Guarantee:
        As the ``adaptive`` configuration: μ² of its releases is at most the whole run's times the
            fractions' sum.
    """
    route = PairsThenTensor(size, budget, mechanisms)
    statistics = statistics_for(mechanisms)(sums, size.coefficients, keep_short=True)
    averages = route.e2(route.pairs(statistics))
    if averages.mass <= 0:
        return None
    size = replace(size, alpha0=averages.weighted_coefficients(size.coefficients).alpha0)
    # a noisy direction harms no start; without it a topic has none
    whitening = whiten(
        averages.pair_moment(size.coefficients),
        size.n_topics,
        entry_noise=averages.noise_level(),
        within_noise=True,
    )
    if not whitening.resolved:
        return None
    numerics = Numerics(size, np.random.default_rng(seed), silent)
    chain_result = route.finish_from_whitening(
        statistics, numerics, whitening, whitening, averages, averages
    )
    denoised_topics = denoise_topics(
        chain_result.topics,
        whitening,
        averages,
        estimate_word_frequencies(averages),
        size.alpha0,
        size.n_topics,
    )
    topics = finish_topics(
        denoised_topics, chain_result.components, whitening, size.coefficients, size.n_topics
    )
    return SpectralStart(
        topics=topics.words,
        error_variance=_error_variance(
            topics.words, whitening, averages, chain_result.components, size, mechanisms
        ),
        was_found=np.arange(size.n_topics) < topics.resolved,
        unclipped_share=route.pair_quantile,
    )


def _error_variance(
    topics: Matrix,
    whitening: Whitening,
    averages: Averages,
    components: Components,
    size: ProblemSize,
    mechanisms: Mechanisms,
) -> Vector:
    """Estimate the squared error of each topic by known noise, to first order, shape (k,).

    Noise on pairs moves a topic beyond the kept directions. Noise on the tensor mixes topics, each
    with σ/√3, and adds the same to all.
    """
    n_words, n_directions = whitening.unwhitener.shape
    whitened_topics = (topics @ whitening.whitener) @ whitening.whitener.T
    pair_error = averages.noise_level() * np.linalg.norm(whitened_topics, axis=1)
    tensor_noise_std = mechanisms.noise_std_of(TRIPLES) / averages.mass
    topic_noise_std = tensor_noise_std * size.coefficients.eigenvalue_to_topic()
    tensor_error = topic_noise_std / math.sqrt(3) * (whitening.unwhitener @ components.vectors)
    pair_variance = (n_words - n_directions) * pair_error**2
    return np.asarray(pair_variance + float(np.sum(tensor_error**2)))
