"""``adaptive``: word counts first, then noise on the pair averages, then on the clipped tensor.

Words come first because topics are shrunk toward them, and fall back on them where noise leaves
nothing else. If fewer than two directions rise above the noise of the pair moment there are no
topics, as one direction is that of the words; the tensor's budget then goes to words too.
"""

import math
from dataclasses import replace

import numpy as np

from dplda.evaluation.colours import Style
from dplda.flow import Edge
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method_names import FAMILY_NAMES
from dplda.methods.base.problem import DividedBudget, ProblemSize
from dplda.methods.configurations import bounded_statistics as bounded
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
from dplda.methods.configurations.variant import Configuration, Variant, by_scaling
from dplda.methods.denoising.spectral_topics import denoise_topics, estimate_word_frequencies
from dplda.methods.denoising.word_frequencies import (
    CLIP_NORM,
    NoisyWordCounts,
    first_word_share,
    inverse_variance_mean,
)
from dplda.privacy.accounting import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.release import Status
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.statistics import Averages
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import Whitening, without_directions

MIN_DIRECTIONS = 2  # above the noise; the first is that of the words
ROUNDED_DOWN = 1 - 1e-15  # factor that keeps sums of shares below 1
_COUNTS_REASON = (
    "A document's counts are scaled down to length C at most, and two non-negative vectors of that"
    " length are at most √2 C apart."
)
COUNTS_FIRST = Quantity(
    name="word counts",
    symbol="z₁",
    words="clipped word counts",
    edge=Edge.E2,
    reason=_COUNTS_REASON,
    measure=sizes.measure_word_counts,
)
COUNTS_AGAIN = Quantity(
    name="more word counts",
    symbol="z₂",
    words="clipped word counts, again",
    edge=Edge.E2,
    reason=_COUNTS_REASON,
    measure=sizes.measure_word_counts,
)


class AdaptiveRoute(PairsThenTensor):
    """One run: adaptively composed Gaussian releases of word counts and the split's quantities.

    Guarantee:
        With budgets ``μ_j``, the run is exactly as private as one Gaussian mechanism of
        ``μ² = Σ μ_j²``. Releases decide whether word counts again, or the tensor and its clip
        level, follow the pair averages; ``Σ μ_j²`` is the same.
    """

    def __init__(self, size: ProblemSize, budget: DividedBudget, mechanisms: Mechanisms) -> None:
        """Begin with no word counts; without noise or a share for them, none are released."""
        super().__init__(size, budget, mechanisms)
        self._skips_word_counts = mechanisms.is_noiseless or budget.first_words == 0
        self._word_counts = NoisyWordCounts(np.zeros(size.n_words), math.inf)

    def _budget_fractions(self) -> dict[str, float]:
        """Fractions of μ² by quantity; without word counts, those of the plain chain."""
        if self._skips_word_counts:
            return super()._budget_fractions()
        return budget_fractions(self.budget, self.size)

    def run(
        self, statistics: CorpusStatistics, numerics: Numerics, *, is_private: bool
    ) -> ChainResult:
        """Release word counts, then pairs; whiten and finish, or count words again.

        Word counts are released again, and no topics found, if noisy pairs have no mass or too few
        directions. Without noise, or without a share for word counts, this is the plain chain.
        """
        if self._skips_word_counts:
            return super().run(statistics, numerics, is_private=is_private)
        numerics.begin_step("measuring documents")
        self._release_word_counts(statistics, COUNTS_FIRST)
        pairs = self.e2(self.pairs(statistics))
        whitening = without_directions(self.size.n_words)
        if pairs.mass > 0:
            numerics.begin_step("whitening")
            whitening = numerics.whiten(pairs, direct=False)
        if len(whitening.spectrum) and numerics.has_directions(whitening, MIN_DIRECTIONS):
            return self.finish_from_whitening(
                statistics, numerics, whitening, whitening, pairs, pairs
            )
        self._release_word_counts(statistics, COUNTS_AGAIN)
        return self._result_without_topics(whitening, pairs)

    def _result_without_topics(self, whitening: Whitening, pairs: Averages) -> ChainResult:
        """The result of a run whose noise left too few directions: word counts, and no topics."""
        no_topics = RawTopics(
            words=np.empty((0, self.size.n_words)),
            alpha=np.empty(0),
            mean_words=self._word_counts.counts,
            eigenvalues=np.empty(0),
        )
        return ChainResult(whitening.leading(0), NO_COMPONENTS, no_topics, 0, pairs)

    def postprocess(self, result: ChainResult) -> RawTopics:
        """Filter known noise from topics and mean words.

        Without topics, only the mean words are set, from the released word counts. Where no word
        counts were released, the averages alone give the word frequencies.
        """
        pairs = result.pairs
        assert isinstance(pairs, Averages)
        if self._skips_word_counts:
            word_frequencies = estimate_word_frequencies(pairs)
        elif result.n_directions:
            word_frequencies = estimate_word_frequencies(pairs, self._word_counts)
        else:
            return replace(result.topics, mean_words=self._word_counts.word_frequencies)
        return denoise_topics(
            result.topics,
            result.whitening,
            pairs,
            word_frequencies,
            pairs.weighted_coefficients(self.coefficients).alpha0,
            self.size.n_topics,
        )

    def _release_word_counts(self, statistics: CorpusStatistics, quantity: Quantity) -> None:
        """Release clipped word counts, and average them with those released before."""
        clipped_counts = statistics.word_counts(CLIP_NORM)
        noisy_counts = self.mechanisms.release_sum(
            quantity,
            bounded.bound_word_counts(clipped_counts, self.size, clip_norm=CLIP_NORM),
            mu=self._mus[quantity.name],
        )
        noise_std = self.mechanisms.noise_std_of(quantity)
        self._word_counts = inverse_variance_mean(
            self._word_counts, NoisyWordCounts.as_frequencies(noisy_counts, noise_std)
        )


def budget_fractions(budget: DividedBudget, size: ProblemSize) -> dict[str, float]:
    """Divide a run's whole budget among its quantities, from public numbers alone.

    Without a given share of the first word counts, N, d and μ decide it.

    Returns:
        Fractions of ``μ²`` by name. A run spends either those of the tensor and its clip level, or
        that of more word counts, which is no larger.
    """
    first_share = budget.first_words
    if first_share is None:
        run_mu = gaussian.mu_for(budget.epsilon, budget.delta)
        first_share = first_word_share(size.n_documents, size.n_words, run_mu)
    remaining_share = (1 - first_share) * ROUNDED_DOWN
    split_shares = {
        quantity_name: remaining_share * fraction
        for quantity_name, fraction in budget.portions.items()
    }
    tensor_share = split_shares[TRIPLES.name] + split_shares[TRIPLE_CLIP.name]
    return {
        COUNTS_FIRST.name: first_share,
        **split_shares,
        COUNTS_AGAIN.name: tensor_share * ROUNDED_DOWN,
    }


ADAPTIVE = Configuration(
    name="adaptive",
    family=FAMILY_NAMES["adaptive"],
    style=Style.at(0, "A"),
    edges=(Edge.E2, Edge.E6),
    summary=(
        "Noise goes on the word counts, then once on the pair moment and once on the whitened"
        " tensor. Everything between them is computed from the noisy pair moment, so nothing has to"
        " be protected twice."
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
