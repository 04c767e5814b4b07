"""What readers are asked for and what they yield: columns, documents, the first rows of a table."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeAlias

from dplda.core.errors import ReadError
from dplda.corpus.files.encodings import whole_characters
from dplda.corpus.files.file import File
from dplda.corpus.readers.heading_rows import HeadingWatch, odd_rows
from dplda.corpus.remarks import CountedRemark, Remark, RemarkCounter
from dplda.corpus.words.splitting import UNSPACED_LETTER

NO_NAME = "no name"
"""What the only key without a name is called in previews of objects."""

LONGEST = 80  # characters of a cell that are shown
_USUAL = "text"
_NAMED = (_USUAL, "message", "body", "comment", "content", "review")
_ALSO = ("messages", "comments", "reviews", "feedback", "description")
_PERSON_WORDS = frozenset(
    {
        *("author", "writer", "sender", "from", "person", "user", "username", "member", "customer"),
        *("client", "patient", "employee", "student", "participant", "respondent"),
    }
)
_HEADER = "The first row must hold their names."


class UnsavedFormula(str):
    """A cell whose formula has no saved value; as text it is empty."""


class ErrorValue(str):
    """A cell that shows an error, such as a formula that divides by zero; as text it is empty."""


class Document(NamedTuple):
    """One document as its file has it.

    Attributes:
        text: of the document.
        person: whose it is; None where nobody asked.
        labels: its label in each of the columns that were asked for.
    """

    text: str
    person: str | None = None
    labels: tuple[str, ...] = ()


class Places(NamedTuple):
    """Places of columns among those of a file.

    Attributes:
        text: of the column of documents.
        person: of the column that says whose they are; None where nobody asked.
        labels: of the columns of labels.
    """

    text: int
    person: int | None = None
    labels: tuple[int, ...] = ()

    @property
    def all(self) -> tuple[int, ...]:
        """The places in this order, without what nobody asked for."""
        return (self.text, *(() if self.person is None else (self.person,)), *self.labels)

    def document(self, cells: Sequence[str]) -> Document:
        """The document of a row."""
        person = None if self.person is None else cells[self.person]
        return Document(cells[self.text], person, tuple(cells[place] for place in self.labels))


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are asked for.

    Attributes:
        text: holds the documents; None for the only one, or one named ``text``.
        person: says whose they are; None where nobody asked.
        labels: hold labels by which results can be grouped.
        by_file: whether each document's file, or the folder that it is in, is kept as a label too.
    """

    text: str | None = None
    person: str | None = None
    labels: tuple[str, ...] = ()
    by_file: bool = False

    def find(
        self, source: str, names: Sequence[str], row: int | None = None, hint: str = ""
    ) -> Places:
        """The places of the columns that are asked for; names stand in a row of the file.

        A column without a name is found by what ``shown_names`` calls it, or as "" where it is the only one.
        """
        if self.text is None and self.person is None and not self.labels and len(names) == 1:
            return Places(0)
        text = _USUAL if self.text is None else self.text
        person = self.person
        return Places(
            _place(source, names, text, "text", row=row, hint=hint),
            None if person is None else _place(source, names, person, "person", row=row, hint=hint),
            tuple(
                _place(source, names, label, "group", row=row, hint=hint) for label in self.labels
            ),
        )

    def refuse_person(self, source: str) -> None:
        """Refuse a file that has no columns where a person or labels were asked for."""
        if self.labels:
            problem = "such a file has no columns to group documents by"
            raise ReadError(source, problem, "Give CSV, Excel, JSON lines or Parquet.")
        if self.person is not None:
            fix = "Give CSV, Excel, JSON lines or Parquet; for counts, Corpus.from_counts(..., persons=...)."
            raise ReadError(source, "such a file has no column that says who wrote a document", fix)


def shown_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names of columns, and for each that has none its place: ``column 2``."""
    return tuple(
        name if name.strip() else f"column {place}" for place, name in enumerate(names, start=1)
    )


def _place(
    source: str, names: Sequence[str], name: str, holds: str, *, row: int | None, hint: str
) -> int:
    """The place of the one column of a name.

    Args:
        source: the file, for a refusal.
        names: of all columns.
        name: of the column.
        holds: what it holds: text, person or group.
        row: of the names in the file; None where they stand in no row.
        hint: what else to do about a refusal.

    Raises:
        ReadError: no column has the name, or several.
    """
    places = _places(names, name)
    if len(places) == 1:
        return places[0]
    problem = "several columns have the name" if places else "no column has the name"
    fix = f"There are {len(names)} columns here; say which one holds the {holds}. {hint}".strip()
    if not name.strip() and places:
        fix += " Those without a name are called column 1, column 2, … by their place."
    raise ReadError(source, f"{problem} {name!r}", fix, row=row)


def _places(names: Sequence[str], name: str) -> list[int]:
    """Where columns of a name stand."""
    for candidates in (names, shown_names(names)):
        if places := [place for place, it in enumerate(candidates) if it == name]:
            return places
    is_blank = not name.strip() or name == NO_NAME
    return [place for place, it in enumerate(names) if is_blank and not it.strip()]


@dataclass(frozen=True, slots=True)
class Head:
    """The first rows of a table.

    Attributes:
        names: of the columns, as ``shown_names`` gives them.
        remarks: what the rows look like that are not what they are taken for.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[CountedRemark, ...] = ()

    @property
    def is_regular(self) -> bool:
        """Whether all rows have as many cells as there are names, and these are more than a title."""
        n_named = sum(name != f"column {place}" for place, name in enumerate(self.names, start=1))
        is_title = n_named == 0 or (len(self.names) > 2 and n_named == 1)
        return not is_title and all(len(row) == len(self.names) for row in self.rows)

    def likely_text(self) -> str | None:
        """The column that most likely holds the documents: of a usual name, else with most words a row; None: none."""
        held = [
            sum(_n_words(row[place]) for row in self.rows if place < len(row))
            for place in range(len(self.names))
        ]
        some = {
            name.strip().casefold(): name for name, n in zip(self.names, held, strict=True) if n
        }
        usual = next((some[name] for name in (*_NAMED, *_ALSO) if name in some), None)
        return usual or (self.names[held.index(max(held))] if some else None)

    def likely_person(self) -> str | None:
        """The column whose name says that it names a person, and that has entries; None: none."""
        text = self.likely_text()
        for place, name in enumerate(self.names):
            words = re.findall("[a-z]+", name.casefold())
            has_entries = any(row[place].strip() for row in self.rows if place < len(row))
            if name != text and has_entries and not _PERSON_WORDS.isdisjoint(words):
                return name
        return None

    def shortened(self) -> tuple[tuple[str, ...], ...]:
        """The rows with long cells cut, on one line each."""
        return tuple(tuple(_short(cell) for cell in row) for row in self.rows)


Rows: TypeAlias = Callable[[File], Iterator[tuple[int, list[str]]]]
"""From a file to its rows, the names of the columns first, each with its number."""


def documents(rows: Rows, file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text of each row below the one that names the columns; every cell is text, whatever it looks like."""
    found = rows(file)
    first, header = next(found, (0, []))
    header = list(map(whole_characters, header))
    if first and not header:
        problem = "an empty row in the place of the names of the columns"
        raise ReadError(file.name, problem, "Delete the rows above the names.", row=first)
    if not header:
        return
    places, longest = columns.find(file.name, header, first, _HEADER), file.limits.max_field_chars
    watch = HeadingWatch(file, header, first, places.text)
    for row, cells in watch.passed_on(found):
        if len(cells) != len(header):
            problem = f"{len(cells)} fields where the header has {len(header)}"
            raise ReadError(file.name, problem, _ragged(cells), row=row)
        if max(map(len, cells)) > longest:
            raise too_long(file, row)
        chosen = [cells[place] for place in places.all]
        if any(isinstance(cell, UnsavedFormula) for cell in chosen):
            problem = "a formula whose value was not saved"
            raise ReadError(file.name, problem, "Open the file in Excel and save it.", row=row)
        if isinstance(chosen[0], ErrorValue):
            file.remarks.add(Remark.ERROR_VALUE, f"{file.name}, row {row:,}")
        yield places.document(cells)


def head(rows: Rows, file: File, n_rows: int) -> Head:
    """Names of the columns and the first rows."""
    shown = islice(rows(file), n_rows + 1)
    whole = [(row, list(map(whole_characters, cells))) for row, cells in shown]
    (first, header), *below = whole or [(1, [])]
    remarks = RemarkCounter()
    if header and all(len(cells) == len(header) for _, cells in below):
        for remark, row in odd_rows(header, first, below, None):
            remarks.add(remark, f"row {row:,}")
    return Head(shown_names(header), tuple(tuple(cells) for _, cells in below), remarks.counted())


def _ragged(cells: Sequence[str]) -> str:
    """What to do about a row with more or fewer fields than there are names."""
    if any(cell.startswith("'") for cell in cells):
        return 'Put quotation marks (") around fields, not apostrophes, and name every column in the first row.'
    return (
        "Name every column in the first row, without titles above it, and put quotation marks around fields that"
        " contain the delimiter."
    )


def too_long(file: File, row: int, what: str = "field") -> ReadError:
    """The refusal of a document that is too long to be held in memory."""
    problem = f"a {what} of more than {file.limits.max_field_chars:,} characters, the limit"
    return ReadError(file.name, problem, "Split that document.", row=row)


def _n_words(cell: str) -> int:
    """Words of a cell: an address is one, and two signs of a script without spaces are."""
    parts = (part for part in cell[:1000].split() if sum(map(str.isalpha, part)) > 1)
    return sum(max(1, len(UNSPACED_LETTER.findall(part)) // 2) for part in parts)


def _short(cell: str) -> str:
    line = " ".join(cell[: 4 * LONGEST].split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
