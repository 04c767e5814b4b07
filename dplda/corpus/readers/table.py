"""What readers are asked for and what they yield: columns, documents, the first rows of a table."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeAlias

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.remarks import Remark
from dplda.corpus.words.splitting import UNSPACED_LETTER

LONGEST = 80  # characters of a cell that are shown
_USUAL = "text"
_NAMED = (_USUAL, "message", "body", "comment", "content", "review")
_ALSO = ("messages", "comments", "reviews", "feedback", "description")
_HEADER = "The first row must hold their names."


class UnsavedFormula(str):
    """A cell whose formula has no saved value; as text it is empty."""


class ErrorValue(str):
    """A cell that shows an error, such as a formula that divides by zero; as text it is empty."""


class Document(NamedTuple):
    """The text of one document, and whose it is, as the file names them; None where nobody asked."""

    text: str
    person: str | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that hold the documents, None for the only one or one named ``text``, and whose they are."""

    text: str | None = None
    person: str | None = None

    def find(
        self, source: str, names: Sequence[str], row: int | None = None, hint: str = ""
    ) -> list[int]:
        """The places of the text and, where it is asked for, of the person; names stand in a row of the file."""
        if self.text is None and self.person is None and len(names) == 1:
            return [0]
        found = []
        for name, holds in ((self.text or _USUAL, "text"), (self.person, "person")):
            if name is None:
                continue
            if names.count(name) != 1:
                problem = (
                    "several columns have the name" if name in names else "no column has the name"
                )
                fix = f"There are {len(names)} columns here; say which one holds the {holds}. {hint}".strip()
                raise ReadError(source, f"{problem} {name!r}", fix, row=row)
            found.append(names.index(name))
        return found

    def refuse_person(self, source: str) -> None:
        """Refuse a file that has no columns where a person was asked for."""
        if self.person is not None:
            fix = "Give CSV, Excel, JSON lines or Parquet; for counts, Corpus.from_counts(..., persons=...)."
            raise ReadError(source, "such a file has no column that says who wrote a document", fix)


@dataclass(frozen=True, slots=True)
class Head:
    """The first rows of a table."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

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

    def shortened(self) -> tuple[tuple[str, ...], ...]:
        """The rows with long cells cut, on one line each."""
        return tuple(tuple(_short(cell) for cell in row) for row in self.rows)


Rows: TypeAlias = Callable[[File], Iterator[tuple[int, list[str]]]]
"""From a file to its rows, the names of the columns first, each with its number."""


def documents(rows: Rows, file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text of each row below the one that names the columns; every cell is text, whatever it looks like."""
    found = rows(file)
    first, header = next(found, (1, []))
    if not header:
        return
    places, longest = columns.find(file.name, header, first, _HEADER), file.limits.max_field_chars
    for row, cells in found:
        if len(cells) != len(header):
            problem = f"{len(cells)} fields where the header has {len(header)}"
            fix = "Name every column in the first row, and put quotation marks around fields that contain the delimiter."
            raise ReadError(file.name, problem, fix, row=row)
        if max(map(len, cells)) > longest:
            raise too_long(file, row)
        chosen = [cells[place] for place in places]
        if any(isinstance(cell, UnsavedFormula) for cell in chosen):
            problem = "a formula whose value was not saved"
            raise ReadError(file.name, problem, "Open the file in Excel and save it.", row=row)
        if isinstance(chosen[0], ErrorValue):
            file.remarks.add(Remark.ERROR_VALUE, f"{file.name}, row {row:,}")
        yield Document(*chosen)


def head(rows: Rows, file: File, n_rows: int) -> Head:
    """Names of the columns and the first rows."""
    (_, header), *below = list(islice(rows(file), n_rows + 1)) or [(1, [])]
    return Head(tuple(header), tuple(tuple(cells) for _, cells in below))


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
