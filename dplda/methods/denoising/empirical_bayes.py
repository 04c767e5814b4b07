r"""Noisy cells shrunk by their known noise: empirical Bayes under one prior learned from all of them.

A cell is read as a ratio ``r`` to what an unremarkable cell would hold, so that 1 says "as everywhere". Its noisy value
is ``z = r + N(0, τ²)`` with ``τ`` known, and the ratios come from a law that is learned from all cells together:

.. math:: r \sim \sum_j g_j N(ρ_j, h_j^2),

a grid of narrow bumps, wide enough to overlap, and a point mass at 0. EM finds the ``g_j``; then every cell has a
posterior, whose mean has the least squared error that any estimate can have under that law. All of it
is post-processing of released values.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplda.core.engine import row_blocks
from dplda.core.types import Single, Vector

Cells: TypeAlias = NDArray[np.float64]
MIN_RATIO, MAX_RATIO, N_COMPONENTS = (
    0.03,
    60.0,
    32,
)  # ratios that topics of text show; values beyond are near enough a bump
COMPONENT_OVERLAP = (
    0.6  # standard deviation of a bump per distance to its neighbour: narrower ones show as steps
)
CENTRES: Vector = np.concatenate([[0.0], np.geomspace(MIN_RATIO, MAX_RATIO, N_COMPONENTS)])
WIDTHS: Vector = COMPONENT_OVERLAP * np.log(MAX_RATIO / MIN_RATIO) / (N_COMPONENTS - 1) * CENTRES
_CENTRES, _SQUARES = CENTRES[:, None].astype(np.float32), WIDTHS[:, None].astype(np.float32) ** 2
N_FIRST_ROUNDS, N_LATER_ROUNDS = (
    100,
    6,
)  # of EM from nothing, and from a law near by: 30 from nothing cost up to 1.2 %
EVEN_WEIGHTS: Vector = np.full(len(CENTRES), 1 / len(CENTRES))
MIN_RATIO_VARIANCE = 1e-18  # variance of a ratio, where there is no noise at all
MAX_ABS_RATIO = (
    1e15  # ratio or noise that is told from larger ones; squares of it are numbers in float32
)
SMALLEST_POSITIVE = float(np.finfo(np.float64).tiny)
CELLS_AT_ONCE = (
    2048  # cells whose bumps stay in the processor's cache, in memory that need not be made anew
)
SMALLEST_SINGLE = np.array(np.finfo(np.float32).tiny)


@dataclass(frozen=True, eq=False)
class Posterior:
    """What is known of cells once their noise is.

    Attributes:
        noisy_values: as released, any shape.
        noise_std: standard deviation of each, same shape, at least 0.
        expected_values: what each would hold at ratio 1, same shape, above 0.
        mixture_weights: ``g``, weights of the bumps that ratios come from, on the simplex.
        mean: posterior means, in the unit of the values; a cell without noise is what it is, at least 0.
    """

    noisy_values: Cells
    noise_std: Cells
    expected_values: Cells
    mixture_weights: Vector
    mean: Cells

    @cached_property
    def variance(self) -> Cells:
        """Posterior variances, in the squared unit of the values; 0 for a cell without noise."""
        ratio, spread = _ratios(self.noisy_values, self.noise_std, self.expected_values)
        parts = self.mixture_weights[:, None] * _likelihoods(ratio, spread)
        parts /= np.maximum(np.sum(parts, axis=0), SMALLEST_POSITIVE)
        pulls = _pulls(spread)
        means, deviations = _CENTRES + (ratio - _CENTRES) * pulls, spread * np.sqrt(pulls)
        centre = np.einsum("jn,jn->n", parts, means)
        found = np.einsum("jn,jn->n", parts, (means - centre) ** 2 + deviations**2)
        cells: Cells = (
            found.reshape(self.expected_values.shape) * self.expected_values * self.expected_values
        )
        return np.where(self.noise_std > 0, cells, 0.0)


def fit_empirical_bayes(
    noisy_values: Cells,
    noise_std: Cells,
    expected_values: Cells,
    *,
    initial_weights: Vector = EVEN_WEIGHTS,
    n_rounds: int = N_FIRST_ROUNDS,
) -> Posterior:
    """The law of the ratios by EM from ``start``, and every cell's posterior under it; cells as in ``Posterior``."""
    ratio, spread = _ratios(noisy_values, noise_std, expected_values)
    weights, likely = initial_weights, _likelihoods(ratio, spread)

    def seen(parts: Vector) -> Single:
        return parts.astype(np.float32) @ likely

    for _ in range(n_rounds):
        weights = weights * (likely @ (1 / (seen(weights) + SMALLEST_SINGLE)))
        weights /= weights.sum()
    chance, centre = seen(weights), seen(weights * CENTRES)
    for cells in row_blocks(ratio.size, CELLS_AT_ONCE):
        likely[:, cells] *= _pulls(spread[cells])
    centre += ratio * seen(weights) - seen(weights * CENTRES)
    found = (centre / np.maximum(chance, SMALLEST_SINGLE)).reshape(
        noisy_values.shape
    ) * expected_values
    return Posterior(
        noisy_values,
        noise_std,
        expected_values,
        weights,
        np.maximum(np.where(noise_std > 0, found, noisy_values), 0.0),
    )


def _ratios(values: Cells, noise: Cells, base: Cells) -> tuple[Single, Single]:
    """Ratios and their noise, of every cell; in float32, as what is known of a cell is no nearer than that."""
    ratio, spread = (
        np.clip(np.ravel(each / base), -MAX_ABS_RATIO, MAX_ABS_RATIO) for each in (values, noise)
    )
    return ratio.astype(np.float32), spread.astype(np.float32)


def _variances(spread: Single) -> Single:
    """Of every cell's noisy ratio under every bump, shape (bumps, cells)."""
    return np.asarray(_SQUARES + np.maximum(spread * spread, np.float32(MIN_RATIO_VARIANCE)))


def _pulls(spread: Single) -> Single:
    """How far a bump's mean goes from its centre to the ratio, in [0, 1], shape (bumps, cells)."""
    return np.asarray(_SQUARES / _variances(spread))


def _likelihoods(ratio: Single, spread: Single) -> Single:
    """Density of every cell under every bump, up to a factor for each cell, shape (bumps, cells)."""
    result = np.empty((len(CENTRES), ratio.size), np.float32)
    for cells in row_blocks(ratio.size, CELLS_AT_ONCE):
        variance = _variances(spread[cells])
        with np.errstate(
            over="ignore"
        ):  # infinite: so far from a bump without width that its density is 0
            found = (ratio[cells] - _CENTRES) ** 2 / variance
        found -= np.min(found, axis=0)
        result[:, cells] = np.exp(found * np.float32(-0.5)) / np.sqrt(
            variance
        )  # sooner than a logarithm before
    return result
