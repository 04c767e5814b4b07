"""Groups of public or simulated documents, listed from a column of their labels.

A release takes a public list from its owner. To explore documents that nobody has to protect, the
list is read off the labels: months or years where they are dates, or else the most frequent ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core.errors import CorpusError
from dplda.corpus import Corpus, Label
from dplda.corpus.group_columns import GroupColumn
from dplda.methods.shares.groups import OTHER, GroupAxis, Groups, Period
from dplda.methods.shares.time_labels import month_of, parse_first_day, year_of

MAX_LISTED = 40  # groups; rarer labels count as ``other``
MAX_MONTHS = 36  # on an axis of time; a longer one has years
FIRST_YEAR, LAST_YEAR = "1400", "2100"
LEAST_DATES = 0.9  # part of the labels that are dates, from which a column is one of time


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ExploredGroups:
    """The groups of a column, and the group of every document.

    Attributes:
        column: its name.
        groups: rows of a table of shares.
        labels: of every distinct value of the column, as ``groups`` have it.
        rows: the table's row of every document, (N,).
        is_public: whether the list is known without looking at the documents.
        n_unlisted: distinct labels that count as ``other``.
    """

    column: str
    groups: Groups
    labels: tuple[str, ...]
    rows: NDArray[np.intp]
    is_public: bool
    n_unlisted: int = 0

    @property
    def is_time(self) -> bool:
        """Whether the groups follow each other in time."""
        return bool(self.groups.chains)


def list_groups(corpus: Corpus, column_name: str) -> ExploredGroups:
    """List the groups of a column of labels: months or years if these are dates, else names.

    Counts the distinct labels that are not listed, except the empty one. The list counts as public
    for simulated documents alone.

    Args:
        corpus: simulated or public documents.
        column_name: of the column; empty for the first one.

    Raises:
        CorpusError: there is no such column, or no document has a label in it.
    """
    column = find_column(corpus, column_name)
    distinct_values = column.values
    axis = _time_axis(distinct_values)
    label_of_each_value = distinct_values
    if axis is not None:
        period_of = month_of if len(axis.labels[0]) > len("2025") else year_of
        label_of_each_value = tuple(period_of(value) for value in distinct_values)
    else:
        axis = _axis_of_names(column)
    groups = Groups((axis,))
    listed_labels = set(axis.labels)
    unlisted_labels = set(label_of_each_value) - listed_labels - {""}
    return ExploredGroups(
        column=column.name,
        groups=groups,
        labels=label_of_each_value,
        rows=groups.rows_of([label_of_each_value])[column.codes],
        is_public=corpus.label is Label.SIMULATED,
        n_unlisted=len(unlisted_labels),
    )


def find_column(corpus: Corpus, column_name: str) -> GroupColumn:
    """Find a column of labels by name; the first one for an empty name.

    Raises:
        CorpusError: there is none of this name, or none at all.
    """
    columns = corpus.columns_to_group_by
    for column in columns:
        if column_name in ("", column.name):
            return column
    if not columns:
        problem_text = "These documents have no labels to group by"
        raise CorpusError(problem_text, "Read the file again, and choose columns to group by.")
    raise CorpusError(
        "These documents have no column of that name", f"Choose {columns[0].name!r}, for example."
    )


def _axis_of_names(column: GroupColumn) -> GroupAxis:
    """The labels in the order of the column; of too many the most frequent ones.

    A label that reads like the group of all others is left out.

    Raises:
        CorpusError: no document has a label.
    """
    n_documents_by_code = np.bincount(column.codes, minlength=len(column.values))
    n_documents_of_label = dict(zip(column.values, n_documents_by_code.tolist(), strict=True))
    listed_names = [name for name in column.values if name and name.casefold() != OTHER]
    if not listed_names:
        problem_text = f"No document has a label in the column {column.name!r}"
        raise CorpusError(problem_text, "Choose another column.")
    if len(listed_names) > MAX_LISTED:
        most_frequent_first = sorted(listed_names, key=lambda name: -n_documents_of_label[name])
        listed_names = most_frequent_first[:MAX_LISTED]
    return GroupAxis(tuple(listed_names))


def _time_axis(values: Sequence[str]) -> GroupAxis | None:
    """Make the axis of months, or of years, from the first to the last date.

    Years where there are no months or too many of them. None where too few labels are dates, or a
    year is so early or late that it must be another number.

    Args:
        values: distinct labels of a column; empty ones do not count.
    """
    filled_labels = [value for value in values if value]
    years_met = sorted({year for value in filled_labels if (year := year_of(value))})
    n_dates = sum(bool(year_of(value)) for value in filled_labels)
    if not years_met or n_dates < LEAST_DATES * len(filled_labels):
        return None
    if years_met[0] < FIRST_YEAR or years_met[-1] > LAST_YEAR:  # numbers of four digits
        return None
    months_met = sorted({month for value in filled_labels if (month := month_of(value))})
    if months_met:
        month_axis = _axis_between(months_met[0], months_met[-1], Period.MONTH)
        if len(month_axis.labels) <= MAX_MONTHS:
            return month_axis
    return _axis_between(years_met[0], years_met[-1], Period.YEAR)


def _axis_between(first: str, last: str, period: Period) -> GroupAxis:
    return GroupAxis.of_dates(parse_first_day(first), parse_first_day(last), period)
