"""Whether noise follows the law that a release declares: its size, and that no draw comes twice."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from dplda.core.types import Matrix


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
