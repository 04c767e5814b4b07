"""Starts of refinement: data-free topics near the word frequencies, or the ``adaptive`` route on part of the budget.

The spectral start is the ``adaptive`` configuration after its first words, with its releases and proof, at a share of
μ²; its topics are post-processing of released values.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Vector
from dplda.methods.chain.sums import Sums
from dplda.methods.chain.whole_sums import statistics_for
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.configurations.pairs_then_tensor import TRIPLES, PairsThenTensor
from dplda.methods.configurations.sizes import Shape
from dplda.methods.configurations.variant import Calibration
from dplda.methods.continuing import Begun, State
from dplda.methods.problem import Budget
from dplda.methods.shrinkage.posterior import TINY
from dplda.methods.shrinkage.topics import shrunk
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral.eigenpairs import leading_eigenpairs
from dplda.spectral.statistics import Averages
from dplda.spectral.tensor import decompose
from dplda.spectral.topics import finish, match, unwhiten
from dplda.spectral.whitening import RELATIVE_FLOOR, Whitening, noise_floor, shrink

SPREAD = 10.0  # shape of the gamma law of data-free topics
OWN_WORDS = 0.99  # of a spectral topic; the rest is the mean, so that no word has probability 0


@dataclass(frozen=True, slots=True, eq=False)
class StartNoise:
    r"""First-order effect of known noise on spectral topics.

    Noise ``G`` on the pair moment moves a topic by :math:`P_⊥ G M_2^† μ`, beyond the kept directions; noise on the
    whitened tensor mixes topics, with standard deviation :math:`σ/\sqrt3` on the coefficient of each other one.

    Attributes:
        beyond: standard deviation of a topic's entry outside the kept directions, shape (k,).
        mixing: effect of a standard normal coefficient of each kept direction, shape (m, d).
    """

    beyond: Vector
    mixing: Matrix

    def variance(self) -> Vector:
        """Squared error in each topic, shape (k,)."""
        m, d = self.mixing.shape
        return np.asarray((d - m) * self.beyond**2 + float(np.sum(self.mixing**2)))

    def draw(self, n_topics: int, rng: np.random.Generator) -> Matrix:
        """One draw of the error, shape (k, d)."""
        m, d = self.mixing.shape
        apart = self.beyond[:, None] * rng.standard_normal((n_topics, d))
        return np.asarray(apart + rng.standard_normal((n_topics, m)) @ self.mixing)


@dataclass(frozen=True, slots=True, eq=False)
class StartMoments:
    """Topics of a spectral start.

    Attributes:
        topics: shape (k, d), rows on the simplex; those that were not found are the mean.
        noise: known noise in them; shrinking leaves less of it.
        resolved: shape (k,), which were found.
        unclipped: fraction of documents that the clip level of pairs aims to leave unchanged; public.
    """

    topics: Matrix
    noise: StartNoise
    resolved: NDArray[np.bool_]
    unclipped: float

    @classmethod
    def of(cls, found: "StartMoments | None", since: State | None) -> "StartMoments | None":
        """Those that a run found, in the order of the topics that it continues, or those that its chain began with."""
        if since is not None and since.start is not None:
            one = since.start
            return cls(one.topics, StartNoise(one.beyond, one.mixing), one.resolved > 0, one.unclipped)
        if found is None or since is None or since.steps is None:
            return found
        order, noise = match(since.steps.topics, found.topics), found.noise
        return cls(
            found.topics[order], StartNoise(noise.beyond[order], noise.mixing), found.resolved[order], found.unclipped
        )

    def weight(self, refined: Matrix, variance: Vector, misfit: float) -> Vector:
        r"""``ω``, their weight beside refined topics, shape (k,), in [0, 1]; 0 for those they did not find.

        Moments have known noise, and misfit where documents do not follow the model or many are clipped. A variational
        fixed point has known noise, and a bias that is small on documents of the model. Both errors beyond noise show
        in one number, the readings' squared distance ``D``:

        .. math:: b^2 = \max(0, D - V_A - V_W),\quad b_A^2 = b^2 \frac{t}{1 + (b/β)^4},\quad
            ω = \frac{V_A + b_A^2}{V_A + V_W + b^2},

        where disagreement well below ``β`` counts as the fixed point's bias, as far as moments are trusted (``t``), and
        well above it, as on real text, as the moments' misfit. :math:`A + ω(W - A)` has least squared error for
        independent errors.

        Args:
            refined: ``A``, shape (k, d), rows on the simplex in the order of these topics ``W``.
            variance: ``V_A``, shape (k,), squared error of a row from known noise.
            misfit: ``β`` relative to the norm of a topic, at least 0.
        """
        both = variance + self.noise.variance()
        beyond = np.maximum(np.sum((refined - self.topics) ** 2, axis=1) - both, 0.0)
        most = misfit**2 * np.sum(refined**2, axis=1)
        own = beyond * self.unclipped**4 * most**2 / np.maximum(most**2 + beyond**2, TINY)
        return np.where(self.resolved, (variance + own) / np.maximum(both + beyond, TINY), 0.0)

    def left_behind(self) -> Begun:
        """What another run continues from."""
        resolved = self.resolved.astype(float)
        return Begun(
            topics=self.topics,
            beyond=self.noise.beyond,
            mixing=self.noise.mixing,
            resolved=resolved,
            unclipped=self.unclipped,
        )


def spectral_split(share: float) -> dict[str, float]:
    """The ``adaptive`` configuration's own split, scaled to a share of the whole run's μ²."""
    return {name: share * part for name, part in ADAPTIVE.variants[Calibration.CORRECTED].default_split}


def spectral(sums: Sums, shape: Shape, mechanisms: Mechanisms, budget: Budget, *, seed: int) -> StartMoments | None:
    """The ``adaptive`` route on the budget's fractions of μ²; None where noise leaves nothing to start from.

    Guarantee:
        As the ``adaptive`` configuration: μ² of its releases is at most the whole run's times the fractions' sum.
    """
    route = PairsThenTensor(shape, budget, mechanisms)
    source = statistics_for(mechanisms)(sums, shape.coefficients, keep_short=True)
    averages = route.e2(route.pairs(source))
    assert isinstance(averages, Averages)
    if averages.mass <= 0:
        return None
    shape = replace(shape, alpha0=averages.weighed(shape.coefficients).alpha0)
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
    return StartMoments(topics.words, noise, np.arange(shape.n_topics) < topics.resolved, route.pair_quantile)


def every_direction(averages: Averages, shape: Shape) -> Whitening:
    """Whitening along the k leading directions of a noisy pair moment, including those within its noise.

    A noisy direction harms no start: refinement keeps what documents support, and without it a topic starts from
    nothing.
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
    """Topics of the first step, shape (k, d): spectral where resolved, else word frequencies times gamma numbers."""
    drawn = mean_words * rng.gamma(SPREAD, 1 / SPREAD, (k, len(mean_words)))
    topics: Matrix = drawn / np.sum(drawn, axis=1, keepdims=True)
    topics[: len(resolved)] = OWN_WORDS * resolved + (1 - OWN_WORDS) * mean_words
    return topics
