r"""Topics of a spectral start with their known noise: where steps begin, and what their topics are averaged with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Vector
from dplda.methods.shrinkage.posterior import TINY


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StartMoments:
    """Topics of a spectral start.

    Attributes:
        topics: shape (k, d), rows on the simplex; those that were not found are the mean.
        variance: squared error of each by known noise, to first order, shape (k,); shrinking leaves less of it.
        resolved: shape (k,), which were found.
        unclipped: fraction of documents that the clip level of pairs aims to leave unchanged; public.
    """

    topics: Matrix
    variance: Vector
    resolved: NDArray[np.bool_]
    unclipped: float

    def of(self, order: Sequence[int]) -> "StartMoments":
        """With topics in another order."""
        rows = list(order)
        return replace(self, topics=self.topics[rows], variance=self.variance[rows], resolved=self.resolved[rows])

    def weight(self, refined: Matrix, variance: Vector, misfit: float) -> Vector:
        r"""``ω``, their weight beside refined topics, shape (k,), in [0, 1]; 0 for those they did not find.

        Moments have known noise, and misfit where documents do not follow the model or many are clipped. A variational
        fixed point has known noise, and a bias that is small on documents of the model. Both errors beyond noise show
        in one number, the readings' squared distance ``D``:

        .. math:: b^2 = \max(0, D - V_A - V_W),\quad b_A^2 = b^2 \frac{t}{1 + (b/β)^4},\quad
            ω = \frac{V_A + b_A^2}{V_A + V_W + b^2},

        where disagreement well below ``β`` counts as the fixed point's bias, as far as moments are trusted (``t``), and
        well above it, as on real text, as the moments' misfit. :math:`A + ω(W - A)` has least squared error for
        independent errors.

        Args:
            refined: ``A``, shape (k, d), rows on the simplex in the order of these topics ``W``.
            variance: ``V_A``, shape (k,), squared error of a row from known noise.
            misfit: ``β`` relative to the norm of a topic, at least 0.
        """
        both = variance + self.variance
        beyond = np.maximum(np.sum((refined - self.topics) ** 2, axis=1) - both, 0.0)
        most = misfit**2 * np.sum(refined**2, axis=1)
        own = beyond * self.unclipped**4 * most**2 / np.maximum(most**2 + beyond**2, TINY)
        return np.where(self.resolved, (variance + own) / np.maximum(both + beyond, TINY), 0.0)
