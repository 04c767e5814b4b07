"""Rows of a table that look like further headings, and column names that look like a document."""

import re
from collections.abc import Iterator, Sequence
from statistics import median

from dplda.corpus.files.file import File
from dplda.corpus.remarks import Remark

N_ROWS_LOOKED_AT = 50  # rows below the names of columns
_CELL_CHARACTERS = 1000  # of a cell, that are looked at
_MAX_HEADINGS = 3  # rows that survey tools may write below the names
_IMPORT_ID = '{"ImportId"'  # begins the second name that Qualtrics gives a question
_OPEN_ANSWER = {"response", "openendedresponse"}  # below a question of SurveyMonkey
_NO_VALUE = {"", "na", "nan", "none", "null"}
_MIN_ROWS = 3  # fewer do not show the kind of a column
_MIN_TEXT_WORDS = 3  # fewer are a name
_MAX_NAME_WORDS = 25  # more are a text
_MAX_DIGITS = 18  # of a number that rows are counted by
_WORD = re.compile(r"[^\W\d_]{3,}")
_DIGIT = re.compile(r"\d")
_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")

OddRow = tuple[Remark, int]
"""A remark on a row, and the row's number in the file."""


def odd_rows(
    names: Sequence[str],
    first_row: int,
    rows: Sequence[tuple[int, Sequence[str]]],
    text: int | None,
) -> list[OddRow]:
    """Find rows that look like further headings, and names that look like a document.

    Args:
        names: cells of the row that names the columns.
        first_row: its number in the file.
        rows: the first rows below it, with their numbers, as many cells in each.
        text: place of the documents' column; None if nobody has chosen one.

    Returns:
        Remarks on headings, in order; last the one on the row of names, if it looks like a
        document.
    """
    heading_rows = _heading_rows(names, rows)
    document_cells = [cells for row, cells in rows if row not in heading_rows]
    remarks = [(Remark.FURTHER_HEADING, row) for row in heading_rows]
    if _is_document(names, document_cells, text):
        remarks.append((Remark.NO_HEADING, first_row))
    return remarks


class HeadingWatch:
    """Adds remarks to a file on odd rows of its table, while the rows are read.

    Args:
        file: gets the remarks.
        names: cells of the row that names the columns.
        first_row: its number in the file.
        text: place of the documents' column.
    """

    def __init__(self, file: File, names: Sequence[str], first_row: int, text: int) -> None:
        self._file = file
        self._names = list(names)
        self._first_row = first_row
        self._text = text
        self._first_rows: list[tuple[int, list[str]]] = []

    def passed_on(self, rows: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
        """Yield the same rows; remarks come after the first 50, or at the end if there are fewer.

        Later rows get a remark only if they repeat the names. Rows with another number of cells are
        not looked at.
        """
        n_columns = len(self._names)
        for row_number, cells in rows:
            if len(cells) == n_columns:
                self._look_at(row_number, cells)
            yield row_number, cells
        if len(self._first_rows) < N_ROWS_LOOKED_AT:
            self._remark_on_first_rows()

    def _look_at(self, row_number: int, cells: list[str]) -> None:
        """Keep one of the first rows; when all are kept, add remarks on them.

        Of a later row, only one that repeats the names gets a remark, and each such row does.
        """
        if len(self._first_rows) < N_ROWS_LOOKED_AT:
            cut_cells = [cell[:_CELL_CHARACTERS] for cell in cells]
            self._first_rows.append((row_number, cut_cells))
            if len(self._first_rows) == N_ROWS_LOOKED_AT:
                self._remark_on_first_rows()
        elif cells == self._names:
            self._add_remark(Remark.FURTHER_HEADING, row_number)

    def _remark_on_first_rows(self) -> None:
        """Add remarks on the rows kept so far."""
        remarks = odd_rows(self._names, self._first_row, self._first_rows, self._text)
        for remark, row_number in remarks:
            self._add_remark(remark, row_number)

    def _add_remark(self, remark: Remark, row_number: int) -> None:
        """Add a remark on a row of the file."""
        self._file.remarks.add(remark, f"{self._file.name}, row {row_number:,}")


def _heading_rows(names: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]) -> list[int]:
    """Numbers of the rows right below the names, without a gap, that survey tools wrote.

    Such a row has import ids or comes before a row that has, repeats names, or lacks numbers where
    rows below have them. One of the three is enough. At most the first ``_MAX_HEADINGS`` rows
    count. A column whose name most of its cells repeat, as that of a ticked box, tells nothing.
    """
    heading_row_numbers: list[int] = []
    telling_columns = _columns_of_own_values(names, rows)
    telling_names = [names[column] for column in telling_columns]
    first_rows = rows[:_MAX_HEADINGS]
    last_id_row = 0
    for row_number, cells in first_rows:
        if any(map(_is_import_id, cells)):
            last_id_row = row_number
    for row_index, (row_number, cells) in enumerate(first_rows):
        telling_cells = [cells[column] for column in telling_columns]
        cells_below = [below for _, below in rows[row_index + 1 :]]
        number_columns = _columns_of_numbers(cells_below, len(names))
        is_heading = (
            row_number <= last_id_row
            or _repeats_names(telling_names, telling_cells)
            or _lacks_numbers(cells, number_columns)
        )
        if not is_heading:
            break
        heading_row_numbers.append(row_number)
    return heading_row_numbers


def _is_import_id(cell: str) -> bool:
    """Whether a cell holds the second name that Qualtrics gives a question."""
    return cell.startswith(_IMPORT_ID)


def _columns_of_own_values(
    names: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]
) -> list[int]:
    """Columns of which at most half of the cells repeat the name; one cell always may."""
    max_repetitions = max(1, len(rows) // 2)
    columns = []
    for column, name in enumerate(names):
        n_repetitions = sum(cells[column] == name for _, cells in rows)
        if n_repetitions <= max_repetitions:
            columns.append(column)
    return columns


def _repeats_names(names: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether at least half of the filled cells repeat their names, and no other is a number.

    Only letters and digits are compared, without case. Words that survey tools write below a
    question count as repetition. It is False if no cell is filled.
    """
    n_repeated = 0
    other_cells = []
    for column_name, cell in zip(names, cells, strict=True):
        if not cell.strip():
            continue
        repetitions = {_letters_and_digits(column_name), *_OPEN_ANSWER}
        if _letters_and_digits(cell) in repetitions:
            n_repeated += 1
        else:
            other_cells.append(cell)
    n_filled = n_repeated + len(other_cells)
    repeats_half = 0 < n_filled <= 2 * n_repeated
    return repeats_half and not any(map(_is_number, other_cells))


def _columns_of_numbers(rows: Sequence[Sequence[str]], n_columns: int) -> list[int]:
    """Columns with a number or a date in every filled cell, of which there are at least three."""
    number_columns = []
    for column in range(n_columns):
        filled_cells = [cells[column] for cells in rows if cells[column].strip()]
        if len(filled_cells) >= _MIN_ROWS and all(map(_is_number, filled_cells)):
            number_columns.append(column)
    return number_columns


def _lacks_numbers(cells: Sequence[str], number_columns: Sequence[int]) -> bool:
    """Whether a row has words in most of the columns of numbers that it fills.

    A cell with a mark of a missing value, such as ``n/a``, is not filled. It is False if none is.
    """
    filled_cells = [
        cells[column]
        for column in number_columns
        if _letters_and_digits(cells[column]) not in _NO_VALUE
    ]
    n_without_digits = sum(_DIGIT.search(cell) is None for cell in filled_cells)
    return 0 < len(filled_cells) < 2 * n_without_digits


def _is_document(names: Sequence[str], rows: Sequence[Sequence[str]], text: int | None) -> bool:
    """Whether the row of names looks like the rows below it; False if there are fewer than two.

    It does if a name begins the numbers of its column, or reads like the text column, or like any
    column if none was chosen.
    """
    if len(rows) < _MIN_ROWS - 1:
        return False
    for column_index, column_name in enumerate(names):
        column_cells = [cells[column_index] for cells in rows]
        filled_cells = [cell for cell in column_cells if cell.strip()]
        if _begins_numbers(column_name, filled_cells):
            return True
        may_hold_text = text is None or column_index == text
        if may_hold_text and _reads_like_text(column_name, column_cells):
            return True
    return False


def _begins_numbers(name: str, cells: Sequence[str]) -> bool:
    """Whether cells are numbered like the name of their column: doc0, doc1, doc2, or 0, 1, 2.

    A name that is a number must be one less than the first cell. Of any other name, all cells must
    have its letters and signs, with any digits. False for fewer than two cells.
    """
    if len(cells) < _MIN_ROWS - 1 or _DIGIT.search(name) is None:
        return False
    first_cell = cells[0]
    if name.isdecimal():
        is_short_name = len(name) <= _MAX_DIGITS
        is_short_number = first_cell.isdecimal() and len(first_cell) <= _MAX_DIGITS
        if not (is_short_name and is_short_number):
            return False
        return int(first_cell) == int(name) + 1
    pattern_of_name = _with_digits_alike(name)
    return all(_with_digits_alike(cell) == pattern_of_name for cell in cells)


def _reads_like_text(name: str, cells: Sequence[str]) -> bool:
    """Whether the name of a column is about as long as its cells, and of their words.

    It has at least half the words of the median cell, and all its words occur in cells; of a name
    of more than three words, half of them. A name of more than 25 words always is a text. One of
    fewer than three words, or with a question mark or colon at its end, never is.
    """
    name_words = _words_of(name)
    n_words = len(name_words)
    if n_words > _MAX_NAME_WORDS:
        return True
    if n_words < _MIN_TEXT_WORDS or name.rstrip().endswith(("?", ":")):
        return False
    words_of_cells = [_words_of(cell) for cell in cells]
    median_length = median(map(len, words_of_cells))
    if 2 * n_words < median_length:
        return False
    cell_words = {word for words in words_of_cells for word in words}
    n_shared = sum(word in cell_words for word in name_words)
    if n_shared == n_words:
        return True
    return n_words > _MIN_TEXT_WORDS and 2 * n_shared >= n_words


def _words_of(text: str) -> list[str]:
    """Words of three letters or more, in lower case."""
    return [word.lower() for word in _WORD.findall(text)]


def _is_number(cell: str) -> bool:
    """Whether a cell holds a number, a date or a time: a digit, and at most two letters."""
    n_letters = sum(map(str.isalpha, cell))
    return n_letters <= 2 and _DIGIT.search(cell) is not None


def _with_digits_alike(cell: str) -> str:
    """The cell with every run of digits written as 0."""
    return re.sub(r"\d+", "0", cell.strip())


def _letters_and_digits(cell: str) -> str:
    """Letters and digits of the cell, without case."""
    return _NO_LETTER_OR_DIGIT.sub("", cell).casefold()
