r"""Coordinates of a setting, from public numbers, in which the error of a method varies smoothly.

Topics come from Dirichlet(0.1) and word counts are clipped, so a document has about :math:`D = L/(1
+ L‖p‖^2)` different words. With m, the inverse noise multiplier, a topic's entries err by
:math:`kd/(Nm\sqrt D)` from noise and :math:`\sqrt{kd/(NL)}` from sampling. The noise edge of a pair
average, and the sampling error of its leading eigenvalues, compare with its k-th eigenvalue.
"""

from collections.abc import Sequence

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.methods.base.method import Method
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.privacy.accounting import gaussian
from dplda.privacy.release import Status
from dplda.theory.prediction.regime_axes import Point

CONCENTRATION = 0.1
"""Parameter of the Dirichlet distribution of topics."""
STEPS = 6.0
"""Squared noise multiplier of Refined's last mean, over that of one release of everything."""
MINIBATCH_OFFSET = 1.2
MINIBATCH_SLOPE = 0.42
"""In private variational inference ``(σμ)² ≈ MINIBATCH_OFFSET + MINIBATCH_SLOPE μ²``.

This holds within 3 % up to μ = 2.
"""


def inverse_noise_multiplier(point: Point, method: Method) -> float:
    """``m``, the inverse noise multiplier of a method at a point's ε and δ.

    For a method as published it is ``ε / √(2 ln(1.25/δ))``, of the classic mechanism. For one with
    minibatches it is a fitted function of μ alone, whatever its rate and steps. Else it is μ.
    """
    if method.status is Status.AS_PUBLISHED:  # standard deviations are multiples of 1/ε
        classic_scale = np.sqrt(2 * np.log(1.25 / point.delta))
        return float(point.epsilon / classic_scale)
    mu = gaussian.mu_for(point.epsilon, point.delta)
    if not method.uses_minibatches:
        return mu
    squared_scale = MINIBATCH_OFFSET + MINIBATCH_SLOPE * mu**2
    return float(mu / np.sqrt(squared_scale))


def coordinates(points: Sequence[Point], inverse_noise: Vector) -> Matrix:
    """Coordinates of points, shape (n, 9), with ``m`` at each; see ``coordinates_from``.

    Args:
        points: at least one; their own ε and δ are not read.
        inverse_noise: ``m`` at each point, shape (n,).
    """
    rows = []
    for point in points:
        n_words, n_topics, alpha0, mean_length = point.population
        rows.append((point.n_documents, n_words, n_topics, alpha0, mean_length))
    columns = np.array(rows).T.astype(float)
    return coordinates_from(*columns, inverse_noise=inverse_noise)


def coordinates_from(
    N: Vector, d: Vector, k: Vector, a: Vector, L: Vector, *, inverse_noise: Vector
) -> Matrix:
    """Coordinates, shape (n, 9): four of the population, five of the expected errors.

    Args:
        N: numbers of documents, shape (n,), like all arguments.
        d: numbers of words.
        k: numbers of topics.
        a: values of α0.
        L: mean lengths of a document.
        inverse_noise: ``m``, inverse noise multipliers.

    Returns:
        Logarithms of d, k, α0, L, the expected error, and the noise and the sampling error of pairs
        against their k-th eigenvalue. Two columns, counted from 0, are not logarithms: column 5, in
        (−1, 1), positive where sampling errs more than noise; and column 8, in (0, 1), near 1 where
        Refined has a spectral start.
    """
    topic_norm2 = (1 + CONCENTRATION) / (1 + CONCENTRATION * d)  # squared, on average
    mean_words_norm2 = topic_norm2 / k + (1 - 1 / k) / d
    same_topic = (1 + a / k) / (1 + a)  # probability that two words of a document share a topic
    same_word = same_topic * topic_norm2 + (1 - same_topic) / d
    different_words = L / (1 + L * same_word)
    noise = k * d / (N * inverse_noise * np.sqrt(different_words))
    sampling = np.sqrt(k * d / (N * L))
    noise_edge = 2 * np.sqrt(d) / (N * inverse_noise * different_words)  # of a pair average
    start_noise = np.maximum(1, k / 10) * noise_edge / mean_words_norm2
    noise_ratio = start_noise / RefinedConstants().max_start_noise
    uses_spectral_start = 1 / (1 + noise_ratio**8)  # in Refined, smoothed
    squared_error = STEPS * noise**2 + sampling**2
    sampling_share = np.tanh(np.log(sampling / noise) / 2)
    noise_of_pairs = noise_edge * k * (1 + a) / topic_norm2
    mean_sampling = np.sqrt(mean_words_norm2 / N) / L
    sampling_of_pairs = mean_sampling * k * (1 + a) / topic_norm2
    columns = [
        np.log(d),
        np.log(k),
        np.log(a),
        np.log(L),
        np.log(squared_error) / 2,
        sampling_share,
        np.log(noise_of_pairs),
        np.log(sampling_of_pairs),
        uses_spectral_start,
    ]
    return np.column_stack(columns)
