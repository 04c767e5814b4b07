"""Where refinement starts: data-free topics near the word frequencies, or the ``adaptive`` route at part of the budget.

The spectral start is what the ``adaptive`` configuration does after its first words, its releases and its proof, at a
share of μ²; after it the topics it resolved are post-processing of released values.
"""

import math
from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.methods.chain.sums import Sums
from dplda.methods.chain.whole_sums import statistics_for
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.configurations.pairs_then_tensor import TRIPLES, PairsThenTensor
from dplda.methods.configurations.sizes import Shape
from dplda.methods.configurations.variant import Calibration
from dplda.methods.problem import Budget
from dplda.methods.shrinkage.posterior import TINY
from dplda.methods.shrinkage.topics import shrunk
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral.eigenpairs import leading_eigenpairs
from dplda.spectral.statistics import Averages
from dplda.spectral.tensor import decompose
from dplda.spectral.topics import finish, unwhiten
from dplda.spectral.whitening import RELATIVE_FLOOR, Whitening, noise_floor, shrink

SPREAD = 10.0  # shape of the gamma law of data-free topics
OWN_WORDS = 0.99  # of a spectral topic; the rest is the mean, so that no word is lost to it


@dataclass(frozen=True, slots=True, eq=False)
class StartNoise:
    r"""What known noise does to spectral topics, to first order.

    Noise ``G`` on the pair moment moves a topic by :math:`P_⊥ G M_2^† μ`, beyond the kept directions; noise on the
    whitened tensor mixes topics, with standard deviation :math:`σ/\sqrt3` on the coefficient of each other one.

    Attributes:
        beyond: standard deviation of a topic's entry outside the kept directions, shape (k,).
        mixing: what a standard normal coefficient of each kept direction adds, shape (m, d).
    """

    beyond: Vector
    mixing: Matrix

    def variance(self) -> Vector:
        """Squared error in each topic, shape (k,)."""
        m, d = self.mixing.shape
        result: Vector = (d - m) * self.beyond**2 + float(np.sum(self.mixing**2))
        return result

    def draw(self, n_topics: int, rng: np.random.Generator) -> Matrix:
        """One draw of the error, shape (k, d)."""
        m, d = self.mixing.shape
        apart = self.beyond[:, None] * rng.standard_normal((n_topics, d))
        result: Matrix = apart + rng.standard_normal((n_topics, m)) @ self.mixing
        return result


@dataclass(frozen=True, slots=True, eq=False)
class Spectral:
    """What the spectral route found.

    Attributes:
        topics: shape (k, d), rows on the simplex; where the pair average has fewer than k directions with a positive
            eigenvalue, the topics beyond ``resolved`` are the mean.
        noise: what is known of their error; less is left of it, as topics are shrunk.
        unclipped: what part of the documents the clip level of pairs was to leave as they are; public.
        averages: as released, with noise.
    """

    topics: Matrix
    resolved: int
    noise: StartNoise
    unclipped: float
    averages: Averages


def spectral_split(share: float) -> dict[str, float]:
    """The ``adaptive`` configuration's own split of a share of the whole run's μ²."""
    return {name: share * part for name, part in ADAPTIVE.variants[Calibration.CORRECTED].default_split}


def spectral(sums: Sums, shape: Shape, mechanisms: Mechanisms, budget: Budget, *, seed: int) -> Spectral | None:
    """The ``adaptive`` route at part of a budget; None where noise leaves nothing to start from.

    Args:
        budget: ε and δ of the whole run, and the fractions of its μ² that the route may spend.

    Guarantee:
        As the ``adaptive`` configuration: μ² of its releases is at most the whole run's times the fractions' sum.
    """
    route = PairsThenTensor(shape, budget, mechanisms)
    source = statistics_for(mechanisms)(sums, shape.coefficients, keep_short=True)
    averages = route.e2(route.pairs(source))
    assert isinstance(averages, Averages)
    if averages.mass <= 0:
        return None
    whitening = every_direction(averages, shape)
    if not whitening.resolved:
        return None
    tensor = route.e6(route.triples(source, whitening, averages), whitening)
    components = decompose(tensor, rng=np.random.default_rng(seed))
    mean = averages.mean_words(shape.coefficients)
    raw = unwhiten(components, whitening, shape.coefficients, mean)
    raw = shrunk(raw, whitening, averages, shape.coefficients, shape.n_topics)
    topics = finish(raw, components, whitening, shape.coefficients, shape.n_topics)
    scale = mechanisms.noise_in(TRIPLES) / averages.mass * shape.coefficients.eigenvalue_to_topic()
    pulls = (topics.words @ whitening.whitener) @ whitening.whitener.T
    mixing = scale / math.sqrt(3) * (whitening.unwhitener @ components.vectors).T
    noise = StartNoise(averages.noise_level() * np.linalg.norm(pulls, axis=1), mixing)
    return Spectral(topics.words, topics.resolved, noise, route.pair_quantile, averages)


def every_direction(averages: Averages, shape: Shape) -> Whitening:
    """Whitening along the k leading directions of a noisy pair moment, those within its noise included.

    A direction that is mostly noise is of no use as a result, and no harm to a start: refinement keeps of it what the
    documents bear out. Dropping it would leave a topic to be found from nothing: on simulated documents at the edge
    (d = 1,000, k = 10, N = 20,000, ε = 1) mean L1 is then 0.53, against 0.37.
    """
    noise = averages.noise_level()
    values, vectors = leading_eigenpairs(averages.pair_moment(shape.coefficients), shape.n_topics)
    m = int(np.sum(values > RELATIVE_FLOOR * float(np.max(np.abs(values)))))
    kept = shrink(values[:m], shape.n_words, noise)
    return Whitening(
        whitener=vectors[:, :m] / np.sqrt(kept),
        unwhitener=vectors[:, :m] * np.sqrt(kept),
        spectrum=values,
        kept=kept,
        noise_floor=noise_floor(shape.n_words, noise),
        overlap=np.maximum(0.0, 1 - shape.n_words * noise**2 / kept**2),
    )


def first_topics(resolved: Matrix, mean_words: Vector, k: int, rng: np.random.Generator) -> Matrix:
    """Topics of the first step, shape (k, d), rows on the simplex: spectral ones where resolved, others data-free.

    These are word frequencies times independent gamma numbers.
    """
    drawn = mean_words * rng.gamma(SPREAD, 1 / SPREAD, (k, len(mean_words)))
    topics: Matrix = drawn / np.sum(drawn, axis=1, keepdims=True)
    topics[: len(resolved)] = OWN_WORDS * resolved + (1 - OWN_WORDS) * mean_words
    return topics


def moments_weight(
    refined: Matrix, moments: Matrix, *, refined_variance: Vector, moments_variance: Vector, misfit: float, trust: float
) -> Vector:
    r"""``ω``, the weight of moments in each topic, in [0, 1].

    Moments are off by noise of known size where documents follow the model, and by more where they do not, or where
    many documents are clipped. A variational fixed point is off by noise of known size and by a bias that is small on
    documents of the model. Both errors beyond noise show in one number, the readings' squared distance ``D``:

    .. math:: b^2 = \max(0, D - V_A - V_W),\quad b_A^2 = b^2 \frac{t}{1 + (b/β)^4},\quad
        ω = \frac{V_A + b_A^2}{V_A + V_W + b^2},

    where disagreement well below ``β`` is laid to the fixed point, as far as moments are to be trusted, and what is
    well above it, as on real text, to moments. :math:`A + ω(W - A)` has least squared error where errors are
    independent.

    Args:
        refined: ``A``, shape (k, d), rows on the simplex.
        moments: ``W``, shape (k, d), rows in the same order.
        refined_variance: ``V_A``, shape (k,), squared error of a row that known noise makes.
        moments_variance: ``V_W``, likewise.
        misfit: ``β`` relative to the norm of a topic, at least 0.
        trust: ``t``, in [0, 1]: how far moments are free of the bias of clipping.
    """
    apart = np.sum((refined - moments) ** 2, axis=1)
    beyond = np.maximum(apart - refined_variance - moments_variance, 0.0)
    most = misfit**2 * np.sum(refined**2, axis=1)
    own = beyond * trust * most**2 / np.maximum(most**2 + beyond**2, TINY)
    result: Vector = (refined_variance + own) / np.maximum(refined_variance + moments_variance + beyond, TINY)
    return result
