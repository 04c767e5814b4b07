"""Configuration 1 with Laplace noise: pure ε-DP, no δ.

It releases the averages of the corrected Gaussian variant, each a histogram of L1 sensitivity 2/N
however many words there are, and divides ε among them. At small δ this noise is no larger than the
Gaussian one.
"""

import math

import numpy as np
import scipy.linalg

from dplda.core.errors import InputError
from dplda.core.types import Matrix, Tensor3
from dplda.flow import Edge
from dplda.methods.base.calibration import Calibration, NoiseLaw
from dplda.methods.base.problem import DividedBudget, ProblemSize
from dplda.methods.configurations import averages
from dplda.methods.configurations import bounded_statistics as bounded
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import BudgetUnit, Variant
from dplda.privacy.bounded_sum import ArrayValue
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.layouts import Layout, PairHistogram, PlainVector
from dplda.privacy.noise.whitened_layouts import WhitenedCells
from dplda.privacy.release import Status
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.statistics import Averages
from dplda.spectral.whitening import Whitening

LARGEST_VOCABULARY = 1000  # since all d³/6 numbers are drawn

FORWARD = averages.average_quantities(
    Edge.E4,
    words_reason=averages.L1_REASON.format("word frequencies"),
    pairs_reason=averages.L1_REASON.format("pair frequencies"),
)
BACK_PAIRS = averages.pair_average_quantity(
    Edge.E8, averages.L1_REASON.format("pair frequencies"), name="pairs for W†"
)
TRIPLES = averages.triple_average_quantity(averages.L1_REASON.format("triple frequencies"))


class LaplaceRoute(averages.TwoMomentsRoute):
    """One run: E1, E2 twice, E3 and the fraction of usable documents, each with Laplace noise.

    Guarantee:
        Sequential composition: the ε of the releases add up to the plan's. δ is not used.
    """

    def __init__(self, size: ProblemSize, budget: DividedBudget, mechanisms: Mechanisms) -> None:
        """Divide ε among the quantities; refuse a vocabulary with too many triples of words."""
        super().__init__(size, budget, mechanisms)
        if size.n_words > LARGEST_VOCABULARY:
            raise InputError(
                "n_words",
                f"at most {LARGEST_VOCABULARY} for Laplace noise, which needs one number for every"
                " triple of words",
                str(size.n_words),
                "Choose a smaller vocabulary or the Gaussian calibration.",
            )
        self._epsilons = {
            quantity_name: fraction * budget.epsilon * (1 - 1e-15)
            for quantity_name, fraction in budget.portions.items()
        }

    def e4(self, pairs: Averages) -> Averages:
        """Edge e4: noisy averages of pairs and words and mean weight, for the whitening."""
        noisy_words = self._release_histogram(FORWARD.words, pairs.words, PlainVector())
        noisy_mass = self.mechanisms.release_laplace_sum(
            FORWARD.mass,
            bounded.bound_l1_mean_weight(pairs, self.size),
            epsilon=self._epsilons[FORWARD.mass.name],
        )
        return self._release_pairs(Averages(noisy_words, pairs.pairs, noisy_mass), FORWARD.pairs)

    def e8(self, pairs: Averages, forward_pairs: Averages) -> Averages:
        """Edge e8: a second release of the pair average, for unwhitening."""
        words_and_mass_released = Averages(forward_pairs.words, pairs.pairs, forward_pairs.mass)
        return self._release_pairs(words_and_mass_released, BACK_PAIRS)

    def triples(
        self, statistics: CorpusStatistics, whitening: Whitening, pairs: Averages
    ) -> Tensor3:
        """Edge e3: ``E3(W, W, W)`` with noise on its histogram, completed by ``E1`` and ``E2``."""
        W = whitening.whitener
        triple_average = statistics.triple_average(averages.UNCLIPPED, W, np.inf)
        noisy_average = self.mechanisms.release_laplace_sum(
            TRIPLES,
            bounded.bound_l1_triple_average(triple_average, self.size, row_stretch=row_stretch(W)),
            epsilon=self._epsilons[TRIPLES.name],
            layout=WhitenedCells(W),
        )
        return averages.complete_triple_moment(noisy_average, W, pairs, self.coefficients)

    def _release_histogram(
        self, quantity: Quantity, histogram: ArrayValue, layout: Layout[ArrayValue]
    ) -> ArrayValue:
        """An average of word or pair frequencies with Laplace noise, at its share of ε."""
        return self.mechanisms.release_laplace_sum(
            quantity,
            bounded.bound_l1_histogram(histogram, self.size),
            epsilon=self._epsilons[quantity.name],
            layout=layout,
        )

    def _release_pairs(self, exact: Averages, quantity: Quantity) -> Averages:
        """The averages with a noisy pair average; words and mass as they are given."""
        layout = PairHistogram(len(exact.pairs))
        noisy_pairs = self._release_histogram(quantity, exact.pairs, layout)
        noise_std = math.sqrt(2) * self.mechanisms.noise_std_of(quantity)
        return Averages(exact.words, noisy_pairs, exact.mass, entry_noise=noise_std / 2)


def row_stretch(W: Matrix) -> float:
    """Compute the largest row sum of ``|W| |P|``, with ``P`` a left inverse of ``W``.

    It is ``h`` of ``sensitivity.triple_histogram_l1``.

    ``P`` inverts the rows of k words that are far apart: ``h`` is then a half to a third of the
    pseudo-inverse's.

    Args:
        W: whitener, shape (d, k).
    """
    k = W.shape[1]
    unit_columns = W / np.linalg.norm(W, axis=0)
    _, word_order = scipy.linalg.qr(unit_columns.T, mode="r", pivoting=True)
    anchor_words = word_order[:k]
    inverse_row_sums = np.sum(np.abs(np.linalg.inv(W[anchor_words])), axis=1)
    return float(np.max(np.abs(W) @ inverse_row_sums))


CONFIG_1_LAPLACE = Variant(
    calibration=Calibration.CORRECTED,
    shares=(
        (FORWARD.mass, 0.02),
        (FORWARD.words, 0.08),
        (FORWARD.pairs, 0.30),
        (BACK_PAIRS, 0.30),
        (TRIPLES, 0.30),
    ),
    status=Status.PROVEN,
    rests_on=(
        *averages.PROVEN_RESTS_ON,
        "Laplace noise gives pure ε-differential privacy: δ is 0, whatever the plan says.",
    ),
    route=LaplaceRoute,
    law=NoiseLaw.LAPLACE,
    unit=BudgetUnit.EPSILON,
)
