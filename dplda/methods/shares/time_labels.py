"""Months and years of dates as tables and mail write them."""

import re
from datetime import date
from email.utils import parsedate_to_datetime
from functools import lru_cache

_ISO_DATE = re.compile(r"(\d{4})(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?(?:[T ].*)?")
_DAY_FIRST = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[T ,].*)?")
MONTHS_OF_YEAR = 12
DATES_IN_WORDS = "2024-03-01, 2024-03, 2024/3/1, 01.03.2024, or as mail writes them"
"""Dates that are read, for messages. 3/1/2024 is none: it is March here and January there."""


def parse_first_day(text: str) -> date:
    """The day that a text names, or the first one of a year or month, as ISO 8601 writes them.

    Raises:
        ValueError: it is none of these.
    """
    date_numbers = [int(part) for part in text.strip().split("-")]
    first_of = [1, 1, 1]
    year, month, day = [*date_numbers, *first_of[len(date_numbers) :]]
    return date(year, month, day)


def month_of(label: str) -> str:
    """The month of a date, ``2024-03``; "" where it is no date, or only a year."""
    year, month = _year_and_month(label)
    return f"{year}-{month:02}" if year and month else ""


def year_of(label: str) -> str:
    """The year of a date or a year itself, ``2024``; "" where it is neither."""
    return _year_and_month(label)[0]


@lru_cache(maxsize=65_536)
def _year_and_month(label: str) -> tuple[str, int]:
    """Read year and month of a date: ISO 8601, day first with dots, or as mail writes it.

    The year is a text, the month a number from 1. Month 0 for a year alone; "" and 0 for what is no
    such date, or has a month above 12.
    """
    text = label.strip()
    match = _ISO_DATE.fullmatch(text)
    if match is not None:
        year = match[1]
        month = int(match[2] or 0)
    elif (match := _DAY_FIRST.fullmatch(text)) is not None:
        year = match[3]
        month = int(match[2])
    else:
        return _of_mail(text)
    return (year, month) if month <= MONTHS_OF_YEAR else ("", 0)


def _of_mail(text: str) -> tuple[str, int]:
    """Year and month of a date like ``Mon, 1 Jan 2001 00:00:00 +0000``; "" and 0 for another."""
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return "", 0
    return f"{when.year:04}", when.month
