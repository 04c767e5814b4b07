r"""Coordinates of a setting, from public numbers, in which the error of a method varies smoothly.

Topics come from Dirichlet(0.1) and word counts are clipped, so a document has about :math:`D = L/(1 + L‖p‖^2)`
different words. With m, the inverse noise multiplier, a topic's entries err by :math:`kd/(Nm\sqrt D)` from noise and
:math:`\sqrt{kd/(NL)}` from sampling. The noise edge of a pair average, and the sampling error of its leading
eigenvalues, compare with its k-th eigenvalue.
"""

from collections.abc import Sequence

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.methods.base.method import Method
from dplda.methods.refined.constants import RefinedConstants
from dplda.privacy.accounting import gaussian
from dplda.privacy.release import Status
from dplda.theory.prediction.regime_axes import Point

CONCENTRATION = 0.1  # of the Dirichlet distribution of topics
STEPS = 6.0  # squared noise multiplier of the last mean of Refined's releases, over that of one release of everything
AMPLIFIED, NOT = (
    1.2,
    0.42,
)  # of (σμ)² in private variational inference, against μ²: within 3 % up to μ = 2


def loudness(point: Point, method: Method) -> float:
    """``m``, the inverse noise multiplier of a method."""
    if method.status is Status.AS_PUBLISHED:  # standard deviations are multiples of 1/ε
        return float(point.epsilon / np.sqrt(2 * np.log(1.25 / point.delta)))
    mu = gaussian.mu_for(point.epsilon, point.delta)
    return float(mu / np.sqrt(AMPLIFIED + NOT * mu**2)) if method.uses_minibatches else mu


def coordinates(points: Sequence[Point], loud: Vector) -> Matrix:
    """Coordinates of points, with ``m`` at each; see ``places_of``."""
    numbers = np.array(
        [
            (one.n_documents, one.n_words, one.n_topics, one.alpha0, one.mean_length)
            for one in points
        ]
    )
    return places_of(*numbers.T.astype(float), loud=loud)


def places_of(N: Vector, d: Vector, k: Vector, a: Vector, L: Vector, *, loud: Vector) -> Matrix:
    """Coordinates, shape (n, 9): four of the population, five of the expected errors; ``loud`` is ``m``."""
    topic = (1 + CONCENTRATION) / (1 + CONCENTRATION * d)  # squared length of a topic, on average
    alike = (1 + a / k) / (1 + a)  # probability that two words of a document share a topic
    different = L / (1 + L * (alike * topic + (1 - alike) / d))
    noise = k * d / (N * loud * np.sqrt(different))
    sampling = np.sqrt(k * d / (N * L))
    edge = 2 * np.sqrt(d) / (N * loud * different)  # of a pair average's noise
    recipe, words = (
        RefinedConstants(),
        topic / k + (1 - 1 / k) / d,
    )  # the latter: squared length of the mean words
    start = np.maximum(1, k / 10) * edge / words
    return np.column_stack(
        [
            np.log(d),
            np.log(k),
            np.log(a),
            np.log(L),
            np.log(STEPS * noise**2 + sampling**2) / 2,
            np.tanh(np.log(sampling / noise) / 2),
            np.log(edge * k * (1 + a) / topic),
            np.log(np.sqrt(words / N) / L * k * (1 + a) / topic),
            1
            / (
                1 + (start / recipe.max_start_noise) ** 8
            ),  # whether Refined pays for a spectral start
        ]
    )
