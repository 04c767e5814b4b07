"""Scales that a plan asks for, release by release: formulas written out a second time, from the published text."""

import math

from scipy.stats import norm

from dplda.methods.configurations.variant import Calibration, NoiseLaw
from dplda.privacy.gaussian import mu_for
from dplda.privacy.release import Release
from dplda.spectral.cumulants import Coefficients
from tests.methods.configurations.variants import Entry


def stated_scales(
    entry: Entry, releases: tuple[Release, ...], *, n: int, d: int, k: int, alpha0: float, largest_eigenvalue: float
) -> list[float]:
    """Scale of the noise in every release; earlier releases are public to later ones."""
    plan = entry.plan()
    share = dict(entry.variant.default_split)
    if entry.name == "adaptive":
        squared = (2 * d / (n * mu_for(plan.epsilon, plan.delta))) ** 2
        share = {name: part / (1 + squared) for name, part in share.items()} | {"word counts": squared / (1 + squared)}
    epsilon, delta = plan.epsilon, plan.delta
    c, root2 = Coefficients(alpha0), math.sqrt(2)
    value = {release.quantity: release.value for release in releases}

    def gaussian(quantity: str, sensitivity: float, part_of_delta: float = 1.0) -> float:
        return sensitivity / (math.sqrt(share[quantity]) * mu_for(epsilon, part_of_delta * delta))

    def laplace(quantity: str, sensitivity: float) -> float:
        return sensitivity / (share[quantity] * epsilon)

    def classic(quantity: str, sensitivity: float) -> float:
        part = share[quantity]
        return sensitivity * math.sqrt(2 * math.log(1.25 / (part * delta))) / (part * epsilon)

    def lower(quantity: str, words: str) -> float:
        epsilon_1, delta_1 = share[quantity] * epsilon, share[quantity] * delta
        return value[words] - 2 / (n * epsilon_1) * math.log(1 / (2 * delta_1))

    match entry.name, entry.calibration:
        case "adaptive", Calibration.CORRECTED:
            c2, c3 = value["clip level of pair frequencies"], value["clip level of whitened triples"]
            return [
                gaussian("word counts", root2 * 2),
                gaussian("pair clip", 3.0),
                gaussian("pairs", 2 * c2 / n),
                gaussian("words", root2 * min(1, math.sqrt(root2 * c2)) / n),
                gaussian("mass", 1 / n),
                gaussian("triple clip", 3.0),
                gaussian("triples", 2 * c3 / n),
            ]
        case "shared-moment" | "config-1", Calibration.CORRECTED:
            names = ["pairs", "words", "mass", *(["pairs for W†"] if entry.name == "config-1" else []), "triples"]
            return [gaussian(name, 1 / n if name == "mass" else root2 / n) for name in names]
        case "config-1", NoiseLaw.LAPLACE:
            names = ["words", "mass", "pairs", "pairs for W†", "triples"]
            return [laplace(name, 1 / n if name == "mass" else 2 / n) for name in names]
        case "config-1", Calibration.PUBLISHED:
            return [classic(edge, 1 / n) for edge in ("e4", "e8", "e3")]
        case "config-2", Calibration.CORRECTED:
            return _aligned(gaussian, value, c, n, delta)
        case "config-2", Calibration.PUBLISHED:
            sigma = lower("σk", "k-th singular value of M2")
            return [classic("e8", 1 / n), laplace("σk", 1 / n), classic("e6", k**1.5 / (n * sigma**1.5))]
    sigma = lower("σk", "k-th singular value of M2")
    gamma = lower("γs", "quarter of the smallest eigenvalue gap of T")
    factor = k**2 / (gamma * n * sigma**1.5)
    bounds = [laplace("σk", 1 / n), laplace("γs", 1 / n)]
    if entry.name == "config-3":
        return [classic("e8", 1 / n), *bounds, classic("e7", factor)]
    return [*bounds, classic("e9", factor * math.sqrt(largest_eigenvalue))]


def _aligned(gaussian, value, c: Coefficients, n: int, delta: float) -> list[float]:
    """Theorem 5′ with private bounds at their δ/40 quantiles."""
    operator = 1.0001 * ((1 + c.a) + math.sqrt(2 * (1 + c.a**2))) / (2 * n)
    scales = [gaussian("σk", operator, 0.9), gaussian("gap", 2 * operator, 0.9)]
    scales += [gaussian(name, 1 / n, 0.9) for name in ("largest word", "largest pair")]
    z = norm.isf(delta / 40)
    s = value["k-th eigenvalue of M2"] - z * scales[0] - operator
    g = value["gap after the k-th eigenvalue"] - z * scales[1] - operator
    m1, m2 = (
        value[f"largest {what} frequency"] + z * scale for what, scale in zip(("word", "pair"), scales[2:], strict=True)
    )
    b, third = abs(c.b), n / (n - 1) * n / (n - 2) * c.c
    unfolding = math.sqrt(m1 * m2) * (1 + b * n / (n - 1)) + m1**1.5 * (2 * b * n / (n - 1) + third)
    pair = math.sqrt(2 + 4 * c.a**2) / n
    triple = min(root_form(c), 2 + 12 * b + 6 * c.c) / n
    slope = max(0.5 * s**-1.5, 1 / (math.sqrt(s) * g))
    tensor = triple * s**-1.5 + 3 * slope * pair * unfolding / s
    return [gaussian("e8", pair, 0.9), *scales, gaussian("e6", tensor, 0.9)]


def root_form(c: Coefficients) -> float:
    return math.sqrt(2) + 2 * math.sqrt(3) * abs(c.b) + 3 * math.sqrt(2) * math.hypot(c.b, c.c)
