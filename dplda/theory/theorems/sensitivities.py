"""Theorems 4 to 7: how far one document moves each quantity, as published and as proven.

For replacing one of N documents, N public, in the unscaled convention for the moments; unstated
constants are 1.
"""

import math

from dplda.core import checks
from dplda.core.errors import NoFiniteNoise
from dplda.spectral.cumulants import Coefficients
from dplda.theory.theorems.spectrum import Spectrum


def pair_moment_l1(*, n_documents: int, alpha0: float) -> float:
    """L1 sensitivity of ``M2``: ``(2 + 4a)/N``, attained.

    It is the paper's H.1, which its Theorem 4 contradicts.
    """
    a = Coefficients(alpha0).a
    return (2 + 4 * a) / n_documents


def triple_moment_l1(*, n_documents: int, alpha0: float) -> float:
    """L1 sensitivity of ``M3``: ``(2 + 12|b| + 6c)/N``, attained by documents of one word each."""
    coefficients = Coefficients(alpha0)
    return (2 + 12 * abs(coefficients.b) + 6 * coefficients.c) / n_documents


def triple_moment_h2(*, n_documents: int, alpha0: float) -> float:
    """Appendix H.2's sensitivity of ``M3``: ``2/N + 4|b|/N + 6c (N−1)/(N(N−2))``.

    It omits two of three cross terms; see ``triple_moment_l1`` for the proven value.

    Raises:
        InputError: N is below 3.
    """
    checks.integer_at_least("n_documents", n_documents, 3)
    n = n_documents
    coefficients = Coefficients(alpha0)
    pair_terms = (2 + 4 * abs(coefficients.b)) / n
    cube_terms = 6 * coefficients.c * (n - 1) / (n * (n - 2))
    return pair_terms + cube_terms


def whitened_tensor(*, n_documents: int, n_topics: int, sigma_k: float) -> float:
    """Theorem 5 with constant 1: ``k^{1.5}/(N σk^{1.5})``; refused if σk is not above 0."""
    positive("σk", sigma_k)
    return math.pow(n_topics / sigma_k, 1.5) / n_documents


def whitened_tensor_64(
    *, n_documents: int, n_topics: int, alpha0: float, sigma_k: float, sigma_next: float
) -> float:
    r"""Sensitivity of the whitened tensor: Theorem 5 in full, the paper's (64).

    ``Δ2`` and ``Δ3`` are those of its appendices H.1 and H.2.

    Args:
        sigma_k: ``σk``, the k-th eigenvalue of the pair moment, above 0.
        sigma_next: ``σ_{k+1}``, the next one.

    Returns:
        :math:`\Big(1 + \frac{6α_0}{α_0+2}\frac N{N-1} +
        \frac{6α_0^2}{(α_0+1)(α_0+2)}\frac{N^2}{(N-1)(N-2)}\Big) \frac{(2k)^{3/2} Δ_2^3}{(σ_k\sqrt
        m)^3} + \frac{Δ_3 k^{3/2}}{m^{3/2}}` with :math:`m = (σ_k + σ_{k+1})/2`.

    Raises:
        InputError: N is below 3.
        NoFiniteNoise: ``sigma_k`` is 0 or below.
    """
    checks.integer_at_least("n_documents", n_documents, 3)
    positive("σk", sigma_k)
    n = n_documents
    k = n_topics
    a0 = alpha0
    pair_change = pair_moment_l1(n_documents=n, alpha0=a0)
    triple_change = triple_moment_h2(n_documents=n, alpha0=a0)
    cross_norm = 6 * a0 / (a0 + 2) * n / (n - 1)
    cube_norm = 6 * a0**2 / ((a0 + 1) * (a0 + 2)) * n**2 / ((n - 1) * (n - 2))
    moment_norm = 1 + cross_norm + cube_norm
    mean_sigma = (sigma_k + sigma_next) / 2
    whitening_part = moment_norm * math.pow(2 * k, 1.5) * pair_change**3
    whitening_part /= sigma_k**3 * math.pow(mean_sigma, 1.5)
    triple_part = triple_change * math.pow(k / mean_sigma, 1.5)
    return whitening_part + triple_part


def factors(*, tensor: float, n_topics: int, gamma_s: float) -> float:
    """Theorem 6, constant 1: ``√k Δ_T/γs``, or ``k²/(γs N σk^{1.5})`` at Theorem 5's ``Δ_T``.

    Args:
        tensor: ``Δ_T``, sensitivity of the whitened tensor.
        gamma_s: ``γs``, smallest gap of its eigenvalues, above 0.

    Raises:
        NoFiniteNoise: γs is 0 or below.
    """
    positive("γs", gamma_s)
    return math.sqrt(n_topics) * tensor / gamma_s


def topics_h5(spectrum: Spectrum, *, tensor: float, pair: float, gamma_s: float) -> float:
    r"""Theorem 7 in full, the paper's H.5.

    Args:
        spectrum: of the corpus, or of a population.
        tensor: ``Δ_T``, sensitivity of the whitened tensor.
        pair: ``Δ2``, sensitivity of the pair moment.
        gamma_s: exact or private; refused at 0.

    Returns:
        :math:`Aλ_1\sqrt{σ_1}f + Aλ_1\frac{\sqrt{σ_1}}{σ_k}Δ_2 + A\sqrt{σ_1+Δ_2}\,f`, :math:`f =
        2\sqrt kΔ_T/γ_s`, with ``A = (α0+2)/2`` in the place of the printed
        :math:`(α_0+2)/(2\sqrt{α_0(α_0+1)})`, which mixes two scalings.
    """
    prefactor = spectrum.coefficients.eigenvalue_to_topic()
    factor_change = 2 * factors(tensor=tensor, n_topics=spectrum.n_topics, gamma_s=gamma_s)
    pair_part = pair / spectrum.sigma_k
    root_of_sigma_1 = math.sqrt(spectrum.sigma_1)
    noisy_root_of_sigma_1 = math.sqrt(spectrum.sigma_1 + pair)
    first_terms = spectrum.lambda_1 * root_of_sigma_1 * (factor_change + pair_part)
    last_term = noisy_root_of_sigma_1 * factor_change
    return prefactor * (first_terms + last_term)


def positive(quantity: str, value: float) -> float:
    """The value of ``σk`` or ``γs``; refused if 0 or below, as no finite noise suffices.

    Args:
        quantity: name in the refusal.
        value: to check.

    Raises:
        NoFiniteNoise: the value is 0, below, or NaN.
    """
    if not value > 0:
        raise NoFiniteNoise(quantity)
    return value
