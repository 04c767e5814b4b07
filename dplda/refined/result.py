"""What a refinement found, and apart from it what only the curator may see."""

from dataclasses import dataclass

import numpy as np

from dplda._types import Matrix, Vector
from dplda.privacy.release import Guarantee, Release
from dplda.refined.budget import Shares
from dplda.shrinkage.posterior import Posterior


@dataclass(frozen=True, slots=True, eq=False)
class Refined:
    """Topics found by refinement. All that is here is a function of releases and public numbers.

    Attributes:
        topics: shape (k, d), rows on the simplex.
        alpha: shape (k,), Dirichlet parameters; given, not learned.
        mean_words: ``p``, shape (d,), on the simplex.
        told_apart: ``h``, shape (k,): how far each topic's released cells are from those of the mean word
            distribution, in standard deviations of what noise alone would show: about N(0, 1) for a topic that is
            nothing but the mean, so that below 3 it is not told apart. Large is necessary for a topic that makes
            sense, not sufficient. Infinite without noise.
        moments_weight: shape (k,), weight of the spectral reading in each topic; 0 without a spectral start.
        shares: how the budget was divided.
        releases: every noisy value that was drawn, in order.
        guarantee: what holds.
        posterior: of every topic's expected word counts, shape (k, d), under their known noise.
    """

    topics: Matrix
    alpha: Vector
    mean_words: Vector
    told_apart: Vector
    moments_weight: Vector
    shares: Shares
    releases: tuple[Release, ...]
    guarantee: Guarantee
    posterior: Posterior

    def interval(self, level: float = 0.9) -> tuple[Matrix, Matrix]:
        """Lower and upper ends for every topic's word probabilities, each of shape (k, d).

        The central posterior interval of the last steps' statistic, moved to where the topic is. It speaks of noise
        alone, the other cells given: not of sampling, of clipping or of what inference gets wrong.

        Args:
            level: posterior chance of the interval, in (0, 1).
        """
        size = np.sum(self.posterior.mean, axis=1, keepdims=True)
        centre = self.posterior.mean / size
        low, high = self.posterior.interval(level)
        lower: Matrix = np.clip(self.topics + np.minimum(low / size - centre, 0), 0, 1)
        upper: Matrix = np.clip(self.topics + np.maximum(high / size - centre, 0), 0, 1)
        return lower, upper


@dataclass(frozen=True, slots=True, eq=False)
class Clipping:
    """What a refinement knows beside its topics: for the curator's eyes only, in no file.

    Attributes:
        clipped: fraction of documents whose contribution was scaled down, step by step; exact.
    """

    clipped: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RefinedRun:
    """Topics, and apart from them what only the curator may see.

    Attributes:
        refined: what the guarantee speaks of.
        curator: what it does not.
    """

    refined: Refined
    curator: Clipping
