"""Theorems 10 to 13: the paper's ‖μ_i − μ_i^{DP}‖₂, hidden constant 1, term by term.

They are expressions, not theorems: one proof step holds only around orthogonal tensors, another
ignores the truncation to k directions. In the paper's own setting all four exceed √2, the largest
distance of two distributions.
"""

import math
from collections.abc import Callable

from dplda.methods.configurations.published import GAMMA, SIGMA
from dplda.theory.theorems.readings import Bound, BoundInputs, PaperReading, Term
from dplda.theory.theorems.sensitivities import positive

PROVEN_POWER = 1.5
"""Power of σk below the noise on pairs in both brackets of Theorem 10, by its proof."""
PRINTED_POWER = 1.0
"""The same in its last bracket, as printed."""


def config_1(inputs: BoundInputs, reading: PaperReading) -> Bound:
    """Theorem 10, noise on e3, e4 and e8.

    Readings differ in the power of σk in its last bracket: only the recommended one has the
    proof's.

    Raises:
        NoFiniteNoise: γs is 0.
    """
    spectrum = inputs.spectrum
    gamma_s = positive(GAMMA, spectrum.gamma_s)
    stretch = math.sqrt(spectrum.n_topics) / gamma_s
    pair_noise = whitened_noise(inputs, "e4", PROVEN_POWER)
    triple_noise = whitened_noise(inputs, "e3", PROVEN_POWER)
    direction_term = math.sqrt(spectrum.sigma_1) * stretch * (pair_noise**3 + triple_noise)
    last_power = PROVEN_POWER if reading is PaperReading.RECOMMENDED else PRINTED_POWER
    last_pair_noise = whitened_noise(inputs, "e4", last_power)
    size_term = noisy_root(inputs) * stretch * (last_pair_noise**3 + triple_noise)
    return _three_terms(
        THEOREMS["config-1"],
        inputs,
        reading,
        direction=direction_term,
        size=size_term,
        edges=("e3", "e4"),
    )


def config_2(inputs: BoundInputs, reading: PaperReading) -> Bound:
    """Theorem 11, noise on e6 and e8, with the exact γs in every reading.

    Raises:
        NoFiniteNoise: γs or the private lower bound of σk is 0; Table 1 does not use the latter.
    """
    return _through_tensor(
        THEOREMS["config-2"],
        inputs,
        reading,
        edge="e6",
        gamma_s=inputs.spectrum.gamma_s,
        last_power_of_k=2.5,
    )


def config_3(inputs: BoundInputs, reading: PaperReading) -> Bound:
    """Theorem 12, noise on e7 and e8: the exact γs in Table 1, else its private lower bound.

    Raises:
        NoFiniteNoise: a private lower bound is 0; in Table 1, the exact γs is.
    """
    gamma_s = inputs.gamma_lower
    if reading is PaperReading.TABLE_1:
        gamma_s = inputs.spectrum.gamma_s
    theorem = THEOREMS["config-3"]
    return _through_tensor(
        theorem, inputs, reading, edge="e7", gamma_s=gamma_s, last_power_of_k=2.0
    )


def config_4(inputs: BoundInputs, reading: PaperReading) -> Bound:
    r"""Theorem 13, noise on e9: :math:`\sqrt{σ_1 d}\,k^2 τ_9/(γ̃_s N σ̃_k^{3/2})`.

    The paper once prints e7's τ in its place; this always takes e9's. Table 1 has the exact σk and
    γs in place of their private lower bounds.

    Raises:
        NoFiniteNoise: σk or γs is not above 0.
    """
    spectrum = inputs.spectrum
    sigma_k = inputs.sigma_lower
    gamma_s = inputs.gamma_lower
    if reading is PaperReading.TABLE_1:
        sigma_k = spectrum.sigma_k
        gamma_s = spectrum.gamma_s
    positive(SIGMA, sigma_k)
    positive(GAMMA, gamma_s)
    root = math.sqrt(spectrum.sigma_1 * spectrum.n_words)
    noise_term = root * spectrum.n_topics**2 * inputs.tau["e9"]
    noise_term /= gamma_s * inputs.n_documents * math.pow(sigma_k, 1.5)
    term = Term("noise on the topics", ("e9",), noise_term)
    return Bound(THEOREMS["config-4"], reading.value, (term,))


THEOREMS: dict[str, str] = {
    "config-1": "Theorem 10",
    "config-2": "Theorem 11",
    "config-3": "Theorem 12",
    "config-4": "Theorem 13",
}
"""The paper's theorem on the error of each of its configurations, by name."""


def whitened_noise(inputs: BoundInputs, edge: str, power_of_sigma: float) -> float:
    r"""Noise of an edge as the whitening stretches it, :math:`\sqrt d τ/(N σ_k^p)`.

    Args:
        inputs: numbers of Theorem 10.
        edge: ``e3`` or ``e4``.
        power_of_sigma: ``p``, ``PROVEN_POWER`` or ``PRINTED_POWER``.
    """
    stretch = inputs.n_documents * math.pow(inputs.spectrum.sigma_k, power_of_sigma)
    return math.sqrt(inputs.spectrum.n_words) * inputs.tau[edge] / stretch


BY_CONFIGURATION: dict[str, Callable[[BoundInputs, PaperReading], Bound]] = {
    "config-1": config_1,
    "config-2": config_2,
    "config-3": config_3,
    "config-4": config_4,
}


def _through_tensor(
    source: str,
    inputs: BoundInputs,
    reading: PaperReading,
    *,
    edge: str,
    gamma_s: float,
    last_power_of_k: float,
) -> Bound:
    """Theorems 11 and 12, which differ in the last term's power of k and in their γs.

    Readings differ in the first term's power of k, which only the recommended one has as proven.
    Table 1 has the exact σk for its private lower bound, and σ1 for it below the last term.

    Args:
        source: the theorem.
        inputs: the numbers it depends on.
        reading: which print of the paper.
        edge: carries the noise, e6 or e7.
        gamma_s: exact or private γs, as the theorem has it.
        last_power_of_k: power of k in the last term.
    """
    spectrum = inputs.spectrum
    is_table_1 = reading is PaperReading.TABLE_1
    sigma_k = positive(SIGMA, spectrum.sigma_k if is_table_1 else inputs.sigma_lower)
    last_sigma = spectrum.sigma_1 if is_table_1 else sigma_k
    first_power_of_k = 2.5 if reading is PaperReading.RECOMMENDED else 1.25
    noise = inputs.tau[edge] / (positive(GAMMA, gamma_s) * inputs.n_documents)
    direction_term = math.sqrt(spectrum.sigma_1) * math.pow(spectrum.n_topics, first_power_of_k)
    direction_term *= noise / math.pow(sigma_k, 1.5)
    size_term = noisy_root(inputs) * math.pow(spectrum.n_topics, last_power_of_k) * noise
    size_term /= math.pow(last_sigma, 1.5)
    return _three_terms(
        source, inputs, reading, direction=direction_term, size=size_term, edges=(edge,)
    )


def _three_terms(
    source: str,
    inputs: BoundInputs,
    reading: PaperReading,
    *,
    direction: float,
    size: float,
    edges: tuple[str, ...],
) -> Bound:
    """A bound of three terms, with the unwhitening's, which all readings share, in the middle.

    Args:
        source: the theorem.
        inputs: the numbers it depends on, with noise on e8.
        reading: which print of the paper.
        direction: first term, complete, from errors of the factors' directions.
        size: last term, complete, from errors of the factors' sizes.
        edges: whose noise is in ``direction`` and ``size``; that of e8 is in ``size``, too.

    The middle term is worked out here, from the noise of e8 alone.
    """
    spectrum = inputs.spectrum
    unwhitening_noise = math.sqrt(spectrum.sigma_1 * spectrum.n_words) * inputs.tau["e8"]
    unwhitening = unwhitening_noise / (spectrum.sigma_k * inputs.n_documents)
    terms = (
        Term("direction of the factors", edges, direction),
        Term("unwhitening", ("e8",), unwhitening),
        Term("size of the factors", (*edges, "e8"), size),
    )
    return Bound(source, reading.value, terms)


def noisy_root(inputs: BoundInputs) -> float:
    r""":math:`\sqrt{σ_1+\sqrt d τ_8/N}`, a bound on the unwhitening with its noise."""
    spectrum = inputs.spectrum
    noise = math.sqrt(spectrum.n_words) * inputs.tau["e8"] / inputs.n_documents
    return math.sqrt(spectrum.sigma_1 + noise)
