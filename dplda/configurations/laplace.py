"""Configuration 1 with Laplace noise: pure ε-DP, no δ.

The same averages are released as in the corrected Gaussian variant, each a histogram of L1 sensitivity 2/N however many
words there are, and ε is divided among them. At small δ this noise is no larger than the Gaussian one.
"""

import math

import numpy as np

from dplda._types import Tensor3
from dplda.configurations.averages import LARGEST_PAIR_NORM, MASS, PAIRS, PROVEN_RESTS_ON, TRIPLES, WORDS
from dplda.configurations.plain import PAIRS_BACK, triple_moment
from dplda.configurations.route import Budget, Route, Shape, Statistics, Variant
from dplda.errors import InputError
from dplda.flow import Edge
from dplda.privacy import sensitivity
from dplda.privacy.mechanisms import Mechanisms, ReleaseName
from dplda.privacy.release import Status
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.whitening import Whitening, aligned, trimmed

LARGEST_VOCABULARY = 1000  # every one of d³/6 numbers is drawn


class LaplaceRoute(Route):
    """One run: E1, E2 twice, E3 and the fraction of usable documents, each with Laplace noise.

    Guarantee:
        Sequential composition: the ε of the releases add up to the plan's. δ is not used.
    """

    def __init__(self, shape: Shape, budget: Budget, mechanisms: Mechanisms) -> None:
        super().__init__(shape, budget, mechanisms)
        if shape.n_words > LARGEST_VOCABULARY:
            raise InputError(
                "n_words",
                f"at most {LARGEST_VOCABULARY} for Laplace noise, which must be drawn for every triple of words",
                str(shape.n_words),
                "Choose a smaller vocabulary or the Gaussian calibration.",
            )
        self._epsilons = {name: fraction * budget.epsilon * (1 - 1e-15) for name, fraction in budget.split.items()}
        self._sensitivity = sensitivity.histogram_l1(n_documents=shape.n_documents)
        self._forward: Averages | None = None

    def pairs(self, source: Statistics) -> Averages:
        """Averages in which every document of three words or more has weight 1."""
        return source.averages(LARGEST_PAIR_NORM)

    def e4(self, pairs: Averages | PairMoment) -> Averages:
        """Averages of pairs and words and the mean weight, for the whitening."""
        assert isinstance(pairs, Averages)
        words = self.mechanisms.laplace_vector(
            ReleaseName(Edge.E4, "word average", "E₁"),
            pairs.words,
            sensitivity=self._sensitivity,
            epsilon=self._epsilons[WORDS],
        )
        mass = self.mechanisms.laplace_number(
            ReleaseName(Edge.E4, "mean weight of a document", "w̄"),
            pairs.mass,
            sensitivity=sensitivity.mass(n_documents=self.shape.n_documents),
            epsilon=self._epsilons[MASS],
        )
        self._forward = self._with_pairs(Averages(words, pairs.pairs, mass), Edge.E4, PAIRS)
        return self._forward

    def e8(self, pairs: Averages | PairMoment) -> Averages:
        """A second release of the pair average, for unwhitening."""
        assert isinstance(pairs, Averages)
        assert self._forward is not None
        unnoised = Averages(self._forward.words, pairs.pairs, self._forward.mass)
        return self._with_pairs(unnoised, Edge.E8, PAIRS_BACK)

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Rotates unwhitening into the whitening's frame: post-processing of two releases."""
        forward, back = trimmed(forward, back)
        return forward, aligned(back, forward)

    def triples(self, source: Statistics, whitening: Whitening, pairs: Averages | PairMoment) -> Tensor3:
        """``E3(W, W, W)`` with Laplace noise on the histogram of triples (e3), completed by ``E1`` and ``E2``."""
        assert isinstance(pairs, Averages)
        noisy = self.mechanisms.laplace_triples(
            ReleaseName(Edge.E3, "triple average, seen whitened", "E₃"),
            source.triple_average(LARGEST_PAIR_NORM, whitening.whitener, np.inf),
            whitening.whitener,
            sensitivity=self._sensitivity,
            epsilon=self._epsilons[TRIPLES],
        )
        return triple_moment(noisy, whitening.whitener, pairs, self.coefficients)

    def _with_pairs(self, value: Averages, edge: Edge, quantity: str) -> Averages:
        noisy = self.mechanisms.laplace_pairs(
            ReleaseName(edge, "pair average", "E₂"),
            value.pairs,
            sensitivity=self._sensitivity,
            epsilon=self._epsilons[quantity],
        )
        deviation = math.sqrt(2) * self.mechanisms.last_noise
        return Averages(value.words, noisy, value.mass, entry_noise=deviation / 2)


CONFIG_1_LAPLACE = Variant(
    default_split=((MASS, 0.02), (WORDS, 0.08), (PAIRS, 0.30), (PAIRS_BACK, 0.30), (TRIPLES, 0.30)),
    status=Status.PROVEN,
    rests_on=(*PROVEN_RESTS_ON, "Laplace noise gives pure ε-differential privacy: δ is 0, whatever the plan says."),
    route=LaplaceRoute,
)
