"""The division of a budget that makes a score small.

A score is a function of the shares: a predictor of the error, or the error measured on simulated ones. Nothing here
looks at a corpus; searching with the error on private documents would itself be a release.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
from scipy.optimize import minimize

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Vector
from dplda.methods.budget import MINIMUM, Split, check_quantities, known

Score: TypeAlias = Callable[[Mapping[str, float]], float]

LARGEST_GRID = 20_000
FINITE = 1e300  # in the place of infinity, which the simplex search cannot subtract


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best division that a search found.

    Attributes:
        score: there; infinite when no division had a finite one.
    """

    split: Split
    score: float
    evaluated: int
    converged: bool


def grid(
    score: Score, quantities: Iterable[str], locked: Mapping[str, float] | None = None, *, steps: int = 10
) -> Optimum:
    """Tries every division of what is not locked into multiples of ``1/steps``: the paper's way of choosing.

    Args:
        score: made small; NaN counts as infinite. The paper scores the error on the documents themselves, which
            spends privacy that its accounting leaves out: give a predictor or a simulated reference instead.
        steps: parts into which the free share is cut, at least the number of free quantities.
    """
    search = _Search(score, tuple(quantities), dict(locked or {}))
    free = len(search.free)
    checks.integer_at_least("steps", steps, max(free, 1))
    if not free:
        return search.only()
    if search.room / steps < MINIMUM * (1 - 1e-9):
        raise InputError(
            "steps", f"at most {int(search.room / MINIMUM)} for shares of at least {MINIMUM:g}", f"{steps}"
        )
    if (count := math.comb(steps - 1, free - 1)) > LARGEST_GRID:
        raise InputError("steps", f"few enough for {LARGEST_GRID} divisions", f"{steps}, for {count} divisions")
    for bars in combinations(range(1, steps), free - 1):
        search.score(np.diff(np.array([0, *bars, steps])) / steps)
    return search.optimum(converged=True)


def optimise(
    score: Score,
    quantities: Iterable[str],
    locked: Mapping[str, float] | None = None,
    *,
    start: Split | None = None,
    max_evaluations: int = 2000,
) -> Optimum:
    """Looks for the division of least score by a simplex search, restarted once from where it ended.

    The search moves in log-ratios of the free shares above the minimum, so every point that it tries is a division.

    Args:
        score: made small, as in ``grid``; infinite or NaN where a division is impossible.
        start: where to begin, if it scores better than equal shares; None for equal shares.

    Returns:
        The best division seen; a local minimum where the score has several.
    """
    search = _Search(score, tuple(quantities), dict(locked or {}))
    checks.integer_at_least("max_evaluations", max_evaluations, 1)
    free = len(search.free)
    if free < 2:
        return search.only()
    search.score(np.full(free, 1 / free))
    if start is not None:
        search.score(search.above_minimum(search.ratios(np.array([start[name] for name in search.free]))))
    converged = False
    for _ in range(2):
        centre = search.ratios(search.best_parts)
        found = minimize(
            search.at_ratios,
            centre,
            method="Nelder-Mead",
            options={
                "initial_simplex": centre + np.eye(free, free - 1, -1) / 2,  # shares times 1.6
                "xatol": 1e-4,
                "fatol": 1e-9 * min(abs(search.best), 1.0),
                "maxfev": -(-max_evaluations // 2),
            },
        )
        converged = bool(found.success)
    return search.optimum(converged=converged)


class _Search:
    """Scores divisions of what is not locked and remembers the best; ``parts`` of the free share sum to 1."""

    def __init__(self, score: Score, quantities: tuple[str, ...], locked: dict[str, float]) -> None:
        check_quantities(quantities)
        for name, share in locked.items():
            known(name, quantities)
            checks.at_least(f"share of {name}", share, MINIMUM)
        self.free = tuple(name for name in quantities if name not in locked)
        self.room = 1 - math.fsum(locked.values())
        least = len(self.free) * MINIMUM
        if self.room < least * (1 - 1e-9) or (not self.free and abs(self.room) > 1e-12):
            limit = f"shares that sum to {'at most ' if self.free else ''}{1 - least:g}"
            raise InputError("locked", limit, f"{1 - self.room:g}")
        self._score, self._quantities, self._locked = score, quantities, locked
        self.best, self.evaluated = math.inf, 0
        self.best_parts: Vector = np.full(len(self.free), 1 / max(len(self.free), 1))

    def score(self, parts: Vector) -> float:
        value = float(self._score(dict(self._shares(parts))))
        value = math.inf if math.isnan(value) else value
        self.evaluated += 1
        if value < self.best:
            self.best, self.best_parts = value, parts
        return value

    def at_ratios(self, ratios: Vector) -> float:
        """The score at log-ratios, for the simplex search."""
        return min(self.score(self.above_minimum(ratios)), FINITE)

    def only(self) -> Optimum:
        """Where nothing or one share is free, there is one division."""
        self.score(self.best_parts)
        return self.optimum(converged=True)

    def optimum(self, *, converged: bool) -> Optimum:
        split = Split(self._shares(self.best_parts), frozenset(self._locked))
        return Optimum(split, self.best, self.evaluated, converged and math.isfinite(self.best))

    def above_minimum(self, ratios: Vector) -> Vector:
        """Parts of at least the minimum from log-ratios to the last one, shape (n − 1,) → (n,)."""
        exponents = np.append(np.clip(ratios, -40, 40), 0.0)
        weights = np.exp(exponents - np.max(exponents))
        parts: Vector = self._least + (1 - len(weights) * self._least) * weights / np.sum(weights)
        return parts

    def ratios(self, parts: Vector) -> Vector:
        """Inverse of ``above_minimum``, for parts in any unit."""
        above = np.maximum(parts / np.sum(parts) - self._least, 1e-6)
        result: Vector = np.log(above[:-1] / above[-1])
        return result

    @property
    def _least(self) -> float:
        return min(MINIMUM / self.room, 1 / len(self.free))

    def _shares(self, parts: Vector) -> tuple[tuple[str, float], ...]:
        given = dict(zip(self.free, self.room * parts, strict=True))
        return tuple((name, float(given.get(name, self._locked.get(name, 0.0)))) for name in self._quantities)
