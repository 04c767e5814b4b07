"""Noise on the pair averages once, then on the clipped whitened tensor: the core of ``adaptive``.

The whitening comes from the *noisy* pair moment, so it is a public map and its tensor is again a
plain average over documents, of sensitivity twice a clip level: no eigengap, local sensitivity or
failure probability. Clip levels are released too.
"""

import math
from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

from dplda.core import checks
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.flow import Edge
from dplda.methods.configurations import bounded_statistics as bounded
from dplda.methods.configurations import sizes
from dplda.methods.configurations.averages import (
    COUNTS_REASON,
    L2_REASON,
    PAIRS_IN_WORDS,
    WORDS_IN_WORDS,
    AveragesRoute,
    average_quantities,
)
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.denoising.empirical_bayes import SMALLEST_POSITIVE
from dplda.privacy.noise.layouts import SymmetricTensor
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.documents import LARGEST_PAIR_NORM
from dplda.spectral.statistics import Averages, add_remaining_cube, shift_directions
from dplda.spectral.whitening import Whitening

SMALLEST_PAIR_NORM = 1e-3  # lowest clip level of pair frequencies that is searched
HALF_CLIPPED_AT = 0.0045  # noise edge, in clip levels, at which half of the documents are clipped
SIMULATION_SEED = 0x77656967  # of simulated topic shares, which are public
N_SIMULATED = 4000  # simulated documents, to know what clipping does to their shares
N_WEIGHING_ROUNDS = 6

PAIR_CLIP = Quantity(
    name="pair clip",
    symbol="C₂",
    words="clip level of pair frequencies",
    edge=Edge.E2,
    reason=COUNTS_REASON,
    measure=sizes.measure_count,
    is_level=True,
)
AVERAGES = average_quantities(
    Edge.E2,
    words_reason=L2_REASON.format("weighted " + WORDS_IN_WORDS, "√(√2 C₂)"),
    pairs_reason=L2_REASON.format("weighted " + PAIRS_IN_WORDS, "√2 C₂"),
    rests_on=(PAIR_CLIP.name,),
)
TRIPLE_CLIP = Quantity(
    name="triple clip",
    symbol="C₃",
    words="clip level of whitened triples",
    edge=Edge.E6,
    reason=COUNTS_REASON,
    measure=sizes.measure_count,
    is_level=True,
)
TRIPLES = Quantity(
    name="triples",
    symbol="T",
    words="whitened triple average",
    edge=Edge.E6,
    reason=(
        "Every document's tensor is scaled down to length C₃; two of them are at most 2 C₃ apart."
    ),
    measure=sizes.measure_tensor,
    rests_on=(TRIPLE_CLIP.name,),
)


def pair_clip_quantile(*, n_documents: int, n_words: int, mu: float, search_mu: float) -> float:
    r"""Choose the fraction of documents to leave unclipped, from public numbers alone.

    :math:`ρ = 2\sqrt d/(Nμ)` is the noise edge of the pair average in units of the clip level.
    Where it is small the bias of clipping dominates and few documents should be clipped; where it
    is large noise dominates and falls with the level. Counts of the search are wrong by about
    ``3/search_mu``, so a quantile below twice as many documents cannot be met. The form and its
    constant were chosen on simulated corpora; the guarantee holds for any value.

    Args:
        n_documents: public ``N``.
        n_words: public ``d``.
        mu: budget of the pair average.
        search_mu: budget of the search for the clip level.

    Returns:
        A fraction of at least 0.02 and below 1.
    """
    rho = 2 * math.sqrt(n_words) / (n_documents * mu)
    balanced_quantile = 1 / (1 + (rho / HALF_CLIPPED_AT) ** 3)
    largest_quantile = 1 - 50 / (n_documents * mu)
    smallest_quantile = min(0.95, 6 / (n_documents * search_mu))
    return max(0.02, smallest_quantile, min(balanced_quantile, largest_quantile))


def estimate_weighted_alpha0(averages: Averages, alpha0: float, n_topics: int) -> float:
    r"""Estimate ``α0`` of documents by their weights after clipping, from releases alone.

    Pair frequencies of a document with topic shares ``θ`` have length :math:`g s + h` with the
    concentration :math:`s = \sum θ_i^2`: clipping takes most weight from documents of few topics,
    and moments at the given ``α0`` would draw topics toward the mean. The trace of ``E2`` gives
    ``g`` and the mean weight gives ``h``.

    Args:
        averages: released, under a clip level.
        alpha0: of all documents alike.
        n_topics: number ``k`` of topics.

    Returns:
        ``α0`` of the Dirichlet whose shares are as concentrated as the weighted documents', at
        least the given one and at most ``checks.LARGEST``. The given one itself if the averages
        show no overlap within documents beyond that of their mean words, or if that ``α0`` leaves
        one topic a document.
    """
    overlap_within_documents = float(np.trace(averages.pairs)) / averages.mass
    overlap_of_mean_words = float(np.sum(averages.words**2)) / averages.mass**2
    topic_signal = overlap_within_documents - overlap_of_mean_words
    if topic_signal <= 0:
        return alpha0
    rng = np.random.default_rng(SIMULATION_SEED)
    simulated_shares = rng.dirichlet(np.full(n_topics, alpha0 / n_topics), N_SIMULATED)
    concentrations = np.sum(simulated_shares**2, axis=1)
    unweighted_mean = float(np.mean(concentrations))
    weighted_mean = unweighted_mean
    for _ in range(N_WEIGHING_ROUNDS):
        pair_gain = topic_signal / max(weighted_mean - 1 / n_topics, SMALLEST_POSITIVE)
        clipping_weights = _clipping_weights(
            pair_gain * concentrations, averages.clip, averages.mass
        )
        weighted_mean = float(clipping_weights @ concentrations / np.sum(clipping_weights))
    unweighted_alpha0 = _alpha0_of_concentration(unweighted_mean, n_topics)
    if not unweighted_alpha0:
        return alpha0
    estimate = alpha0 * _alpha0_of_concentration(weighted_mean, n_topics) / unweighted_alpha0
    return max(alpha0, min(estimate, checks.LARGEST))


def _clipping_weights(topic_lengths: Vector, clip: float, mass: float) -> Vector:
    """Weights of documents whose pairs have length ``g s + h``; ``h`` makes them average ``mass``.

    ``h`` is at least 0: documents whose weights are below ``mass`` without it keep these.
    ``topic_lengths``: ``g s`` of every document.
    """

    def excess_weight(h: float) -> float:
        return float(np.mean(clip / np.maximum(topic_lengths + h, clip))) - mass

    other_length = 0.0
    if excess_weight(0.0) > 0:
        other_length = brentq(excess_weight, 0.0, 2 * clip / mass)
    return clip / np.maximum(topic_lengths + other_length, clip)


def _alpha0_of_concentration(mean_concentration: float, n_topics: int) -> float:
    r"""``α0`` of a symmetric Dirichlet with this mean of :math:`\sum θ_i^2`, up to a factor."""
    return (1 - mean_concentration) / max(mean_concentration - 1 / n_topics, SMALLEST_POSITIVE)


class PairsThenTensor(AveragesRoute):
    """One run, or a part of one: six adaptively composed Gaussian releases.

    Guarantee:
        With budgets ``μ_j``, the run is exactly as private as one Gaussian mechanism of
        ``μ² = Σ μ_j²``.
    """

    @property
    def pair_quantile(self) -> float:
        """Fraction of documents that the pairs' clip level leaves unchanged, by public numbers."""
        return self.budget.clip_quantile or pair_clip_quantile(
            n_documents=self.size.n_documents,
            n_words=self.size.n_words,
            mu=self._mus[AVERAGES.pairs.name],
            search_mu=self._mus[PAIR_CLIP.name],
        )

    def pairs(self, statistics: CorpusStatistics) -> Averages:
        """Edge e0: exact averages under a released clip level of pairs, which bounds words too.

        Only the clip level has noise.
        """
        clip_level = self.mechanisms.clip_level(
            PAIR_CLIP,
            statistics.pair_norms(),
            low=SMALLEST_PAIR_NORM,
            high=LARGEST_PAIR_NORM,
            quantile=self.pair_quantile,
            mu=self._mus[PAIR_CLIP.name],
        )
        return statistics.averages(clip_level)

    def e2(self, pairs: Averages) -> Averages:
        """Edge e2: noisy averages, and the ``α0`` that they show clipped documents to have."""
        noisy = self.release_averages(pairs, AVERAGES)
        if noisy.mass <= 0:
            return replace(noisy, alpha0=None)
        alpha0 = estimate_weighted_alpha0(noisy, self.size.alpha0, self.size.n_topics)
        return replace(noisy, alpha0=alpha0)

    def triples(
        self, statistics: CorpusStatistics, whitening: Whitening, pairs: Averages
    ) -> Tensor3:
        """Edge e6: noisy clipped triple average along shifted directions, completed to ``T``.

        Its clip level is released first.
        """
        coefficients = pairs.weighted_coefficients(self.coefficients)
        whitened_mean = whitening.whitener.T @ pairs.mean_words(coefficients)
        directions = shift_directions(whitening.whitener, whitened_mean, coefficients)
        longest_row = float(np.max(np.linalg.norm(directions, axis=1)))
        largest_norm = longest_row**3
        clip_level = self._release_triple_clip(statistics, directions, pairs.clip, largest_norm)
        average = statistics.triple_average(pairs.clip, directions, clip_level)
        noisy_average = self.mechanisms.release_sum(
            TRIPLES,
            bounded.bound_clipped_tensors(
                average, self.size, clip=clip_level, largest_norm=largest_norm
            ),
            mu=self._mus[TRIPLES.name],
            layout=SymmetricTensor(directions.shape[1]),
        )
        return add_remaining_cube(noisy_average / pairs.mass, whitened_mean, coefficients)

    def _release_triple_clip(
        self,
        statistics: CorpusStatistics,
        directions: Matrix,
        pair_clip: float,
        largest_norm: float,
    ) -> float:
        """Release a clip level of whitened triples, a quantile of the documents' norms.

        The quantile is at least the median and grows toward 1 with N and the budget of the triples.

        Args:
            directions: directions that tokens are seen along, (d, k).
            pair_clip: clip level of pairs, which gives documents their weights.
            largest_norm: bound on every norm, and the highest level of the grid.
        """
        quantile_for_noise = 1 - 50 / (self.size.n_documents * self._mus[TRIPLES.name])
        return self.mechanisms.clip_level(
            TRIPLE_CLIP,
            statistics.triple_norms(pair_clip, directions),
            low=1e-3 * largest_norm,
            high=largest_norm,
            quantile=min(1.0, max(0.5, quantile_for_noise)),
            mu=self._mus[TRIPLE_CLIP.name],
        )
