r"""Noise on the moments themselves, as published.

Noise has standard deviation Δτ with :math:`τ = \sqrt{2\ln(1.25/δ_i)}/ε_i`, ε and δ are split and added up,
sensitivities are the printed ones with hidden constant 1, and Procedure 1 replaces :math:`σ_k` and :math:`γ_s` by
private lower bounds. Several of these steps have no valid proof; they are here to be compared and explained.
"""

import math
from dataclasses import replace

import numpy as np

from dplda.core.errors import NoFiniteNoise, NoTopics
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.flow import Edge
from dplda.methods.configurations import sizes
from dplda.methods.configurations.route import MomentRoute
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import BudgetUnit, Calibration, Variant
from dplda.privacy.accounting.composition import classic_multiplier
from dplda.privacy.noise.layouts import SymmetricMatrix, SymmetricTensor
from dplda.privacy.noise.whitened_layouts import WhitenedMoment
from dplda.privacy.release import Status
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.statistics import PairMoment
from dplda.spectral.tensor import Components
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import Whitening, told_afterwards

LEAST_ALPHA = (
    1e-200  # for a parameter made 0 or negative by noise: its eigenvalue is large but finite
)

_MOMENT = "1/N as printed; a document can move M₂ by √(2 + 4a²)/N."
AHEAD = Quantity("e4", "M₂", "pair moment", Edge.E4, _MOMENT, sizes.pair_moment)
BEHIND = Quantity("e8", "M₂", "pair moment", Edge.E8, _MOMENT, sizes.pair_moment)
TRIPLES = Quantity(
    "e3",
    "M₃",
    "triple moment, seen whitened",
    Edge.E3,
    "1/N as printed; a document can move M₃ further, by at least √2/N.",
    sizes.triple_moment,
)
SIGMA, GAMMA = "σk", "γs"
TENSOR = Quantity(
    "e6",
    "T",
    "whitened tensor",
    Edge.E6,
    "k^1.5/(N σ̃k^1.5) as printed, from a false lemma: two neighbors exist whose T differ by a constant.",
    sizes.tensor,
    (SIGMA,),
)
FACTORS = Quantity(
    "e7",
    "v, λ",
    "eigenvectors and eigenvalues of T",
    Edge.E7,
    "k²/(γ̃s N σ̃k^1.5) as printed, for one vector and used for all; its theorem does not apply here.",
    sizes.factors,
    (SIGMA, GAMMA),
)
TOPICS = Quantity(
    "e9",
    "μ, α",
    "topics and Dirichlet parameters",
    Edge.E9,
    "k² √σ₁/(γ̃s N σ̃k^1.5) as printed, for one topic and used for all; σ₁ itself is used unprotected.",
    sizes.topics,
    (SIGMA, GAMMA),
)


def lower_sigma(edge: Edge) -> Quantity:
    """The bound on ``σk``, released where it is first needed."""
    why = "1/N as printed; a document can move σk by up to 2/N."
    return Quantity(SIGMA, SIGMA, "k-th singular value of M2", edge, why, sizes.eigenvalue)


def lower_gamma(edge: Edge) -> Quantity:
    """The bound on ``γs``, released where it is first needed."""
    why = "1/N as printed; a document's effect on γs has no such bound."
    return Quantity(
        GAMMA, GAMMA, "a quarter of the smallest eigenvalue gap of T", edge, why, sizes.tensor_gap
    )


class PublishedRoute(MomentRoute):
    """Configurations 1 to 4 as printed; the budget's quantities decide which edges are noised."""

    def e4(self, pairs: PairMoment) -> PairMoment:
        """Noise of standard deviation τ/N on M2 for W (configuration 1)."""
        return self._noisy_moment(pairs, AHEAD)

    def e8(self, pairs: PairMoment, ahead: PairMoment) -> PairMoment:
        """Noise of standard deviation τ/N on M2 for W† (configurations 1 to 3)."""
        return self._noisy_moment(pairs, BEHIND)

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Records how much of M2's directions the noise left, for readers; the algorithm does not use it."""
        forward, back = super().align(forward, back)
        forward = told_afterwards(forward, self._entry_noise(AHEAD))
        return forward, told_afterwards(back, self._entry_noise(BEHIND), at_most=forward.rising)

    def triples(
        self, statistics: CorpusStatistics, whitening: Whitening, pairs: PairMoment
    ) -> Tensor3:
        """Noise of standard deviation τ/N on M3 (configuration 1), drawn whitened."""
        tensor = statistics.third_moment(whitening.whitener)
        if not self._has(TRIPLES):
            return tensor
        layout, sensitivity = WhitenedMoment(whitening.whitener), 1 / self.shape.n_documents
        return self.mechanisms.gaussian(
            TRIPLES, tensor, layout, sensitivity=sensitivity, mu=self._mu(TRIPLES)
        )

    def e6(self, tensor: Tensor3, whitening: Whitening) -> Tensor3:
        """Noise for :math:`Δ_T = k^{1.5}/(N σ̃_k^{1.5})` on the whitened tensor (configuration 2)."""
        if not self._has(TENSOR):
            return tensor
        layout, sensitivity = (
            SymmetricTensor(len(tensor)),
            self._tensor_sensitivity(whitening, Edge.E6),
        )
        return self.mechanisms.gaussian(
            TENSOR, tensor, layout, sensitivity=sensitivity, mu=self._mu(TENSOR)
        )

    def e7(self, components: Components, whitening: Whitening) -> Components:
        r"""Noise for :math:`Δ = k^2/(γ̃_s N σ̃_k^{1.5})` on every eigenvalue and vector (configuration 3)."""
        if not self._has(FACTORS):
            return components
        sensitivity = self._factor_sensitivity(components, whitening, Edge.E7)
        stacked = np.vstack([components.vectors, components.eigenvalues])
        noisy = self._noisy(FACTORS, stacked, sensitivity)
        return replace(components, vectors=noisy[:-1], eigenvalues=noisy[-1])

    def e9(self, topics: RawTopics, components: Components, whitening: Whitening) -> RawTopics:
        r"""Noise for :math:`Δ = k^2\sqrt{σ_1}/(γ̃_s N σ̃_k^{1.5})` on all topics and parameters (configuration 4)."""
        if not components.tried and SIGMA in self.budget.portions:
            raise NoTopics(
                "no eigenvalue of the pair moment is above zero, so there is no σk to scale the noise by",
                "Use more or longer documents.",
            )
        if not self._has(TOPICS):
            return topics
        sensitivity = self._factor_sensitivity(components, whitening, Edge.E9)
        sensitivity *= math.sqrt(float(whitening.spectrum[0]))
        stacked = np.column_stack([topics.words, topics.alpha])
        noisy = self._noisy(TOPICS, stacked, sensitivity)
        words, alpha = noisy[:, :-1], noisy[:, -1]
        weights = np.maximum(alpha, 0)
        eigenvalues = self.coefficients.eigenvalues(np.maximum(alpha, LEAST_ALPHA))
        return RawTopics(words, alpha, _weighted_mean(words, weights), eigenvalues)

    def _has(self, quantity: Quantity) -> bool:
        return quantity.name in self.budget.portions

    def _mu(self, quantity: Quantity) -> float:
        fraction = self.budget.portions[quantity.name]
        return 1 / classic_multiplier(fraction * self.budget.epsilon, fraction * self.budget.delta)

    def _noisy(self, of: Quantity, value: Matrix, sensitivity: float) -> Matrix:
        return self.mechanisms.vector(
            of, value.ravel(), sensitivity=sensitivity, mu=self._mu(of)
        ).reshape(value.shape)

    def _noisy_moment(self, pairs: PairMoment, released: Quantity) -> PairMoment:
        if not self._has(released):
            return pairs
        matrix, n = pairs.matrix(), self.shape.n_documents
        layout = SymmetricMatrix(len(matrix))
        noisy = self.mechanisms.gaussian(
            released, matrix, layout, sensitivity=1 / n, mu=self._mu(released)
        )
        # The published algorithm takes the leading k eigenpairs as they come: whitening is not told the noise level.
        return PairMoment(noisy)

    def _entry_noise(self, released: Quantity) -> float:
        return self.mechanisms.noise_std_of(released) / math.sqrt(2) if self._has(released) else 0.0

    def _tensor_sensitivity(self, whitening: Whitening, edge: Edge) -> float:
        k, n = self.shape.n_topics, self.shape.n_documents
        sigma = self._lower_bound(lower_sigma(edge), float(whitening.spectrum[k - 1]))
        return math.pow(k / sigma, 1.5) / n

    def _factor_sensitivity(
        self, components: Components, whitening: Whitening, edge: Edge
    ) -> float:
        eigenvalues = np.append(np.sort(np.abs(components.eigenvalues))[::-1], 0.0)
        gamma = float(np.min(-np.diff(eigenvalues))) / 4
        tensor = self._tensor_sensitivity(whitening, edge)
        return math.sqrt(self.shape.n_topics) * tensor / self._lower_bound(lower_gamma(edge), gamma)

    def _lower_bound(self, quantity: Quantity, value: float) -> float:
        """Procedure 1: Laplace noise of scale 1/(Nε1), shifted down by (2/(Nε1)) ln(1/(2δ1)), both as printed."""
        fraction = self.budget.portions[quantity.name]
        epsilon, delta = fraction * self.budget.epsilon, fraction * self.budget.delta
        noisy = self.mechanisms.laplace_number(
            quantity, value, sensitivity=1 / self.shape.n_documents, epsilon=epsilon
        )
        lower = noisy - 2 / (self.shape.n_documents * epsilon) * math.log(1 / (2 * delta))
        if lower <= 0:
            raise NoFiniteNoise(quantity.symbol)
        return lower


def _weighted_mean(words: Matrix, weights: Vector) -> Vector:
    total = float(np.sum(weights))
    return np.asarray(
        weights @ words / total if total > 0 else np.mean(words, axis=0), dtype=np.float64
    )


def _published(quantities: tuple[Quantity, ...], *gaps: str) -> Variant:
    return Variant(
        calibration=Calibration.PUBLISHED,
        shares=tuple((quantity, 1 / len(quantities)) for quantity in quantities),
        status=Status.AS_PUBLISHED,
        rests_on=gaps,
        route=PublishedRoute,
        unit=BudgetUnit.EPSILON,
    )


MOMENT_GAP = "The noise is scaled to a sensitivity of 1/N; the true ones are 1.4/N to 2.4/N for M2 and up to 3.7/N for M3."
TENSOR_GAP = (
    "The whitened tensor's sensitivity rests on a false lemma: two neighboring corpora have tensors that differ by a"
    " constant however large N is."
)
BASIS_GAP = "The tensor uses the basis of the exact whitening, unwhitening that of a noisy one."
FACTOR_GAP = (
    "The stability of the decomposition holds around orthogonal tensors only, and the noise for k vectors is scaled to"
    " one; no correction is known."
)

SCALE_GAP = (
    "The noise is scaled by the largest singular value of M2, which is used without protection."
)

CONFIG_1_PUBLISHED = _published((TRIPLES, AHEAD, BEHIND), MOMENT_GAP)
CONFIG_2_PUBLISHED = _published(
    (lower_sigma(Edge.E6), TENSOR, BEHIND), TENSOR_GAP, BASIS_GAP, MOMENT_GAP
)
CONFIG_3_PUBLISHED = _published(
    (lower_sigma(Edge.E7), lower_gamma(Edge.E7), FACTORS, BEHIND),
    FACTOR_GAP,
    TENSOR_GAP,
    BASIS_GAP,
    MOMENT_GAP,
)
CONFIG_4_PUBLISHED = _published(
    (lower_sigma(Edge.E9), lower_gamma(Edge.E9), TOPICS), FACTOR_GAP, TENSOR_GAP, SCALE_GAP
)
