"""The meaning of a per-document guarantee for somebody who wrote several documents."""

import math
from decimal import Decimal

from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.composition import zcdp_delta
from dplda.privacy.accounting.odds import format_rounded_up

MAX_EXPONENT = 700.0  # e^x above this is not a floating-point number
BISECTIONS = 40


def group_guarantee(epsilon: float, delta: float, size: int) -> tuple[float, float]:
    """ε and δ of several documents at once, for any (ε, δ)-private mechanism.

    Args:
        epsilon: ε for one document.
        delta: δ for one document.
        size: number of documents, m.

    Returns:
        m ε, and δ times (e^{mε} − 1)/(e^ε − 1); a δ of 1 says that nothing holds.

    Source:
        Vadhan (2017), "The complexity of differential privacy", Lemma 2.2.
    """
    epsilon_of_group = size * epsilon
    if not delta:
        return epsilon_of_group, 0.0
    exponent = min(epsilon_of_group, MAX_EXPONENT)
    delta_of_group = delta * math.expm1(exponent) / math.expm1(epsilon) * (1 + 1e-12)
    return epsilon_of_group, min(1.0, delta_of_group)


def group_epsilon(epsilon: float, delta: float, size: int) -> float:
    """ε of several documents at once at the same δ, for Gaussian noise; rounded up.

    Their μ is m times that of one document. All such noise, discrete or not, is μ²/2-zCDP, which
    gives ε.

    Args:
        epsilon: ε for one document.
        delta: δ for one document.
        size: number of documents, m.
    """
    mu_of_group = size * gaussian.mu_for(epsilon, delta)
    rho = mu_of_group**2 / 2
    low_epsilon = 0.0
    # Bun and Steinke's conversion holds at this end.
    high_epsilon = rho + 2 * math.sqrt(rho * math.log(1 / delta))
    for _ in range(BISECTIONS):
        middle_epsilon = (low_epsilon + high_epsilon) / 2
        if zcdp_delta(middle_epsilon, rho) <= delta:
            high_epsilon = middle_epsilon
        else:
            low_epsilon = middle_epsilon
    return high_epsilon


def describe_ten_documents(epsilon: float, delta: float, *, gaussian_fit: bool) -> str:
    """Meaning of a guarantee for a person with ten documents, as a clause.

    For Gaussian noise it names their ε at the same δ, rounded up to tenths. Else it names ten times
    ε and the δ of ten documents; where that is 1, it says that they are not protected.

    Args:
        epsilon: ε for one document.
        delta: δ for one document.
        gaussian_fit: whether all noise is Gaussian, so that ten documents have a smaller ε.
    """
    beginning_text = "all ten documents of one person together count as"
    if gaussian_fit:
        n_tenths = math.ceil(10 * group_epsilon(epsilon, delta, 10))
        ten_epsilon = n_tenths / 10
        return f"{beginning_text} ε = {format_rounded_up(ten_epsilon)} at the same δ"
    _, ten_delta = group_guarantee(epsilon, delta, 10)
    if ten_delta >= 1:
        return "somebody who wrote ten is not protected"
    ten_epsilon = float(10 * Decimal(repr(epsilon)))
    return (
        f"{beginning_text} ε = {format_rounded_up(ten_epsilon)}"
        f" and δ = {format_rounded_up(ten_delta, 2)}"
    )
