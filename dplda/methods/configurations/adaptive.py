"""``adaptive``: word counts first, then noise on the pair averages once, then on the clipped whitened tensor.

Words come first because topics are shrunk toward them, and fall back on them where noise leaves nothing else. If fewer
than two directions rise above the noise of the pair moment there are no topics, as one direction is that of the words;
the tensor's budget then goes to words too.
"""

import math
from dataclasses import replace

import numpy as np

from dplda.evaluation.colours import Style
from dplda.flow import Edge
from dplda.methods.base.problem import Budget, ProblemSize
from dplda.methods.configurations import sizes
from dplda.methods.configurations.averages import CONSTANTS_CHOSEN, PROVEN_RESTS_ON
from dplda.methods.configurations.pairs_then_tensor import (
    AVERAGES,
    PAIR_CLIP,
    TRIPLE_CLIP,
    TRIPLES,
    PairsThenTensor,
)
from dplda.methods.configurations.route import NO_COMPONENTS, ChainResult, Numerics
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import Calibration, Configuration, Variant, by_scaling
from dplda.methods.denoising.spectral_topics import denoise_topics, estimate_word_frequencies
from dplda.methods.denoising.word_frequencies import (
    CLIP_NORM,
    NoisyWordCounts,
    first_word_share,
    inverse_variance_mean,
)
from dplda.privacy import sensitivity
from dplda.privacy.accounting import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.release import Status
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.statistics import Averages
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import without_directions

FEWEST = 2  # directions above the noise; the first is that of the words
_WHY_COUNTS = (
    "A document's counts are scaled down to length C at most, and two non-negative vectors of that length are at most"
    " √2 C apart."
)
COUNTS_FIRST = Quantity(
    "word counts", "z₁", "clipped word counts", Edge.E2, _WHY_COUNTS, sizes.word_counts
)
COUNTS_AGAIN = Quantity(
    "more word counts", "z₂", "clipped word counts, again", Edge.E2, _WHY_COUNTS, sizes.word_counts
)


class AdaptiveRoute(PairsThenTensor):
    """One run: adaptively composed Gaussian releases of word counts and the split's quantities.

    Guarantee:
        With budgets ``μ_j``, the run is exactly as private as one Gaussian mechanism of ``μ² = Σ μ_j²``. Releases
        decide whether word counts again, or the tensor and its clip level, follow the pair averages; ``Σ μ_j²`` is the
        same.
    """

    def __init__(self, shape: ProblemSize, budget: Budget, mechanisms: Mechanisms) -> None:
        super().__init__(shape, budget, mechanisms)
        self._plain = mechanisms.is_noiseless or budget.first_words == 0
        self._words = NoisyWordCounts(np.zeros(shape.n_words), math.inf)

    def _budget_fractions(self) -> dict[str, float]:
        return (
            super()._budget_fractions()
            if self._plain
            else budget_fractions(self.budget, self.shape)
        )

    def run(
        self, statistics: CorpusStatistics, steps: Numerics, *, is_private: bool
    ) -> ChainResult:
        """The whole chain, words first; the plain chain without noise or without first words."""
        if self._plain:
            return super().run(statistics, steps, is_private=is_private)
        steps.begin_step("measuring documents")
        self._count(statistics, COUNTS_FIRST)
        pairs = self.e2(self.pairs(statistics))
        whitening = without_directions(self.shape.n_words)
        if pairs.mass > 0:
            steps.begin_step("whitening")
            whitening = steps.whiten(pairs, direct=False)
        if len(whitening.spectrum) and steps.resolves(whitening, FEWEST):
            return self.finish_from_whitening(statistics, steps, whitening, whitening, pairs, pairs)
        self._count(statistics, COUNTS_AGAIN)
        none = RawTopics(
            np.empty((0, self.shape.n_words)), np.empty(0), self._words.counts, np.empty(0)
        )
        return ChainResult(whitening.leading(0), NO_COMPONENTS, none, 0, pairs)

    def postprocess(self, found: ChainResult) -> RawTopics:
        """Topics and mean words without known noise, combined with the aspect model's; or words alone."""
        assert isinstance(found.pairs, Averages)
        first = None if self._plain else self._words
        if first is not None and not found.resolved:
            return replace(found.topics, mean_words=first.word_frequencies)
        mean, alpha0 = (
            estimate_word_frequencies(found.pairs, first),
            found.pairs.weighed(self.coefficients).alpha0,
        )
        return denoise_topics(
            found.topics, found.whitening, found.pairs, mean, alpha0, self.shape.n_topics
        )

    def _count(self, statistics: CorpusStatistics, of: Quantity) -> None:
        noisy = self.mechanisms.vector(
            of,
            statistics.word_counts(CLIP_NORM),
            sensitivity=sensitivity.word_counts(
                n_documents=self.shape.n_documents, n_words=self.shape.n_words, clip_norm=CLIP_NORM
            ),
            mu=self._mus[of.name],
        )
        self._words = inverse_variance_mean(
            self._words, NoisyWordCounts.as_frequencies(noisy, self.mechanisms.noise_std_of(of))
        )


def budget_fractions(budget: Budget, shape: ProblemSize) -> dict[str, float]:
    """Fraction of a run's whole budget by name; either tensor and clip level are spent, or more words."""
    first = budget.first_words
    if first is None:
        first = first_word_share(
            shape.n_documents, shape.n_words, gaussian.mu_for(budget.epsilon, budget.delta)
        )
    left = (1 - first) * (1 - 1e-15)
    parts = {name: left * fraction for name, fraction in budget.portions.items()}
    again = (parts[TRIPLES.name] + parts[TRIPLE_CLIP.name]) * (1 - 1e-15)
    return {COUNTS_FIRST.name: first, **parts, COUNTS_AGAIN.name: again}


ADAPTIVE = Configuration(
    name="adaptive",
    title="Adaptive",
    meaning="pairs, then tensor",
    style=Style.at(0, "A"),
    edges=(Edge.E2, Edge.E6),
    summary=(
        "Noise goes on the word counts, then once on the pair moment and once on the whitened tensor. Everything"
        " between them is computed from the noisy pair moment, so nothing has to be protected twice."
    ),
    variants=by_scaling(
        Variant(
            calibration=Calibration.CORRECTED,
            shares=(
                (PAIR_CLIP, 0.01),
                (AVERAGES.mass, 0.01),
                (AVERAGES.words, 0.06),
                (AVERAGES.pairs, 0.65),
                (TRIPLE_CLIP, 0.02),
                (TRIPLES, 0.25),
            ),
            status=Status.PROVEN,
            rests_on=(*PROVEN_RESTS_ON, CONSTANTS_CHOSEN),
            route=AdaptiveRoute,
            extra_releases=(COUNTS_FIRST, COUNTS_AGAIN),
            budget_fractions=budget_fractions,
            is_releasable=True,
        )
    ),
)
