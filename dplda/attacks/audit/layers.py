"""Audit checks that need no distribution of scores: a search over neighbors, and the size of the noise."""

from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.neighbours import Pair
from dplda.attacks.audit.sabotage import Sabotage
from dplda.core.errors import DpldaError
from dplda.core.types import Matrix
from dplda.privacy.release import Guarantee

WORD_COUNTS = (0, 1, 2, 3, 30, 10_000)  # of a word in a document
ROUNDING = 1e-12  # relative rounding error of a computed distance


@dataclass(slots=True, eq=False)
class NeighborSearch:
    """Random search for neighbors that exceed the declared sensitivity.

    Attributes:
        most: the largest ratio so far; up to 1 is allowed.
    """

    attack: Attack
    promise: Guarantee
    sabotage: Sabotage
    rng: np.random.Generator
    largest_ratio: float = 0.0
    n_tried: int = 0
    _at: Pair | None = field(default=None)

    def try_pairs(self, steps: int) -> None:
        """Try this many more pairs."""
        for _ in range(steps):
            pair = self.attack.pair if self._at is None else _changed(self._at, self.rng)
            try:
                found = self.attack.budget_ratio(self.promise, pair, self.sabotage) * (1 - ROUNDING)
            except DpldaError:  # a refused run releases nothing
                found = 0.0
            self.n_tried += 1
            if found >= self.largest_ratio or self._at is None:
                self.largest_ratio, self._at = found, pair

    @property
    def holds(self) -> bool:
        """Whether no pair exceeded the sensitivity."""
        return self.largest_ratio <= 1


def _changed(pair: Pair, rng: np.random.Generator) -> Pair:
    """Change the first document of one corpus, or another document of both."""
    one, two = pair[0].copy(), pair[1].copy()
    row = 0 if rng.random() < 0.7 else int(rng.integers(1, len(one)))
    sides = (one, two) if row else ((one, two)[rng.integers(2)],)
    document = sides[0][row].copy()
    if rng.random() < 0.2:
        document[:] = 0
    document[rng.integers(len(document), size=rng.integers(1, 3))] = rng.choice(WORD_COUNTS)
    for side in sides:
        side[row] = document
    return one, two


@dataclass(slots=True, eq=False)
class NoiseFit:
    """Chi-square test that residuals (draws minus exact values, over the declared scale) have the declared size.

    Attributes:
        freedom: degrees of freedom of ``total``, which is chi-square if the noise is as declared.
    """

    laplace: bool
    total: float = 0.0
    n_degrees: int = 0
    has_repeats: bool = False

    def add(self, residuals: Matrix) -> None:
        """Add draws, shape (runs, numbers)."""
        self.has_repeats = self.has_repeats or len(np.unique(residuals, axis=0)) < len(residuals)
        self.total += float(np.sum(2 * np.abs(residuals) if self.laplace else residuals**2))
        self.n_degrees += residuals.size * (
            2 if self.laplace else 1
        )  # 2|x| of a Laplace number has two degrees

    @property
    def relative_size(self) -> float:
        """Mean square (Laplace: mean size) of the noise relative to the declared one; 1 before the first draw."""
        return self.total / self.n_degrees if self.n_degrees else 1.0

    def holds(self, error: float) -> bool:
        """Whether the noise may be as declared; rejects correct noise with at most this probability."""
        if self.has_repeats or not self.n_degrees:
            return not self.has_repeats
        below, above = (
            float(of(self.total, self.n_degrees)) for of in (stats.chi2.cdf, stats.chi2.sf)
        )
        return min(below, above) >= error / 2
