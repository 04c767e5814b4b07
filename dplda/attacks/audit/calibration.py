"""Whether the whole budget is what (ε, δ) allow, by another route: fifty digits where the product has sixteen."""

import mpmath

from dplda.privacy import gaussian
from dplda.privacy.noise.exact import delta_of_noise
from dplda.privacy.release import Guarantee

DIGITS = 50


def exact_delta(epsilon: float, mu: float) -> float:
    r""":math:`Φ(μ/2 - ε/μ) - e^ε Φ(-μ/2 - ε/μ)`, in fifty digits.

    Args:
        epsilon: ε.
        mu: μ > 0 of a Gaussian mechanism.

    Source:
        Balle & Wang, analytic Gaussian mechanism, Theorem 8.
    """
    with mpmath.workdps(DIGITS):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return float(mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m))


def calibrated(promise: Guarantee) -> tuple[float, float]:
    """The most μ that a whole run may spend, and the δ that it has at the promise's ε by fifty digits."""
    mu = gaussian.mu_for(promise.epsilon, delta_of_noise(promise.delta) if promise.releasable else promise.delta)
    return mu, exact_delta(promise.epsilon, mu)
