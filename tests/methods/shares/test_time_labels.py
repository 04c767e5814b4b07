"""Months and years of dates; what is no date, or may be two, is none."""

import pytest

from dplda.methods.shares.time_labels import month_of, parse_first_day, year_of


@pytest.mark.parametrize(
    ("label", "month"),
    [
        ("2024-03-01", "2024-03"),
        ("2024-03-01T12:30:00", "2024-03"),
        ("2024-03-01 12:30", "2024-03"),
        ("2024/3/1", "2024-03"),
        ("01.03.2024", "2024-03"),
        ("2024-03", "2024-03"),
        ("Fri, 01 Mar 2024 10:00:00 +0100", "2024-03"),
        ("2024", ""),
        ("2024-13-01", ""),
        ("3/1/2024", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_month_of_a_label_is_that_of_its_date_or_none(label: str, month: str) -> None:
    assert month_of(label) == month


@pytest.mark.parametrize(
    ("label", "year"), [("2024", "2024"), ("2024-03", "2024"), ("31.12.1999", "1999"), ("24", "")]
)
def test_year_of_a_label_is_that_of_its_date_or_none(label: str, year: str) -> None:
    assert year_of(label) == year


@pytest.mark.parametrize("text", ["", "2024-13", "2024-1-1-1", "x", "2024-02-30"])
def test_parse_first_day_refuses_what_is_no_date(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - Python's own words
        parse_first_day(text)


def test_parse_first_day_of_a_month_is_its_first() -> None:
    assert parse_first_day(" 2024-03 ").isoformat() == "2024-03-01"
