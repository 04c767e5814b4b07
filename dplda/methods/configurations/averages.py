"""Plain averages with histogram noise: our corrected configuration 1, and ``shared-moment``.

``E1``, ``E2`` and ``E3`` are released as histograms, where one document weighs at most 1; the moments are computed from
them, so the subtracted terms cost nothing. ``E3`` is never formed: its noise is drawn as it appears after whitening.
``shared-moment`` releases ``E2`` once and uses it both ways; configuration 1 releases it for W and again for W†.

Every release is Gaussian noise on an average of one non-negative part per document, of length at most 1. With budgets
``μ_j``, a run is as private as one Gaussian mechanism of ``μ² = Σ μ_j²``; computing on releases costs nothing.
"""

from dataclasses import dataclass, replace

import numpy as np

from dplda.core.types import Matrix, Tensor3
from dplda.flow import Edge
from dplda.methods.configurations import sizes
from dplda.methods.configurations.route import Route
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import Calibration, Variant
from dplda.privacy import sensitivity
from dplda.privacy.adjacency import Assumption
from dplda.privacy.noise.layouts import PairHistogram
from dplda.privacy.noise.whitened_layouts import WhitenedTriples
from dplda.privacy.release import Status
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.cumulants import Coefficients, cube, symmetrise, three_positions
from dplda.spectral.documents import LARGEST_PAIR_NORM
from dplda.spectral.statistics import Averages
from dplda.spectral.whitening import Whitening, aligned, trimmed

PROVEN_RESTS_ON = (Assumption.NEIGHBOURS, Assumption.CHOSEN)
CONSTANTS_CHOSEN = (
    "The method's own constants were chosen on simulated documents, the embedded docstrings, 20 Newsgroups,"
    " Wikipedia's leads and AP: so on those documents they were not chosen in advance."
)
APART = "A document's {} have length at most {}, and two non-negative tables are at most √2 times that apart."
WHOLE = "A document's {} add up to 1, so replacing one moves them by at most 2 in total, and the average divides by N."
COUNTS = "Nine counts of documents, each moved by at most 1 when one is replaced: √9 together."
WORDS_IN_WORDS = "word frequencies"
PAIRS_IN_WORDS = "pair frequencies, counted by unordered pairs,"
TRIPLES_IN_WORDS = "triple frequencies, counted by unordered triples,"


@dataclass(frozen=True, slots=True)
class AverageQuantities:
    """The three released quantities of words and pairs: ``E2``, ``E1`` and ``w̄``."""

    pairs: Quantity
    words: Quantity
    mass: Quantity


def average_quantities(
    edge: Edge, *, why_words: str, why_pairs: str, rests_on: tuple[str, ...] = ()
) -> AverageQuantities:
    """The averages as released on one edge."""
    return AverageQuantities(
        pairs=pair_average(edge, why_pairs, rests_on=rests_on),
        words=Quantity(
            "words", "E₁", "word average", edge, why_words, sizes.word_average, rests_on
        ),
        mass=Quantity(
            "mass",
            "w̄",
            "mean weight of a document",
            edge,
            "A document's weight lies between 0 and 1, and the average divides by N.",
            sizes.mean_weight,
        ),
    )


def pair_average(
    edge: Edge, why: str, *, name: str = "pairs", rests_on: tuple[str, ...] = ()
) -> Quantity:
    """``E2`` as released on one edge."""
    return Quantity(name, "E₂", "pair average", edge, why, sizes.pair_average, rests_on)


def triple_average(why: str) -> Quantity:
    """``E3`` as released on e3."""
    return Quantity(
        "triples", "E₃", "triple average, seen whitened", Edge.E3, why, sizes.triple_average
    )


class AveragesRoute(Route[Averages]):
    """A route built on plain averages, each released with Gaussian noise."""

    def released(self, value: Averages, quantities: AverageQuantities) -> Averages:
        """The averages of pairs and words and the mean weight, each released once; their clip level is public."""
        n, make = self.shape.n_documents, self.mechanisms
        words = quantities.words
        pairs = self.released_pairs(value, quantities.pairs)
        noisy_words = make.vector(
            words,
            value.words,
            sensitivity=sensitivity.word_average(n_documents=n, clip=value.clip),
            mu=self._mus[words.name],
        )
        mass = make.number(
            quantities.mass,
            value.mass,
            sensitivity=sensitivity.mass(n_documents=n),
            mu=self._mus[quantities.mass.name],
        )
        return replace(pairs, words=noisy_words, mass=mass, word_noise=make.noise_std_of(words))

    def released_pairs(self, value: Averages, quantity: Quantity) -> Averages:
        """The same averages with a noisy pair average, released as a histogram over unordered pairs."""
        noisy = self.mechanisms.gaussian(
            quantity,
            value.pairs,
            PairHistogram(len(value.pairs)),
            sensitivity=sensitivity.pair_average(
                n_documents=self.shape.n_documents, clip=value.clip
            ),
            mu=self._mus[quantity.name],
        )
        return replace(value, pairs=noisy, entry_noise=self.mechanisms.noise_std_of(quantity) / 2)


WHY_UNCLIPPED_PAIRS = APART.format(PAIRS_IN_WORDS, "1")
UNCLIPPED = LARGEST_PAIR_NORM


def unclipped_quantities(edge: Edge) -> AverageQuantities:
    """The averages of unclipped documents."""
    return average_quantities(
        edge, why_words=APART.format(WORDS_IN_WORDS, "1"), why_pairs=WHY_UNCLIPPED_PAIRS
    )


SHARED = unclipped_quantities(Edge.E2)
AHEAD = unclipped_quantities(Edge.E4)
BEHIND = pair_average(Edge.E8, WHY_UNCLIPPED_PAIRS, name="pairs for W†")
TRIPLES = triple_average(APART.format(TRIPLES_IN_WORDS, "1"))


class PlainRoute(AveragesRoute):
    """Averages of unclipped documents, with noise on ``E3``; subclasses add the rest."""

    def pairs(self, statistics: CorpusStatistics) -> Averages:
        """Averages in which every document of at least three words has weight 1."""
        return statistics.averages(UNCLIPPED)

    def triples(
        self, statistics: CorpusStatistics, whitening: Whitening, pairs: Averages
    ) -> Tensor3:
        """``E3(W, W, W)`` with its histogram's noise (e3), completed by the released ``E1`` and ``E2``."""
        W, c = whitening.whitener, self.coefficients
        shape = self.shape
        noisy = self.mechanisms.gaussian(
            TRIPLES,
            statistics.triple_average(UNCLIPPED, W, np.inf),
            WhitenedTriples(W),
            sensitivity=sensitivity.triple_histogram(
                n_documents=shape.n_documents, n_words=shape.n_words
            ),
            mu=self._mus[TRIPLES.name],
        )
        return triple_moment(noisy, W, pairs, c)


class SharedMomentRoute(PlainRoute):
    """``shared-moment``: one release of ``E2`` for everything."""

    def e2(self, pairs: Averages) -> Averages:
        """The averages of words and pairs and the mean weight."""
        return self.released(pairs, SHARED)


class TwoMomentsRoute(PlainRoute):
    """Configuration 1: a release of ``E2`` for W and another for W†."""

    def e4(self, pairs: Averages) -> Averages:
        """The averages of words and pairs and the mean weight, for the whitening."""
        return self.released(pairs, AHEAD)

    def e8(self, pairs: Averages, ahead: Averages) -> Averages:
        """A second, independent release of ``E2`` for unwhitening; words and mass are those of the first."""
        noisy = self.released_pairs(pairs, BEHIND)
        return Averages(ahead.words, noisy.pairs, ahead.mass, noisy.entry_noise)

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Rotates unwhitening into the whitening's frame: post-processing of two releases."""
        forward, back = trimmed(forward, back)
        return forward, aligned(back, forward)


def triple_moment(third: Tensor3, W: Matrix, pairs: Averages, c: Coefficients) -> Tensor3:
    """``M3(W, W, W) = E3 + b s₃(E2, E1) + c E1⊗E1⊗E1``, all whitened, from the averages ``third`` and ``pairs``."""
    mean = W.T @ pairs.mean_words(c)
    second = W.T @ (pairs.pairs / pairs.mass) @ W
    return symmetrise(
        third / pairs.mass + c.b * three_positions((second + second.T) / 2, mean) + c.c * cube(mean)
    )


SHARED_MOMENT_CORRECTED = Variant(
    calibration=Calibration.CORRECTED,
    shares=((SHARED.mass, 0.01), (SHARED.words, 0.06), (SHARED.pairs, 0.60), (TRIPLES, 0.33)),
    status=Status.PROVEN,
    rests_on=PROVEN_RESTS_ON,
    route=SharedMomentRoute,
)

CONFIG_1_CORRECTED = Variant(
    calibration=Calibration.CORRECTED,
    shares=(
        (AHEAD.mass, 0.01),
        (AHEAD.words, 0.06),
        (AHEAD.pairs, 0.30),
        (BEHIND, 0.30),
        (TRIPLES, 0.33),
    ),
    status=Status.PROVEN,
    rests_on=PROVEN_RESTS_ON,
    route=TwoMomentsRoute,
)
