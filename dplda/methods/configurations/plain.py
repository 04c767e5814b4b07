r"""Plain averages with histogram noise: configuration 1 as we correct it, and ``shared-moment``.

``E1``, ``E2`` and ``E3`` are released as histograms, where one document weighs at most 1, and the moments are put
together from them afterwards, so the subtracted terms cost nothing. ``E3`` is never formed: its noise is drawn as it
would appear after whitening. ``shared-moment`` releases ``E2`` once and uses it both ways; configuration 1 has one
release for W and another for W†, as its edges say.

Every release is Gaussian noise on an average of one non-negative part a document, of length at most 1. With ``μ_j`` the
budgets, a run is as private as one Gaussian mechanism of ``μ² = Σ μ_j²``; what is made of releases costs nothing.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from dplda.core.types import Matrix, Tensor3
from dplda.flow import Edge
from dplda.methods.configurations.averages import (
    APART,
    PROVEN_RESTS_ON,
    TRIPLES_IN_WORDS,
    UNCLIPPED,
    WHY_UNCLIPPED_PAIRS,
    AverageQuantities,
    AveragesRoute,
    average_levels,
    pair_average,
    triple_average,
    unclipped_quantities,
)
from dplda.methods.configurations.levels import Levels, Readings
from dplda.methods.configurations.quantity import Quantity
from dplda.methods.configurations.route import Statistics
from dplda.methods.configurations.variant import Calibration, Variant
from dplda.privacy import sensitivity
from dplda.privacy.release import Status
from dplda.spectral.cumulants import Coefficients, cube, symmetrise, three_positions
from dplda.spectral.statistics import Averages
from dplda.spectral.whitening import Whitening, aligned, trimmed

SHARED = unclipped_quantities(Edge.E2)
AHEAD = unclipped_quantities(Edge.E4)
BEHIND = pair_average(Edge.E8, WHY_UNCLIPPED_PAIRS, name="pairs for W†")
TRIPLES = triple_average(APART.format(TRIPLES_IN_WORDS, "1"))


class PlainRoute(AveragesRoute):
    """Averages of documents as they are, with noise on ``E3``; the routes below say where the others get theirs."""

    def pairs(self, statistics: Statistics) -> Averages:
        """Averages in which every document of three words or more has weight 1."""
        return statistics.averages(UNCLIPPED)

    def triples(self, statistics: Statistics, whitening: Whitening, pairs: Averages) -> Tensor3:
        """``E3(W, W, W)`` with its histogram's noise (e3), completed by the released ``E1`` and ``E2``."""
        W, c = whitening.whitener, self.coefficients
        shape = self.shape
        noisy = self.mechanisms.whitened_triples(
            TRIPLES,
            statistics.triple_average(UNCLIPPED, W, np.inf),
            W,
            sensitivity=sensitivity.triple_histogram(n_documents=shape.n_documents, n_words=shape.n_words),
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
    return symmetrise(third / pairs.mass + c.b * three_positions((second + second.T) / 2, mean) + c.c * cube(mean))


def levels(found: Readings, *, ahead: AverageQuantities, behind: Quantity | None = None) -> Levels:
    """Noise in a predictor's units; for arguments see ``average_levels``."""
    triples = found[TRIPLES.name].scale / found[ahead.mass.name].value
    return replace(average_levels(found, ahead, behind), triples=triples)


SHARED_MOMENT_CORRECTED = Variant(
    calibration=Calibration.CORRECTED,
    shares=((SHARED.mass, 0.01), (SHARED.words, 0.06), (SHARED.pairs, 0.60), (TRIPLES, 0.33)),
    status=Status.PROVEN,
    rests_on=PROVEN_RESTS_ON,
    route=SharedMomentRoute,
    levels=partial(levels, ahead=SHARED),
)

CONFIG_1_CORRECTED = Variant(
    calibration=Calibration.CORRECTED,
    shares=((AHEAD.mass, 0.01), (AHEAD.words, 0.06), (AHEAD.pairs, 0.30), (BEHIND, 0.30), (TRIPLES, 0.33)),
    status=Status.PROVEN,
    rests_on=PROVEN_RESTS_ON,
    route=TwoMomentsRoute,
    levels=partial(levels, ahead=AHEAD, behind=BEHIND),
)
