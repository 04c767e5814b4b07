"""The meaning of a per-document guarantee for somebody who wrote several documents."""

import math
from decimal import Decimal

from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.composition import zcdp_delta
from dplda.privacy.accounting.odds import format_rounded_up


def group_guarantee(epsilon: float, delta: float, size: int) -> tuple[float, float]:
    """ε and δ of m documents at once, for any (ε, δ)-private mechanism; δ is 1 where nothing holds.

    Vadhan (2017), "The complexity of differential privacy", Lemma 2.2: m ε, and δ times (e^{mε} − 1)/(e^ε − 1).
    """
    grown = min(size * epsilon, 700.0)
    return size * epsilon, min(
        1.0, delta * math.expm1(grown) / math.expm1(epsilon) * (1 + 1e-12)
    ) if delta else 0.0


def group_epsilon(epsilon: float, delta: float, size: int) -> float:
    """ε of m documents at once at the same δ, for Gaussian noise, discrete or not; rounded up.

    Their μ is m times that of one document. All such noise is μ²/2-zCDP, which gives ε.
    """
    rho = (size * gaussian.mu_for(epsilon, delta)) ** 2 / 2
    low, high = (
        0.0,
        rho + 2 * math.sqrt(rho * math.log(1 / delta)),
    )  # Bun and Steinke's conversion holds at the end
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if zcdp_delta(middle, rho) <= delta else (middle, high)
    return high


def describe_ten_documents(epsilon: float, delta: float, *, gaussian_fit: bool) -> str:
    """What the guarantee means for a person with ten documents, as a clause."""
    begins = "all ten documents of one person together count as"
    if gaussian_fit:
        return f"{begins} ε = {format_rounded_up(math.ceil(10 * group_epsilon(epsilon, delta, 10)) / 10)} at the same δ"
    rest = group_guarantee(epsilon, delta, 10)[1]
    if rest >= 1:
        return "somebody who wrote ten is not protected"
    return f"{begins} ε = {format_rounded_up(float(10 * Decimal(repr(epsilon))))} and δ = {format_rounded_up(rest, 2)}"
