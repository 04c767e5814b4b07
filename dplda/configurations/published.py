r"""Noise on the moments themselves, as published.

As published, noise has standard deviation Δτ with :math:`τ = \sqrt{2\ln(1.25/δ_i)}/ε_i`, ε and δ are split and added
up, sensitivities are the printed ones with hidden constant 1, and Procedure 1 replaces :math:`σ_k` and :math:`γ_s` by
private lower bounds. Several of these steps have no valid proof; they are here to be compared and explained.
"""

import math
from dataclasses import replace

import numpy as np

from dplda._types import Tensor3, Vector
from dplda.configurations.route import Budget, Route, Shape, Statistics, Variant
from dplda.errors import NoFiniteNoise
from dplda.flow import Edge
from dplda.privacy.composition import classic_multiplier
from dplda.privacy.mechanisms import Mechanisms, ReleaseName
from dplda.privacy.release import Status
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.tensor import Components
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import Whitening, told_afterwards

SIGMA, GAMMA = "σk", "γs"
E3, E4, E6, E7, E8, E9 = "e3", "e4", "e6", "e7", "e8", "e9"
LEAST_ALPHA = 1e-200  # for a parameter that noise left at 0 or below: its eigenvalue is large and finite


class PublishedRoute(Route):
    """Configurations 1 to 4 as printed; which edges are noised is a matter of which quantities the budget names."""

    def __init__(self, shape: Shape, budget: Budget, mechanisms: Mechanisms) -> None:
        super().__init__(shape, budget, mechanisms)
        self._lower_sigma: float | None = None
        self._entry_noise: dict[Edge, float] = {}
        self._bounded = next((edge for edge in (Edge.E6, Edge.E7, Edge.E9) if edge.value in budget.split), Edge.E6)

    def e4(self, pairs: Averages | PairMoment) -> Averages | PairMoment:
        """Noise of standard deviation τ/N on M2 for W (configuration 1)."""
        return self._noisy_moment(pairs, Edge.E4) if E4 in self.budget.split else pairs

    def e8(self, pairs: Averages | PairMoment) -> Averages | PairMoment:
        """Noise of standard deviation τ/N on M2 for W† (configurations 1 to 3)."""
        return self._noisy_moment(pairs, Edge.E8) if E8 in self.budget.split else pairs

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Says what the noise on M2 left of its directions, for who reads the topics: the algorithm does not use it."""
        forward, back = super().align(forward, back)
        forward = told_afterwards(forward, self._entry_noise.get(Edge.E4, 0.0))
        return forward, told_afterwards(back, self._entry_noise.get(Edge.E8, 0.0), at_most=forward.rising)

    def triples(self, source: Statistics, whitening: Whitening, pairs: Averages | PairMoment) -> Tensor3:
        """Noise of standard deviation τ/N on M3 (configuration 1), drawn whitened."""
        tensor = source.third_moment(whitening.whitener)
        if E3 not in self.budget.split:
            return tensor
        return self.mechanisms.whitened_moment(
            ReleaseName(Edge.E3, "triple moment, seen whitened", "M₃"),
            tensor,
            whitening.whitener,
            sensitivity=1 / self.shape.n_documents,
            mu=self._mu(E3),
        )

    def e6(self, tensor: Tensor3, whitening: Whitening) -> Tensor3:
        """Noise for :math:`Δ_T = k^{1.5}/(N σ̃_k^{1.5})` on the whitened tensor (configuration 2)."""
        if E6 not in self.budget.split:
            return tensor
        return self.mechanisms.symmetric_tensor(
            ReleaseName(Edge.E6, "whitened tensor", "T"),
            tensor,
            sensitivity=self._tensor_sensitivity(whitening),
            mu=self._mu(E6),
        )

    def e7(self, components: Components, whitening: Whitening) -> Components:
        r"""Noise for :math:`Δ = k^2/(γ̃_s N σ̃_k^{1.5})` on every eigenvalue and vector (configuration 3)."""
        if E7 not in self.budget.split:
            return components
        sensitivity = self._factor_sensitivity(components, whitening)
        stacked = np.vstack([components.vectors, components.eigenvalues])
        noisy = self.mechanisms.vector(
            ReleaseName(Edge.E7, "eigenvectors and eigenvalues of T", "v, λ"),
            stacked.ravel(),
            sensitivity=sensitivity,
            mu=self._mu(E7),
        ).reshape(stacked.shape)
        return replace(components, vectors=noisy[:-1], eigenvalues=noisy[-1])

    def e9(self, topics: RawTopics, components: Components, whitening: Whitening) -> RawTopics:
        r"""Noise for :math:`Δ = k^2\sqrt{σ_1}/(γ̃_s N σ̃_k^{1.5})` on every topic and parameter (configuration 4)."""
        if E9 not in self.budget.split:
            return topics
        sensitivity = self._factor_sensitivity(components, whitening) * math.sqrt(float(whitening.spectrum[0]))
        stacked = np.column_stack([topics.words, topics.alpha])
        noisy = self.mechanisms.vector(
            ReleaseName(Edge.E9, "topics and Dirichlet parameters", "μ, α"),
            stacked.ravel(),
            sensitivity=sensitivity,
            mu=self._mu(E9),
        ).reshape(stacked.shape)
        words, alpha = noisy[:, :-1], noisy[:, -1]
        weights = np.maximum(alpha, 0)
        eigenvalues = self.coefficients.eigenvalues(np.maximum(alpha, LEAST_ALPHA))
        return RawTopics(words, alpha, _weighted_mean(words, weights), eigenvalues)

    def _mu(self, quantity: str) -> float:
        fraction = self.budget.split[quantity]
        return 1 / classic_multiplier(fraction * self.budget.epsilon, fraction * self.budget.delta)

    def _noisy_moment(self, pairs: Averages | PairMoment, edge: Edge) -> PairMoment:
        assert isinstance(pairs, PairMoment)
        noisy = self.mechanisms.isotropic_matrix(
            ReleaseName(edge, "pair moment", "M₂"),
            pairs.matrix(),
            sensitivity=1 / self.shape.n_documents,
            mu=self._mu(edge.value),
        )
        self._entry_noise[edge] = self.mechanisms.last_noise / math.sqrt(2)
        # The published algorithm takes the leading k eigenpairs as they come: whitening is not told the noise level.
        return PairMoment(noisy)

    def _tensor_sensitivity(self, whitening: Whitening) -> float:
        k, n = self.shape.n_topics, self.shape.n_documents
        if self._lower_sigma is None:
            sigma = float(whitening.spectrum[k - 1])
            self._lower_sigma = self._lower_bound(SIGMA, "k-th singular value of M2", sigma)
        return math.pow(k / self._lower_sigma, 1.5) / n

    def _factor_sensitivity(self, components: Components, whitening: Whitening) -> float:
        eigenvalues = np.append(np.sort(np.abs(components.eigenvalues))[::-1], 0.0)
        gamma = float(np.min(-np.diff(eigenvalues))) / 4
        tensor = self._tensor_sensitivity(whitening)
        lower_gamma = self._lower_bound(GAMMA, "quarter of the smallest eigenvalue gap of T", gamma)
        return math.sqrt(self.shape.n_topics) * tensor / lower_gamma

    def _lower_bound(self, quantity: str, words: str, value: float) -> float:
        """Procedure 1: Laplace noise of scale 1/(Nε1), shifted down by (2/(Nε1)) ln(1/(2δ1)), both as printed."""
        fraction = self.budget.split[quantity]
        epsilon, delta = fraction * self.budget.epsilon, fraction * self.budget.delta
        noisy = self.mechanisms.laplace_number(
            ReleaseName(self._bounded, words, quantity), value, sensitivity=1 / self.shape.n_documents, epsilon=epsilon
        )
        lower = noisy - 2 / (self.shape.n_documents * epsilon) * math.log(1 / (2 * delta))
        if lower <= 0:
            raise NoFiniteNoise(quantity)
        return lower


def _weighted_mean(words: np.ndarray[tuple[int, int], np.dtype[np.float64]], weights: Vector) -> Vector:
    total = float(np.sum(weights))
    if total <= 0:
        return np.asarray(np.mean(words, axis=0), dtype=np.float64)
    return np.asarray(weights @ words / total, dtype=np.float64)


def _published(quantities: tuple[str, ...], gaps: tuple[str, ...]) -> Variant:
    return Variant(
        default_split=tuple((name, 1 / len(quantities)) for name in quantities),
        status=Status.AS_PUBLISHED,
        rests_on=gaps,
        route=PublishedRoute,
    )


MOMENT_GAP = (
    "The noise is scaled to a sensitivity of 1/N; the true ones are 1.4/N to 2.4/N for M2 and up to 3.7/N for M3."
)
TENSOR_GAP = (
    "The whitened tensor's sensitivity rests on a false lemma: two neighbouring corpora exist whose tensors differ by a"
    " constant however large N is."
)
BASIS_GAP = "The tensor lives in the basis of the exact whitening, unwhitening in that of a noisy one."
FACTOR_GAP = (
    "The stability of the decomposition holds around orthogonal tensors only, and the noise for k vectors is scaled to"
    " one; no correction is known."
)

SCALE_GAP = "The noise is scaled by the largest singular value of M2, which is used as it is, without protection."

CONFIG_1_PUBLISHED = _published((E3, E4, E8), (MOMENT_GAP,))
CONFIG_2_PUBLISHED = _published((SIGMA, E6, E8), (TENSOR_GAP, BASIS_GAP, MOMENT_GAP))
CONFIG_3_PUBLISHED = _published((SIGMA, GAMMA, E7, E8), (FACTOR_GAP, TENSOR_GAP, BASIS_GAP, MOMENT_GAP))
CONFIG_4_PUBLISHED = _published((SIGMA, GAMMA, E9), (FACTOR_GAP, TENSOR_GAP, SCALE_GAP))
