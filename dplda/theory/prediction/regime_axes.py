"""The seven public numbers that decide which method is best, and grids over two of them."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Self, TypeAlias

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError

DIGITS = 2
"""Significant digits of grid values, for reading and typing."""
Ends: TypeAlias = tuple[float, float]


class Axis(StrEnum):
    """One of the seven numbers; its value names the field of ``Point`` that holds it."""

    def __new__(
        cls,
        name: str,
        symbol: str = "",
        words: str = "",
        limits: Ends = (0, 0),
        usual: Ends = (0, 0),
    ) -> Self:
        """Make an axis.

        Args:
            name: field of ``Point``.
            symbol: as in the paper.
            words: noun for the number.
            limits: smallest and largest possible value.
            usual: smallest and largest value of a map.
        """
        axis = str.__new__(cls, name)
        axis._value_ = name
        axis.symbol = symbol
        axis.words = words
        axis.limits = limits
        axis.usual = usual
        return axis

    symbol: str
    words: str
    limits: Ends
    usual: Ends

    DOCUMENTS = "n_documents", "N", "documents", (100, 1e9), (1e3, 1e6)
    TOPICS = "n_topics", "k", "topics", (2, 50), (2, 20)
    WORDS = "n_words", "d", "words", (20, 5_000), (50, 2_000)
    ALPHA0 = "alpha0", "α₀", "mixing", (0.01, 100), (0.05, 10)
    LENGTH = "mean_length", "L", "words in a document", (5, 10_000), (10, 200)
    EPSILON = "epsilon", "ε", "privacy budget", (0.01, 100), (0.1, 10)
    DELTA = "delta", "δ", "failure probability", (1e-12, 0.01), (1e-9, 1e-4)

    @property
    def label(self) -> str:
        """Words and symbol."""
        return f"{self.words} {self.symbol}"

    @property
    def whole(self) -> bool:
        """Whether its values are whole numbers."""
        return self in (Axis.DOCUMENTS, Axis.TOPICS, Axis.WORDS, Axis.LENGTH)

    def text(self, value: float) -> str:
        """The value as text: a whole number with commas, δ to two digits, else up to six digits."""
        if self is Axis.DELTA:
            return f"{value:.2g}".replace("e-0", "e-")
        return f"{value:,.0f}" if self.whole else f"{value:g}"

    def values(self, low: float, high: float, count: int) -> tuple[float, ...]:
        """Values from ``low`` to ``high``, evenly spaced in the logarithm.

        The inner ones are rounded to two significant digits, and to whole numbers on a whole axis.

        Args:
            low: lower end, which is kept.
            high: upper end, which is kept.
            count: largest number of values, at least 2.

        Returns:
            Ascending, at most ``count``: fewer where rounding makes values equal or takes them out
                of the range.

        Raises:
            InputError: ``count`` is below 2, an end is outside ``limits``, or the ends are not
                ascending.
        """
        checks.integer_at_least("count", count, 2)
        for name, value in (("low", low), ("high", high)):
            end_name = f"{name} end of {self.symbol}"
            checks.between(end_name, value, *self.limits, open_ends=False)
        if not low < high:
            requirement = "from a smaller to a larger value"
            raise InputError(f"range of {self.symbol}", requirement, f"{low:g} to {high:g}")
        all_values = np.geomspace(low, high, count)
        inner_values = [self.rounded(float(value)) for value in all_values[1:-1]]
        return _between_ends(inner_values, low, high)

    def steps(self) -> tuple[float, ...]:
        """Slider values, ascending: both limits, and 1, 2 and 5 times powers of ten between."""
        low, high = self.limits
        lowest_power = math.floor(math.log10(low))
        highest_power = math.ceil(math.log10(high))
        steps = []
        for power in range(lowest_power, highest_power + 1):
            steps += [float(f"{digit}e{power}") for digit in (1, 2, 5)]
        return _between_ends(steps, low, high)

    def rounded(self, value: float) -> float:
        """The value to two significant digits, a whole number where the axis has these."""
        rounded = float(f"{value:.{DIGITS}g}")
        return float(round(rounded)) if self.whole else rounded


def _between_ends(values: Iterable[float], low: float, high: float) -> tuple[float, ...]:
    """Both ends and the values strictly between them, ascending, each once."""
    inner_values = {value for value in values if low < value < high}
    return tuple(sorted({float(low), float(high)} | inner_values))


@dataclass(frozen=True, slots=True)
class Point:
    """One value of each of the seven numbers.

    Attributes:
        n_documents: ``N``, at least 3.
        n_topics: ``k``, at least 2.
        n_words: ``d``, at least 2; it may be below k, see ``possible``.
        alpha0: ``α0``, above 0.
        mean_length: ``L``, mean number of words in a document, at least 1.
        epsilon: ``ε``.
        delta: ``δ``.
    """

    n_documents: int
    n_topics: int
    n_words: int
    alpha0: float
    mean_length: int
    epsilon: float
    delta: float = 1e-7

    def __post_init__(self) -> None:
        """Refuse a number out of range: at least 3 documents, 2 topics, 2 words and length 1.

        These four are whole numbers. α0, ε and δ are checked as well.

        Raises:
            InputError: a number is out of range, or not whole where it must be.
        """
        checks.integer_at_least("n_documents", self.n_documents, 3)
        checks.integer_at_least("n_topics", self.n_topics, 2)
        checks.integer_at_least("n_words", self.n_words, 2)
        checks.integer_at_least("mean_length", self.mean_length, 1)
        checks.alpha0(self.alpha0)
        checks.epsilon(self.epsilon)
        checks.delta(self.delta)

    def at(self, axis: Axis) -> float:
        """The value along an axis."""
        return float(getattr(self, axis))

    def moved(self, axis: Axis, value: float) -> "Point":
        """The same point with another value along one axis."""
        number = round(value) if axis.whole else float(value)
        changed: dict[str, float] = {axis: number}
        return replace(self, **changed)  # type: ignore[arg-type]  # one field, of the type that the axis says

    @property
    def possible(self) -> bool:
        """Whether there are at least as many words as topics."""
        return self.n_topics <= self.n_words

    @property
    def population(self) -> tuple[int, int, float, int]:
        """``(d, k, α0, L)``: all that the distribution of documents depends on."""
        return self.n_words, self.n_topics, self.alpha0, self.mean_length


@dataclass(frozen=True, slots=True)
class Grid:
    """Points over two different axes.

    Attributes:
        base: all other numbers.
        x: axis of the columns.
        y: axis of the rows.
        xs: values of the columns, at least two, ascending.
        ys: values of the rows, at least two, ascending.
    """

    base: Point
    x: Axis
    y: Axis
    xs: tuple[float, ...]
    ys: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse one axis twice, fewer than two values, and values that do not ascend."""
        if self.x == self.y:
            raise InputError("axes", "two different ones", f"{self.x.symbol} twice")
        _check_values(self.x, self.xs)
        _check_values(self.y, self.ys)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows (``ys``) and columns (``xs``)."""
        return len(self.ys), len(self.xs)

    def point(self, row: int, column: int) -> Point:
        """The point in a row, counted from the smallest ``y``, and a column.

        Args:
            row: place on ``y``, from 0.
            column: place on ``x``, from 0.
        """
        point_of_column = self.base.moved(self.x, self.xs[column])
        return point_of_column.moved(self.y, self.ys[row])

    def points(self) -> Iterator[tuple[int, int, Point]]:
        """Row, column and point of every cell, row by row."""
        yield from _points(self)


def _check_values(axis: Axis, values: Sequence[float]) -> None:
    """Refuse fewer than two values on an axis, and values that do not ascend."""
    is_ascending = all(value < next_value for value, next_value in pairwise(values))
    if len(values) < 2 or not is_ascending:
        limit = "at least two, ascending"
        raise InputError(f"values of {axis.symbol}", limit, f"{len(values)}")


@lru_cache(maxsize=64)
def _points(grid: Grid) -> tuple[tuple[int, int, Point], ...]:
    """The cells of ``Grid.points``; points are made once for each of the last grids."""
    cells = []
    for row, column in np.ndindex(grid.shape):
        cells.append((row, column, grid.point(row, column)))
    return tuple(cells)


def usual_range(axis: Axis, own: float) -> tuple[float, float]:
    """The usual range of an axis, widened to include ``own``.

    Returns:
        Ends among ``axis.steps``: the last step at or below the range, and the first at or above
        it; the first and the last of all steps where there is none.
    """
    usual_low, usual_high = axis.usual
    low = min(usual_low, own)
    high = max(usual_high, own)
    axis_steps = axis.steps()
    lower_steps = [step for step in axis_steps if step <= low]
    upper_steps = [step for step in axis_steps if step >= high]
    low_end = max(lower_steps, default=axis_steps[0])
    high_end = min(upper_steps, default=axis_steps[-1])
    return low_end, high_end
