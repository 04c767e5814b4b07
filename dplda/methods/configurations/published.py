r"""Noise on the moments themselves, as published.

Noise has standard deviation Δτ with :math:`τ = \sqrt{2\ln(1.25/δ_i)}/ε_i`, independent on each
distinct entry of a symmetric array and mirrored, as the paper's Theorem 35 has it. ε and δ are
split and added up, sensitivities are the printed ones with hidden constant 1, and Procedure 1
replaces :math:`σ_k` and :math:`γ_s` by private lower bounds. Several of these steps have no valid
proof; they are here to be compared and explained.
"""

import math
from dataclasses import replace

import numpy as np

from dplda.core.errors import NoFiniteNoise, NoTopics
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.flow import Edge
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations import sizes
from dplda.methods.configurations.route import MomentRoute
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import BudgetUnit, Variant
from dplda.privacy.accounting.composition import classic_multiplier
from dplda.privacy.noise.layouts import MirroredMatrix, MirroredTensor
from dplda.privacy.noise.whitened_layouts import WhitenedEntries
from dplda.privacy.release import Status
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.statistics import PairMoment
from dplda.spectral.tensor import Components
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import Whitening, with_known_noise

MIN_ALPHA = 1e-200
"""In place of a parameter made 0 or negative by noise: its eigenvalue is large but finite."""
SIGMA = "σk"
GAMMA = "γs"

_MOMENT_REASON = "1/N as printed; a document can move M₂ by √(2 + 4a²)/N."
FORWARD = Quantity(
    name="e4",
    symbol="M₂",
    words="pair moment",
    edge=Edge.E4,
    reason=_MOMENT_REASON,
    measure=sizes.measure_mirrored_pair_moment,
)
BACK = Quantity(
    name="e8",
    symbol="M₂",
    words="pair moment",
    edge=Edge.E8,
    reason=_MOMENT_REASON,
    measure=sizes.measure_mirrored_pair_moment,
)
TRIPLES = Quantity(
    name="e3",
    symbol="M₃",
    words="triple moment, seen whitened",
    edge=Edge.E3,
    reason="1/N as printed; a document can move M₃ further, by at least √2/N.",
    measure=sizes.measure_mirrored_triple_moment,
)
TENSOR = Quantity(
    name="e6",
    symbol="T",
    words="whitened tensor",
    edge=Edge.E6,
    reason=(
        "k^1.5/(N σ̃k^1.5) as printed, from a false lemma: two neighbors exist whose T differ by a"
        " constant."
    ),
    measure=sizes.measure_mirrored_tensor,
    rests_on=(SIGMA,),
)
FACTORS = Quantity(
    name="e7",
    symbol="v, λ",
    words="eigenvectors and eigenvalues of T",
    edge=Edge.E7,
    reason=(
        "k²/(γ̃s N σ̃k^1.5) as printed, for one vector and used for all; its theorem does not apply"
        " here."
    ),
    measure=sizes.measure_factors,
    rests_on=(SIGMA, GAMMA),
)
TOPICS = Quantity(
    name="e9",
    symbol="μ, α",
    words="topics and Dirichlet parameters",
    edge=Edge.E9,
    reason=(
        "k² √σ₁/(γ̃s N σ̃k^1.5) as printed, for one topic and used for all; σ₁ itself is used"
        " unprotected."
    ),
    measure=sizes.measure_topics,
    rests_on=(SIGMA, GAMMA),
)


def sigma_bound_quantity(edge: Edge) -> Quantity:
    """Name the lower bound on ``σk``, the k-th singular value of M2.

    It is released on ``edge``, where it is first needed.
    """
    return Quantity(
        name=SIGMA,
        symbol=SIGMA,
        words="k-th singular value of M2",
        edge=edge,
        reason="1/N as printed; a document can move σk by up to 2/N.",
        measure=sizes.measure_eigenvalue,
    )


def gamma_bound_quantity(edge: Edge) -> Quantity:
    """Name the lower bound on ``γs``, a quarter of the smallest eigenvalue gap of T.

    It is released on ``edge``, where it is first needed.
    """
    return Quantity(
        name=GAMMA,
        symbol=GAMMA,
        words="a quarter of the smallest eigenvalue gap of T",
        edge=edge,
        reason="1/N as printed; a document's effect on γs has no such bound.",
        measure=sizes.measure_tensor_gap,
    )


class PublishedRoute(MomentRoute):
    """Configurations 1 to 4 as printed; the budget's quantities decide which edges are noised."""

    def e4(self, pairs: PairMoment) -> PairMoment:
        """Edge e4: noise of standard deviation τ/N on each entry of M2 for W (configuration 1)."""
        return self._release_moment(pairs, FORWARD)

    def e8(self, pairs: PairMoment, forward_pairs: PairMoment) -> PairMoment:
        """Edge e8: noise of standard deviation τ/N on each entry of M2 for W† (all but 4)."""
        return self._release_moment(pairs, BACK)

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Record how much of M2's directions the noise left, for readers; nothing else uses it."""
        forward, back = super().align(forward, back)
        forward = with_known_noise(forward, self._entry_noise(FORWARD))
        back = with_known_noise(back, self._entry_noise(BACK), at_most=forward.rising)
        return forward, back

    def triples(
        self, statistics: CorpusStatistics, whitening: Whitening, pairs: PairMoment
    ) -> Tensor3:
        """Edge e3 of configuration 1: noise of scale τ/N on each entry of M3, drawn whitened.

        Without noise on that edge the whitened tensor stays as it is.
        """
        tensor = statistics.third_moment(whitening.whitener)
        if not self._is_released(TRIPLES):
            return tensor
        return self.mechanisms.gaussian(
            TRIPLES,
            tensor,
            WhitenedEntries(whitening.whitener),
            sensitivity=1 / self.size.n_documents,
            mu=self._mu(TRIPLES),
        )

    def e6(self, tensor: Tensor3, whitening: Whitening) -> Tensor3:
        r"""Edge e6: noise for :math:`Δ_T = k^{1.5}/(N σ̃_k^{1.5})` on T (configuration 2).

        The bound :math:`σ̃_k` is released first. Without noise on that edge the tensor stays as it
        is.

        Raises:
            NoFiniteNoise: that bound is not above 0.
        """
        if not self._is_released(TENSOR):
            return tensor
        return self.mechanisms.gaussian(
            TENSOR,
            tensor,
            MirroredTensor(len(tensor)),
            sensitivity=self._tensor_sensitivity(whitening, Edge.E6),
            mu=self._mu(TENSOR),
        )

    def e7(self, components: Components, whitening: Whitening) -> Components:
        r"""Edge e7: noise for :math:`Δ = k^2/(γ̃_s N σ̃_k^{1.5})` on factors (configuration 3).

        Both bounds are released first. Without noise on that edge the factors stay as they are.

        Raises:
            NoFiniteNoise: one of these bounds is not above 0.
        """
        if not self._is_released(FACTORS):
            return components
        factor_sensitivity = self._factor_sensitivity(components, whitening, Edge.E7)
        exact_factors = np.vstack([components.vectors, components.eigenvalues])
        noisy_factors = self._release_entries(FACTORS, exact_factors, factor_sensitivity)
        return replace(components, vectors=noisy_factors[:-1], eigenvalues=noisy_factors[-1])

    def e9(self, topics: RawTopics, components: Components, whitening: Whitening) -> RawTopics:
        r"""Edge e9: noise for :math:`Δ = k^2\sqrt{σ_1}/(γ̃_s N σ̃_k^{1.5})` (configuration 4).

        Both private bounds are released first. Topics and α get the noise; mean words and
        eigenvalues follow from the noisy ones. Without noise on that edge topics stay as they are.

        Raises:
            NoTopics: the plan has a bound on σk, and there is no eigenvalue above 0.
            NoFiniteNoise: a private bound is not above 0.
        """
        if not components.n_starts and SIGMA in self.budget.portions:
            raise NoTopics(
                "no eigenvalue of the pair moment is above zero, so there is no σk to scale the"
                " noise by",
                "Use more or longer documents.",
            )
        if not self._is_released(TOPICS):
            return topics
        factor_sensitivity = self._factor_sensitivity(components, whitening, Edge.E9)
        largest_singular_value = float(whitening.spectrum[0])
        noisy_topics_with_alpha = self._release_entries(
            TOPICS,
            np.column_stack([topics.words, topics.alpha]),
            factor_sensitivity * math.sqrt(largest_singular_value),
        )
        noisy_topics = noisy_topics_with_alpha[:, :-1]
        noisy_alpha = noisy_topics_with_alpha[:, -1]
        return RawTopics(
            words=noisy_topics,
            alpha=noisy_alpha,
            mean_words=_weighted_mean(noisy_topics, np.maximum(noisy_alpha, 0)),
            eigenvalues=self.coefficients.eigenvalues(np.maximum(noisy_alpha, MIN_ALPHA)),
        )

    def _is_released(self, quantity: Quantity) -> bool:
        return quantity.name in self.budget.portions

    def _budget_of(self, quantity: Quantity) -> tuple[float, float]:
        """``ε_i`` and ``δ_i`` of a quantity: the same fraction of both."""
        fraction = self.budget.portions[quantity.name]
        return fraction * self.budget.epsilon, fraction * self.budget.delta

    def _mu(self, quantity: Quantity) -> float:
        """``1/τ`` of a quantity."""
        epsilon, delta = self._budget_of(quantity)
        return 1 / classic_multiplier(epsilon, delta)

    def _release_entries(self, quantity: Quantity, exact: Matrix, change: float) -> Matrix:
        """A matrix with independent noise on every entry; ``change`` is its printed sensitivity."""
        noisy = self.mechanisms.vector(
            quantity, exact.ravel(), sensitivity=change, mu=self._mu(quantity)
        )
        return noisy.reshape(exact.shape)

    def _release_moment(self, pairs: PairMoment, quantity: Quantity) -> PairMoment:
        """Release the pair moment with Gaussian noise for a sensitivity of 1/N.

        As it is where the quantity is not released.
        """
        if not self._is_released(quantity):
            return pairs
        moment = pairs.matrix()
        noisy_moment = self.mechanisms.gaussian(
            quantity,
            moment,
            MirroredMatrix(len(moment)),
            sensitivity=1 / self.size.n_documents,
            mu=self._mu(quantity),
        )
        # The published algorithm takes the leading k eigenpairs as they come: whitening is not
        # told the noise level.
        return PairMoment(noisy_moment)

    def _entry_noise(self, quantity: Quantity) -> float:
        """Standard deviation of the noise on an entry of M2, 0 without noise."""
        if not self._is_released(quantity):
            return 0.0
        return self.mechanisms.noise_std_of(quantity)

    def _tensor_sensitivity(self, whitening: Whitening, edge: Edge) -> float:
        r"""Printed :math:`Δ_T`, by a private lower bound of ``σk`` that is released here."""
        k = self.size.n_topics
        sigma = self._release_lower_bound(
            sigma_bound_quantity(edge), float(whitening.spectrum[k - 1])
        )
        return math.pow(k / sigma, 1.5) / self.size.n_documents

    def _factor_sensitivity(
        self, components: Components, whitening: Whitening, edge: Edge
    ) -> float:
        r"""Printed :math:`\sqrt k Δ_T/γ̃_s`, by two private lower bounds that are released here.

        Raises:
            NoFiniteNoise: one of them is not above 0; that of σk comes first.
        """
        magnitudes = np.sort(np.abs(components.eigenvalues))[::-1]
        gaps = -np.diff(np.append(magnitudes, 0.0))
        tensor_sensitivity = self._tensor_sensitivity(whitening, edge)
        gamma = self._release_lower_bound(gamma_bound_quantity(edge), float(np.min(gaps)) / 4)
        return math.sqrt(self.size.n_topics) * tensor_sensitivity / gamma

    def _release_lower_bound(self, quantity: Quantity, value: float) -> float:
        """Release a private lower bound by Procedure 1.

        Laplace noise of scale 1/(Nε₁), shifted down by (2/(Nε₁)) ln(1/(2δ₁)), both as printed.

        Raises:
            NoFiniteNoise: the bound is not above 0.
        """
        epsilon, delta = self._budget_of(quantity)
        noisy_value = self.mechanisms.laplace_number(
            quantity, value, sensitivity=1 / self.size.n_documents, epsilon=epsilon
        )
        margin = 2 / (self.size.n_documents * epsilon) * math.log(1 / (2 * delta))
        lower_bound = noisy_value - margin
        if lower_bound <= 0:
            raise NoFiniteNoise(quantity.symbol)
        return lower_bound


def _weighted_mean(words: Matrix, weights: Vector) -> Vector:
    """Mean of rows by weight; of all alike where every weight is 0."""
    total = float(np.sum(weights))
    if total > 0:
        return np.asarray(weights @ words / total, dtype=np.float64)
    return np.asarray(np.mean(words, axis=0), dtype=np.float64)


def _published_variant(quantities: tuple[Quantity, ...], *gaps: str) -> Variant:
    """Make a published variant that divides ε equally; ``gaps`` say why its claim has no proof."""
    return Variant(
        calibration=Calibration.PUBLISHED,
        shares=tuple((quantity, 1 / len(quantities)) for quantity in quantities),
        status=Status.AS_PUBLISHED,
        rests_on=gaps,
        route=PublishedRoute,
        unit=BudgetUnit.EPSILON,
    )


MOMENT_GAP = (
    "The noise is scaled to a sensitivity of 1/N; the true ones are 1.4/N to 2.4/N for M2 and up to"
    " 3.7/N for M3."
)
TENSOR_GAP = (
    "The whitened tensor's sensitivity rests on a false lemma: two neighboring corpora have tensors"
    " that differ by a constant however large N is."
)
BASIS_GAP = "The tensor uses the basis of the exact whitening, unwhitening that of a noisy one."
FACTOR_GAP = (
    "The stability of the decomposition holds around orthogonal tensors only, and the noise for k"
    " vectors is scaled to one; no correction is known."
)
SCALE_GAP = (
    "The noise is scaled by the largest singular value of M2, which is used without protection."
)

CONFIG_1_PUBLISHED = _published_variant((TRIPLES, FORWARD, BACK), MOMENT_GAP)
CONFIG_2_PUBLISHED = _published_variant(
    (sigma_bound_quantity(Edge.E6), TENSOR, BACK), TENSOR_GAP, BASIS_GAP, MOMENT_GAP
)
CONFIG_3_PUBLISHED = _published_variant(
    (sigma_bound_quantity(Edge.E7), gamma_bound_quantity(Edge.E7), FACTORS, BACK),
    FACTOR_GAP,
    TENSOR_GAP,
    BASIS_GAP,
    MOMENT_GAP,
)
CONFIG_4_PUBLISHED = _published_variant(
    (sigma_bound_quantity(Edge.E9), gamma_bound_quantity(Edge.E9), TOPICS),
    FACTOR_GAP,
    TENSOR_GAP,
    SCALE_GAP,
)
