"""The lists of groups that a table of topic shares has, and the row of every document."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.corpus.group_columns import LONGEST_LABEL, clean_label

OTHER = "other"  # row of documents without a listed group; a reserved name
MAX_CELLS = 10_000  # of a table, G·k
MAX_AXES = 2
JOINED_BY = " · "  # between the labels of a pair
NO_ROW = -1


class Period(StrEnum):
    """Length of a step on an axis of time."""

    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class GroupAxis:
    """One list of groups: departments, districts, or the months between two dates.

    Attributes:
        labels: names of the groups, in the order in which they are shown.
        is_ordered: whether neighbors on the list are alike, as months are.
        is_selected: whether they are chosen privately by size (``group_selection``); else the list
            is public. Before they are chosen, the labels are placeholders.

    Raises:
        InputError: fewer than one label, one that stands twice, is blank, too long or reserved.
    """

    labels: tuple[str, ...]
    is_ordered: bool = False
    is_selected: bool = False

    def __post_init__(self) -> None:
        """Clean the labels; refuse none at all, long, blank or repeated ones, and ``other``.

        Raises:
            InputError: a label has more than ``LONGEST_LABEL`` characters before it is cleaned, or
                is blank, repeated or ``other``, in any case, afterwards, or there are no labels.
        """
        longest_length = max((len(str(label)) for label in self.labels), default=0)
        if longest_length > LONGEST_LABEL:
            problem = f"one of {longest_length:,} characters"
            raise InputError("groups", f"names of at most {LONGEST_LABEL} characters", problem)
        labels = tuple(clean_label(label) for label in self.labels)
        if not labels:
            raise InputError("groups", "a list of at least one group", "an empty list")
        earlier_labels = set()
        for label in labels:
            if not label:
                raise InputError("groups", "names", "a blank one")
            if label.casefold() == OTHER:
                hint = f"{OTHER!r} is the row of documents without a listed group. Rename it."
                raise InputError("groups", f"names other than {OTHER!r}", repr(label), hint)
            if label in earlier_labels:
                raise InputError("groups", "a list without repeats", f"{label!r} twice")
            earlier_labels.add(label)
        object.__setattr__(self, "labels", labels)

    @classmethod
    def to_select(cls, n_groups: int) -> "GroupAxis":
        """An axis for at most so many groups that are still to be chosen privately by size.

        Raises:
            InputError: fewer than two groups, or more than a table can have.
        """
        checks.integer_between("number of groups", n_groups, 2, MAX_CELLS)
        placeholders = tuple(f"group {number}" for number in range(1, n_groups + 1))
        return cls(placeholders, is_selected=True)

    @classmethod
    def of_dates(cls, first: date, last: date, period: Period = Period.MONTH) -> "GroupAxis":
        """Every month (``2024-03``) or year (``2024``) from one date to another, both included.

        Raises:
            InputError: the last date is before the first.
        """
        if last < first:
            raise InputError("last date", f"not before {first.isoformat()}", last.isoformat())
        if period is Period.YEAR:
            labels = [f"{year:04}" for year in range(first.year, last.year + 1)]
        else:
            month_numbers = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
            labels = [
                f"{month_number // 12:04}-{month_number % 12 + 1:02}"
                for month_number in month_numbers
            ]
        return cls(tuple(labels), is_ordered=True)


@dataclass(frozen=True, slots=True)
class Groups:
    """Rows of a table of shares: every group, or every pair of two axes, and then ``other``.

    Attributes:
        axes: one list of groups, or two whose pairs are the rows; the second runs faster.

    Raises:
        InputError: no axis, more than two, or two whose groups are chosen by size.
    """

    axes: tuple[GroupAxis, ...]

    def __post_init__(self) -> None:
        """Refuse no axes, more than ``MAX_AXES``, and two whose groups are chosen by size."""
        if not 1 <= len(self.axes) <= MAX_AXES:
            raise InputError("groups", f"one or {MAX_AXES} lists", f"{len(self.axes)}")
        if sum(axis.is_selected for axis in self.axes) > 1:
            raise InputError("groups", "one list that is chosen by size", "two")

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of all rows, ``other`` last."""
        first, *rest = self.axes
        names = list(first.labels)
        for axis in rest:
            names = [f"{name}{JOINED_BY}{label}" for name in names for label in axis.labels]
        return (*names, OTHER)

    @property
    def n_rows(self) -> int:
        """Rows of the table, ``other`` included."""
        n_groups = 1
        for axis in self.axes:
            n_groups *= len(axis.labels)
        return n_groups + 1

    @property
    def selected_axis(self) -> int | None:
        """Number of the axis whose groups are chosen privately by size; None without one."""
        return next((place for place, axis in enumerate(self.axes) if axis.is_selected), None)

    def with_selected(self, labels: tuple[str, ...]) -> "Groups":
        """The same lists, with the groups that were chosen in place of the placeholders."""
        selected_axis = GroupAxis(labels, is_selected=True)
        return Groups(tuple(selected_axis if axis.is_selected else axis for axis in self.axes))

    @property
    def chains(self) -> tuple[tuple[int, ...], ...]:
        """Rows that follow each other in time, one tuple for each series; empty if none do."""
        if not self.axes[-1].is_ordered:
            return ()
        length = len(self.axes[-1].labels)
        starts = range(0, self.n_rows - 1, length)
        return tuple(tuple(range(start, start + length)) for start in starts)

    def check_cells(self, n_topics: int) -> None:
        """Refuse a table of more than ``MAX_CELLS`` cells.

        Raises:
            InputError: with the number of groups, and how many are allowed with so many topics.
        """
        n_cells = self.n_rows * n_topics
        if n_cells > MAX_CELLS:
            raise InputError(
                "groups",
                f"at most {MAX_CELLS // n_topics - 1:,} with {n_topics} topics",
                f"{self.n_rows - 1:,}",
                "List fewer groups, or take years in place of months.",
            )

    def rows_of(self, labels: Sequence[Sequence[object]]) -> NDArray[np.intp]:
        """Row of every document, shape (N,); that of ``other`` where a label is missing or unknown.

        Args:
            labels: for each axis the label of every document. They are cleaned as groups are.

        Raises:
            ValueError: there are labels for more or fewer axes.
        """
        n_documents = len(labels[0])
        table_rows = np.zeros(n_documents, dtype=np.intp)
        is_known = np.ones(n_documents, dtype=bool)
        for axis, axis_labels in zip(self.axes, labels, strict=True):
            place_of_label = {label: label_place for label_place, label in enumerate(axis.labels)}
            label_places = np.array(
                [place_of_label.get(clean_label(label), NO_ROW) for label in axis_labels],
                dtype=np.intp,
            )
            is_known &= label_places != NO_ROW
            table_rows = table_rows * len(axis.labels) + label_places
        return np.where(is_known, table_rows, self.n_rows - 1)


def labels_met(labels: Iterable[object]) -> tuple[str, ...]:
    """Labels that documents have, sorted, without blank and reserved ones.

    Nothing protects this list: whether a label is on it can hang on a single document.
    """
    met = {clean_label(label) for label in labels}
    return tuple(sorted(label for label in met if label and label.casefold() != OTHER))
