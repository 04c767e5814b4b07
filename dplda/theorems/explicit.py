r"""Theorems 10 to 13 with explicit constants, following the paper's appendix I with its slips repaired.

Norms of Gaussian matrices, tensors and vectors are bounded with probability ``1 − η`` each; sensitivities are proven
ones where there are any, the paper's in full where not, and all of them in exact arithmetic: noise as published has no
allowance for rounding, which grows with N. The steps that the paper does not prove stay unproven.

.. math:: \|μ_i - μ_i^{DP}\| \le Aλ_1\sqrt{σ_1}\,f\|Φ\| + Aλ_1\frac{\sqrt{σ_1}}{σ_k}\|E_8\|
    + A\sqrt{σ_1+\|E_8\|}\,f\|Φ\|, \qquad f = 2\sqrt k/γ_s,\quad A = (α_0+2)/2.
"""

import math
from dataclasses import dataclass

from dplda import _check
from dplda.configurations.published import GAMMA, SIGMA
from dplda.errors import NoFiniteNoise
from dplda.privacy import sensitivity
from dplda.theorems import sensitivities
from dplda.theorems.readings import Bound, Term
from dplda.theorems.spectrum import Spectrum

NAME = "explicit constants"
COVERING = math.log(6 / math.log(1.5))  # ln(2K/K0), K = 3, K0 = ln(3/2)


@dataclass(frozen=True, slots=True)
class Given:
    """What all four have in common.

    Attributes:
        spectrum: of the corpus or population.
        n_documents: ``N``.
        failure: ``η``, probability that one norm passes its bound, in (0, 1).
    """

    spectrum: Spectrum
    n_documents: int
    failure: float = 0.05

    def __post_init__(self) -> None:
        _check.integer_at_least("n_documents", self.n_documents, 3)
        _check.between("failure", self.failure, 0, 1, open_ends=True)

    @property
    def pair(self) -> float:
        """Frobenius sensitivity of ``M2``."""
        return sensitivity.direct_pair_moment(n_documents=1, a=self.spectrum.coefficients.a) / self.n_documents

    @property
    def triple(self) -> float:
        """Frobenius sensitivity of ``M3``, proven."""
        c = self.spectrum.coefficients
        unit = sensitivity.direct_triple_moment(n_documents=1, n_words=self.spectrum.n_words, b=c.b, c=c.c)
        return unit / self.n_documents

    def tensor(self, sigma_lower: float) -> float:
        """The paper's (64) at a private lower bound."""
        _positive(SIGMA, sigma_lower)
        s = self.spectrum
        return sensitivities.whitened_tensor_64(
            n_documents=self.n_documents,
            n_topics=s.n_topics,
            alpha0=s.alpha0,
            sigma_k=sigma_lower,
            sigma_next=min(s.sigma_next, sigma_lower),
        )

    def matrix_norm(self, scale: float) -> float:
        """Bound on ``‖E‖`` of a d×d Gaussian matrix."""
        return scale * (2 * math.sqrt(self.spectrum.n_words) + 2 * math.sqrt(math.log(2 / self.failure)))

    def tensor_norm(self, scale: float, size: int) -> float:
        """Bound on the operator norm of a Gaussian tensor with three sides of this size."""
        return scale * math.sqrt(8 * (3 * size * COVERING + math.log(2 / self.failure)))

    def vector_norm(self, scale: float, size: int) -> float:
        """Bound on the length of a Gaussian vector."""
        log = math.log(1 / self.failure)
        return scale * math.sqrt(size + 2 * math.sqrt(size * log) + 2 * log)

    def assembled(self, source: str, factors: float, sizes: float, pair_noise: float, edges: tuple[str, ...]) -> Bound:
        """The three terms.

        Args:
            source: name of the theorem.
            factors: error of a factor's direction.
            sizes: error of its eigenvalue.
            pair_noise: ``‖E8‖``.
            edges: whose noise the first two are.
        """
        s = self.spectrum
        A, root = s.coefficients.eigenvalue_to_topic(), math.sqrt(s.sigma_1)
        terms = (
            Term("direction of the factors", edges, A * s.lambda_1 * root * factors),
            Term("unwhitening", ("e8",), A * s.lambda_1 * root / s.sigma_k * pair_noise),
            Term("size of the factors", (*edges, "e8"), A * math.sqrt(s.sigma_1 + pair_noise) * sizes),
        )
        return Bound(source, NAME, terms)


def config_1(given: Given, *, tau_3: float, tau_4: float, tau_8: float) -> Bound:
    r"""Theorem 10, with the whitening's error to the first power.

    .. math:: \|Φ\| \le 3\|M_3\| δ_W \max(\|W\|,\|\tilde W\|)^2 + \|E_3\|\|\tilde W\|^3,\quad
        δ_W = \frac{\|E_4\|}{σ_k\sqrt{σ_k/2}},\quad \|\tilde W\| \le (σ_k-\|E_4\|)^{-1/2}.

    Raises:
        NoFiniteNoise: the noise on M2 reaches σk, so that the noisy whitening is not bounded, or γs is 0.
    """
    s = given.spectrum
    pairs = given.matrix_norm(given.pair * tau_4)
    left = _positive(SIGMA, s.sigma_k - pairs)
    moved = pairs / (s.sigma_k * math.sqrt(s.sigma_k / 2))
    error = 3 * s.third_moment_norm * moved / left
    error += given.tensor_norm(given.triple * tau_3, s.n_words) * math.pow(left, -1.5)
    error *= _stretch(s)
    return given.assembled("Theorem 10", error, error, given.matrix_norm(given.pair * tau_8), ("e3", "e4"))


def config_2(given: Given, *, tau_6: float, tau_8: float, sigma_lower: float) -> Bound:
    """Theorem 11."""
    s = given.spectrum
    error = given.tensor_norm(given.tensor(sigma_lower) * tau_6, s.n_topics) * _stretch(s)
    return given.assembled("Theorem 11", error, error, given.matrix_norm(given.pair * tau_8), ("e6",))


def config_3(given: Given, *, tau_7: float, tau_8: float, sigma_lower: float, gamma_lower: float) -> Bound:
    """Theorem 12, with the factor 2√k of Theorem 6 (its proof prints √(2k)); noise is per factor, not joint."""
    k = given.spectrum.n_topics
    scale = 2 * math.sqrt(k) * given.tensor(sigma_lower) / _positive(GAMMA, gamma_lower) * tau_7
    sizes = scale * math.sqrt(2 * math.log(2 / given.failure))
    pairs = given.matrix_norm(given.pair * tau_8)
    return given.assembled("Theorem 12", given.vector_norm(scale, k), sizes, pairs, ("e7",))


def config_4(given: Given, *, tau_9: float, sigma_lower: float, gamma_lower: float) -> Bound:
    """Theorem 13, with Theorem 7 in full and the prefactor corrected."""
    s = given.spectrum
    pair = sensitivities.pair_moment_l1(n_documents=given.n_documents, alpha0=s.alpha0)
    moved = sensitivities.topics_h5(
        s, tensor=given.tensor(sigma_lower), pair=pair, gamma_s=_positive(GAMMA, gamma_lower)
    )
    value = given.vector_norm(moved * tau_9, s.n_words)
    return Bound("Theorem 13", NAME, (Term("noise on the topics", ("e9",), value),))


def _stretch(spectrum: Spectrum) -> float:
    """``f = 2√k/γs``."""
    return 2 * math.sqrt(spectrum.n_topics) / _positive(GAMMA, spectrum.gamma_s)


def _positive(quantity: str, value: float) -> float:
    if not value > 0:
        raise NoFiniteNoise(quantity)
    return value
