r"""Exact Gaussian noise on whole numbers, drawn from the system's random numbers; fit for release.

Up to a million coordinates it is the discrete Gaussian of a widely reviewed library; above, where
that takes minutes, a normal number rounded to a whole one (``exact_normals``), sixty times as fast.

Theorem:
    Let sums of whole numbers be released one by one, each chosen knowing the earlier answers, sum j
    with independent noise on each of p_j coordinates, :math:`σ_j \ge 2^{24}`, and let Δ_j bound the
    distance of two neighbors' sums, whatever was answered before. If one Gaussian mechanism of
    :math:`μ^2 = \sum Δ_j^2/σ_j^2` is (ε, δ')-DP, all releases together are
    :math:`(ε, δ' + (1 + e^ε) τ)`-DP, :math:`τ = \sum_j p_j τ_j`. For the discrete Gaussian,
    :math:`P(x) ∝ e^{-x^2/2σ_j^2}`, :math:`τ_j = 1/(40 σ_j^2)`; for a rounded normal number within
    15 standard deviations, :math:`τ_j = 2^{-166}`.

Proof:
    *A rounded Gaussian.* Let R be the distribution of a normal number of standard deviation σ
    rounded to a whole one. Whole numbers with R noise are the same numbers with normal noise,
    rounded: post-processing of a Gaussian mechanism. Their adaptive composition is μ-GDP. Beyond 15
    standard deviations R has mass :math:`2Φ(-15) < 2^{-166}`, its distance from the truncated one.

    *The discrete Gaussian's distance from it.* With f the normal density,
    :math:`R(x) - f(x) = \int_{-1/2}^{1/2} \frac{s^2}{2} f''(ξ_s)\,ds`, so

    .. math:: \sum_x |R(x) - f(x)| \le \frac1{24} \sum_x \sup_{|t-x| \le 1/2} |f''(t)|
        \le \frac1{24} \Big(\int |f''| + \int |f'''|\Big)
        \le \frac1{24} \Big(\frac{0.97}{σ^2} + \frac{2.45}{σ^3}\Big),

    since :math:`E|z^2-1| = 4φ(1)` and :math:`E|z^3-3z| \le \sqrt6`. By Poisson summation
    :math:`\sum_x f(x)` is 1 up to :math:`3e^{-2π^2σ^2}`. The total variation between P and R is
    half the sum, below :math:`1/(40σ^2)`; adding a whole number shifts both alike.

    *Together.* Coordinates are independent and answers are sequential, so distances add up: on
    either neighbor the releases are within τ of those with R noise. So for every event A
    :math:`P(A) \le R(A) + τ \le e^ε R'(A) + δ' + τ \le e^ε P'(A) + δ' + (1 + e^ε) τ`.

    The noise is no larger than exact Gaussian accounting asks for. The discrete Gaussian's own
    :math:`μ^2/2`-zCDP would need a fifth more noise at the same (ε, δ).

Source:
    Canonne, Kamath & Steinke 2020, the discrete Gaussian for differential privacy: the sampler,
    OpenDP's, without floating point. Dong, Roth & Su, Gaussian differential privacy: composition.
"""

import math
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dplda.core import checks
from dplda.core.engine import map_threads
from dplda.core.errors import NotReleasable
from dplda.core.optional_packages import requiring
from dplda.core.types import Vector
from dplda.privacy.noise.exact_normals import (
    NOISE_STD_LIMIT,
    TAIL_PROBABILITY,
    draw_rounded_normals,
)
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.noise.layouts import Spread

if TYPE_CHECKING:
    from opendp.core import Measurement

MIN_NOISE_STD = 2.0**24  # least standard deviation, in steps
MAX_DISCRETE_NUMBERS = 10**6  # coordinates of a release up to which noise is the discrete Gaussian
NUMBERS_PER_CHUNK = 1 << 13  # coordinates drawn at once
RESERVED_DELTA_SHARE = 2.0**-10  # of δ, for the distance between the two distributions


class ExactNoise:
    """Gaussian noise on whole numbers, without a seed: nobody can draw the same noise twice.

    Args:
        epsilon: ε of the whole run, above 0.
        delta: δ of the whole run, in (0, 0.5); ``RESERVED_DELTA_SHARE`` of it is not for the noise.
        max_charged_slack: total variation that a ledger was charged for; infinite without a ledger.

    Guarantee:
        The module's theorem; a draw that would exceed ``max_charged_slack`` or the reserved part of
        δ is refused first.
    """

    kind = NoiseKind.EXACT

    def __init__(
        self, *, epsilon: float, delta: float, max_charged_slack: float = math.inf
    ) -> None:
        allowed_slack = max_tv_slack(epsilon, delta)
        self._tv_slack_left = min(allowed_slack, max_charged_slack)

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, stream: str) -> Vector:
        """Add whole numbers to int64 coordinates, as in ``NoiseSource``.

        The scale is in steps. ``admit`` comes first: it counts the slack of the noise, or refuses.
        """
        self.admit(coordinates, scale, spread, stream)
        return self.draw(coordinates, scale)

    def admit(self, coordinates: Vector, scale: float, spread: Spread, stream: str) -> None:
        """Check a value before noise is drawn for it, and count the slack of its noise.

        Args:
            coordinates: the value in steps, int64, shape (p,).
            scale: standard deviation of the noise, in steps.
            spread: how the noise is spread over coordinates.
            stream: edge and quantity, for refusals.

        Raises:
            NotReleasable: the value is not a sum of whole numbers, the noise is not of one scale,
                too fine or too wide, or too little slack is left.
        """
        if coordinates.dtype != np.int64:
            raise NotReleasable(f"{stream} is not a sum of whole numbers")
        if not spread.isotropic:
            raise NotReleasable(f"the noise of {stream} is not independent in its coordinates")
        if not MIN_NOISE_STD <= scale < NOISE_STD_LIMIT:
            raise NotReleasable(f"the noise of {stream} is {scale:.3g} steps wide")
        tv_slack = tv_slack_of(len(coordinates), scale)
        self.count_tv_slack(tv_slack, stream)

    def count_tv_slack(self, tv_slack: float, stream: str) -> None:
        """Count the total variation of noise from Gaussian noise.

        The noise is drawn now, or was drawn before this source was made. An amount that is
        refused stays counted, so that nothing is admitted after it.

        Args:
            tv_slack: the total variation.
            stream: edge and quantity, for refusals.

        Raises:
            NotReleasable: less is left.
        """
        self._tv_slack_left -= tv_slack
        if self._tv_slack_left < 0:
            raise NotReleasable(f"the steps of {stream} are too coarse for this ε and δ")

    def draw(self, coordinates: Vector, scale: float) -> Vector:
        """Add noise to a value that was admitted.

        Args:
            coordinates: the value in steps, int64, shape (p,).
            scale: standard deviation of the noise, in steps.

        Returns:
            Noisy steps, whole numbers, shape (p,), float64.
        """
        return _noisy(coordinates, scale)

    def perturb_laplace(
        self, coordinates: Vector, scale: float, spread: Spread, stream: str
    ) -> Vector:
        """Refuse, as there is no exact Laplace noise; arguments as in ``NoiseSource``."""
        raise NotReleasable(f"the noise of {stream} is Laplace noise")


def tv_slack_of(size: int, scale: float) -> float:
    """Upper bound on the total variation of exact noise from rounded normal numbers.

    The bound is that of the module's theorem. More than ``MAX_DISCRETE_NUMBERS`` coordinates get
    rounded normal numbers themselves, so only the tails beyond 15 standard deviations count.

    Args:
        size: coordinates with noise.
        scale: standard deviation of the noise, in steps.
    """
    slack_per_number = TAIL_PROBABILITY
    if size <= MAX_DISCRETE_NUMBERS:
        slack_per_number = 1 / (40 * scale**2)
    return size * slack_per_number * (1 + 1e-12)


def max_tv_slack(epsilon: float, delta: float) -> float:
    """The total variation allowed in a run, rounded down.

    It is the reserved part of δ over ``1 + e^ε``.

    Raises:
        InputError: ε is not above 0, or δ is out of its range.
    """
    checks.positive("epsilon", epsilon)
    checks.delta(delta)
    exponential = math.exp(min(epsilon, 700.0))
    return RESERVED_DELTA_SHARE * delta / (1 + exponential) * (1 - 1e-12)


def delta_of_noise(delta: float) -> float:
    """The part of δ left for the Gaussian mechanism, rounded down."""
    return (1 - RESERVED_DELTA_SHARE) * delta * (1 - 1e-15)


def _noisy(numbers: Vector, scale: float) -> Vector:
    """Add independent noise to numbers, drawn in chunks on several threads.

    The noise is discrete Gaussian for up to ``MAX_DISCRETE_NUMBERS``, else rounded normal.
    """
    n_numbers = len(numbers)
    noisy_numbers: Vector = np.empty(n_numbers)
    draw_noise = draw_rounded_normals
    if n_numbers <= MAX_DISCRETE_NUMBERS:
        draw_noise = _discrete

    def add_to_chunk(first_index: int) -> None:
        end_index = min(first_index + NUMBERS_PER_CHUNK, n_numbers)
        chunk = slice(first_index, end_index)
        noise = draw_noise(end_index - first_index, scale)
        noisy_numbers[chunk] = numbers[chunk] + noise

    map_threads(add_to_chunk, range(0, n_numbers, NUMBERS_PER_CHUNK))
    return noisy_numbers


def _discrete(size: int, scale: float) -> NDArray[np.int64]:
    """Draw discrete Gaussian numbers of this standard deviation, shape (size,)."""
    add_noise = _measurement(size, scale)
    noise = add_noise([0] * size)
    return np.asarray(noise, dtype=np.int64)


@cache
def load_sampler() -> None:
    """Import the library that draws discrete Gaussian noise, which only releases need.

    A release calls this before it is charged, so that a library that cannot be loaded costs
    nothing.
    """
    with requiring("opendp", "Exact noise of a release"):
        from opendp.mod import enable_features

    enable_features("contrib")  # OpenDP marks what its committee has not fully vetted


@lru_cache(maxsize=16)
def _measurement(size: int, scale: float) -> "Measurement":
    """OpenDP's measurement that adds discrete Gaussian noise to ``size`` whole numbers.

    It is kept for the next call. OpenDP is loaded by the first.

    Raises:
        MissingPackageError: OpenDP is not installed.
    """
    load_sampler()
    from opendp.domains import atom_domain, vector_domain
    from opendp.measurements import make_gaussian
    from opendp.metrics import l2_distance

    whole_number = atom_domain(T="i64")
    vectors = vector_domain(whole_number, size=size)
    distance = l2_distance(T="f64")
    return make_gaussian(vectors, distance, scale=scale)
