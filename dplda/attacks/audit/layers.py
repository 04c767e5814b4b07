"""Layers of an audit that need no two neighbours' law: neighbours that are climbed, and the size of the noise."""

from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.neighbours import Pair
from dplda.attacks.audit.sabotage import Sabotage
from dplda.core.errors import DpldaError
from dplda.core.types import Matrix
from dplda.privacy.release import Guarantee

TIMES = (0, 1, 2, 3, 30, 10_000)  # that a document may say a word
ALIKE = 1e-12  # relative: what rounding may add to a distance that is computed, not released


@dataclass(slots=True, eq=False)
class Climb:
    """Neighbours that are changed at random, in one document of either or in another of both, where it takes them up.

    Attributes:
        most: the largest ratio so far, 1 being allowed.
    """

    attack: Attack
    promise: Guarantee
    sabotage: Sabotage
    rng: np.random.Generator
    most: float = 0.0
    tried: int = 0
    _at: Pair | None = field(default=None)

    def go(self, steps: int) -> None:
        """Try so many more pairs."""
        for _ in range(steps):
            pair = self.attack.pair if self._at is None else _changed(self._at, self.rng)
            try:
                found = self.attack.stretch(self.promise, pair, self.sabotage) * (1 - ALIKE)
            except DpldaError:  # a run that is refused releases nothing
                found = 0.0
            self.tried += 1
            if found >= self.most or self._at is None:
                self.most, self._at = found, pair

    @property
    def holds(self) -> bool:
        """Whether no pair passed the sensitivity."""
        return self.most <= 1


def _changed(pair: Pair, rng: np.random.Generator) -> Pair:
    """The first document of one, or another of both, says some words otherwise."""
    one, two = pair[0].copy(), pair[1].copy()
    row = 0 if rng.random() < 0.7 else int(rng.integers(1, len(one)))
    sides = (one, two) if row else ((one, two)[rng.integers(2)],)
    document = sides[0][row].copy()
    if rng.random() < 0.2:
        document[:] = 0
    document[rng.integers(len(document), size=rng.integers(1, 3))] = rng.choice(TIMES)
    for side in sides:
        side[row] = document
    return one, two


@dataclass(slots=True, eq=False)
class NoiseFit:
    """What draws less their exact value, over the declared scale, say together.

    Attributes:
        freedom: degrees of freedom of that sum, which is chi-square if the noise is as declared.
    """

    laplace: bool
    total: float = 0.0
    freedom: int = 0
    twice: bool = False

    def add(self, residuals: Matrix) -> None:
        """More draws, shape (runs, numbers)."""
        self.twice = self.twice or len(np.unique(residuals, axis=0)) < len(residuals)
        self.total += float(np.sum(2 * np.abs(residuals) if self.laplace else residuals**2))
        self.freedom += residuals.size * (2 if self.laplace else 1)  # 2|x| of a Laplace number has two degrees

    @property
    def size(self) -> float:
        """Mean square, or size, of the noise over the declared one; 1 before the first draw."""
        return self.total / self.freedom if self.freedom else 1.0

    def holds(self, error: float) -> bool:
        """Whether all of it may be as declared; said to be not of what is, with at most this probability."""
        if self.twice or not self.freedom:
            return not self.twice
        below, above = (float(of(self.total, self.freedom)) for of in (stats.chi2.cdf, stats.chi2.sf))
        return min(below, above) >= error / 2
