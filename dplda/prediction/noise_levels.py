"""How large the noise of the proven configurations is at a budget, in the units that the predictor needs."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import ndtri

from dplda import _check
from dplda._types import Vector
from dplda.configurations.adaptive import PAIR_CLIP, pair_clip_quantile
from dplda.configurations.aligned import BACK, FAILURE_SHARE, GAP, PAIR_PEAK, SIGMA, TENSOR, WORD_PEAK
from dplda.configurations.averages import LARGEST_PAIR_NORM, PAIRS, TRIPLES, WORDS
from dplda.configurations.plain import PAIRS_BACK
from dplda.configurations.route import Calibration
from dplda.errors import InputError, NoFiniteNoise
from dplda.fitting.pipeline import Fit
from dplda.plan import Plan
from dplda.prediction.geometry import Geometry
from dplda.privacy import gaussian, sensitivity


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Standard deviations of the noise of one plan.

    Attributes:
        pairs: of one off-diagonal entry of the ``M2`` that whitens.
        back: of the ``M2`` that leads back.
        shared: whether the two are one and the same.
        diagonal: variance on the diagonal over variance off it, 4 for histogram noise and 2 for isotropic.
        words: of one entry of ``E1``.
        tensor: of one coordinate of isotropic noise on ``T``.
        triples: of one cell of the histogram over unordered triples.
        exact_whitening: whether ``T`` is taken along the exact ``M2``, seen in the noisy frame.
        weights: shape (n,), weights that clipping gives typical documents; None where nothing is clipped.
    """

    pairs: float
    back: float
    shared: bool
    diagonal: float
    words: float = 0.0
    tensor: float = 0.0
    triples: float = 0.0
    exact_whitening: bool = False
    weights: Vector | None = None


def levels_of(plan: Plan, geometry: Geometry, *, n_documents: int) -> Levels:
    """The noise of a proven plan.

    Clip levels are those that the private search would find on typical documents, its noise left out.

    Args:
        plan: ``adaptive``, ``shared-moment``, ``config-1`` or ``config-2``, corrected.
        geometry: of the corpus.
        n_documents: ``N``.

    Raises:
        InputError: the plan is as published or pure.
        NoFiniteNoise: configuration 2's private bounds leave no gap.
    """
    _check.integer_at_least("n_documents", n_documents, 3)
    if plan.calibration is not Calibration.CORRECTED:
        raise InputError("plan", "one of the proven Gaussian calibrations", str(plan.calibration))
    split = dict(plan.split or plan.variant.default_split)
    if plan.configuration == "config-2":
        return _aligned(plan, split, geometry, n_documents)
    mu = _mu(plan.epsilon, plan.delta)
    mus = {name: gaussian.share(mu, fraction) for name, fraction in split.items()}
    if plan.configuration == "adaptive":
        return _adaptive(plan, mus, geometry, n_documents)
    n, usable = n_documents, float(np.mean(geometry.typical.pair_norms > 0))
    pair = sensitivity.pair_average(n_documents=n, clip=LARGEST_PAIR_NORM) / usable / 2
    shared = plan.configuration == "shared-moment"
    return Levels(
        pairs=pair / mus[PAIRS],
        back=pair / mus[PAIRS if shared else PAIRS_BACK],
        shared=shared,
        diagonal=4.0,
        words=sensitivity.word_average(n_documents=n, clip=LARGEST_PAIR_NORM) / mus[WORDS] / usable,
        triples=sensitivity.triple_histogram(n_documents=n) / mus[TRIPLES] / usable,
    )


def measured(fit: Fit, geometry: Geometry) -> Levels:
    """The noise that a fit of ``adaptive`` really had: its clip levels and mean weight are those of its releases.

    Args:
        fit: gives the releases.
        geometry: of the corpus; its typical documents tell what the clip level does.

    Raises:
        InputError: the fit is of another configuration, or its noise left no topic.
    """
    if fit.plan is None or fit.plan.configuration != "adaptive":
        raise InputError("fit", "of the adaptive configuration", "another")
    scales = {release.symbol: release.scale for release in fit.releases}
    numbers = {release.symbol: release.value for release in fit.releases if isinstance(release.value, float)}
    if "T" not in scales:
        raise InputError("fit", "one that resolved a topic", "one that resolved none")
    mass = numbers["w̄"]
    pairs = scales["E₂"] / mass / 2
    return Levels(
        pairs=pairs,
        back=pairs,
        shared=True,
        diagonal=4.0,
        words=scales["E₁"] / mass,
        tensor=scales["T"] / mass,
        weights=_weights(geometry, numbers["C₂"]),
    )


@lru_cache(maxsize=4096)
def _mu(epsilon: float, delta: float) -> float:
    """μ of the whole budget, remembered: a map asks for the same one at every point."""
    return gaussian.mu_for(epsilon, delta)


def _weights(geometry: Geometry, level: float) -> Vector:
    """What clipping at a level makes typical documents weigh."""
    norms = geometry.typical.pair_norms
    return np.where(norms > 0, np.minimum(1, level / np.maximum(norms, level)), 0)


def _adaptive(plan: Plan, mus: dict[str, float], geometry: Geometry, n: int) -> Levels:
    typical = geometry.typical
    norms = typical.pair_norms[typical.pair_norms > 0]
    quantile = plan.clip_quantile or pair_clip_quantile(
        n_documents=n, n_words=geometry.spectrum.n_words, mu=mus[PAIRS], search_mu=mus[PAIR_CLIP]
    )
    level = float(np.quantile(norms, quantile))
    weights = _weights(geometry, level)
    mass = float(np.mean(weights))
    triples = weights * typical.triple_norms
    high = min(1.0, max(0.5, 1 - 50 / (n * mus[TRIPLES])))
    pairs = sensitivity.pair_average(n_documents=n, clip=level) / mus[PAIRS] / mass / 2
    tensor_clip = float(np.quantile(triples[triples > 0], high))
    return Levels(
        pairs=pairs,
        back=pairs,
        shared=True,
        diagonal=4.0,
        words=sensitivity.word_average(n_documents=n, clip=level) / mus[WORDS] / mass,
        tensor=sensitivity.tensor_average(n_documents=n, clip=tensor_clip) / mus[TRIPLES] / mass,
        weights=weights,
    )


def _aligned(plan: Plan, split: dict[str, float], geometry: Geometry, n: int) -> Levels:
    """Configuration 2: Theorem 5′ at private bounds whose noise is at its median, 0."""
    mu = _mu(plan.epsilon, (1 - FAILURE_SHARE) * plan.delta)
    mus = {name: gaussian.share(mu, fraction) for name, fraction in split.items()}
    quantile = -float(ndtri(FAILURE_SHARE * plan.delta / 4))
    spectrum, c = geometry.spectrum, geometry.spectrum.coefficients
    operator = sensitivity.pair_moment_eigenvalue(n_documents=n, a=c.a)
    peak = quantile * sensitivity.largest_frequency(n_documents=n)
    pair = sensitivity.direct_pair_moment(n_documents=n, a=c.a)
    eigenvalue = spectrum.sigma_k - quantile * operator / mus[SIGMA]
    bound = sensitivity.aligned_tensor(
        third=sensitivity.direct_triple_moment(n_documents=n, b=c.b, c=c.c),
        pair=pair,
        eigenvalue=eigenvalue,
        gap=spectrum.gap - quantile * 2 * operator / mus[GAP],
        pair_operator=operator,
        unfolding=sensitivity.unfolding_bound(
            n_documents=n,
            b=c.b,
            c=c.c,
            largest_word=spectrum.largest_word + peak / mus[WORD_PEAK],
            largest_pair=spectrum.largest_pair + peak / mus[PAIR_PEAK],
        ),
    )
    if math.isinf(bound):
        raise NoFiniteNoise(SIGMA if eigenvalue <= operator else GAP)
    back = pair / mus[BACK] / math.sqrt(2)
    return Levels(pairs=0.0, back=back, shared=False, diagonal=2.0, tensor=bound / mus[TENSOR], exact_whitening=True)
