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

from dplda._types import Matrix, Tensor3
from dplda.configurations.levels import Levels
from dplda.errors import NoFiniteNoise, NoTopics
from dplda.prediction.accuracy import Predictor
from dplda.prediction.geometry import Geometry
from dplda.prediction.noise_levels import NO_NOISE, levels_of
from dplda.prediction.predictor import errors_at
from dplda.prediction.reference import simulated_reference
from dplda.prediction.regime_axes import Grid, Point
from dplda.privacy import sensitivity
from dplda.theorems import sensitivities
from dplda.theorems.spectrum import Spectrum


class Outcome(IntEnum):
    """What a cell of a map shows where it shows no method, whose numbers start at 0."""

    NONE = -1
    """No method is better than the unigram model."""
    NOT_YET = -2
    """Not worked out yet."""
    LEFT_OUT = -3
    """Never worked out: more topics than words, or too large."""


@dataclass(frozen=True, slots=True)
class PredictedCell:
    """What is known at one point.

    Attributes:
        errors: one for each method, mean over topics of the L1 distance from the truth, in [0, 2]; NaN where there is
            none because it was refused.
        at_worst: the same, were each understated as much as it ever was; observed errors as they are.
        unnoised: error of the un-noised fit; NaN where it is not known.
        unigram: error of the mean word distribution in the place of every topic.
    """

    errors: tuple[float, ...]
    at_worst: tuple[float, ...]
    unnoised: float
    unigram: float

    @property
    def nearest(self) -> int | None:
        """Number of the method of least error; None where every one was refused."""
        known = [(error, number) for number, error in enumerate(self.errors) if not math.isnan(error)]
        return min(known)[1] if known else None

    @property
    def wins(self) -> bool:
        """Whether that one is better than the unigram model at its worst too, as in ``RegimeMap.winners``."""
        return self.nearest is not None and self.at_worst[self.nearest] < self.unigram


@dataclass(frozen=True, slots=True)
class Signal:
    """How much of a corpus one document can undo; larger is easier.

    Attributes:
        pairs: ``σk/Δ2``, ``Δ2 = √(2 + 4a²)/N`` the proven Frobenius sensitivity of ``M2``, replace-one.
        tensor: ``γs/ΔT``, ``ΔT`` the proven sensitivity of the whitened tensor in a private frame (Theorem 5′),
            replace-one, at the reference's own spectrum; 0 where that is infinite.
    """

    pairs: float
    tensor: float


@dataclass(frozen=True, eq=False)
class RegimeMap:
    """Errors over a grid, some of them perhaps not worked out yet.

    Attributes:
        grid: rows follow its ``ys``, columns its ``xs``.
        methods: texts, as ``methods.parse_method`` reads them.
        errors: shape (methods, rows, columns); NaN where a method was refused or nothing is known.
        at_worst: of the same shape, as in ``PredictedCell``.
        unnoised: shape (rows, columns), NaN where not known.
        unigram: shape (rows, columns), NaN where not known.
        done: shape (rows, columns), whether the cell was worked out.
        left_out: shape (rows, columns), whether it never will be.
    """

    grid: Grid
    methods: tuple[str, ...]
    errors: Tensor3
    at_worst: Tensor3
    unnoised: Matrix
    unigram: Matrix
    done: NDArray[np.bool_]
    left_out: NDArray[np.bool_]

    @cached_property
    def winners(self) -> NDArray[np.int64]:
        """Number of the method of least error in each cell, or an ``Outcome``; the first of several alike.

        A method wins only if it is better than the unigram model at its worst too.
        """
        filled = np.where(np.isnan(self.errors), np.inf, self.errors)
        best = np.argmin(filled, axis=0)
        useful = np.take_along_axis(self.at_worst, best[None], axis=0)[0] < self.unigram
        found = np.where(useful, best, int(Outcome.NONE))
        found = np.where(self.done, found, int(Outcome.NOT_YET))
        return np.where(self.left_out, int(Outcome.LEFT_OUT), found).astype(np.int64)

    @cached_property
    def worth(self) -> NDArray[np.bool_]:
        """Which methods are better than the unigram model at their worst too, shape (methods, rows, columns)."""
        result: NDArray[np.bool_] = self.at_worst < self.unigram
        return result

    @cached_property
    def last_worth(self) -> NDArray[np.int64]:
        """Number of the method of largest error among those worth their noise in each cell, or an ``Outcome``."""
        last = np.argmax(np.where(self.worth, self.errors, -np.inf), axis=0)
        found = np.where(np.any(self.worth, axis=0), last, int(Outcome.NONE))
        found = np.where(self.done, found, int(Outcome.NOT_YET))
        return np.where(self.left_out, int(Outcome.LEFT_OUT), found).astype(np.int64)

    @cached_property
    def least(self) -> Matrix:
        """The winner's error in each cell, the unigram model's where no method wins; NaN where nothing is known."""
        filled = np.where(np.isnan(self.errors), np.inf, self.errors)
        result: Matrix = np.where(self.winners >= 0, np.min(filled, axis=0), self.unigram)
        return result

    @property
    def n_done(self) -> int:
        """How many cells are worked out."""
        return int(np.sum(self.done))

    @property
    def n_wanted(self) -> int:
        """How many cells are worked out or will be."""
        return int(np.sum(~self.left_out))


def map_of(
    grid: Grid, cells: Mapping[Point, PredictedCell], methods: Sequence[str], left_out: frozenset[Point]
) -> RegimeMap:
    """Lay what is known of points out on a grid.

    Args:
        grid: decides which points.
        cells: what is known so far.
        methods: what the errors of a cell belong to, in order.
        left_out: points that will never be known.
    """
    rows, columns = grid.shape
    errors, at_worst = (np.full((len(methods), rows, columns), np.nan) for _ in range(2))
    unnoised, unigram = np.full((rows, columns), np.nan), np.full((rows, columns), np.nan)
    done, skipped = np.zeros((rows, columns), dtype=bool), np.zeros((rows, columns), dtype=bool)
    for row, column, point in grid.points():
        skipped[row, column] = point in left_out
        if (cell := cells.get(point)) is not None:
            errors[:, row, column], at_worst[:, row, column] = cell.errors, cell.at_worst
            unnoised[row, column], unigram[row, column] = cell.unnoised, cell.unigram
            done[row, column] = True
    return RegimeMap(grid, tuple(methods), errors, at_worst, unnoised, unigram, done, skipped)


def reference_of(point: Point, *, seed: int = 0) -> Geometry:
    """The reference that a point is predicted on: what ``dplda.simulate`` draws with these numbers and this seed.

    Raises:
        InputError: more topics than words.
        NoTopics: the topics drawn are linearly dependent.
    """
    d, k, alpha0, length = point.population
    return simulated_reference(n_words=d, n_topics=k, alpha0=alpha0, mean_length=length, seed=seed)


def cells_at(points: Sequence[Point], geometry: Geometry, predictors: Sequence[Predictor]) -> tuple[PredictedCell, ...]:
    """The predicted errors at points that share a reference, each configuration with its own split.

    Args:
        points: of one population.
        geometry: their reference.
        predictors: of the configurations compared.
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
    unigram = float(np.mean(geometry.unigram))
    # What is as good as lost is the mean word distribution: rounding must not make it better than itself.
    kept = np.where(found > unigram * (1 - 1e-9), unigram, found)
    ratios = [predictor.ratio(points[0].alpha0).low for predictor in predictors]
    cells = []
    for place in places:
        unnoised, *errors = (float("nan") if i is None else float(kept[i]) for i in place)
        at_worst = tuple(error / low for error, low in zip(errors, ratios, strict=True))
        cells.append(PredictedCell(tuple(errors), at_worst, unnoised, unigram))
    return tuple(cells)


def predicted(
    grid: Grid, predictors: Sequence[Predictor], *, reference: Callable[[Point], Geometry] = reference_of
) -> RegimeMap:
    """The predicted errors over a whole grid.

    Args:
        grid: which points.
        predictors: of the configurations compared.
        reference: makes the reference of a point; called once for each population.
    """
    cells: dict[Point, PredictedCell] = {}
    left_out: set[Point] = set()
    for points in by_population(grid):
        if (geometry := reference_or_none(points[0], reference)) is None:
            left_out.update(points)
        else:
            cells.update(zip(points, cells_at(points, geometry, predictors), strict=True))
    return map_of(grid, cells, [one.configuration for one in predictors], frozenset(left_out))


def by_population(grid: Grid) -> tuple[tuple[Point, ...], ...]:
    """The points of a grid, those together that share a reference."""
    groups: dict[tuple[int, int, float, int], list[Point]] = {}
    for _, _, point in grid.points():
        groups.setdefault(point.population, []).append(point)
    return tuple(map(tuple, groups.values()))


def reference_or_none(point: Point, reference: Callable[[Point], Geometry] = reference_of) -> Geometry | None:
    """The reference of a point; None where there are too few words for the topics to be told apart."""
    if not point.possible:
        return None
    try:
        return reference(point)
    except NoTopics:
        return None


def signal(point: Point, spectrum: Spectrum) -> Signal:
    """``σk/Δ2`` and ``γs/ΔT`` of a point; its ε and δ do not matter.

    Args:
        point: gives ``N``.
        spectrum: of the point's reference.
    """
    n = point.n_documents
    pair = sensitivity.direct_pair_moment(n_documents=n, a=spectrum.coefficients.a)
    return Signal(
        pairs=spectrum.sigma_k / pair,
        tensor=spectrum.gamma_s / sensitivities.whitened_tensor_aligned(spectrum, n_documents=n),
    )
