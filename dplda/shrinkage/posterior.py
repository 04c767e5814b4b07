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

from dplda._types import Matrix, Vector

LOWEST, HIGHEST, BUMPS = 0.03, 60.0, 32  # ratios that topics of text show; values beyond are near enough a bump
OVERLAP = 0.6  # standard deviation of a bump per distance to its neighbour: narrower ones show as steps
CENTRES: Vector = np.concatenate([[0.0], np.geomspace(LOWEST, HIGHEST, BUMPS)])
WIDTHS: Vector = OVERLAP * np.log(HIGHEST / LOWEST) / (BUMPS - 1) * CENTRES
FIRST: Vector = np.full(len(CENTRES), 1 / len(CENTRES))
SMALLEST = 1e-18  # variance of a ratio, where there is no noise at all


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """The law that ratios come from.

    Attributes:
        weights: ``g``, one for each bump, on the simplex.
    """

    weights: Vector


@dataclass(frozen=True, eq=False)
class Posterior:
    """What is known of cells once their noise is.

    Attributes:
        values: as released, any shape.
        noise: standard deviation of each, same shape, at least 0.
        base: what each would hold at ratio 1, same shape, above 0.
        law: of the ratios.
    """

    values: NDArray[np.float64]
    noise: NDArray[np.float64]
    base: NDArray[np.float64]
    law: Law

    @cached_property
    def mean(self) -> NDArray[np.float64]:
        """Posterior means, in the unit of the values; a cell without noise is what it is, at least 0."""
        parts, means, _ = self._bumps()
        found = self._as_cells(np.einsum("nj,nj->n", parts, means))
        result: NDArray[np.float64] = np.maximum(np.where(self.noise > 0, found, self.values), 0.0)
        return result

    @cached_property
    def variance(self) -> NDArray[np.float64]:
        """Posterior variances, in the squared unit of the values; 0 for a cell without noise."""
        parts, means, deviations = self._bumps()
        centre = np.einsum("nj,nj->n", parts, means)[:, None]
        found = np.einsum("nj,nj->n", parts, (means - centre) ** 2 + deviations**2)
        result: NDArray[np.float64] = np.where(self.noise > 0, self._as_cells(found) * self.base, 0.0)
        return result

    def _bumps(self) -> tuple[Matrix, Matrix, Matrix]:
        """Chance of every bump, mean and deviation under it, for every cell; ratios, each of shape (cells, bumps)."""
        ratio, spread = _ratios(self.values, self.noise, self.base)
        likely = _likelihoods(ratio, spread) * self.law.weights
        parts = likely / np.maximum(np.sum(likely, axis=1, keepdims=True), np.finfo(np.float64).tiny)
        variance = np.maximum(WIDTHS**2 + spread**2, SMALLEST)
        means = (CENTRES * spread**2 + ratio * WIDTHS**2) / variance
        return parts, means, WIDTHS * spread / np.sqrt(variance)

    def _as_cells(self, ratios: Vector) -> NDArray[np.float64]:
        result: NDArray[np.float64] = ratios.reshape(self.values.shape) * self.base
        return result


def learn(
    values: NDArray[np.float64],
    noise: NDArray[np.float64],
    base: NDArray[np.float64],
    *,
    start: Law | None = None,
    rounds: int = 30,
) -> Posterior:
    """The law of the ratios by EM, and every cell's posterior under it.

    Args:
        values: released cells, any shape.
        noise: standard deviation of the noise on each, same shape, at least 0.
        base: what each would hold at ratio 1, same shape, above 0.
        start: where EM starts; equal weights where None.
        rounds: of EM.
    """
    ratio, spread = _ratios(values, noise, base)
    weights = FIRST if start is None else start.weights
    likely = _likelihoods(ratio, spread)
    for _ in range(rounds):
        inverse = 1 / np.maximum(likely @ weights, np.finfo(np.float64).tiny)
        weights = weights * (inverse @ likely)
        weights = weights / np.sum(weights)
    return Posterior(values, noise, base, Law(weights))


def frequencies(values: Vector, noise: Vector) -> Vector:
    """Word frequencies from noisy counts, shape (d,), on the simplex: shrunk by noise, ratios taken to equal shares."""
    total = max(1.0, float(np.sum(values)))
    found = learn(values, noise, np.full(values.shape, total / len(values))).mean
    positive = found + total * 1e-12 / len(values)
    result: Vector = positive / np.sum(positive)
    return result


def _ratios(
    values: NDArray[np.float64], noise: NDArray[np.float64], base: NDArray[np.float64]
) -> tuple[Matrix, Matrix]:
    """Ratios and their noise, one row a cell."""
    return (values / base).reshape(-1, 1), (noise / base).reshape(-1, 1)


def _likelihoods(ratio: Matrix, spread: Matrix) -> Matrix:
    """Density of every cell under every bump, up to a factor for each cell, shape (cells, bumps)."""
    variance = np.maximum(WIDTHS**2 + spread**2, SMALLEST)
    logs = -0.5 * ((ratio - CENTRES) ** 2 / variance + np.log(variance))
    logs -= np.max(logs, axis=1, keepdims=True)
    result: Matrix = np.exp(logs)
    return result
