"""The method with the smallest predicted error at each point of a grid of public numbers."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Tensor3
from dplda.theory.prediction.expected import UNIGRAM, Answer, Expected, expected
from dplda.theory.prediction.regime_axes import Grid, Point

CLOSE = 0.03  # relative difference of two errors that are too close to call
FAVOURED, HEAD_START = "refined", 0.9
"""Method recommended unless another's predicted error is 10 % smaller.

In closer cases its runs were mostly better.
"""


class Outcome(IntEnum):
    """What a cell shows where no method wins; methods are numbered from 0."""

    UNDECIDED = -1
    """Two errors are too close to call."""
    LEFT_OUT = -2
    """Nothing is predicted."""


@dataclass(frozen=True, eq=False)
class RegimeMap:
    """Predictions over a grid.

    Attributes:
        grid: points over two axes.
        methods: texts of the methods that compete.
        cells: for each point of the grid, row by row, one prediction per method.
    """

    grid: Grid
    methods: tuple[str, ...]
    cells: tuple[tuple[Expected, ...], ...]

    @cached_property
    def errors(self) -> Tensor3:
        """Predicted errors, shape (methods, rows, columns); see ``errors_of``."""
        errors_of_cells = [errors_of(cell, self.methods) for cell in self.cells]
        errors_by_method = np.array(errors_of_cells).T
        return errors_by_method.reshape(len(self.methods), *self.grid.shape)

    @cached_property
    def left_out(self) -> NDArray[np.bool_]:
        """Where nothing is predicted, shape (rows, columns)."""
        return np.asarray(np.all(np.isnan(self.errors), axis=0))

    @cached_property
    def winners(self) -> NDArray[np.int64]:
        """Index of the method to recommend, or an ``Outcome``, shape (rows, columns).

        See ``winner_of``.
        """
        winners = [winner_of(cell, self.methods) for cell in self.cells]
        return np.array(winners).reshape(self.grid.shape)

    @cached_property
    def worth(self) -> NDArray[np.bool_]:
        """Where a method beats the private unigram by more than ``CLOSE``, (rows, columns).

        The private unigram must be among the methods. False where it has no number, or where no
        other method has one.
        """
        n_methods = len(self.methods)
        unigram_index = self.methods.index(UNIGRAM)
        rival_indices = [index for index in range(n_methods) if index != unigram_index]
        rival_errors = self._comparable_errors[rival_indices]
        least_rival_error = np.min(rival_errors, axis=0, initial=np.inf)
        unigram_error = self.errors[unigram_index]
        return np.asarray(least_rival_error * (1 + CLOSE) < unigram_error)

    @property
    def _comparable_errors(self) -> NDArray[np.float64]:
        """Errors, shape (methods, rows, columns), infinite where a method does not compete."""
        return np.where(np.isnan(self.errors), np.inf, self.errors)

    @cached_property
    def margins(self) -> Matrix:
        """Smallest error of the other methods over the winner's, shape (rows, columns).

        Below 1 where the winner owes its place to a head start. Infinite where no other method has
        a number, NaN where no method wins.
        """
        errors = self._comparable_errors
        margins = np.full(self.grid.shape, np.nan)
        for row, column in np.argwhere(self.winners >= 0):
            winner = self.winners[row, column]
            errors_of_cell = errors[:, row, column]
            other_errors = np.delete(errors_of_cell, winner)
            least_other_error = np.min(other_errors, initial=np.inf)
            margins[row, column] = least_other_error / errors_of_cell[winner]
        return margins

    @cached_property
    def least_errors(self) -> Matrix:
        """Smallest error of any method, shape (rows, columns); NaN where none is predicted."""
        least = np.min(self._comparable_errors, axis=0)
        return np.where(np.isfinite(least), least, np.nan)

    def at(self, row: int, column: int) -> tuple[Expected, ...]:
        """The predictions in one cell, one per method.

        Args:
            row: place on ``y``, from 0.
            column: place on ``x``, from 0.
        """
        n_columns = self.grid.shape[1]
        return self.cells[row * n_columns + column]


def predicted(grid: Grid, methods: Sequence[str]) -> RegimeMap:
    """The predictions of several methods over a grid."""
    points = [point for _, _, point in grid.points()]
    return RegimeMap(grid, tuple(methods), cells_at(points, methods))


def cells_at(points: Sequence[Point], methods: Sequence[str]) -> tuple[tuple[Expected, ...], ...]:
    """The predictions at several points: for each point, one per method."""
    predictions_by_method = (expected(points, text) for text in methods)
    return tuple(zip(*predictions_by_method, strict=True))


def error_of(prediction: Expected, method: str) -> float:
    """Error with which a method competes at a point.

    NaN for a method that is refused or not predicted, and for one that returns one word list,
    unless it is the private unigram. A method whose single runs differ too much competes with the
    middle of its range.
    """
    is_one_list = prediction.answer is Answer.WORDS
    if is_one_list and method != UNIGRAM:
        return math.nan
    return prediction.error


def errors_of(cell: Sequence[Expected], methods: Sequence[str]) -> list[float]:
    """Errors that compete at a point, one per method; see ``error_of``."""
    predictions = zip(cell, methods, strict=True)
    return [error_of(prediction, method) for prediction, method in predictions]


def winner_of(cell: Sequence[Expected], methods: Sequence[str]) -> int:
    """Index of the method to recommend, or an ``Outcome``.

    ``Outcome.LEFT_OUT`` is where no method competes; see ``error_of``. ``Outcome.UNDECIDED`` is
    where the first two of ``ranked`` are too close to call.
    """
    errors = dict(zip(methods, errors_of(cell, methods), strict=True))
    order = ranked(errors)
    if not order:
        return int(Outcome.LEFT_OUT)
    best_method = order[0]
    has_rival = len(order) > 1
    if has_rival and too_close(errors, best_method, order[1]):
        return int(Outcome.UNDECIDED)
    return methods.index(best_method)


def ranked(errors: Mapping[str, float], measured: Collection[str] = ()) -> list[str]:
    """Methods with a finite error, smallest first, with a head start for ``FAVOURED``.

    The private unigram comes first unless the first method so ordered beats it by more than
    ``CLOSE``. Errors are compared there without the head start.

    Args:
        errors: by method.
        measured: methods whose errors were measured; these get no head start.
    """
    finite_errors = {method: error for method, error in errors.items() if math.isfinite(error)}

    def error_with_head_start(method: str) -> float:
        if method == FAVOURED and method not in measured:
            return finite_errors[method] * HEAD_START
        return finite_errors[method]

    order = sorted(finite_errors, key=error_with_head_start)
    if UNIGRAM not in finite_errors:
        return order
    first_error = finite_errors[order[0]]
    if finite_errors[UNIGRAM] <= first_error * (1 + CLOSE):
        order.remove(UNIGRAM)
        order.insert(0, UNIGRAM)
    return order


def too_close(
    errors: Mapping[str, float], best: str, other: str, measured: Collection[str] = ()
) -> bool:
    """Whether two errors are too close to call.

    Never with ``FAVOURED``, unless its error was measured.

    Args:
        errors: error of each method, by its text.
        best: the method with the smaller error.
        other: the method to compare it with.
        measured: methods whose errors were measured, not predicted.
    """
    is_favoured = FAVOURED in (best, other)
    if is_favoured and FAVOURED not in measured:
        return False
    excess = abs(errors[other] / errors[best] - 1)
    return excess < CLOSE
