r"""Noise where the authors' public code adds it, on exact moments.

Read in ``dps_lda.py`` and ``models.py``. The code works with scaled moments; here everything is in
the units of the unscaled ones, so noise is divided by the same factors.

- e3: independent noise on M3, of which the symmetric part counts; above 200 words there is none.
- e4 and e8: on the entries of ``W`` and ``W†`` themselves, and only in configuration 1. The other
  configurations keep the exact ``W†`` of a run without noise, so the noise on e8 is lost.
- e6: symmetric noise of √6 times the isotropic width; above 200 words there is none.
- e7 and e9: independent noise on factors and topics.

Decomposition and the last projection are those of this package, not the code's.
"""

import math
from dataclasses import replace

import numpy as np

from dplda.core.types import Matrix, Tensor3
from dplda.flow import Edge
from dplda.methods.base.problem import Budget, ProblemSize
from dplda.methods.configurations.authors.sensitivities import (
    AuthorsSensitivities,
    lemma_8_multiplier,
    raise_bound,
)
from dplda.methods.configurations.route import ChainResult, MomentRoute, Numerics
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.named_quantity import NamedQuantity
from dplda.privacy.noise.layouts import SymmetricTensor
from dplda.privacy.noise.whitened_layouts import WhitenedIsotropic
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.statistics import PairMoment
from dplda.spectral.tensor import Components
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import Whitening

MAX_WORDS_WITH_RAW_TRIPLES = 200
"""Above it the code never forms M3, and passes by the places where its noise is added."""
NOISED_EDGES = {
    "config-1": (Edge.E3, Edge.E4, Edge.E8),
    "config-2": (Edge.E6,),
    "config-3": (Edge.E7,),
    "config-4": (Edge.E9,),
}
"""Edges whose noise reaches the output, up to 200 words."""
SHARE_OF_EDGE = {"config-1": 0.33, "config-2": 0.5, "config-3": 0.5, "config-4": 1.0}
"""Part of ε for each of a configuration's edges; δ is not divided among them."""
PARTS_OF_NOISE = {Edge.E3: 1, Edge.E4: 1, Edge.E8: 1, Edge.E6: 2, Edge.E7: 3, Edge.E9: 4}
"""Parts that an edge's ε and δ are cut into, of which the noise takes one."""

_WHITENER = NamedQuantity("e4", "W", "whitening", Edge.E4)
_UNWHITENER = NamedQuantity("e8", "W†", "unwhitening", Edge.E8)
_TRIPLES = NamedQuantity("e3", "M₃", "triple moment, seen whitened", Edge.E3)
_TENSOR = NamedQuantity("e6", "T", "whitened tensor", Edge.E6)
_FACTORS = NamedQuantity("e7", "v, λ", "factors of T", Edge.E7)
_TOPICS = NamedQuantity("e9", "μ", "topics", Edge.E9)
_SIGMA = NamedQuantity("σk", "σk", "k-th singular value of M2", Edge.E6)
_GAMMA = NamedQuantity("γs", "γs", "a quarter of the smallest gap of T", Edge.E7)
_LARGEST = NamedQuantity("σ1", "σ1", "largest singular value of M2", Edge.E9)


class AuthorsRoute(MomentRoute):
    """A run of one configuration as in the authors' code.

    Args:
        size: public numbers of the run.
        budget: of the whole run; its split is the code's own.
        mechanisms: add the noise, and keep every release.
        configuration: ``config-1`` to ``config-4``.
        scales_sensitivities: whether sensitivities are scaled as moments are.
    """

    def __init__(
        self,
        size: ProblemSize,
        budget: Budget,
        mechanisms: Mechanisms,
        *,
        configuration: str,
        scales_sensitivities: bool,
    ) -> None:
        """Set the ε of an edge, and the sensitivities of the authors' code, scaled or not."""
        super().__init__(size, budget, mechanisms)
        self._configuration = configuration
        self._sensitivities = AuthorsSensitivities(size, scales_sensitivities)
        self._edge_epsilon = SHARE_OF_EDGE[configuration] * budget.epsilon

    def finish_from_whitening(
        self,
        statistics: CorpusStatistics,
        numerics: Numerics,
        forward: Whitening,
        back: Whitening,
        forward_pairs: PairMoment,
        back_pairs: PairMoment,
    ) -> ChainResult:
        """Run the rest of the chain, with noise on ``W`` and ``W†`` if edge e4 has noise.

        That is so in configuration 1.
        """
        if self._has_noise_on(Edge.E4):
            whitener_unit = math.sqrt(self._sensitivities.pair_scale)
            forward = replace(
                forward, whitener=self._noisy_entries(_WHITENER, forward.whitener, whitener_unit)
            )
            noisy_unwhitener = self._noisy_entries(_UNWHITENER, back.unwhitener, 1 / whitener_unit)
            back = replace(back, unwhitener=noisy_unwhitener)
        return super().finish_from_whitening(
            statistics, numerics, forward, back, forward_pairs, back_pairs
        )

    def triples(
        self, statistics: CorpusStatistics, whitening: Whitening, pairs: PairMoment
    ) -> Tensor3:
        """Edge e3: M3 with noise, drawn whitened.

        As it is where the configuration has no noise there.
        """
        tensor = super().triples(statistics, whitening, pairs)
        if not self._has_noise_on(Edge.E3):
            return tensor
        return self.mechanisms.gaussian(
            _TRIPLES,
            tensor,
            WhitenedIsotropic(whitening.whitener),
            sensitivity=self._sensitivities.triples / self._sensitivities.triple_scale,
            mu=self._mu(Edge.E3),
        )

    def e6(self, tensor: Tensor3, whitening: Whitening) -> Tensor3:
        """Edge e6: T with symmetric noise; as it is where the configuration has none there.

        A private bound on ``σk``, which scales the noise, is released first.
        """
        if not self._has_noise_on(Edge.E6):
            return tensor
        sigma_bound = self._sigma_bound(whitening, self._edge_epsilon)
        symmetric_sensitivity = math.sqrt(6) * self._sensitivities.tensor(sigma_bound)
        return self.mechanisms.gaussian(
            _TENSOR,
            tensor,
            SymmetricTensor(len(tensor)),
            sensitivity=symmetric_sensitivity / self._sensitivities.tensor_scale,
            mu=self._mu(Edge.E6),
        )

    def e7(self, components: Components, whitening: Whitening) -> Components:
        """Edge e7: noise on the eigenvectors and on their copy times the eigenvalues.

        Private bounds on ``σk`` and ``γs``, which scale the noise, are released first. The norms of
        the noisy copy are the new eigenvalues.

        As they are where the configuration has no noise there.
        """
        if not self._has_noise_on(Edge.E7):
            return components
        sensitivity = self._factor_sensitivity(components, whitening, self._edge_epsilon)
        scaled_eigenvalues = self._sensitivities.tensor_scale * components.eigenvalues
        stacked_factors = np.vstack([scaled_eigenvalues * components.vectors, components.vectors])
        noisy_factors = self.mechanisms.matrix(
            _FACTORS, stacked_factors, sensitivity=sensitivity, mu=self._mu(Edge.E7)
        )
        noisy_weighted_vectors, noisy_vectors = np.vsplit(noisy_factors, 2)
        eigenvalues = (
            np.linalg.norm(noisy_weighted_vectors, axis=0) / self._sensitivities.tensor_scale
        )
        return replace(components, vectors=noisy_vectors, eigenvalues=eigenvalues)

    def e9(self, topics: RawTopics, components: Components, whitening: Whitening) -> RawTopics:
        """Edge e9: topics with noise, after three private bounds that scale it.

        The bounds take the edge's ε: three quarters of it for σ and γ together, one quarter for
        the largest eigenvalue. Topics stay as they are where the configuration has no noise there,
        or no eigenvalue was found.
        """
        if not (self._has_noise_on(Edge.E9) and components.n_starts):
            return topics
        edge_epsilon = self._edge_epsilon
        sigma_bound, gamma_bound = self._bounds(components, whitening, 3 / 4 * edge_epsilon)
        scaled_largest_eigenvalue = self._sensitivities.pair_scale * float(whitening.spectrum[0])
        largest_eigenvalue_bound = self._bound(
            _LARGEST,
            scaled_largest_eigenvalue,
            self._sensitivities.triples,
            edge_epsilon / 4,
            self.budget.delta / 4,
        )
        noisy_topics = self.mechanisms.matrix(
            _TOPICS,
            topics.words,
            sensitivity=self._sensitivities.topics(
                sigma_bound, gamma_bound, largest_eigenvalue_bound
            ),
            mu=self._mu(Edge.E9),
        )
        return replace(topics, words=noisy_topics)

    def _has_noise_on(self, edge: Edge) -> bool:
        is_skipped = edge in (Edge.E3, Edge.E6) and (self.size.n_words > MAX_WORDS_WITH_RAW_TRIPLES)
        return edge in NOISED_EDGES[self._configuration] and not is_skipped

    def _mu(self, edge: Edge) -> float:
        """Inverse of an edge's noise multiplier."""
        n_parts = PARTS_OF_NOISE[edge]
        return 1 / lemma_8_multiplier(self._edge_epsilon / n_parts, self.budget.delta / n_parts)

    def _noisy_entries(self, quantity: NamedQuantity, exact: Matrix, unit: float) -> Matrix:
        """A matrix with noise of the pair moment's sensitivity on every entry.

        Args:
            quantity: names of the release.
            exact: without noise.
            unit: of the unscaled matrix, in that of the code's.
        """
        return self.mechanisms.matrix(
            quantity,
            exact,
            sensitivity=unit * self._sensitivities.pairs,
            mu=self._mu(Edge(quantity.edge)),
        )

    def _factor_sensitivity(
        self, components: Components, whitening: Whitening, epsilon: float
    ) -> float:
        return self._sensitivities.factors(*self._bounds(components, whitening, epsilon))

    def _bounds(
        self, components: Components, whitening: Whitening, epsilon: float
    ) -> tuple[float, float]:
        """Release lower bounds on ``σk`` and ``γs``, for two thirds and one third of ε.

        Both are in the unit of the authors' code. The bound on ``γs``, from the gaps of the
        eigenvalues, is released first.
        """
        magnitudes = np.sort(np.abs(components.eigenvalues))[::-1]
        gaps = -np.diff(magnitudes)[: max(1, len(magnitudes) - 2)]  # the code leaves out the last
        scaled_gap = self._sensitivities.tensor_scale * float(np.min(gaps, initial=math.inf))
        gamma_bound = self._bound(
            _GAMMA, scaled_gap / 4, self._sensitivities.triples, epsilon / 3, self.budget.delta / 3
        )
        return self._sigma_bound(whitening, 2 / 3 * epsilon), gamma_bound

    def _sigma_bound(self, whitening: Whitening, epsilon: float) -> float:
        """Release the private bound on ``σk``, in the unit of the authors' code, with all of δ."""
        scaled_sigma = self._sensitivities.pair_scale * float(
            whitening.spectrum[self.size.n_topics - 1]
        )
        return self._bound(
            _SIGMA, scaled_sigma, self._sensitivities.pairs, epsilon, self.budget.delta
        )

    def _bound(
        self,
        quantity: NamedQuantity,
        exact: float,
        sensitivity: float,
        epsilon: float,
        delta: float,
    ) -> float:
        """Release a lower bound with Laplace noise, shifted down, at least ``BOUND_FLOOR``."""
        noisy_number = self.mechanisms.laplace_number(
            quantity, exact, sensitivity=sensitivity, epsilon=epsilon
        )
        return raise_bound(
            noisy_number, n_documents=self.size.n_documents, epsilon=epsilon, delta=delta
        )
