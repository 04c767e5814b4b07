r"""Theorems 10 to 13: the paper's expressions for ‖μ_i − μ_i^{DP}‖₂, hidden constant 1, term by term.

They are computable expressions and not theorems: they rest on a perturbation step that holds around orthogonal tensors
only, and on one that ignores what the truncation to k directions does. In the paper's own setting all four are above
√2, the largest distance of two distributions, where a bound says nothing.
"""

import math

from dplda import _check
from dplda.configurations.published import GAMMA, SIGMA
from dplda.errors import NoFiniteNoise
from dplda.theorems.readings import CHANGES, Bound, Reading, Term
from dplda.theorems.spectrum import Spectrum


def config_1(
    spectrum: Spectrum,
    *,
    n_documents: int,
    tau_3: float,
    tau_4: float,
    tau_8: float,
    reading: Reading = Reading.RECOMMENDED,
) -> Bound:
    r"""Theorem 10, noise on e3, e4 and e8.

    Args:
        spectrum: of the corpus or population.
        n_documents: ``N``.
        tau_3: ``τ3``, standard deviation per unit of sensitivity of the noise on ``M3``.
        tau_4: ``τ4`` of the noise on ``M2`` for W.
        tau_8: ``τ8`` of the noise on ``M2`` for W†.
        reading: of the print.

    Raises:
        NoFiniteNoise: γs is 0.
    """
    _check_taus(n_documents, tau_3, tau_4, tau_8)
    changes = CHANGES[reading]
    gamma = _positive(GAMMA, spectrum.gamma_s)
    sigma, root_d = spectrum.sigma_k, math.sqrt(spectrum.n_words)
    triples = root_d * tau_3 / (n_documents * math.pow(sigma, 1.5))
    whitening = (root_d * tau_4 / (n_documents * math.pow(sigma, 1.5))) ** 3
    last = whitening
    if Reading.FIRST_POWER in changes:
        last = (root_d * tau_4 / (n_documents * sigma)) ** 3
    if Reading.TELESCOPED in changes:
        whitening = last = root_d * tau_4 / (n_documents * math.pow(sigma, 2.5))
    stretch = math.sqrt(spectrum.n_topics) / gamma
    first = math.sqrt(spectrum.sigma_1) * stretch * (whitening + triples)
    third = _noisy_root(spectrum, n_documents, tau_8) * stretch * (last + triples)
    return _bound("Theorem 10", spectrum, reading, first, _back(spectrum, n_documents, tau_8), third, ("e3", "e4"))


def config_2(
    spectrum: Spectrum,
    *,
    n_documents: int,
    tau_6: float,
    tau_8: float,
    sigma_lower: float,
    reading: Reading = Reading.RECOMMENDED,
) -> Bound:
    r"""Theorem 11, noise on e6 and e8.

    Args:
        spectrum: of the corpus or population.
        n_documents: ``N``.
        tau_6: ``τ6`` of the noise on ``T``.
        tau_8: ``τ8`` of the noise on ``M2`` for W†.
        sigma_lower: ``σ̃k``, private lower bound of ``σk``.
        reading: of the print.

    Raises:
        NoFiniteNoise: ``σ̃k`` or γs is not positive.
    """
    return _through_tensor(
        "Theorem 11", spectrum, n_documents, "e6", tau_6, tau_8, sigma_lower, spectrum.gamma_s, 2.5, reading
    )


def config_3(
    spectrum: Spectrum,
    *,
    n_documents: int,
    tau_7: float,
    tau_8: float,
    sigma_lower: float,
    gamma_lower: float,
    reading: Reading = Reading.RECOMMENDED,
) -> Bound:
    r"""Theorem 12, noise on e7 and e8.

    Args:
        spectrum: of the corpus or population.
        n_documents: ``N``.
        tau_7: ``τ7`` of the noise on eigenvalues and vectors.
        tau_8: ``τ8`` of the noise on ``M2`` for W†.
        sigma_lower: ``σ̃k``, private lower bound of ``σk``.
        gamma_lower: ``γ̃s``, private lower bound of ``γs``.
        reading: of the print.

    Raises:
        NoFiniteNoise: a lower bound is not positive.
    """
    if Reading.WITHOUT_LOWER_BOUNDS in CHANGES[reading]:
        _positive(GAMMA, gamma_lower)
        gamma_lower = spectrum.gamma_s
    return _through_tensor(
        "Theorem 12", spectrum, n_documents, "e7", tau_7, tau_8, sigma_lower, gamma_lower, 2.0, reading
    )


def config_4(
    spectrum: Spectrum,
    *,
    n_documents: int,
    tau_9: float,
    sigma_lower: float,
    gamma_lower: float,
    reading: Reading = Reading.RECOMMENDED,
) -> Bound:
    r"""Theorem 13, noise on e9: :math:`\sqrt{σ_1 d}\,k^2 τ_9/(γ̃_s N σ̃_k^{3/2})`.

    Args:
        spectrum: of the corpus or population.
        n_documents: ``N``.
        tau_9: ``τ9`` of the noise on topics (printed once as that of e7).
        sigma_lower: ``σ̃k``, private lower bound of ``σk``.
        gamma_lower: ``γ̃s``, private lower bound of ``γs``.
        reading: of the print.

    Raises:
        NoFiniteNoise: a lower bound is not positive.
    """
    _check_taus(n_documents, tau_9)
    sigma, gamma = _positive(SIGMA, sigma_lower), _positive(GAMMA, gamma_lower)
    if Reading.WITHOUT_LOWER_BOUNDS in CHANGES[reading]:
        sigma, gamma = spectrum.sigma_k, _positive(GAMMA, spectrum.gamma_s)
    value = math.sqrt(spectrum.sigma_1 * spectrum.n_words) * spectrum.n_topics**2 * tau_9
    value /= gamma * n_documents * math.pow(sigma, 1.5)
    if Reading.WITH_PREFACTOR in CHANGES[reading]:
        value *= spectrum.coefficients.eigenvalue_to_topic() * spectrum.lambda_1
    return Bound("Theorem 13", reading.value, (Term("noise on the topics", ("e9",), value),))


def _through_tensor(
    source: str,
    spectrum: Spectrum,
    n_documents: int,
    edge: str,
    tau: float,
    tau_8: float,
    sigma_lower: float,
    gamma: float,
    last_power: float,
    reading: Reading,
) -> Bound:
    """Theorems 11 and 12, which differ in the power of k in the last term and in whose γs it is."""
    _check_taus(n_documents, tau, tau_8)
    changes, k = CHANGES[reading], spectrum.n_topics
    sigma, gamma = _positive(SIGMA, sigma_lower), _positive(GAMMA, gamma)
    if Reading.WITHOUT_LOWER_BOUNDS in changes:
        sigma = spectrum.sigma_k
    noise = tau / (gamma * n_documents)
    first = math.sqrt(spectrum.sigma_1) * math.pow(k, 1.25 if Reading.ROOT_OVER_K in changes else 2.5)
    first *= noise / math.pow(sigma, 1.5)
    below = spectrum.sigma_1 if Reading.LARGEST_BELOW in changes else sigma
    third = _noisy_root(spectrum, n_documents, tau_8) * math.pow(k, last_power) * noise / math.pow(below, 1.5)
    return _bound(source, spectrum, reading, first, _back(spectrum, n_documents, tau_8), third, (edge,))


def _bound(
    source: str, spectrum: Spectrum, reading: Reading, first: float, back: float, third: float, edges: tuple[str, ...]
) -> Bound:
    if Reading.WITH_PREFACTOR in CHANGES[reading]:
        A = spectrum.coefficients.eigenvalue_to_topic()
        first, back, third = A * spectrum.lambda_1 * first, A * spectrum.lambda_1 * back, A * third
    terms = (
        Term("direction of the factors", edges, first),
        Term("unwhitening", ("e8",), back),
        Term("size of the factors", (*edges, "e8"), third),
    )
    return Bound(source, reading.value, terms)


def _back(spectrum: Spectrum, n_documents: int, tau_8: float) -> float:
    return math.sqrt(spectrum.sigma_1 * spectrum.n_words) * tau_8 / (spectrum.sigma_k * n_documents)


def _noisy_root(spectrum: Spectrum, n_documents: int, tau_8: float) -> float:
    return math.sqrt(spectrum.sigma_1 + math.sqrt(spectrum.n_words) * tau_8 / n_documents)


def _positive(quantity: str, value: float) -> float:
    if not value > 0:
        raise NoFiniteNoise(quantity)
    return value


def _check_taus(n_documents: int, *taus: float) -> None:
    _check.integer_at_least("n_documents", n_documents, 3)
    for tau in taus:
        _check.at_least("τ", tau, 0)
