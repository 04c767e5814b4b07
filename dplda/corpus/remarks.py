"""Remarks: unusual things that a reader met and that are no reason to refuse the file.

Each is counted.
"""

from enum import StrEnum
from typing import NamedTuple

MAX_PLACES = 3  # of each remark


class Remark(StrEnum):
    """Kind of unusual thing that a reader met.

    The text follows its number and begins with a plural noun.
    """

    FURTHER_HEADING = (
        "rows in the form of further headings: counted as documents. To leave them out, delete them"
    )
    NO_HEADING = (
        "rows in the form of a document, taken as the names of columns: to count them, put names"
        " above"
    )
    SEVERAL_AUTHORS = "documents with several addresses as their author: only the first one counts"
    NUMBER_REWRITTEN = "documents with a person's number written like 101.0 or 0101: taken as 101"
    NUMBER_SHORTENED = (
        "documents with a person's number cut to the form of 1.23457E+11, as spreadsheets show long"
        " ones: numbers that begin alike are one person, and another than the same number in full"
    )
    UNNAMED_AUTHOR = (
        "documents with nan, unknown, [deleted] or the like as their author: taken as one person"
    )
    NAME_AMONG_ADDRESSES = (
        "documents with a name in place of an address: taken as another person than any address"
    )
    LIST_AS_AUTHOR = (
        "messages with a mailing list in the author's place: all of them count as the list's"
    )
    AUTHOR_FROM_REPLY = (
        "messages with a mailing list in the author's place: the address for replies counts"
    )
    UNKNOWN_ENCODING = "messages with text in an unknown encoding: that text was left out"
    UNREADABLE_MESSAGE = "messages in a form that cannot be parsed: kept without their text"
    MAIL_WITHOUT_TEXT = "messages without text of their own: only the subject was read"
    UNREADABLE_FILE = "files in a form that cannot be read: kept as empty documents"
    FILE_WITHOUT_TEXT = "files without text, such as scanned pages: kept as empty documents"
    ERROR_VALUE = "cells with an error instead of text: kept as empty documents"
    OTHER_SHEETS = "sheets skipped: only the first visible sheet of a workbook is read"


class CountedRemark(NamedTuple):
    """A remark, how often it was made, and where first.

    Attributes:
        remark: kind of thing that was met.
        n: how often.
        places: names of files, with the row or message, of the first few; never content.
    """

    remark: Remark
    n: int
    places: tuple[str, ...] = ()

    def sentence(self) -> str:
        """Text that follows the number.

        With places, if there are any, as *first* if they are not all.
        """
        if not self.places:
            return str(self.remark)
        place_list = "; ".join(self.places)
        prefix = "first: " if self.n > len(self.places) else ""
        return f"{self.remark} ({prefix}{place_list})"


class RemarkCounter:
    """Counts remarks while documents are read, and keeps the first places of each kind."""

    def __init__(self) -> None:
        self._numbers: dict[Remark, int] = {}
        self._places: dict[Remark, list[str]] = {}

    def add(self, remark: Remark, place: str = "", n: int = 1) -> None:
        """Count a remark.

        Args:
            remark: kind of thing that was met.
            place: file with row or message, kept if it is among the first three; "" for none.
            n: how often it was met there.
        """
        number_so_far = self._numbers.get(remark, 0)
        self._numbers[remark] = number_so_far + n
        places = self._places.setdefault(remark, [])
        if place and len(places) < MAX_PLACES:
            places.append(place)

    def n(self, remark: Remark) -> int:
        """Number of times a remark was made."""
        return self._numbers.get(remark, 0)

    def counted(self) -> tuple[CountedRemark, ...]:
        """All remarks made, in the order of ``Remark``."""
        counted_remarks = []
        for remark in Remark:
            n_times = self.n(remark)
            if n_times:
                places = tuple(self._places[remark])
                counted_remarks.append(CountedRemark(remark, n_times, places))
        return tuple(counted_remarks)
