"""Theorems 10 to 13: the paper's expressions for ‖μ_i − μ_i^{DP}‖₂, hidden constant 1, term by term.

They are expressions, not theorems: one proof step holds only around orthogonal tensors, another ignores the truncation
to k directions. In the paper's own setting all four exceed √2, the largest distance of two distributions.
"""

import math
from collections.abc import Callable

from dplda.methods.configurations.published import GAMMA, SIGMA
from dplda.theory.theorems.readings import Bound, Given, PaperReading, Term
from dplda.theory.theorems.sensitivities import positive

PROVEN_POWER = 1.5
"""Power of σk below the noise on pairs in both brackets of Theorem 10, by its proof."""
PRINTED_POWER = 1.0
"""The same in its last bracket, as printed."""


def config_1(given: Given, reading: PaperReading) -> Bound:
    """Theorem 10, noise on e3, e4 and e8."""
    spectrum = given.spectrum
    gamma = positive(GAMMA, spectrum.gamma_s)
    stretch = math.sqrt(spectrum.n_topics) / gamma
    pairs = whitened_noise(given, "e4", PROVEN_POWER)
    triples = whitened_noise(given, "e3", PROVEN_POWER)
    first = math.sqrt(spectrum.sigma_1) * stretch * (pairs**3 + triples)
    last_power = PROVEN_POWER if reading is PaperReading.RECOMMENDED else PRINTED_POWER
    last_pairs = whitened_noise(given, "e4", last_power)
    third = noisy_root(given) * stretch * (last_pairs**3 + triples)
    return _bound(THEOREMS["config-1"], given, reading, first, third, ("e3", "e4"))


def config_2(given: Given, reading: PaperReading) -> Bound:
    """Theorem 11, noise on e6 and e8."""
    return _through_tensor(THEOREMS["config-2"], given, reading, "e6", given.spectrum.gamma_s, 2.5)


def config_3(given: Given, reading: PaperReading) -> Bound:
    """Theorem 12, noise on e7 and e8."""
    is_table_1 = reading is PaperReading.TABLE_1
    gamma = given.spectrum.gamma_s if is_table_1 else given.gamma_lower
    return _through_tensor(THEOREMS["config-3"], given, reading, "e7", gamma, 2.0)


def config_4(given: Given, reading: PaperReading) -> Bound:
    r"""Theorem 13, noise on e9, whose τ is once printed as e7's: :math:`\sqrt{σ_1 d}\,k^2 τ_9/(γ̃_s N σ̃_k^{3/2})`."""
    spectrum = given.spectrum
    is_table_1 = reading is PaperReading.TABLE_1
    sigma = positive(SIGMA, spectrum.sigma_k if is_table_1 else given.sigma_lower)
    gamma = positive(GAMMA, spectrum.gamma_s if is_table_1 else given.gamma_lower)
    value = math.sqrt(spectrum.sigma_1 * spectrum.n_words) * spectrum.n_topics**2 * given.tau["e9"]
    value /= gamma * given.n_documents * math.pow(sigma, 1.5)
    return Bound(
        THEOREMS["config-4"], reading.value, (Term("noise on the topics", ("e9",), value),)
    )


THEOREMS: dict[str, str] = {
    "config-1": "Theorem 10",
    "config-2": "Theorem 11",
    "config-3": "Theorem 12",
    "config-4": "Theorem 13",
}
"""The paper's theorem on the error of each of its configurations, by name."""


def whitened_noise(given: Given, edge: str, power_of_sigma: float) -> float:
    r"""Noise of an edge as the whitening stretches it, :math:`\sqrt d τ/(N σ_k^p)`.

    Args:
        given: numbers of Theorem 10.
        edge: ``e3`` or ``e4``.
        power_of_sigma: ``p``, ``PROVEN_POWER`` or ``PRINTED_POWER``.
    """
    stretch = given.n_documents * math.pow(given.spectrum.sigma_k, power_of_sigma)
    return math.sqrt(given.spectrum.n_words) * given.tau[edge] / stretch


BY_CONFIGURATION: dict[str, Callable[[Given, PaperReading], Bound]] = {
    "config-1": config_1,
    "config-2": config_2,
    "config-3": config_3,
    "config-4": config_4,
}


def _through_tensor(
    source: str, given: Given, reading: PaperReading, edge: str, gamma: float, last_power: float
) -> Bound:
    """Theorems 11 and 12, which differ in the last term's power of k and in their γs."""
    spectrum, k, table = given.spectrum, given.spectrum.n_topics, reading is PaperReading.TABLE_1
    sigma = positive(SIGMA, spectrum.sigma_k if table else given.sigma_lower)
    gamma = positive(GAMMA, gamma)
    noise = given.tau[edge] / (gamma * given.n_documents)
    first = math.sqrt(spectrum.sigma_1) * math.pow(
        k, 2.5 if reading is PaperReading.RECOMMENDED else 1.25
    )
    first *= noise / math.pow(sigma, 1.5)
    third = (
        noisy_root(given)
        * math.pow(k, last_power)
        * noise
        / math.pow(spectrum.sigma_1 if table else sigma, 1.5)
    )
    return _bound(source, given, reading, first, third, (edge,))


def _bound(
    source: str,
    given: Given,
    reading: PaperReading,
    first: float,
    third: float,
    edges: tuple[str, ...],
) -> Bound:
    s = given.spectrum
    back = math.sqrt(s.sigma_1 * s.n_words) * given.tau["e8"] / (s.sigma_k * given.n_documents)
    terms = (
        Term("direction of the factors", edges, first),
        Term("unwhitening", ("e8",), back),
        Term("size of the factors", (*edges, "e8"), third),
    )
    return Bound(source, reading.value, terms)


def noisy_root(given: Given) -> float:
    r""":math:`\sqrt{σ_1+\sqrt d τ_8/N}`, a bound on the unwhitening with its noise."""
    s = given.spectrum
    return math.sqrt(s.sigma_1 + math.sqrt(s.n_words) * given.tau["e8"] / given.n_documents)
