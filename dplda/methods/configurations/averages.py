"""Plain averages with histogram noise: our corrected configuration 1, and ``shared-moment``.

``E1``, ``E2`` and ``E3`` are released as histograms, where one document weighs at most 1; the
moments are computed from them, so the subtracted terms cost nothing. ``E3`` is never formed: its
noise is drawn as it appears after whitening. ``shared-moment`` releases ``E2`` once and uses it
both ways; configuration 1 releases it for W and again for W†.

Every release is Gaussian noise on an average of one non-negative part per document, of length at
most 1. With budgets ``μ_j``, a run is as private as one Gaussian mechanism of ``μ² = Σ μ_j²``;
computing on releases costs nothing.
"""

from dataclasses import dataclass, replace

import numpy as np

from dplda.core.types import Matrix, Tensor3
from dplda.flow import Edge
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations import bounded_statistics as bounded
from dplda.methods.configurations import sizes
from dplda.methods.configurations.route import Route
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import Variant
from dplda.privacy.adjacency import Assumption
from dplda.privacy.noise.layouts import PairHistogram
from dplda.privacy.noise.whitened_layouts import WhitenedTriples
from dplda.privacy.release import Status
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.cumulants import Coefficients, cube, symmetrize, three_positions
from dplda.spectral.documents import LARGEST_PAIR_NORM
from dplda.spectral.statistics import Averages
from dplda.spectral.whitening import Whitening, keep_common_directions, rotate_to_match

PROVEN_RESTS_ON = (Assumption.NEIGHBOURS, Assumption.CHOSEN)
CONSTANTS_CHOSEN = (
    "The method's own constants were chosen on simulated documents, the embedded docstrings,"
    " 20 Newsgroups, Wikipedia's leads and AP: so on those documents they were not chosen in"
    " advance."
)
L2_REASON = (
    "A document's {} have length at most {}, and two non-negative tables are at most √2 times that"
    " apart."
)
L1_REASON = (
    "A document's {} add up to 1, so replacing one moves them by at most 2 in total, and the"
    " average divides by N."
)
COUNTS_REASON = (
    "Nine counts of documents, each moved by at most 1 when one is replaced: √9 together."
)
WORDS_IN_WORDS = "word frequencies"
PAIRS_IN_WORDS = "pair frequencies, counted by unordered pairs,"
TRIPLES_IN_WORDS = "triple frequencies, counted by unordered triples,"


@dataclass(frozen=True, slots=True)
class AverageQuantities:
    """The quantities under which averages of words and pairs are released.

    Attributes:
        pairs: pair average ``E2``.
        words: word average ``E1``.
        mass: mean weight ``w̄`` of a document.
    """

    pairs: Quantity
    words: Quantity
    mass: Quantity


def average_quantities(
    edge: Edge, *, words_reason: str, pairs_reason: str, rests_on: tuple[str, ...] = ()
) -> AverageQuantities:
    """Name the three averages that are released on one edge: of pairs, of words and of weights.

    The mean weight of a document is scaled by no earlier quantity.

    Args:
        edge: carries their noise.
        words_reason: why one document moves the word average no further, a sentence.
        pairs_reason: the same of the pair average.
        rests_on: names of earlier quantities that scale their noise.
    """
    return AverageQuantities(
        pairs=pair_average_quantity(edge, pairs_reason, rests_on=rests_on),
        words=Quantity(
            name="words",
            symbol="E₁",
            words="word average",
            edge=edge,
            reason=words_reason,
            measure=sizes.measure_word_average,
            rests_on=rests_on,
        ),
        mass=Quantity(
            name="mass",
            symbol="w̄",
            words="mean weight of a document",
            edge=edge,
            reason="A document's weight lies between 0 and 1, and the average divides by N.",
            measure=sizes.measure_mean_weight,
        ),
    )


def pair_average_quantity(
    edge: Edge, reason: str, *, name: str = "pairs", rests_on: tuple[str, ...] = ()
) -> Quantity:
    """Name the pair average that is released on one edge; arguments as in ``Quantity``."""
    return Quantity(
        name=name,
        symbol="E₂",
        words="pair average",
        edge=edge,
        reason=reason,
        measure=sizes.measure_pair_average,
        rests_on=rests_on,
    )


def triple_average_quantity(reason: str) -> Quantity:
    """Name the triple average that is released on e3; ``reason`` as in ``Quantity``."""
    return Quantity(
        name="triples",
        symbol="E₃",
        words="triple average, seen whitened",
        edge=Edge.E3,
        reason=reason,
        measure=sizes.measure_triple_average,
    )


class AveragesRoute(Route[Averages]):
    """A route built on plain averages, each released with Gaussian noise."""

    def release_averages(self, exact: Averages, quantities: AverageQuantities) -> Averages:
        """Release the averages of pairs and words and the mean weight, once each.

        Args:
            exact: without noise; its clip level is public or released.
            quantities: names of the three releases.

        Returns:
            The averages with noise, and with the noise level of words among them.
        """
        noisy_pairs = self.release_pairs(exact, quantities.pairs)
        noisy_words = self.mechanisms.release_sum(
            quantities.words,
            bounded.bound_word_average(exact, self.size),
            mu=self._mus[quantities.words.name],
        )
        noisy_mean_weight = self.mechanisms.release_sum(
            quantities.mass,
            bounded.bound_mean_weight(exact, self.size),
            mu=self._mus[quantities.mass.name],
        )
        return replace(
            noisy_pairs,
            words=noisy_words,
            mass=noisy_mean_weight,
            word_noise=self.mechanisms.noise_std_of(quantities.words),
        )

    def release_pairs(self, exact: Averages, quantity: Quantity) -> Averages:
        """Release the pair average as a histogram over unordered pairs; the rest stays exact."""
        pairs = self.mechanisms.release_sum(
            quantity,
            bounded.bound_pair_average(exact, self.size),
            mu=self._mus[quantity.name],
            layout=PairHistogram(len(exact.pairs)),
        )
        return replace(exact, pairs=pairs, entry_noise=self.mechanisms.noise_std_of(quantity) / 2)


UNCLIPPED = LARGEST_PAIR_NORM
"""Clip level of pair frequencies that leaves every document as it is."""
UNCLIPPED_PAIRS_REASON = L2_REASON.format(PAIRS_IN_WORDS, "1")


def unclipped_quantities(edge: Edge) -> AverageQuantities:
    """Name the averages of unclipped documents that are released on one edge."""
    return average_quantities(
        edge,
        words_reason=L2_REASON.format(WORDS_IN_WORDS, "1"),
        pairs_reason=UNCLIPPED_PAIRS_REASON,
    )


SHARED = unclipped_quantities(Edge.E2)
FORWARD = unclipped_quantities(Edge.E4)
BACK_PAIRS = pair_average_quantity(Edge.E8, UNCLIPPED_PAIRS_REASON, name="pairs for W†")
TRIPLES = triple_average_quantity(L2_REASON.format(TRIPLES_IN_WORDS, "1"))


class PlainRoute(AveragesRoute):
    """Averages of unclipped documents, with noise on ``E3``; subclasses add the rest."""

    def pairs(self, statistics: CorpusStatistics) -> Averages:
        """Edge e0: averages in which every document of at least three words has weight 1."""
        return statistics.averages(UNCLIPPED)

    def triples(
        self, statistics: CorpusStatistics, whitening: Whitening, pairs: Averages
    ) -> Tensor3:
        """Edge e3: noisy ``E3(W, W, W)``, completed by the released ``E1`` and ``E2``."""
        W = whitening.whitener
        triple_average = statistics.triple_average(UNCLIPPED, W, np.inf)
        noisy_average = self.mechanisms.release_sum(
            TRIPLES,
            bounded.bound_triple_average(triple_average, self.size),
            mu=self._mus[TRIPLES.name],
            layout=WhitenedTriples(W),
        )
        return complete_triple_moment(noisy_average, W, pairs, self.coefficients)


class SharedMomentRoute(PlainRoute):
    """``shared-moment``: one release of ``E2`` for everything."""

    def e2(self, pairs: Averages) -> Averages:
        """Edge e2: noisy averages of words and pairs and the mean weight."""
        return self.release_averages(pairs, SHARED)


class TwoMomentsRoute(PlainRoute):
    """Configuration 1: a release of ``E2`` for W and another for W†."""

    def e4(self, pairs: Averages) -> Averages:
        """Edge e4: noisy averages of words and pairs and the mean weight, for the whitening."""
        return self.release_averages(pairs, FORWARD)

    def e8(self, pairs: Averages, forward_pairs: Averages) -> Averages:
        """Edge e8: a second, independent release of ``E2``, with its own noise level.

        Words and mass are those of the first release.
        """
        noisy_pairs = self.release_pairs(pairs, BACK_PAIRS)
        return Averages(
            words=forward_pairs.words,
            pairs=noisy_pairs.pairs,
            mass=forward_pairs.mass,
            entry_noise=noisy_pairs.entry_noise,
        )

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Rotate unwhitening into the whitening's frame: post-processing of two releases."""
        forward, back = keep_common_directions(forward, back)
        return forward, rotate_to_match(back, forward)


def complete_triple_moment(
    triple_average: Tensor3, W: Matrix, pairs: Averages, c: Coefficients
) -> Tensor3:
    """Complete ``M3(W, W, W) = E3 + b s₃(E2, E1) + c E1⊗E1⊗E1``, all whitened.

    Args:
        triple_average: ``E3`` seen through ``W``, times the mean weight, shape (m, m, m).
        W: whitener, shape (d, m).
        pairs: averages that ``E1``, ``E2`` and the mean weight are read from.
        c: coefficients of the moments.
    """
    E1 = W.T @ pairs.mean_words(c)
    E2 = W.T @ (pairs.pairs / pairs.mass) @ W
    E3 = triple_average / pairs.mass
    return symmetrize(E3 + c.b * three_positions((E2 + E2.T) / 2, E1) + c.c * cube(E1))


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
        (FORWARD.mass, 0.01),
        (FORWARD.words, 0.06),
        (FORWARD.pairs, 0.30),
        (BACK_PAIRS, 0.30),
        (TRIPLES, 0.33),
    ),
    status=Status.PROVEN,
    rests_on=PROVEN_RESTS_ON,
    route=TwoMomentsRoute,
)
