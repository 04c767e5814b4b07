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

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Vector

LOWEST, HIGHEST, BUMPS = 0.03, 60.0, 32  # ratios that topics of text show; values beyond are near enough a bump
OVERLAP = 0.6  # standard deviation of a bump per distance to its neighbour: narrower ones show as steps
CENTRES: Vector = np.concatenate([[0.0], np.geomspace(LOWEST, HIGHEST, BUMPS)])
WIDTHS: Vector = OVERLAP * np.log(HIGHEST / LOWEST) / (BUMPS - 1) * CENTRES
_CENTRES, _WIDTHS = CENTRES[:, None], WIDTHS[:, None]
FIRST: Vector = np.full(len(CENTRES), 1 / len(CENTRES))
SMALLEST = 1e-18  # variance of a ratio, where there is no noise at all
TINY = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, eq=False)
class Posterior:
    """What is known of cells once their noise is.

    Attributes:
        values: as released, any shape.
        noise: standard deviation of each, same shape, at least 0.
        base: what each would hold at ratio 1, same shape, above 0.
        law: ``g``, weights of the bumps that ratios come from, on the simplex.
        mean: posterior means, in the unit of the values; a cell without noise is what it is, at least 0.
    """

    values: NDArray[np.float64]
    noise: NDArray[np.float64]
    base: NDArray[np.float64]
    law: Vector
    mean: NDArray[np.float64]

    @cached_property
    def variance(self) -> NDArray[np.float64]:
        """Posterior variances, in the squared unit of the values; 0 for a cell without noise."""
        ratio, spread = _ratios(self.values, self.noise, self.base)
        parts = self.law[:, None] * _likelihoods(ratio, spread)
        parts /= np.maximum(np.sum(parts, axis=0), TINY)
        pulls = _pulls(spread)
        means, deviations = _CENTRES + (ratio - _CENTRES) * pulls, spread * np.sqrt(pulls)
        centre = np.einsum("jn,jn->n", parts, means)
        found = np.einsum("jn,jn->n", parts, (means - centre) ** 2 + deviations**2)
        cells: NDArray[np.float64] = found.reshape(self.base.shape) * self.base * self.base
        return np.where(self.noise > 0, cells, 0.0)


def learn(
    values: NDArray[np.float64],
    noise: NDArray[np.float64],
    base: NDArray[np.float64],
    *,
    start: Vector = FIRST,
    rounds: int = 30,
) -> Posterior:
    """The law of the ratios by EM, and every cell's posterior under it.

    Args:
        values: released cells, any shape; for the others see ``Posterior``.
        start: the law that EM starts from.
    """
    ratio, spread = _ratios(values, noise, base)
    weights, likely = start, _likelihoods(ratio, spread)
    for _ in range(rounds):
        weights = weights * (likely @ (1 / np.maximum(weights @ likely, TINY)))
        weights = weights / np.sum(weights)
    chance, centre = weights @ likely, (weights * CENTRES) @ likely
    likely *= _pulls(spread)
    centre += ratio * (weights @ likely) - (weights * CENTRES) @ likely
    found = (centre / np.maximum(chance, TINY)).reshape(values.shape) * base
    return Posterior(values, noise, base, weights, np.maximum(np.where(noise > 0, found, values), 0.0))


def frequencies(values: Vector, noise: Vector) -> Vector:
    """Word frequencies from noisy counts, shape (d,), on the simplex: shrunk by noise, ratios taken to equal shares."""
    total = max(1.0, float(np.sum(values)))
    found = learn(values, noise, np.full(values.shape, total / len(values))).mean
    positive = found + total * 1e-12 / len(values)
    result: Vector = positive / np.sum(positive)
    return result


def _ratios(
    values: NDArray[np.float64], noise: NDArray[np.float64], base: NDArray[np.float64]
) -> tuple[Vector, Vector]:
    """Ratios and their noise, of every cell."""
    return np.ravel(values / base), np.ravel(noise / base)


def _variances(spread: Vector) -> Matrix:
    """Of every cell's noisy ratio under every bump, shape (bumps, cells)."""
    found = _WIDTHS**2 + spread**2
    return np.maximum(found, SMALLEST, out=found)


def _pulls(spread: Vector) -> Matrix:
    """How far a bump's mean goes from its centre to the ratio, in [0, 1], shape (bumps, cells)."""
    return _WIDTHS**2 / _variances(spread)


def _likelihoods(ratio: Vector, spread: Vector) -> Matrix:
    """Density of every cell under every bump, up to a factor for each cell, shape (bumps, cells)."""
    variance = _variances(spread)
    logs = ratio - _CENTRES  # arrays are reused, since making them would take longer than filling them
    logs *= logs
    logs /= variance
    logs += np.log(variance, out=variance)
    logs -= np.min(logs, axis=0)
    logs *= -0.5
    return np.exp(logs, out=logs)
