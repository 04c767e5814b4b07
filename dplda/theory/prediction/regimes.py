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
"""Method recommended unless another's predicted error is 10 % smaller; in closer cases its runs were mostly better."""


class Outcome(IntEnum):
    """What a cell shows where no method wins; methods are numbered from 0."""

    UNDECIDED = -1
    """Two errors are too close to call."""
    LEFT_OUT = -2
    """Nothing is predicted."""


@dataclass(frozen=True, eq=False)
class RegimeMap:
    """Predictions over a grid; ``cells`` holds one prediction per method, row by row."""

    grid: Grid
    methods: tuple[str, ...]
    cells: tuple[tuple[Expected, ...], ...]

    @cached_property
    def errors(self) -> Tensor3:
        """Predicted errors, shape (methods, rows, columns); see ``errors_of``."""
        found = np.array([errors_of(cell, self.methods) for cell in self.cells])
        return found.T.reshape(len(self.methods), *self.grid.shape)

    @cached_property
    def left_out(self) -> NDArray[np.bool_]:
        """Where nothing is predicted, shape (rows, columns)."""
        return np.asarray(np.all(np.isnan(self.errors), axis=0))

    @cached_property
    def winners(self) -> NDArray[np.int64]:
        """Index of the method with the smallest error in each cell, or an ``Outcome``."""
        return np.array([winner_of(cell, self.methods) for cell in self.cells]).reshape(
            self.grid.shape
        )

    @cached_property
    def worth(self) -> NDArray[np.bool_]:
        """Where some method beats the private unigram, shape (rows, columns)."""
        rivals = [number for number, text in enumerate(self.methods) if text != UNIGRAM]
        best = np.min(
            np.where(np.isnan(self.errors), np.inf, self.errors)[rivals], axis=0, initial=np.inf
        )
        return np.asarray(best * (1 + CLOSE) < self.errors[self.methods.index(UNIGRAM)])

    @cached_property
    def margins(self) -> Matrix:
        """Smallest error of the other methods over the winner's, shape (rows, columns).

        Infinite where no other method has a number, NaN where no method wins.
        """
        errors = np.where(np.isnan(self.errors), np.inf, self.errors)
        margins = np.full(self.grid.shape, np.nan)
        for row, column in np.argwhere(self.winners >= 0):
            winner = self.winners[row, column]
            others = np.delete(errors[:, row, column], winner)
            margins[row, column] = np.min(others, initial=np.inf) / errors[winner, row, column]
        return margins

    @cached_property
    def least_errors(self) -> Matrix:
        """Smallest error of any method, shape (rows, columns); NaN where none is predicted."""
        least = np.min(np.where(np.isnan(self.errors), np.inf, self.errors), axis=0)
        return np.where(np.isfinite(least), least, np.nan)

    def at(self, row: int, column: int) -> tuple[Expected, ...]:
        """The predictions in one cell."""
        return self.cells[row * self.grid.shape[1] + column]


def predicted(grid: Grid, methods: Sequence[str]) -> RegimeMap:
    """The predictions of several methods over a grid."""
    return RegimeMap(
        grid, tuple(methods), cells_at([point for _, _, point in grid.points()], methods)
    )


def cells_at(points: Sequence[Point], methods: Sequence[str]) -> tuple[tuple[Expected, ...], ...]:
    """The predictions of several methods at several points."""
    return tuple(zip(*(expected(points, text) for text in methods), strict=True))


def errors_of(cell: Sequence[Expected], methods: Sequence[str]) -> list[float]:
    """Errors that compete: a method that returns one word list competes only if it is the private unigram."""
    return [
        one.error if one.answer is not Answer.WORDS or text == UNIGRAM else np.nan
        for one, text in zip(cell, methods, strict=True)
    ]


def winner_of(cell: Sequence[Expected], methods: Sequence[str]) -> int:
    """Index of the method to recommend, or an ``Outcome``."""
    errors = dict(zip(methods, errors_of(cell, methods), strict=True))
    best, *others = ranked(errors) or [""]
    if not best:
        return int(Outcome.LEFT_OUT)
    return (
        int(Outcome.UNDECIDED)
        if others and too_close(errors, best, others[0])
        else methods.index(best)
    )


def ranked(errors: Mapping[str, float], measured: Collection[str] = ()) -> list[str]:
    """Methods with a finite error, smallest first, with a head start for ``FAVOURED``.

    The private unigram comes first unless some method beats it by more than ``CLOSE``.
    """
    known = {text: error for text, error in errors.items() if math.isfinite(error)}
    order = sorted(
        known,
        key=lambda text: (
            known[text] * (HEAD_START if text == FAVOURED and text not in measured else 1)
        ),
    )
    if UNIGRAM in known and known[UNIGRAM] <= known[order[0]] * (1 + CLOSE):
        order.remove(UNIGRAM)
        order.insert(0, UNIGRAM)
    return order


def too_close(
    errors: Mapping[str, float], best: str, other: str, measured: Collection[str] = ()
) -> bool:
    """Whether two errors are too close to call."""
    favoured = FAVOURED in (best, other) and FAVOURED not in measured
    return abs(errors[other] / errors[best] - 1) < CLOSE and not favoured
