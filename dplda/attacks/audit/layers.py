"""Audit checks without a distribution of scores: a search over neighbors, and the noise's size."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import chdtr, chdtrc

from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.neighbours import Pair, Rows
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
        attack: the attacked release, with the neighbors to begin with.
        promise: what its run claims.
        sabotage: how the promise is broken.
        rng: random numbers of the search.
        largest_ratio: largest ratio of used to declared budget so far; up to 1 is allowed.
        n_tried: pairs of neighbors so far.
    """

    attack: Attack
    promise: Guarantee
    sabotage: Sabotage
    rng: np.random.Generator
    largest_ratio: float = 0.0
    n_tried: int = 0
    _best_pair: Pair | None = field(default=None)

    def try_pairs(self, steps: int) -> None:
        """Try more pairs: first the attack's own, then changes of the best one so far.

        The pair that uses the largest part of the declared budget is kept, the last of several. A
        refused run uses none; the first pair is kept in any case.

        Args:
            steps: pairs to try.
        """
        for _ in range(steps):
            pair = self.attack.pair
            if self._best_pair is not None:
                pair = _change_one_document(self._best_pair, self.rng)
            used_ratio = self._used_ratio(pair)
            self.n_tried += 1
            if used_ratio >= self.largest_ratio or self._best_pair is None:
                self.largest_ratio = used_ratio
                self._best_pair = pair

    def _used_ratio(self, pair: Pair) -> float:
        """Budget that the releases use on a pair, over what they declare; 0 for a refused run."""
        try:
            budget_ratio = self.attack.budget_ratio(self.promise, pair, self.sabotage)
        except DpldaError:  # a refused run releases nothing
            return 0.0
        return budget_ratio * (1 - ROUNDING)

    @property
    def holds(self) -> bool:
        """Whether no pair exceeded the sensitivity."""
        return self.largest_ratio <= 1


def _change_one_document(pair: Pair, rng: np.random.Generator) -> Pair:
    """Copy a pair of neighbors, and change one document at random.

    Either the first document in one corpus, or a common document, alike in both. One or two of its
    counts are set to one random value; now and then all others are set to 0.
    """
    first_rows, second_rows = pair
    neighbors = (first_rows.copy(), second_rows.copy())
    if rng.random() < 0.7:
        changed_row = 0
        changed_corpus = neighbors[rng.integers(2)]
        changed_corpora: Sequence[Rows] = (changed_corpus,)
    else:
        changed_row = int(rng.integers(1, len(neighbors[0])))
        changed_corpora = neighbors
    document = changed_corpora[0][changed_row].copy()
    if rng.random() < 0.2:
        document[:] = 0
    n_changed = rng.integers(1, 3)
    changed_columns = rng.integers(len(document), size=n_changed)
    document[changed_columns] = rng.choice(WORD_COUNTS)
    for corpus in changed_corpora:
        corpus[changed_row] = document
    return neighbors


@dataclass(slots=True, eq=False)
class NoiseFit:
    """Chi-square test that residuals have the declared size.

    Residuals are draws minus exact values, over the declared scale.

    Attributes:
        laplace: whether the declared noise is Laplace noise.
        total: sum of squares of residuals; twice their sizes for Laplace noise.
        n_degrees: degrees of freedom of ``total``, which is chi-square if the noise is as declared.
        has_repeats: whether two draws were equal.
    """

    laplace: bool
    total: float = 0.0
    n_degrees: int = 0
    has_repeats: bool = False

    def add(self, residuals: Matrix) -> None:
        """Add draws, shape (runs, numbers), in units of the noise; notes whether two are alike.

        Their size, and its degrees of freedom as a χ² variable, are added to the sums so far.
        """
        n_distinct = len(np.unique(residuals, axis=0))
        if n_distinct < len(residuals):
            self.has_repeats = True
        if self.laplace:  # 2|x| of a Laplace number has two degrees of freedom
            chi_square_terms = 2 * np.abs(residuals)
            degrees_of_number = 2
        else:
            chi_square_terms = residuals**2
            degrees_of_number = 1
        self.total += float(np.sum(chi_square_terms))
        self.n_degrees += residuals.size * degrees_of_number

    @property
    def relative_size(self) -> float:
        """Mean square of the noise relative to the declared one; 1 before the first draw.

        For Laplace noise it is the mean size.
        """
        if not self.n_degrees:
            return 1.0
        return self.total / self.n_degrees

    def holds(self, error: float) -> bool:
        """Whether the noise may be as declared: neither tail of the chi-square test is too small.

        Repeats never hold; without residuals, the noise always holds.

        Args:
            error: largest probability with which correct noise is rejected.
        """
        if self.has_repeats:
            return False
        if not self.n_degrees:
            return True
        chance_below = float(chdtr(self.n_degrees, self.total))
        chance_above = float(chdtrc(self.n_degrees, self.total))
        return min(chance_below, chance_above) >= error / 2
