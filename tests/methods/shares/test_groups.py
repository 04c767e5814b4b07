"""The public list of groups: rows of a table, and which one a document belongs to."""

from datetime import date

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.methods.shares.groups import OTHER, GroupAxis, Groups, Period, labels_met

DISTRICTS = GroupAxis(("north", "south"))
MONTHS = GroupAxis.of_dates(date(2023, 11, 30), date(2024, 2, 1))


def test_axis_of_dates_lists_every_month_between_them() -> None:
    assert MONTHS.labels == ("2023-11", "2023-12", "2024-01", "2024-02")
    assert MONTHS.is_ordered


def test_axis_of_dates_lists_every_year_between_them() -> None:
    axis = GroupAxis.of_dates(date(1999, 12, 31), date(2001, 1, 1), Period.YEAR)
    assert axis.labels == ("1999", "2000", "2001")


def test_axis_of_dates_refuses_an_end_before_its_start() -> None:
    with pytest.raises(InputError, match="not before 2024-02-01"):
        GroupAxis.of_dates(date(2024, 2, 1), date(2024, 1, 31))


@pytest.mark.parametrize(
    "labels", [(), ("a", "a"), ("a", " a "), ("a", " "), ("Other",), ("x" * 81,)]
)
def test_axis_refuses_a_list_that_is_no_list_of_groups(labels: tuple[str, ...]) -> None:
    with pytest.raises(InputError):
        GroupAxis(labels)


def test_groups_of_two_axes_have_a_row_for_each_pair_beside_others() -> None:
    groups = Groups((DISTRICTS, MONTHS))
    assert groups.n_rows == len(groups.labels) == 9
    assert groups.labels[0] == "north · 2023-11"
    assert groups.labels[-1] == OTHER


def test_chains_are_one_series_for_each_group_of_the_first_axis() -> None:
    assert Groups((DISTRICTS, MONTHS)).chains == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert Groups((MONTHS,)).chains == ((0, 1, 2, 3),)
    assert Groups((DISTRICTS,)).chains == ()


def test_rows_of_labels_that_are_missing_or_unknown_are_that_of_other() -> None:
    labels = ["south", " north ", "west", None, "", float("nan"), "OTHER"]
    rows = Groups((DISTRICTS,)).rows_of([labels])
    assert rows.tolist() == [1, 0, 2, 2, 2, 2, 2]


def test_rows_of_pairs_need_both_labels() -> None:
    rows = Groups((DISTRICTS, MONTHS)).rows_of(
        [["south", "south", "west"], ["2024-01", "2020-01", "2024-01"]]
    )
    assert rows.tolist() == [6, 8, 8]


def test_check_cells_refuses_a_table_of_more_than_ten_thousand() -> None:
    groups = Groups((GroupAxis(tuple(f"g{number}" for number in range(1_000))),))
    groups.check_cells(9)
    with pytest.raises(InputError, match="at most 999 with 10 topics"):
        groups.check_cells(10)


def test_labels_met_are_sorted_without_blank_or_reserved_ones() -> None:
    assert labels_met(["b", "a", None, " ", "b", "other", np.nan, 7]) == ("7", "a", "b")


def test_rows_of_whole_numbers_that_a_table_keeps_as_fractions_are_found() -> None:
    years = Groups((GroupAxis(("2001", "2002")),))
    assert years.rows_of([[2001.0, np.int64(2002), np.nan, 2001.5]]).tolist() == [0, 1, 2, 2]
