"""Which configuration has the least predicted error where: the predictor over a grid of public numbers.

Nothing depends on a document: every point is predicted on a reference drawn from public numbers.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dplda.core.errors import NoFiniteNoise, NoTopics
from dplda.core.types import Matrix, Tensor3
from dplda.methods.configurations.levels import Levels
from dplda.methods.prediction_accuracy import Predictor
from dplda.theory.prediction.geometry import Geometry
from dplda.theory.prediction.noise_levels import NO_NOISE, levels_of
from dplda.theory.prediction.predictor import errors_at
from dplda.theory.prediction.reference import simulated_reference
from dplda.theory.prediction.regime_axes import Grid, Point
from dplda.theory.prediction.unigram import RATIO, UNIGRAM, unigram_errors


class Outcome(IntEnum):
    """What a cell of a map shows where it shows no method, whose numbers start at 0."""

    UNDECIDED = -1
    """Two errors are nearer to each other than predictions were to what was observed."""
    LEFT_OUT = -2
    """Not worked out: more topics than words, or topics too much alike."""


@dataclass(frozen=True, slots=True)
class PredictedCell:
    """What is predicted at one point.

    Attributes:
        errors: one for each method, mean over topics of the L1 distance from the truth, in [0, 2]; NaN where there is
            none because it was refused or no topic rises above its noise.
        unnoised: error of the un-noised fit.
    """

    errors: tuple[float, ...]
    at_best: tuple[float, ...]
    at_worst: tuple[float, ...]
    unnoised: float

    @property
    def winner(self) -> int:
        """Number of the method of least error, or an ``Outcome``, as in ``RegimeMap.winners``."""
        return int(_winners(*(np.array(values)[:, None] for values in (self.errors, self.at_best, self.at_worst)))[0])

    def of(self, kept: Sequence[int]) -> "PredictedCell":
        """The same with some of its methods, by their numbers."""
        errors, best, worst = (tuple(each[i] for i in kept) for each in (self.errors, self.at_best, self.at_worst))
        return PredictedCell(errors, best, worst, self.unnoised)


@dataclass(frozen=True, eq=False)
class RegimeMap:
    """Predicted errors over a grid.

    Attributes:
        grid: rows follow its ``ys``, columns its ``xs``.
        methods: texts, as ``methods.parse_method`` reads them.
        errors, at_best, at_worst: shape (methods, rows, columns), as in ``PredictedCell``; NaN where left out.
        unnoised: shape (rows, columns), NaN where left out.
        left_out: shape (rows, columns), where nothing is predicted.
    """

    grid: Grid
    methods: tuple[str, ...]
    errors: Tensor3
    at_best: Tensor3
    at_worst: Tensor3
    unnoised: Matrix
    left_out: NDArray[np.bool_]

    @cached_property
    def winners(self) -> NDArray[np.int64]:
        """Number of the method of least error in each cell, or an ``Outcome``; the first of several alike.

        A method wins only if at its worst it is as good as any other at its best.
        """
        found = _winners(self.errors, self.at_best, self.at_worst)
        return np.where(self.left_out, int(Outcome.LEFT_OUT), found).astype(np.int64)

    @cached_property
    def worth(self) -> NDArray[np.bool_]:
        """Where some method at its worst is better than the private unigram at its best, shape (rows, columns)."""
        rivals = [number for number, text in enumerate(self.methods) if text != UNIGRAM]
        best = np.min(np.where(np.isnan(self.at_worst), np.inf, self.at_worst)[rivals], axis=0, initial=np.inf)
        result: NDArray[np.bool_] = best < self.at_best[self.methods.index(UNIGRAM)]
        return result

    @cached_property
    def least(self) -> Matrix:
        """The least error in each cell; NaN where left out."""
        found = np.min(np.where(np.isnan(self.errors), np.inf, self.errors), axis=0)
        return np.where(np.isinf(found), np.nan, found)


def map_of(grid: Grid, cells: Mapping[Point, PredictedCell], methods: Sequence[str]) -> RegimeMap:
    """Lay predictions out on a grid.

    Args:
        methods: what the errors of a cell belong to, in order.
    """
    rows, columns = grid.shape
    errors, at_best, at_worst = (np.full((len(methods), rows, columns), np.nan) for _ in range(3))
    unnoised = np.full((rows, columns), np.nan)
    left_out = np.ones((rows, columns), dtype=bool)
    for row, column, point in grid.points():
        if (cell := cells.get(point)) is not None:
            errors[:, row, column], unnoised[row, column] = cell.errors, cell.unnoised
            at_best[:, row, column], at_worst[:, row, column] = cell.at_best, cell.at_worst
            left_out[row, column] = False
    return RegimeMap(grid, tuple(methods), errors, at_best, at_worst, unnoised, left_out)


def _winners(
    errors: NDArray[np.float64], at_best: NDArray[np.float64], at_worst: NDArray[np.float64]
) -> NDArray[np.int64]:
    """By method along the first axis, see ``RegimeMap.winners``; of any further shape."""
    errors, at_best = (np.where(np.isnan(errors), np.inf, values) for values in (errors, at_best))
    first = np.argmin(errors, axis=0)[None]
    others = at_best.copy()
    np.put_along_axis(others, first, np.inf, axis=0)
    sure = np.take_along_axis(at_worst, first, axis=0)[0] <= np.min(others, axis=0)
    return np.where(sure, first[0], int(Outcome.UNDECIDED)).astype(np.int64)


def reference_of(point: Point, *, seed: int = 0) -> Geometry:
    """The reference that a point is predicted on: what ``dplda.simulate`` draws with these numbers and this seed.

    Raises:
        NoTopics: the topics drawn are linearly dependent.
    """
    d, k, alpha0, length = point.population
    return simulated_reference(n_words=d, n_topics=k, alpha0=alpha0, mean_length=length, seed=seed)


def cells_at(points: Sequence[Point], geometry: Geometry, predictors: Sequence[Predictor]) -> tuple[PredictedCell, ...]:
    """The predicted errors at points that share a reference, each configuration with its own split.

    Args:
        predictors: of the configurations compared; after them comes the private unigram, in every cell.
    """
    cases: list[tuple[Levels, int]] = []
    places: list[list[int | None]] = []
    for point in points:
        n = point.n_documents
        place: list[int | None] = [len(cases)]
        cases.append((NO_NOISE, n))
        for predictor in predictors:
            try:
                levels = levels_of(predictor.plan(point.epsilon, point.delta), geometry, n_documents=n)
            except NoFiniteNoise:
                place.append(None)
                continue
            place.append(len(cases))
            cases.append((levels, n))
        places.append(place)
    found = errors_at(cases, geometry)
    # Whose topics are all lost has a list of words instead, from a part of the budget that the unigram has for it.
    lost = found > np.mean(geometry.unigram) * (1 - 1e-9)
    ratios = [predictor.ratio(points[0].alpha0) for predictor in predictors] + [RATIO]
    cells = []
    for place, unigram in zip(places, unigram_errors(points, geometry), strict=True):
        errors = [math.nan if i is None or lost[i] else float(found[i]) for i in place[1:]] + [float(unigram)]
        ends = [(error / ratio.high, error / ratio.low) for error, ratio in zip(errors, ratios, strict=True)]
        at_best, at_worst = zip(*ends, strict=True)
        cells.append(PredictedCell(tuple(errors), at_best, at_worst, float(found[place[0] or 0])))
    return tuple(cells)


def predicted(
    grid: Grid, predictors: Sequence[Predictor], *, reference: Callable[[Point], Geometry] = reference_of
) -> RegimeMap:
    """The predicted errors over a whole grid."""
    cells: dict[Point, PredictedCell] = {}
    for points in by_population(grid):
        if (geometry := reference_or_none(points[0], reference)) is not None:
            cells.update(zip(points, cells_at(points, geometry, predictors), strict=True))
    return map_of(grid, cells, [*(one.configuration for one in predictors), UNIGRAM])


def by_population(grid: Grid) -> tuple[tuple[Point, ...], ...]:
    """The points of a grid, those together that share a reference."""
    groups: dict[tuple[int, int, float, int], list[Point]] = {}
    for _, _, point in grid.points():
        groups.setdefault(point.population, []).append(point)
    return tuple(map(tuple, groups.values()))


def reference_or_none(point: Point, reference: Callable[[Point], Geometry] = reference_of) -> Geometry | None:
    """The reference of a point; None where there are too few words for so many different topics."""
    if not point.possible:
        return None
    try:
        return reference(point)
    except NoTopics:
        return None
