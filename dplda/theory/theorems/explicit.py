r"""Theorems 10 to 13 with explicit constants: the paper's appendix I, its slips repaired.

Gaussian norms are bounded with probability ``1 − η`` each. Sensitivities are the proven ones where
they exist, else the paper's in full, in exact arithmetic. The steps that the paper does not prove
stay unproven.

.. math:: \|μ_i - μ_i^{DP}\| \le Aλ_1\sqrt{σ_1}\,f\|Φ\| + Aλ_1\frac{\sqrt{σ_1}}{σ_k}\|E_8\|
    + A\sqrt{σ_1+\|E_8\|}\,f\|Φ\|, \qquad f = 2\sqrt k/γ_s,\quad A = (α_0+2)/2.
"""

import math
from collections.abc import Callable

from dplda.methods.configurations.published import GAMMA, SIGMA
from dplda.privacy import sensitivity
from dplda.theory.theorems import sensitivities
from dplda.theory.theorems.readings import Bound, BoundInputs, Term
from dplda.theory.theorems.sensitivities import positive

NAME = "explicit constants"
FAILURE = 0.05  # η, probability that one norm exceeds its bound
COVERING = math.log(6 / math.log(1.5))  # ln(2K/K0), K = 3, K0 = ln(3/2)


def config_1(inputs: BoundInputs) -> Bound:
    r"""Theorem 10, with the whitening's error to the first power.

    .. math:: \|Φ\| \le 3\|M_3\| δ_W \max(\|W\|,\|\tilde W\|)^2 + \|E_3\|\|\tilde W\|^3,\quad
        δ_W = \frac{\|E_4\|}{σ_k\sqrt{σ_k/2}},\quad \|\tilde W\| \le (σ_k-\|E_4\|)^{-1/2}.

    Raises:
        NoFiniteNoise: the noise on M2 reaches σk, or γs is 0.
    """
    tensor_error = whitening_error(inputs) + triples_error(inputs)
    factor_error = tensor_error * factor_stretch(inputs)
    return _three_terms(
        inputs, "Theorem 10", directions=factor_error, sizes=factor_error, edges=("e3", "e4")
    )


def config_2(inputs: BoundInputs) -> Bound:
    """Theorem 11: the error of the tensor is its noise on e6.

    Raises:
        NoFiniteNoise: γs or the private lower bound of σk is 0.
    """
    spectrum = inputs.spectrum
    entry_noise = tensor(inputs) * inputs.tau["e6"]
    tensor_error = tensor_noise_norm(entry_noise, spectrum.n_topics)
    factor_error = tensor_error * factor_stretch(inputs)
    return _three_terms(
        inputs, "Theorem 11", directions=factor_error, sizes=factor_error, edges=("e6",)
    )


def config_3(inputs: BoundInputs) -> Bound:
    """Theorem 12, with the factor 2√k of Theorem 6; noise is per factor, not joint.

    The proof of Theorem 6 prints √(2k).

    Raises:
        NoFiniteNoise: a private lower bound is 0.
    """
    k = inputs.spectrum.n_topics
    tensor_change = tensor(inputs)
    gamma_s = positive(GAMMA, inputs.gamma_lower)
    sensitivity_of_factor = 2 * math.sqrt(k) * tensor_change / gamma_s
    noise_std = sensitivity_of_factor * inputs.tau["e7"]
    direction_error = vector_noise_norm(noise_std, k)
    size_factor = math.sqrt(2 * math.log(2 / FAILURE))
    size_error = noise_std * size_factor
    return _three_terms(
        inputs, "Theorem 12", directions=direction_error, sizes=size_error, edges=("e7",)
    )


def config_4(inputs: BoundInputs) -> Bound:
    """Theorem 13, with Theorem 7 in full and the prefactor corrected.

    Raises:
        NoFiniteNoise: a private lower bound is 0.
    """
    noise_std = topic_change(inputs) * inputs.tau["e9"]
    error = vector_noise_norm(noise_std, inputs.spectrum.n_words)
    term = Term("noise on the topics", ("e9",), error)
    return Bound("Theorem 13", NAME, (term,))


BY_CONFIGURATION: dict[str, Callable[[BoundInputs], Bound]] = {
    "config-1": config_1,
    "config-2": config_2,
    "config-3": config_3,
    "config-4": config_4,
}


def whitening_error(inputs: BoundInputs) -> float:
    """Bound on the error of the whitened tensor from noise on pairs (e4).

    Raises:
        NoFiniteNoise: the noise on M2 reaches σk.
    """
    spectrum = inputs.spectrum
    pair_noise = pair_noise_norm(inputs, "e4")
    least_noisy_sigma_k = positive(SIGMA, spectrum.sigma_k - pair_noise)
    half_sigma_k = spectrum.sigma_k / 2
    whitener_change = pair_noise / (spectrum.sigma_k * math.sqrt(half_sigma_k))
    return 3 * spectrum.third_moment_norm * whitener_change / least_noisy_sigma_k


def triples_error(inputs: BoundInputs) -> float:
    """Bound on the error of the whitened tensor from noise on triples (e3).

    Raises:
        NoFiniteNoise: the noise on M2 reaches σk.
    """
    spectrum = inputs.spectrum
    pair_noise = pair_noise_norm(inputs, "e4")
    least_noisy_sigma_k = positive(SIGMA, spectrum.sigma_k - pair_noise)
    entry_noise = triple(inputs) * inputs.tau["e3"]
    triple_noise = tensor_noise_norm(entry_noise, spectrum.n_words)
    return triple_noise * math.pow(least_noisy_sigma_k, -1.5)


def topic_change(inputs: BoundInputs) -> float:
    """Sensitivity of a topic, Theorem 7 in full with the prefactor corrected.

    Raises:
        NoFiniteNoise: a private lower bound is 0.
    """
    spectrum = inputs.spectrum
    gamma_s = positive(GAMMA, inputs.gamma_lower)
    tensor_change = tensor(inputs)
    pair_l1 = sensitivities.pair_moment_l1(n_documents=inputs.n_documents, alpha0=spectrum.alpha0)
    return sensitivities.topics_h5(spectrum, tensor=tensor_change, pair=pair_l1, gamma_s=gamma_s)


def pair(inputs: BoundInputs) -> float:
    """Frobenius sensitivity of ``M2``."""
    a = inputs.spectrum.coefficients.a
    sensitivity_for_one_document = sensitivity.direct_pair_moment(n_documents=1, a=a)
    return sensitivity_for_one_document / inputs.n_documents


def triple(inputs: BoundInputs) -> float:
    """Frobenius sensitivity of ``M3``, proven."""
    c = inputs.spectrum.coefficients
    sensitivity_for_one_document = sensitivity.direct_triple_moment(
        n_documents=1, n_words=inputs.spectrum.n_words, b=c.b, c=c.c
    )
    return sensitivity_for_one_document / inputs.n_documents


def tensor(inputs: BoundInputs) -> float:
    """Sensitivity of the whitened tensor: the paper's (64) at the private lower bound of σk.

    The exact σk+1 is cut to that bound where it is larger.

    Raises:
        NoFiniteNoise: the private lower bound is 0 or NaN.
    """
    spectrum = inputs.spectrum
    sigma_k = positive(SIGMA, inputs.sigma_lower)
    return sensitivities.whitened_tensor_64(
        n_documents=inputs.n_documents,
        n_topics=spectrum.n_topics,
        alpha0=spectrum.alpha0,
        sigma_k=sigma_k,
        sigma_next=min(spectrum.sigma_next, sigma_k),
    )


def pair_noise_norm(inputs: BoundInputs, edge: str) -> float:
    """Bound on ``‖E‖`` of the d×d Gaussian matrix on an edge."""
    entry_noise = pair(inputs) * inputs.tau[edge]
    return entry_noise * matrix_factor(inputs.spectrum.n_words)


def matrix_factor(size: int) -> float:
    """Bound on the norm of a square Gaussian matrix, per standard deviation."""
    log_failure = math.log(2 / FAILURE)
    return 2 * math.sqrt(size) + 2 * math.sqrt(log_failure)


def tensor_noise_norm(scale: float, size: int) -> float:
    """Bound on the operator norm of a cubic Gaussian tensor.

    Args:
        scale: standard deviation of an entry.
        size: k of the tensor (k, k, k).
    """
    return scale * tensor_factor(size)


def tensor_factor(size: int) -> float:
    """Bound on the norm of a cubic Gaussian tensor, per standard deviation."""
    log_failure = math.log(2 / FAILURE)
    return math.sqrt(8 * (3 * size * COVERING + log_failure))


def vector_noise_norm(scale: float, size: int) -> float:
    """Bound on the length of a Gaussian vector.

    Args:
        scale: standard deviation of an entry.
        size: number of entries.
    """
    return scale * vector_factor(size)


def vector_factor(size: int) -> float:
    """Bound on the length of a Gaussian vector, per standard deviation."""
    log_failure = math.log(1 / FAILURE)
    return math.sqrt(size + 2 * math.sqrt(size * log_failure) + 2 * log_failure)


def factor_stretch(inputs: BoundInputs) -> float:
    r""":math:`f = 2\sqrt k/γ_s`, by which an error of the tensor grows in its factors.

    Raises:
        NoFiniteNoise: γs is 0.
    """
    gamma_s = positive(GAMMA, inputs.spectrum.gamma_s)
    return 2 * math.sqrt(inputs.spectrum.n_topics) / gamma_s


def _three_terms(
    inputs: BoundInputs, source: str, *, directions: float, sizes: float, edges: tuple[str, ...]
) -> Bound:
    """The bound of the module's formula, term by term, with noise of e8 in the last two.

    Args:
        inputs: numbers of the theorem.
        source: the theorem.
        directions: bound on the error of the factors' directions, ``f‖Φ‖`` in the first term.
        sizes: bound on the error of their sizes, ``f‖Φ‖`` in the last one.
        edges: where the noise of both enters.
    """
    spectrum = inputs.spectrum
    pair_noise = pair_noise_norm(inputs, "e8")
    topic_factor = spectrum.coefficients.eigenvalue_to_topic()
    root_of_sigma_1 = math.sqrt(spectrum.sigma_1)
    noisy_root_of_sigma_1 = math.sqrt(spectrum.sigma_1 + pair_noise)
    scaled_lambda_1 = topic_factor * spectrum.lambda_1
    from_directions = scaled_lambda_1 * root_of_sigma_1 * directions
    from_unwhitening = scaled_lambda_1 * root_of_sigma_1 / spectrum.sigma_k * pair_noise
    from_sizes = topic_factor * noisy_root_of_sigma_1 * sizes
    terms = (
        Term("direction of the factors", edges, from_directions),
        Term("unwhitening", ("e8",), from_unwhitening),
        Term("size of the factors", (*edges, "e8"), from_sizes),
    )
    return Bound(source, NAME, terms)
