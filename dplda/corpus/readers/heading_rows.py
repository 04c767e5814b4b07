"""Rows of a table that are not what they are taken for: further headings, and a document in the place of names."""

import re
from collections.abc import Iterator, Sequence
from statistics import median

from dplda.corpus.files.file import File
from dplda.corpus.remarks import Remark

LOOKED_AT = 50  # rows below the names of columns
_LOOKED_AT_CHARS = 1000  # of a cell
_FURTHER = 3  # rows that survey tools may write below the names
_IMPORT_ID = '{"ImportId"'  # how Qualtrics names a question once more
_OPEN_ANSWER = {"response", "openendedresponse"}  # what SurveyMonkey writes below a question
_NO_VALUE = {"", "na", "nan", "none", "null"}
_FEWEST_ROWS = 3  # that show what a column holds
_SHORTEST_TEXT, _LONGEST_NAME = 3, 25  # words
_MOST_DIGITS = 18  # of a number that rows are counted by
_WORD = re.compile(r"[^\W\d_]{3,}")
_DIGIT = re.compile(r"\d")
_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")

OddRow = tuple[Remark, int]
"""What to say of a row, and its number in the file."""


def odd_rows(
    names: Sequence[str],
    first_row: int,
    rows: Sequence[tuple[int, Sequence[str]]],
    text: int | None,
) -> list[OddRow]:
    """The rows that look like further headings, or like a document that was taken for the names of columns.

    Args:
        names: the cells of the row that names the columns.
        first_row: its number in the file.
        rows: the first rows below it, with their numbers, as many cells in each.
        text: the place of the documents' column; None where nobody has chosen one.
    """
    headings = [row for row, _ in rows[:_FURTHER] if row in _headings(names, rows)]
    documents = [cells for row, cells in rows if row not in headings]
    found = [(Remark.FURTHER_HEADING, row) for row in headings]
    if _is_document(names, documents, text):
        found.append((Remark.NO_HEADING, first_row))
    return found


class HeadingWatch:
    """Looks at the rows of a table as they are read, for some that are not what they are taken for."""

    def __init__(self, file: File, names: Sequence[str], first_row: int, text: int) -> None:
        self._file, self._names, self._first_row, self._text = file, list(names), first_row, text
        self._begin: list[tuple[int, list[str]]] = []

    def passed_on(self, rows: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
        """Yield the same rows; remarks are made once enough of them, or all, have been read."""
        for row, cells in rows:
            if len(cells) != len(self._names):
                pass
            elif len(self._begin) < LOOKED_AT:
                self._begin.append((row, [cell[:_LOOKED_AT_CHARS] for cell in cells]))
                if len(self._begin) == LOOKED_AT:
                    self._remark()
            elif cells == self._names:
                self._file.remarks.add(Remark.FURTHER_HEADING, f"{self._file.name}, row {row:,}")
            yield row, cells
        if len(self._begin) < LOOKED_AT:
            self._remark()

    def _remark(self) -> None:
        for remark, row in odd_rows(self._names, self._first_row, self._begin, self._text):
            self._file.remarks.add(remark, f"{self._file.name}, row {row:,}")


def _headings(names: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]) -> set[int]:
    """Rows right below the names, without a gap, that survey tools wrote."""
    found: set[int] = set()
    ids = [row for row, cells in rows[:_FURTHER] if any(it.startswith(_IMPORT_ID) for it in cells)]
    for place, (row, cells) in enumerate(rows[:_FURTHER]):
        is_above_ids = bool(ids) and row <= ids[-1]
        numeric = _columns_of_numbers([below for _, below in rows[place + 1 :]], len(names))
        if not (is_above_ids or _repeats_names(names, cells) or _lacks_numbers(cells, numeric)):
            break
        found.add(row)
    return found


def _repeats_names(names: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether half of the cells or more say what the names say, or what such tools write, and no other is a number."""
    filled = [(name, cell) for name, cell in zip(names, cells, strict=True) if cell.strip()]
    is_repeated = [_bare(cell) in {_bare(name), *_OPEN_ANSWER} for name, cell in filled]
    others = [cell for (_, cell), it in zip(filled, is_repeated, strict=True) if not it]
    return 0 < len(filled) <= 2 * sum(is_repeated) and not any(map(_is_number, others))


def _columns_of_numbers(rows: Sequence[Sequence[str]], n_columns: int) -> list[int]:
    """Columns that hold a number or a date in every row that fills them."""
    found = []
    for column in range(n_columns):
        filled = [cells[column] for cells in rows if cells[column].strip()]
        if len(filled) >= _FEWEST_ROWS and all(map(_is_number, filled)):
            found.append(column)
    return found


def _lacks_numbers(cells: Sequence[str], numeric: Sequence[int]) -> bool:
    """Whether a row has words in most of the columns of numbers that it fills."""
    filled = [cells[column] for column in numeric if _bare(cells[column]) not in _NO_VALUE]
    return 0 < len(filled) < 2 * sum(_DIGIT.search(cell) is None for cell in filled)


def _is_document(names: Sequence[str], rows: Sequence[Sequence[str]], text: int | None) -> bool:
    """Whether the row of names looks like the rows below it."""
    if len(rows) < _FEWEST_ROWS - 1:
        return False
    for column, name in enumerate(names):
        if _continues(name, [cells[column] for cells in rows if cells[column].strip()]):
            return True
    places = range(len(names)) if text is None else [text]
    return any(_reads_like_text(names[it], [cells[it] for cells in rows]) for it in places)


def _continues(name: str, cells: Sequence[str]) -> bool:
    """Whether cells are numbered like the name of their column: doc0, doc1, doc2, or 0, 1, 2."""
    if len(cells) < _FEWEST_ROWS - 1 or _DIGIT.search(name) is None:
        return False
    if name.isdecimal():
        is_next = cells[0].isdecimal() and len(cells[0]) <= _MOST_DIGITS >= len(name)
        return is_next and int(cells[0]) == int(name) + 1
    return all(_shape(cell) == _shape(name) for cell in cells)


def _reads_like_text(name: str, cells: Sequence[str]) -> bool:
    """Whether the name of a column is as long as what stands in it, and of the same words."""
    words = [word.lower() for word in _WORD.findall(name)]
    if len(words) > _LONGEST_NAME:
        return True
    if len(words) < _SHORTEST_TEXT or name.rstrip().endswith(("?", ":")):
        return False
    texts = [[word.lower() for word in _WORD.findall(cell)] for cell in cells]
    is_as_long = 2 * len(words) >= median(map(len, texts))
    met = {word for text in texts for word in text}
    n_met = sum(word in met for word in words)
    return is_as_long and (
        n_met == len(words) or (len(words) > _SHORTEST_TEXT and 2 * n_met >= len(words))
    )


def _is_number(cell: str) -> bool:
    """Whether a cell holds a number, a date or a time: digits, and hardly a letter."""
    return _DIGIT.search(cell) is not None and sum(map(str.isalpha, cell)) <= 2


def _shape(cell: str) -> str:
    """A cell with every run of digits written alike."""
    return re.sub(r"\d+", "0", cell.strip())


def _bare(cell: str) -> str:
    return _NO_LETTER_OR_DIGIT.sub("", cell).casefold()
