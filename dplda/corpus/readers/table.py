"""Columns that readers are asked for, documents that they yield, and the first rows of a table."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeAlias

from dplda.core.errors import ReadError, quoted
from dplda.core.formatting import counted
from dplda.corpus.files.encodings import whole_characters
from dplda.corpus.files.file import File
from dplda.corpus.persons import UNSEEN
from dplda.corpus.readers.heading_rows import HeadingWatch, odd_rows
from dplda.corpus.remarks import CountedRemark, Remark, RemarkCounter
from dplda.corpus.words.splitting import UNSPACED_LETTER
from dplda.corpus.words.vocabulary import strip_controls

NO_NAME = "no name"
"""Name of the only key without a name, in previews of objects."""

MAX_SHOWN_CHARACTERS = 80  # of a cell
_DEFAULT_TEXT_COLUMN = "text"
_TEXT_COLUMNS = (_DEFAULT_TEXT_COLUMN, "message", "body", "comment", "content", "review")
_TEXT_COLUMNS_BESIDE = ("messages", "comments", "reviews", "feedback", "description")
_PERSON_WORDS = frozenset(
    {
        *("author", "writer", "sender", "from", "person", "user", "username", "member", "customer"),
        *("client", "patient", "employee", "student", "participant", "respondent"),
    }
)
_HEADER_HINT = "The first row must hold their names."


class UnsavedFormula(str):
    """A cell whose formula has no saved value; as text it is empty."""


class ErrorValue(str):
    """A cell that shows an error, such as a formula that divides by zero; as text it is empty."""


class Document(NamedTuple):
    """One document as its file has it.

    Attributes:
        text: its text.
        person: name of its author; None if not asked for.
        labels: its label in each of the columns that were asked for.
    """

    text: str
    person: str | None = None
    labels: tuple[str, ...] = ()


class Places(NamedTuple):
    """Places of columns among those of a file, from 0.

    Attributes:
        text: place of the column of documents.
        person: place of the column of authors; None if not asked for.
        labels: places of the columns of labels.
    """

    text: int
    person: int | None = None
    labels: tuple[int, ...] = ()

    @property
    def all(self) -> tuple[int, ...]:
        """The places in this order, without one for authors if they are not asked for."""
        person_places: tuple[int, ...] = ()
        if self.person is not None:
            person_places = (self.person,)
        return (self.text, *person_places, *self.labels)

    def document(self, cells: Sequence[str]) -> Document:
        """Make the document of a row."""
        person = None
        if self.person is not None:
            person = cells[self.person]
        labels = tuple(cells[place] for place in self.labels)
        return Document(cells[self.text], person, labels)


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns that are asked for.

    Attributes:
        text: name of the column of documents; None for the only one, or one named ``text``.
        person: name of the column of authors; None if not asked for.
        labels: names of columns of labels by which results can be grouped.
        by_file: whether each document's file, or the folder that it is in, is kept as a label too.
    """

    text: str | None = None
    person: str | None = None
    labels: tuple[str, ...] = ()
    by_file: bool = False

    def find(
        self, source: str, names: Sequence[str], row: int | None = None, hint: str = ""
    ) -> Places:
        """Find the places of the columns that are asked for.

        If no text column was chosen, it is the only column, where nothing else is asked for, or
        else the one named ``text``. A column without a name is found by its name in
        ``shown_names``, or as "" if it is the only one.

        Args:
            source: the file, for a refusal.
            names: names of all its columns.
            row: number of the row that holds the names; None if they are in no row.
            hint: advice to add to a refusal.

        Raises:
            ReadError: a column is missing, or its name occurs several times.
        """
        asks_for_text_only = self.person is None and not self.labels
        if self.text is None and asks_for_text_only and len(names) == 1:
            return Places(0)

        def find_place(name: str, purpose: str) -> int:
            """Place of the one column of this name."""
            return _place(source, names, name, purpose, row=row, hint=hint)

        text_name = _DEFAULT_TEXT_COLUMN if self.text is None else self.text
        text_place = find_place(text_name, "text")
        person_place = None
        if self.person is not None:
            person_place = find_place(self.person, "person")
        label_places = tuple(find_place(label, "group") for label in self.labels)
        return Places(text_place, person_place, label_places)

    def refuse_person(self, source: str) -> None:
        """Refuse a file that has no columns, if persons or labels are asked for."""
        if self.labels:
            problem = "such a file has no columns to group documents by"
            raise ReadError(source, problem, "Give CSV, Excel, JSON lines or Parquet.")
        if self.person is not None:
            problem = "such a file has no column that says who wrote a document"
            fix = (
                "Give CSV, Excel, JSON lines or Parquet; for counts,"
                " Corpus.from_counts(..., persons=...)."
            )
            raise ReadError(source, problem, fix)


def shown_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names of columns as they are shown.

    A column without a visible name is shown as its place, ``column 2``, and one of several of the
    same name with its place, ``text (column 2)``.
    """
    n_of_name = Counter(names)
    return tuple(
        _shown_name(name, place, is_alone=n_of_name[name] == 1)
        for place, name in enumerate(names, start=1)
    )


def _shown_name(name: str, place: int, *, is_alone: bool) -> str:
    """Name of a column as it is shown, with its place from 1 if the name does not tell it apart."""
    if _is_blank(name):
        return f"column {place}"
    return name if is_alone else f"{name} (column {place})"


def _is_blank(name: str) -> bool:
    """Whether a name shows nothing: it is empty, white space, or of invisible characters."""
    return not UNSEEN.sub("", strip_controls(name).text).strip()


def _place(
    source: str, names: Sequence[str], name: str, content: str, *, row: int | None, hint: str
) -> int:
    """Find the place, from 0, of the one column of a name, in the sense of ``_places``.

    Args:
        source: the file, for a refusal.
        names: names of all columns.
        name: name of the column.
        content: what the column holds: text, person or group.
        row: number of the row that holds the names; None if they are in no row.
        hint: advice to add to a refusal.

    Raises:
        ReadError: no column has the name, or several.
    """
    places = _places(names, name)
    if len(places) == 1:
        return places[0]
    problem = "no column has the name"
    if places:
        problem = "several columns have the name"
    columns_here = f"There are {len(names):,} columns"
    if len(names) == 1:
        columns_here = "There is 1 column"
    fix = f"{columns_here} here; say which one holds the {content}. {hint}".strip()
    if places:
        example = ", ".join(shown_names(names)[place] for place in places[:2])
        fix += f" Call them by their places: {quoted(example)}."
    raise ReadError(source, f"{problem} {quoted(name)!r}", fix, row=row)


def _places(names: Sequence[str], name: str) -> list[int]:
    """Places of the columns that have a name, or else are shown by it.

    If there are none, a blank name or ``NO_NAME`` stands for all columns without a name, and any
    other name has no place.
    """
    for candidates in (names, shown_names(names)):
        places = [place for place, candidate in enumerate(candidates) if candidate == name]
        if places:
            return places
    if name != NO_NAME and not _is_blank(name):
        return []
    return [place for place, candidate in enumerate(names) if _is_blank(candidate)]


@dataclass(frozen=True, slots=True)
class Head:
    """First rows of a table.

    Attributes:
        names: names of the columns, as ``shown_names`` gives them.
        rows: cells of the first rows below the names.
        remarks: rows that look like something else than they are taken for.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[CountedRemark, ...] = ()

    @property
    def is_regular(self) -> bool:
        """Whether all rows have as many cells as there are names, which are no mere title."""
        n_columns = len(self.names)
        numbered_names = enumerate(self.names, start=1)
        n_named = sum(name != f"column {place}" for place, name in numbered_names)
        is_title = n_named == 0 or (n_columns > 2 and n_named == 1)
        if is_title:
            return False
        return all(len(row) == n_columns for row in self.rows)

    def likely_text(self) -> str | None:
        """The column that most likely holds the documents; None if no column holds words.

        A column with words and a usual name is taken first, in any case, else the one with most
        words. Usual names are tried in the order of ``_TEXT_COLUMNS`` and ``_TEXT_COLUMNS_BESIDE``.
        """
        words_of_columns = [self._n_words_of_column(place) for place in range(len(self.names))]
        name_by_folded_name: dict[str, str] = {}
        for name, n_words in zip(self.names, words_of_columns, strict=True):
            if n_words:
                folded_name = name.strip().casefold()
                name_by_folded_name[folded_name] = name
        for usual_name in (*_TEXT_COLUMNS, *_TEXT_COLUMNS_BESIDE):
            if usual_name in name_by_folded_name:
                return name_by_folded_name[usual_name]
        if not name_by_folded_name:
            return None
        most_words = max(words_of_columns)
        return self.names[words_of_columns.index(most_words)]

    def _n_words_of_column(self, place: int) -> int:
        """Number of words in a column, in the rows that reach it."""
        cells = [row[place] for row in self.rows if place < len(row)]
        return sum(_n_words(cell) for cell in cells)

    def likely_person(self) -> str | None:
        """The first column with entries whose name says that it holds persons.

        It is never the column of ``likely_text``. None if there is none.
        """
        text_column = self.likely_text()
        for place, name in enumerate(self.names):
            words = re.findall("[a-z]+", name.casefold())
            has_entries = any(row[place].strip() for row in self.rows if place < len(row))
            if name != text_column and has_entries and not _PERSON_WORDS.isdisjoint(words):
                return name
        return None

    def shortened(self) -> tuple[tuple[str, ...], ...]:
        """The rows with long cells cut, each cell on one line."""
        return tuple(tuple(_short(cell) for cell in row) for row in self.rows)


Rows: TypeAlias = Callable[[File], Iterator[tuple[int, list[str]]]]
"""Function from a file to its rows, each with its number.

The first row holds the names of columns.
"""


def documents(rows: Rows, file: File, columns: Columns) -> Iterator[Document]:
    """Yield the document of each row below the names of columns; a table without rows has none.

    Every cell is text, whatever it looks like. A text that shows an error becomes an empty
    document, with a remark.

    Args:
        rows: reads the rows of the file.
        file: the table.
        columns: columns that hold text, author and labels.

    Raises:
        ReadError: no names, a column that is missing or not the only one of its name, a row with
            another number of fields, a field of any column that is too long, or a formula in a
            chosen column whose value was not saved.
    """
    numbered_rows = rows(file)
    first_row, first_cells = next(numbered_rows, (0, []))
    column_names = list(map(whole_characters, first_cells))
    if first_row and not column_names:
        problem = "an empty row in the place of the names of the columns"
        raise ReadError(file.name, problem, "Delete the rows above the names.", row=first_row)
    if not column_names:
        return
    places = columns.find(file.name, column_names, first_row, _HEADER_HINT)
    heading_watch = HeadingWatch(file, column_names, first_row, places.text)
    n_columns = len(column_names)
    for row_number, cells in heading_watch.passed_on(numbered_rows):
        if len(cells) != n_columns:
            problem = f"{counted(len(cells), 'field')} where the header has {n_columns}"
            raise ReadError(file.name, problem, _ragged_fix(cells), row=row_number)
        if max(map(len, cells)) > file.limits.max_field_chars:
            raise too_long_error(file, row_number)
        chosen_cells = [cells[place] for place in places.all]
        if any(isinstance(cell, UnsavedFormula) for cell in chosen_cells):
            problem = "a formula whose value was not saved"
            fix = "Open the file in Excel and save it."
            raise ReadError(file.name, problem, fix, row=row_number)
        text_cell = chosen_cells[0]
        if isinstance(text_cell, ErrorValue):
            file.remarks.add(Remark.ERROR_VALUE, f"{file.name}, row {row_number:,}")
        yield places.document(cells)


def head(rows: Rows, file: File, n_rows: int) -> Head:
    """Read names of the columns and the first rows, with remarks if all have as many cells.

    Halves of characters are replaced. A table without rows has no names.

    Args:
        rows: reads the rows of the file.
        file: the table.
        n_rows: largest number of rows below the names.
    """
    numbered_rows = []
    for row_number, cells in islice(rows(file), n_rows + 1):
        cells_without_halves = list(map(whole_characters, cells))
        numbered_rows.append((row_number, cells_without_halves))
    (first_row, column_names), *rows_below = numbered_rows or [(1, [])]
    remarks = RemarkCounter()
    are_as_long = all(len(cells) == len(column_names) for _, cells in rows_below)
    if column_names and are_as_long:
        for remark, row_number in odd_rows(column_names, first_row, rows_below, None):
            remarks.add(remark, f"row {row_number:,}")
    shown_rows = tuple(tuple(cells) for _, cells in rows_below)
    return Head(shown_names(column_names), shown_rows, remarks.counted())


def _ragged_fix(cells: Sequence[str]) -> str:
    """Advice on a row with another number of fields than there are names.

    It is to name every column, and to use quotation marks: in place of apostrophes, if a cell
    begins with one.
    """
    if any(cell.startswith("'") for cell in cells):
        return (
            'Put quotation marks (") around fields, not apostrophes, and name every column in the'
            " first row."
        )
    return (
        "Name every column in the first row, without titles above it, and put quotation marks"
        " around fields that contain the delimiter."
    )


def too_long_error(file: File, row: int, kind: str = "field") -> ReadError:
    """Error for a document that is too long to be held in memory.

    Args:
        file: the file that holds it.
        row: its number.
        kind: what is too long: a field, say.
    """
    problem = f"a {kind} of more than {file.limits.max_field_chars:,} characters, the limit"
    return ReadError(file.name, problem, "Split that document.", row=row)


def _n_words(cell: str) -> int:
    """Number of words of two letters or more in the first 1,000 characters of a cell.

    An address counts as one, and two signs of a script without spaces as one.
    """
    n_words = 0
    for part in cell[:1000].split():
        n_letters = sum(map(str.isalpha, part))
        if n_letters < 2:
            continue
        n_unspaced_signs = len(UNSPACED_LETTER.findall(part))
        n_words += max(1, n_unspaced_signs // 2)
    return n_words


def _short(cell: str) -> str:
    """The cell on one line, cut after 79 characters."""
    line = " ".join(cell[: 4 * MAX_SHOWN_CHARACTERS].split())
    if len(line) <= MAX_SHOWN_CHARACTERS:
        return line
    return line[: MAX_SHOWN_CHARACTERS - 1] + "…"
