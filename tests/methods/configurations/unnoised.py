"""Routes without mechanisms: what each configuration computes when nothing is noised, from the same statistics.

A configuration has noise on its own copy of a statistic, so a copy is what its un-noised counterpart takes too: M2
written out as a matrix, or the averages released for unwhitening; and its own coordinates, whose last bits differ.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from dplda import Corpus, Plan
from dplda.evaluation.colours import Style
from dplda.flow import Edge
from dplda.methods.chain.pipeline import Fit, fit
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.adaptive import AdaptiveRoute
from dplda.methods.configurations.averages import triple_moment
from dplda.methods.configurations.route import MomentRoute, Route
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import Calibration, Configuration, NoiseLaw, Variant, by_scaling
from dplda.methods.problem import Problem
from dplda.methods.resources import Resources
from dplda.privacy.noise.layouts import SymmetricMatrix, SymmetricTensor
from dplda.privacy.release import Status
from dplda.spectral.documents import LARGEST_PAIR_NORM
from dplda.spectral.statistics import Averages, PairMoment, complete, shifted
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import aligned, in_frame_of, trimmed
from tests.methods.configurations.variants import Entry


def in_coordinates(value):
    """What is left of a symmetric array that went to coordinates and back: its last bits are those of one copy."""
    layout = (SymmetricMatrix if value.ndim == 2 else SymmetricTensor)(len(value))
    return layout.array(layout.coordinates(value))


class WrittenOut(MomentRoute):
    """The exact fit, with M2 as a matrix wherever a configuration would add noise to it."""

    def e8(self, pairs, ahead):
        return PairMoment(in_coordinates(pairs.matrix()))


class BothWrittenOut(WrittenOut):
    """Configuration 1: W and W† from a copy each."""

    def e4(self, pairs):
        return PairMoment(in_coordinates(pairs.matrix()))

    def triples(self, source, whitening, pairs):
        return in_coordinates(super().triples(source, whitening, pairs))


class TensorToo(WrittenOut):
    """Configuration 2: the tensor likewise."""

    def e6(self, tensor, whitening):
        return in_coordinates(tensor)


class Framed(TensorToo):
    """Configuration 2 as corrected: the tensor seen in the frame of unwhitening."""

    def align(self, forward, back):
        return in_frame_of(forward, back), back


class TopicsAlone(MomentRoute):
    """Configuration 4: only the topics are known afterwards, so the mean words are those of the topics."""

    def e9(self, topics, components, whitening):
        weights = topics.alpha
        mean_words = weights @ topics.words / np.sum(weights)
        return RawTopics(topics.words, topics.alpha, mean_words, topics.eigenvalues)


class OfAverages(Route[Averages]):
    """Plain averages of all documents, put together as the moments are."""

    def pairs(self, source):
        return source.averages(LARGEST_PAIR_NORM)

    def e2(self, pairs):
        return Averages(pairs.words, pairs.pairs, pairs.mass)

    def triples(self, source, whitening, pairs):
        third = source.triple_average(LARGEST_PAIR_NORM, whitening.whitener, np.inf)
        return triple_moment(in_coordinates(third), whitening.whitener, pairs, self.coefficients)


class OfAveragesTwice(OfAverages):
    """Configuration 1: a copy for unwhitening, turned into the frame of the way there."""

    def e8(self, pairs, ahead):
        return Averages(pairs.words, pairs.pairs, pairs.mass)

    def align(self, forward, back):
        forward, back = trimmed(forward, back)
        return forward, aligned(back, forward)


class Shifted(OfAverages):
    """``adaptive``: the third moment from an average along shifted directions."""

    def triples(self, source, whitening, pairs):
        mean = whitening.whitener.T @ pairs.mean_words(self.coefficients)
        directions = shifted(whitening.whitener, mean, self.coefficients)
        third = source.triple_average(LARGEST_PAIR_NORM, directions, np.inf)
        return complete(in_coordinates(third) / pairs.mass, mean, self.coefficients)

    polish, _plain = AdaptiveRoute.polish, True


COUNTERPART = {
    ("adaptive", Calibration.CORRECTED): Shifted,
    ("shared-moment", Calibration.CORRECTED): OfAverages,
    ("config-1", Calibration.CORRECTED): OfAveragesTwice,
    ("config-1", NoiseLaw.LAPLACE): OfAveragesTwice,
    ("config-1", Calibration.PUBLISHED): BothWrittenOut,
    ("config-2", Calibration.CORRECTED): Framed,
    ("config-2", Calibration.PUBLISHED): TensorToo,
    ("config-3", Calibration.PUBLISHED): WrittenOut,
    ("config-4", Calibration.PUBLISHED): TopicsAlone,
}


@contextmanager
def plan_of(route: type[Route]) -> Iterator[Plan]:
    """A plan of a configuration that the registry knows for the time being."""
    shares = ((Quantity("nothing", "0", "nothing", Edge.E9), 1.0),)
    variant = Variant(Calibration.CORRECTED, shares, Status.NOT_PRIVATE, ("It has no noise.",), route)
    known = Configuration("unnoised", "Un-noised", (Edge.E0, Edge.E1), "", by_scaling(variant), Style.at(13, "n"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(REGISTRY, "unnoised", known)
        yield Plan("unnoised", 1.0)


def counterpart(entry: Entry, corpus: Corpus, *, n_topics: int = 3, alpha0: float = 1.0, seed: int = 0) -> Fit:
    """The fit that an entry of the registry would be without its noise."""
    with plan_of(COUNTERPART[entry.name, entry.calibration]) as plan:
        return fit(corpus, plan, Problem(n_topics, alpha0), Resources(seed))
