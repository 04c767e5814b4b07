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
    """The groups of a column of labels.

    Args:
        corpus: simulated or public documents.
        column_name: of the column; empty for the first one.

    Raises:
        CorpusError: there is no such column, or no document has a label in it.
    """
    column = find_column(corpus, column_name)
    values = column.values
    axis = _time_axis(values)
    labels = values
    if axis is not None:
        convert = month_of if len(axis.labels[0]) > len("2025") else year_of
        labels = tuple(convert(value) for value in values)
    else:
        axis = _axis_of_names(column)
    groups = Groups((axis,))
    listed = set(axis.labels)
    return ExploredGroups(
        column=column.name,
        groups=groups,
        labels=labels,
        rows=groups.rows_of([labels])[column.codes],
        is_public=corpus.label is Label.SIMULATED,
        n_unlisted=len({label for label in labels if label and label not in listed}),
    )


def find_column(corpus: Corpus, column_name: str) -> GroupColumn:
    """A column of labels by name; the first one for an empty name.

    Raises:
        CorpusError: there is none of this name, or none at all.
    """
    columns = corpus.columns_to_group_by
    for column in columns:
        if column_name in ("", column.name):
            return column
    if not columns:
        problem = "These documents have no labels to group by"
        raise CorpusError(problem, "Read the file again, and choose columns to group by.")
    raise CorpusError(
        "These documents have no column of that name", f"Choose {columns[0].name!r}, for example."
    )


def _axis_of_names(column: GroupColumn) -> GroupAxis:
    """The labels in the order of the column; of too many the most frequent ones.

    Raises:
        CorpusError: no document has a label.
    """
    n_documents = np.bincount(column.codes, minlength=len(column.values))
    documents_of = dict(zip(column.values, n_documents.tolist(), strict=True))
    names = [name for name in column.values if name and name.casefold() != OTHER]
    if not names:
        problem = f"No document has a label in the column {column.name!r}"
        raise CorpusError(problem, "Choose another column.")
    if len(names) > MAX_LISTED:
        names = sorted(names, key=lambda name: -documents_of[name])[:MAX_LISTED]
    return GroupAxis(tuple(names))


def _time_axis(values: Sequence[str]) -> GroupAxis | None:
    """Months or years from the first to the last date; None where labels are not dates."""
    written = [value for value in values if value]
    years = sorted({year for value in written if (year := year_of(value))})
    n_dates = sum(bool(year_of(value)) for value in written)
    if not years or n_dates < LEAST_DATES * len(written):
        return None
    if years[0] < FIRST_YEAR or years[-1] > LAST_YEAR:  # numbers of four digits
        return None
    months = sorted({month for value in written if (month := month_of(value))})
    if months:
        axis = _axis_between(months[0], months[-1], Period.MONTH)
        if len(axis.labels) <= MAX_MONTHS:
            return axis
    return _axis_between(years[0], years[-1], Period.YEAR)


def _axis_between(first: str, last: str, period: Period) -> GroupAxis:
    return GroupAxis.of_dates(parse_first_day(first), parse_first_day(last), period)
