"""Exact moments of an LDA population: the limit of an infinite corpus."""

from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix, Tensor3, Vector


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """A source of exact moments: an LDA model's topics ``μ``, (k, d), and ``α > 0``, (k,).

    Attributes:
        topics: ``μ``, shape (k, d), rows on the simplex.
        alpha: ``α``, shape (k,), above 0.
    """

    topics: Matrix
    alpha: Vector

    @property
    def alpha0(self) -> float:
        """Sum of the Dirichlet's parameters."""
        return float(np.sum(self.alpha))

    def mean_words(self) -> Vector:
        """``E1 = Σ (α_i/α0) μ_i``, shape (d,)."""
        weights = self.alpha / self.alpha0
        return weights @ self.topics

    def pair_moment(self) -> Matrix:
        """``M2 = Σ α_i/(α0(α0+1)) μ_i⊗μ_i``, shape (d, d)."""
        alpha0 = self.alpha0
        weighted_topics = self.topics.T * self.alpha / (alpha0 * (alpha0 + 1))
        return np.asarray(weighted_topics @ self.topics)

    def third_moment(self, whitener: Matrix) -> Tensor3:
        """``M3(W, W, W)`` with ``M3 = Σ 2α_i/(α0(α0+1)(α0+2)) μ_i⊗μ_i⊗μ_i``, shape (k, k, k)."""
        alpha0 = self.alpha0
        weights = 2 * self.alpha / (alpha0 * (alpha0 + 1) * (alpha0 + 2))
        projections = self.topics @ whitener
        moment = np.einsum(
            "a,ai,aj,am->ijm", weights, projections, projections, projections, optimize=True
        )
        return np.asarray(moment)
