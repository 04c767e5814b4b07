r"""Theorems 4 to 7: how far one document moves each quantity, as published with constant 1, and what is true beside.

Everything is for replacing one document of N, N public, in the unscaled convention for the moments.
"""

import math
from dataclasses import dataclass

from dplda import _check
from dplda.errors import NoFiniteNoise
from dplda.privacy import sensitivity
from dplda.privacy.rounding import eigensolver
from dplda.spectral.cumulants import Coefficients
from dplda.theorems.spectrum import Spectrum


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """A theorem's number and the truth.

    Attributes:
        theorem: e.g. ``"Theorem 4"``.
        quantity: its symbol.
        norm: in which changes are measured.
        published: as the theorem states it, hidden constant 1.
        published_in_full: as its proof in the appendix has it, constants included.
        proven: a bound that holds for every pair of neighbours; infinite where none is known.
        remark: a sentence on how they differ.
    """

    theorem: str
    quantity: str
    norm: str
    published: float
    published_in_full: float
    proven: float
    remark: str


def pair_moment_l1(*, n_documents: int, alpha0: float) -> float:
    """L1 sensitivity of ``M2``: ``(2 + 4a)/N``, attained; the paper's H.1, which its Theorem 4 contradicts."""
    return (2 + 4 * Coefficients(alpha0).a) / n_documents


def triple_moment_l1(*, n_documents: int, alpha0: float) -> float:
    """L1 sensitivity of ``M3``: ``(2 + 12|b| + 6c)/N``, attained by documents of one word each."""
    c = Coefficients(alpha0)
    return (2 + 12 * abs(c.b) + 6 * c.c) / n_documents


def triple_moment_h2(*, n_documents: int, alpha0: float) -> float:
    """What H.2 prints for ``M3``: ``2/N + 4|b|/N + 6c (N−1)/(N(N−2))``; two of three cross terms are forgotten."""
    _check.integer_at_least("n_documents", n_documents, 3)
    n, c = n_documents, Coefficients(alpha0)
    return (2 + 4 * abs(c.b)) / n + 6 * c.c * (n - 1) / (n * (n - 2))


def whitened_tensor(*, n_documents: int, n_topics: int, sigma_k: float) -> float:
    """Theorem 5 with constant 1: ``k^{1.5}/(N σk^{1.5})``."""
    _refuse("σk", sigma_k)
    return math.pow(n_topics / sigma_k, 1.5) / n_documents


def whitened_tensor_64(*, n_documents: int, n_topics: int, alpha0: float, sigma_k: float, sigma_next: float) -> float:
    r"""Theorem 5 in full, the paper's (64), with ``Δ2`` and ``Δ3`` of its appendices H.1 and H.2.

    Returns:
        :math:`\Big(1 + \frac{6α_0}{α_0+2}\frac N{N-1} + \frac{6α_0^2}{(α_0+1)(α_0+2)}\frac{N^2}{(N-1)(N-2)}\Big)
        \frac{(2k)^{3/2} Δ_2^3}{(σ_k\sqrt m)^3} + \frac{Δ_3 k^{3/2}}{m^{3/2}}` with :math:`m = (σ_k + σ_{k+1})/2`.
    """
    _check.integer_at_least("n_documents", n_documents, 3)
    _refuse("σk", sigma_k)
    n, k, a0 = n_documents, n_topics, alpha0
    pair = pair_moment_l1(n_documents=n, alpha0=a0)
    triple = triple_moment_h2(n_documents=n, alpha0=a0)
    moment = 1 + 6 * a0 / (a0 + 2) * n / (n - 1) + 6 * a0**2 / ((a0 + 1) * (a0 + 2)) * n**2 / ((n - 1) * (n - 2))
    middle = (sigma_k + sigma_next) / 2
    first = moment * math.pow(2 * k, 1.5) * pair**3 / (sigma_k**3 * math.pow(middle, 1.5))
    return first + triple * math.pow(k / middle, 1.5)


def whitened_tensor_aligned(spectrum: Spectrum, *, n_documents: int) -> float:
    """Theorem 5′ at the spectrum itself, as if it were public; infinite where the gap does not exceed one document."""
    c, n, d = spectrum.coefficients, n_documents, spectrum.n_words
    return sensitivity.aligned_tensor(
        third=sensitivity.direct_triple_moment(n_documents=n, n_words=d, b=c.b, c=c.c),
        pair=sensitivity.direct_pair_moment(n_documents=n, a=c.a) + eigensolver(n_words=d),
        eigenvalue=spectrum.sigma_k,
        gap=spectrum.gap,
        pair_operator=sensitivity.pair_moment_eigenvalue(n_documents=n, n_words=d, a=c.a),
        unfolding=sensitivity.unfolding_bound(
            n_documents=n, b=c.b, c=c.c, largest_word=spectrum.largest_word, largest_pair=spectrum.largest_pair
        ),
    )


def factors(*, tensor: float, n_topics: int, gamma_s: float) -> float:
    """Theorem 6 with constant 1: ``√k Δ_T/γs``, which is ``k²/(γs N σk^{1.5})`` at Theorem 5's ``Δ_T``."""
    _refuse("γs", gamma_s)
    return math.sqrt(n_topics) * tensor / gamma_s


def topics(*, tensor: float, n_topics: int, gamma_s: float, sigma_1: float) -> float:
    """Theorem 7 with constant 1: ``√(k σ1) Δ_T/γs``, which is ``k²√σ1/(γs N σk^{1.5})`` at Theorem 5's ``Δ_T``."""
    return math.sqrt(sigma_1) * factors(tensor=tensor, n_topics=n_topics, gamma_s=gamma_s)


def topics_h5(spectrum: Spectrum, *, tensor: float, pair: float, gamma_s: float, printed: bool = False) -> float:
    r"""Theorem 7 in full, the paper's H.5.

    Args:
        spectrum: gives ``σ1``, ``σk``, ``λ1`` and ``α0``.
        tensor: ``Δ_T``.
        pair: ``Δ2``.
        gamma_s: ``γs`` or a lower bound on it.
        printed: whether the prefactor is the printed :math:`(α_0+2)/(2\sqrt{α_0(α_0+1)})`, which mixes two scalings,
            instead of ``A = (α0+2)/2``.

    Returns:
        :math:`Aλ_1\sqrt{σ_1}f + Aλ_1\frac{\sqrt{σ_1}}{σ_k}Δ_2 + A\sqrt{σ_1+Δ_2}\,f`, :math:`f = 2\sqrt kΔ_T/γ_s`.
    """
    a0, root = spectrum.alpha0, math.sqrt(spectrum.sigma_1)
    prefactor = spectrum.coefficients.eigenvalue_to_topic() / (math.sqrt(a0 * (a0 + 1)) if printed else 1.0)
    moved = 2 * factors(tensor=tensor, n_topics=spectrum.n_topics, gamma_s=gamma_s)
    first = spectrum.lambda_1 * root * (moved + pair / spectrum.sigma_k)
    return prefactor * (first + math.sqrt(spectrum.sigma_1 + pair) * moved)


def lower_bound(quantity: str, value: float, *, n_documents: int, epsilon: float, delta: float) -> float:
    r"""What Procedure 1 leaves of ``σk`` or ``γs`` where its Laplace noise is at its median, 0.

    Args:
        quantity: its symbol, for the refusal.
        value: of ``σk`` or ``γs``.
        n_documents: ``N``.
        epsilon: ε1, spent on this quantity.
        delta: δ1, the failure probability.

    Returns:
        :math:`value - \frac{2}{Nε_1}\ln\frac1{2δ_1}`, as printed.

    Raises:
        NoFiniteNoise: nothing is left; the paper's ``max{0, ·}`` would ask for infinite noise.
    """
    left = value - 2 / (n_documents * epsilon) * math.log(1 / (2 * delta))
    _refuse(quantity, left)
    return left


def theorem_4(*, n_documents: int, n_words: int, alpha0: float) -> tuple[Sensitivity, ...]:
    """``M2`` and ``M3``, in the L1 norm of the theorem and the Frobenius norm that Gaussian noise needs.

    Args:
        n_documents: ``N``.
        n_words: ``d``, which matters for rounding alone.
        alpha0: ``α0``.
    """
    n, c = n_documents, Coefficients(alpha0)
    pair, triple = pair_moment_l1(n_documents=n, alpha0=alpha0), triple_moment_l1(n_documents=n, alpha0=alpha0)
    h2 = triple_moment_h2(n_documents=n, alpha0=alpha0)
    pair_frobenius = sensitivity.direct_pair_moment(n_documents=n, a=c.a)
    triple_frobenius = sensitivity.direct_triple_moment(n_documents=n, n_words=n_words, b=c.b, c=c.c)
    average = sensitivity.triple_histogram(n_documents=n, n_words=n_words)
    name = "Theorem 4"
    return (
        Sensitivity(name, "M₂", "L1", 2 / n, pair, pair, "2/N is passed for every α0 > 0; the appendix is right."),
        Sensitivity(name, "M₃", "L1", 2 / n, h2, triple, "The appendix forgets two of three cross terms."),
        Sensitivity(
            name, "M₂", "Frobenius", 2 / n, pair, pair_frobenius, "Attained; noise is scaled to 1/N as published."
        ),
        Sensitivity(
            name, "M₃", "Frobenius", 2 / n, h2, triple_frobenius, "An upper bound; noise is scaled to 1/N as published."
        ),
        Sensitivity(name, "E₂, E₃", "histogram", 2 / n, h2, average, "Plain averages move by √2/N whatever α0 is."),
    )


def theorem_5(spectrum: Spectrum, *, n_documents: int) -> tuple[Sensitivity, ...]:
    """The whitened tensor: any frame, and the private frame of Theorem 5′."""
    n, k = n_documents, spectrum.n_topics
    short = whitened_tensor(n_documents=n, n_topics=k, sigma_k=spectrum.sigma_k)
    full = whitened_tensor_64(
        n_documents=n,
        n_topics=k,
        alpha0=spectrum.alpha0,
        sigma_k=spectrum.sigma_k,
        sigma_next=spectrum.sigma_next,
    )
    aligned = whitened_tensor_aligned(spectrum, n_documents=n)
    return (
        Sensitivity(
            "Theorem 5", "T", "Frobenius", short, full, math.inf, "Whitening by U Σ^{-1/2} jumps with the data."
        ),
        Sensitivity("Theorem 5′", "T, private frame", "Frobenius", short, full, aligned, "Proven at this spectrum."),
    )


def theorems_6_and_7(spectrum: Spectrum, *, n_documents: int) -> tuple[Sensitivity, ...]:
    """Factors and topics; no finite bound is proven for either.

    Raises:
        NoFiniteNoise: two topics are equally large, so that γs is 0.
    """
    n, k, gamma = n_documents, spectrum.n_topics, spectrum.gamma_s
    tensor = theorem_5(spectrum, n_documents=n)[0]
    short, full = tensor.published, tensor.published_in_full
    pair = pair_moment_l1(n_documents=n, alpha0=spectrum.alpha0)
    by_theorem_6 = factors(tensor=short, n_topics=k, gamma_s=gamma)
    in_full = 2 * factors(tensor=full, n_topics=k, gamma_s=gamma)
    return (
        Sensitivity(
            "Theorem 6", "v, λ", "L2", by_theorem_6, in_full, math.inf, "Holds around orthogonal tensors only."
        ),
        Sensitivity(
            "Theorem 7",
            "μ, α",
            "L2",
            topics(tensor=short, n_topics=k, gamma_s=gamma, sigma_1=spectrum.sigma_1),
            topics_h5(spectrum, tensor=full, pair=pair, gamma_s=gamma, printed=True),
            math.inf,
            "Rests on Theorem 6; distributions never differ by more than √2, which is useless.",
        ),
    )


def _refuse(quantity: str, value: float) -> None:
    if not value > 0:
        raise NoFiniteNoise(quantity)
