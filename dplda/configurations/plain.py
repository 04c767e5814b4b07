r"""Plain averages with histogram noise: configuration 1 as we correct it, and ``shared-moment``.

``E1``, ``E2`` and ``E3`` are released as histograms, where one document weighs at most 1, and the moments are put
together from them afterwards, so the subtracted terms cost nothing. ``E3`` is never formed: its noise is drawn as it
would appear after whitening. ``shared-moment`` releases ``E2`` once and uses it both ways; configuration 1 has one
release for W and another for W†, as its edges say.
"""

import numpy as np

from dplda._types import Matrix, Tensor3
from dplda.configurations.averages import (
    LARGEST_PAIR_NORM,
    MASS,
    PAIRS,
    PROVEN_RESTS_ON,
    TRIPLES,
    WORDS,
    gaussian_budget,
    noisy_averages,
    noisy_pairs,
)
from dplda.configurations.route import Budget, Calibration, Route, Shape, Statistics, Variant
from dplda.flow import Edge
from dplda.privacy import sensitivity
from dplda.privacy.mechanisms import Mechanisms, ReleaseName
from dplda.privacy.release import Status
from dplda.spectral.cumulants import Coefficients, cube, symmetrise, three_positions
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.whitening import Whitening, aligned, trimmed

PAIRS_BACK = "pairs for W†"


class PlainRoute(Route):
    """One run with ``E1``, ``E2``, ``E3`` and the fraction of usable documents released.

    Args:
        shape: public numbers.
        budget: ε, δ and split.
        mechanisms: make the releases.
        shared: whether the one noisy ``E2`` serves W† too.
    """

    def __init__(self, shape: Shape, budget: Budget, mechanisms: Mechanisms, *, shared: bool) -> None:
        super().__init__(shape, budget, mechanisms)
        self._mus = gaussian_budget(budget)
        self._shared = shared
        self._forward: Averages | None = None

    def pairs(self, source: Statistics) -> Averages:
        """Averages in which every document of three words or more has weight 1."""
        return source.averages(LARGEST_PAIR_NORM)

    def e2(self, pairs: Averages | PairMoment) -> Averages | PairMoment:
        """One release for everything, where the moment is shared."""
        return self._released(pairs, Edge.E2) if self._shared else pairs

    def e4(self, pairs: Averages | PairMoment) -> Averages | PairMoment:
        """A release for the whitening."""
        if self._shared:
            return pairs
        self._forward = self._released(pairs, Edge.E4)
        return self._forward

    def e8(self, pairs: Averages | PairMoment) -> Averages | PairMoment:
        """A second, independent release of ``E2`` for unwhitening; words and mass are those of the first."""
        if self._shared:
            return pairs
        assert isinstance(pairs, Averages)
        assert self._forward is not None
        n = self.shape.n_documents
        noisy, entry_noise = noisy_pairs(pairs, LARGEST_PAIR_NORM, n, self.mechanisms, Edge.E8, self._mus[PAIRS_BACK])
        return Averages(self._forward.words, noisy, self._forward.mass, entry_noise)

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Rotates unwhitening into the whitening's frame: post-processing of two releases."""
        forward, back = trimmed(forward, back)
        return forward, aligned(back, forward)

    def triples(self, source: Statistics, whitening: Whitening, pairs: Averages | PairMoment) -> Tensor3:
        """``E3(W, W, W)`` with its histogram's noise (e3), completed by the released ``E1`` and ``E2``."""
        assert isinstance(pairs, Averages)
        W, c = whitening.whitener, self.coefficients
        noisy = self.mechanisms.whitened_triples(
            ReleaseName(Edge.E3, "triple average, seen whitened", "E₃"),
            source.triple_average(LARGEST_PAIR_NORM, W, np.inf),
            W,
            sensitivity=sensitivity.triple_histogram(n_documents=self.shape.n_documents),
            mu=self._mus[TRIPLES],
        )
        return triple_moment(noisy, W, pairs, c)

    def _released(self, pairs: Averages | PairMoment, edge: Edge) -> Averages:
        assert isinstance(pairs, Averages)
        return noisy_averages(pairs, LARGEST_PAIR_NORM, self.shape.n_documents, self.mechanisms, edge, self._mus)


def triple_moment(third: Tensor3, W: Matrix, pairs: Averages, c: Coefficients) -> Tensor3:
    """``M3(W, W, W) = E3 + b s₃(E2, E1) + c E1⊗E1⊗E1``, all whitened, from the averages ``third`` and ``pairs``."""
    mean = W.T @ pairs.mean_words(c)
    second = W.T @ (pairs.pairs / pairs.mass) @ W
    return symmetrise(third / pairs.mass + c.b * three_positions((second + second.T) / 2, mean) + c.c * cube(mean))


def shared_moment(shape: Shape, budget: Budget, mechanisms: Mechanisms) -> PlainRoute:
    """Opens a run of ``shared-moment``."""
    return PlainRoute(shape, budget, mechanisms, shared=True)


def config_1(shape: Shape, budget: Budget, mechanisms: Mechanisms) -> PlainRoute:
    """Opens a run of configuration 1, corrected."""
    return PlainRoute(shape, budget, mechanisms, shared=False)


SHARED_MOMENT_VARIANTS = {
    Calibration.CORRECTED: Variant(
        default_split=((MASS, 0.01), (WORDS, 0.06), (PAIRS, 0.60), (TRIPLES, 0.33)),
        status=Status.PROVEN,
        rests_on=PROVEN_RESTS_ON,
        route=shared_moment,
    )
}

CONFIG_1_CORRECTED = Variant(
    default_split=((MASS, 0.01), (WORDS, 0.06), (PAIRS, 0.30), (PAIRS_BACK, 0.30), (TRIPLES, 0.33)),
    status=Status.PROVEN,
    rests_on=PROVEN_RESTS_ON,
    route=config_1,
)
