"""The few numbers that sensitivities, bounds and conditions depend on.

Interactive results use only these and public numbers, so a slider never reads a document.
"""

import math
from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError, NoTopics
from dplda.core.types import Matrix, Vector
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import ProblemSize
from dplda.methods.configurations.chain.spectral_details import SpectralDetails
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.population import Population
from dplda.spectral.tensor import Components
from dplda.spectral.whitening import Whitening

RANK_TOLERANCE = 1e-12
"""Smallest over largest eigenvalue up to which topics count as linearly dependent."""


@dataclass(frozen=True, slots=True, eq=False)
class Spectrum:
    """The numbers of a corpus or population that the theorems use.

    Attributes:
        n_words: ``d``, at least 2.
        alpha0: ``α0``.
        pair_eigenvalues: ``σ``, shape (k + 1,), leading eigenvalues of the unscaled ``M2``, largest
            first; the last is the first one dropped, 0 in a population.
        tensor_eigenvalues: ``λ``, shape (k,), of the whitened tensor ``T``, largest first,
            positive.
        largest_word: largest entry of ``E1``, in (0, 1].
        largest_pair: largest entry of ``E2``, in (0, 1].
    """

    n_words: int
    alpha0: float
    pair_eigenvalues: Vector
    tensor_eigenvalues: Vector
    largest_word: float
    largest_pair: float

    def __post_init__(self) -> None:
        """Refuse numbers out of range, eigenvalues that do not descend, and wrong counts of them.

        M2 has k + 1 eigenvalues and the tensor k; ``σk`` and ``λk`` must be above 0. A refusal is
        an ``InputError``. The largest word and the largest pair are not checked.
        """
        checks.integer_at_least("n_words", self.n_words, 2)
        checks.alpha0(self.alpha0)
        _check_descending("pair_eigenvalues", self.pair_eigenvalues)
        _check_descending("tensor_eigenvalues", self.tensor_eigenvalues)
        n_expected = len(self.tensor_eigenvalues) + 1
        n_given = len(self.pair_eigenvalues)
        if n_given != n_expected:
            limit = f"{n_expected} numbers, one more than topics"
            raise InputError("pair_eigenvalues", limit, f"{n_given}")
        checks.positive("σk", self.sigma_k)
        checks.positive("λk", float(self.tensor_eigenvalues[-1]))

    @property
    def n_topics(self) -> int:
        """``k``."""
        return len(self.tensor_eigenvalues)

    @property
    def coefficients(self) -> Coefficients:
        """The Dirichlet coefficients at ``alpha0``."""
        return Coefficients(self.alpha0)

    @property
    def sigma_1(self) -> float:
        """``σ1(M2)``."""
        return float(self.pair_eigenvalues[0])

    @property
    def sigma_k(self) -> float:
        """``σk(M2)``."""
        return float(self.pair_eigenvalues[-2])

    @property
    def sigma_next(self) -> float:
        """``σk+1(M2)``, at least 0: on short documents the next eigenvalue can be negative."""
        return max(0.0, float(self.pair_eigenvalues[-1]))

    @property
    def gap(self) -> float:
        """``σk − σk+1``."""
        return self.sigma_k - self.sigma_next

    @property
    def gamma_s(self) -> float:
        """``γs = min_i (λ_i − λ_{i+1})/4``, ``λ_{k+1} = 0``; 0 where two topics are equal."""
        values_and_zero = np.append(self.tensor_eigenvalues, 0.0)
        gaps = -np.diff(values_and_zero)
        return float(np.min(gaps)) / 4

    @property
    def lambda_1(self) -> float:
        """``λ1(T)``, the paper's ``σ1(T)``."""
        return float(self.tensor_eigenvalues[0])

    @property
    def third_moment_norm(self) -> float:
        r"""A bound on the operator norm of ``M3``, ``σ1^{3/2} λ1``.

        For :math:`M_3(x,x,x) = T(B^⊤x, …)`.
        """
        return math.pow(self.sigma_1, 1.5) * self.lambda_1


def _check_descending(name: str, eigenvalues: Vector) -> None:
    """Refuse eigenvalues that are not finite, or not in descending order."""
    checks.finite(name, eigenvalues)
    if np.any(np.diff(eigenvalues) > 0):
        raise InputError(name, "in descending order", "another order")


def from_population(population: Population) -> Spectrum:
    """The exact spectrum of an LDA model; costs O(d k²).

    Raises:
        NoTopics: the topics are linearly dependent, or one has no weight.
    """
    if not np.all(population.alpha > 0):
        raise NoTopics("a topic has no weight in the corpus", "Use fewer topics.")
    alpha0 = population.alpha0
    mean_words = population.mean_words()
    topic_weights = population.alpha / (alpha0 * (alpha0 + 1))
    root_weights = np.sqrt(topic_weights)
    weighted_topics: Matrix = population.topics * root_weights[:, None]
    gram = weighted_topics @ weighted_topics.T  # has the non-zero eigenvalues of M2
    pair_eigenvalues = np.linalg.eigvalsh(gram)[::-1]
    smallest_independent = RANK_TOLERANCE * pair_eigenvalues[0]
    if pair_eigenvalues[-1] <= smallest_independent:
        raise NoTopics("the topics are linearly dependent", "Use fewer topics.")
    coefficients = Coefficients(alpha0)
    tensor_eigenvalues = coefficients.eigenvalues(population.alpha)
    return Spectrum(
        n_words=population.topics.shape[1],
        alpha0=alpha0,
        pair_eigenvalues=np.append(pair_eigenvalues, 0.0),
        tensor_eigenvalues=-np.sort(-tensor_eigenvalues),
        largest_word=float(np.max(mean_words)),
        largest_pair=_largest_pair(weighted_topics.T, mean_words, coefficients),
    )


def from_fit(fit: FitResult) -> Spectrum:
    """The spectrum of an un-noised spectral fit.

    Keep it with the curator unless the corpus is public.

    Raises:
        InputError: the fit is not spectral, has a plan, or has no whitening, as after passes.
        NoTopics: fewer directions than topics were found.
    """
    details = fit.details
    if not isinstance(details, SpectralDetails) or details.plan or details.whitening is None:
        raise InputError(
            "fit",
            "spectral, un-noised, without passes",
            "another one",
            "Fit without plan and refine.",
        )
    return from_unnoised(details.size, fit.topics.mean_words, details.whitening, details.components)


def from_unnoised(
    size: ProblemSize, mean_words: Vector, whitening: Whitening, components: Components | None
) -> Spectrum:
    """The spectrum from the parts of an un-noised fit.

    Args:
        size: numbers of words and topics, and α0.
        mean_words: ``E1``, shape (d,).
        whitening: of the exact pair moment.
        components: of the exact whitened tensor; None where no direction was found.

    Returns:
        With 0 as the (k + 1)-th pair eigenvalue if there are only k words. The largest pair is that
        of ``M2`` at rank k.

    Raises:
        NoTopics: fewer directions than topics were found.
    """
    k = size.n_topics
    if components is None or whitening.resolved < k:
        raise NoTopics(
            f"only {whitening.resolved} of {k} topics have an eigenvalue above 0",
            "Ask for fewer topics.",
        )
    return Spectrum(
        n_words=size.n_words,
        alpha0=size.alpha0,
        pair_eigenvalues=np.append(whitening.spectrum, 0.0)[: k + 1],
        tensor_eigenvalues=components.eigenvalues,
        largest_word=float(np.max(mean_words)),
        largest_pair=_largest_pair(whitening.unwhitener, mean_words, size.coefficients),
    )


def _largest_pair(unwhitener: Matrix, mean_words: Vector, coefficients: Coefficients) -> float:
    """Largest entry of ``E2 = B Bᵀ + a E1 E1ᵀ``: positive semidefinite, so it lies on the diagonal.

    Args:
        unwhitener: ``B``, shape (d, k), a root of ``M2``.
        mean_words: ``E1``, shape (d,).
        coefficients: of the moments.
    """
    diagonal = np.sum(unwhitener**2, axis=1) + coefficients.a * mean_words**2
    return float(np.max(diagonal))
