"""Configuration 1 with Laplace noise: pure ε-DP, no δ.

It releases the averages of the corrected Gaussian variant, each a histogram of L1 sensitivity 2/N however many words
there are, and divides ε among them. At small δ this noise is no larger than the Gaussian one.
"""

import math

import numpy as np
import scipy.linalg

from dplda.core.errors import InputError
from dplda.core.types import Matrix, Tensor3
from dplda.flow import Edge
from dplda.methods.base.problem import Budget, ProblemSize
from dplda.methods.configurations import averages
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import BudgetUnit, Calibration, NoiseLaw, Variant
from dplda.privacy import sensitivity
from dplda.privacy.mechanisms import Mechanisms, Value
from dplda.privacy.noise.layouts import Layout, PairHistogram, PlainVector
from dplda.privacy.noise.whitened_layouts import WhitenedCells
from dplda.privacy.release import Status
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.statistics import Averages
from dplda.spectral.whitening import Whitening

LARGEST_VOCABULARY = 1000  # since all d³/6 numbers are drawn

AHEAD = averages.average_quantities(
    Edge.E4,
    why_words=averages.WHOLE.format("word frequencies"),
    why_pairs=averages.WHOLE.format("pair frequencies"),
)
BEHIND = averages.pair_average(
    Edge.E8, averages.WHOLE.format("pair frequencies"), name="pairs for W†"
)
TRIPLES = averages.triple_average(averages.WHOLE.format("triple frequencies"))


class LaplaceRoute(averages.TwoMomentsRoute):
    """One run: E1, E2 twice, E3 and the fraction of usable documents, each with Laplace noise.

    Guarantee:
        Sequential composition: the ε of the releases add up to the plan's. δ is not used.
    """

    def __init__(self, shape: ProblemSize, budget: Budget, mechanisms: Mechanisms) -> None:
        super().__init__(shape, budget, mechanisms)
        if shape.n_words > LARGEST_VOCABULARY:
            raise InputError(
                "n_words",
                f"at most {LARGEST_VOCABULARY} for Laplace noise, which needs one number for every triple of words",
                str(shape.n_words),
                "Choose a smaller vocabulary or the Gaussian calibration.",
            )
        self._epsilons = {
            name: fraction * budget.epsilon * (1 - 1e-15)
            for name, fraction in budget.portions.items()
        }
        self._sensitivity = sensitivity.histogram_l1(n_documents=shape.n_documents)

    def e4(self, pairs: Averages) -> Averages:
        """Averages of pairs and words and the mean weight, for the whitening."""
        words = self._released(AHEAD.words, pairs.words, PlainVector())
        mass = self.mechanisms.laplace_number(
            AHEAD.mass,
            pairs.mass,
            sensitivity=sensitivity.mass(n_documents=self.shape.n_documents),
            epsilon=self._epsilons[AHEAD.mass.name],
        )
        return self._with_pairs(Averages(words, pairs.pairs, mass), AHEAD.pairs)

    def e8(self, pairs: Averages, ahead: Averages) -> Averages:
        """A second release of the pair average, for unwhitening."""
        return self._with_pairs(Averages(ahead.words, pairs.pairs, ahead.mass), BEHIND)

    def triples(
        self, statistics: CorpusStatistics, whitening: Whitening, pairs: Averages
    ) -> Tensor3:
        """``E3(W, W, W)`` with Laplace noise on the histogram of triples (e3), completed by ``E1`` and ``E2``."""
        W = whitening.whitener
        noisy = self.mechanisms.laplacian(
            TRIPLES,
            statistics.triple_average(averages.UNCLIPPED, W, np.inf),
            WhitenedCells(W),
            sensitivity=sensitivity.triple_histogram_l1(
                n_documents=self.shape.n_documents, n_words=self.shape.n_words, spread=spread(W)
            ),
            epsilon=self._epsilons[TRIPLES.name],
        )
        return averages.triple_moment(noisy, W, pairs, self.coefficients)

    def _released(self, of: Quantity, value: Value, layout: Layout[Value]) -> Value:
        epsilon = self._epsilons[of.name]
        return self.mechanisms.laplacian(
            of, value, layout, sensitivity=self._sensitivity, epsilon=epsilon
        )

    def _with_pairs(self, value: Averages, released: Quantity) -> Averages:
        noisy = self._released(released, value.pairs, PairHistogram(len(value.pairs)))
        deviation = math.sqrt(2) * self.mechanisms.noise_std_of(released)
        return Averages(value.words, noisy, value.mass, entry_noise=deviation / 2)


def spread(W: Matrix) -> float:
    """``h`` of ``sensitivity.triple_histogram_l1``: the largest row sum of ``|W| |P|``, ``P`` a left inverse of ``W``.

    ``P`` inverts the rows of k words that are far apart: ``h`` is then a half to a third of the pseudo-inverse's.
    """
    anchors = scipy.linalg.qr((W / np.linalg.norm(W, axis=0)).T, mode="r", pivoting=True)[1][
        : W.shape[1]
    ]
    result = np.abs(W) @ np.sum(np.abs(np.linalg.inv(W[anchors])), axis=1)
    return float(np.max(result))


CONFIG_1_LAPLACE = Variant(
    calibration=Calibration.CORRECTED,
    shares=(
        (AHEAD.mass, 0.02),
        (AHEAD.words, 0.08),
        (AHEAD.pairs, 0.30),
        (BEHIND, 0.30),
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
