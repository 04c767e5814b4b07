"""Which columns or keys of a record hold the text and the name of the person whose it is."""

from collections.abc import Sequence
from dataclasses import dataclass

from dplda.core.errors import ReadError
from dplda.corpus.readers.document import Document

_USUAL = "text"


@dataclass(frozen=True, slots=True)
class Columns:
    """Where in a file the documents stand.

    Attributes:
        text: the column that holds the documents; None takes the only one, or one named ``text``.
        person: the column that says whose a document is; None where that is not asked.
        whole_files: whether a file of plain text is one document, and not one a line; None for as many as there are
            files: of several, each is one document.
    """

    text: str | None = None
    person: str | None = None
    whole_files: bool | None = None
    lists: bool = False

    def find(self, source: str, names: Sequence[str], row: int | None = None, hint: str = "") -> "Places":
        """Find the columns among those of a file.

        Args:
            row: where the names stand in the file, from 1.

        Raises:
            ReadError: no such column, or several that could be meant. The message counts the columns and names none:
                without a header the names are documents.
        """
        only = self.text is None and self.person is None and len(names) == 1
        wanted = _USUAL if self.text is None else self.text
        text = 0 if only else _place(source, names, wanted, "text", row, hint)
        person = None if self.person is None else _place(source, names, self.person, "person", row, hint)
        return Places(text, person)


@dataclass(frozen=True, slots=True)
class Places:
    """Positions of columns, from 0.

    Attributes:
        person: of the person's name; None where that is not asked.
    """

    text: int
    person: int | None

    def document(self, fields: Sequence[str]) -> Document:
        """The document in a row of fields."""
        return Document(fields[self.text], None if self.person is None else fields[self.person])


def _place(source: str, names: Sequence[str], name: str, holds: str, row: int | None, hint: str) -> int:
    if names.count(name) == 1:
        return names.index(name)
    problem = "several columns have the name" if name in names else "no column has the name"
    fix = f"There are {len(names)} columns here; say which one holds the {holds}. {hint}".strip()
    raise ReadError(source, f"{problem} {name!r}", fix, row=row)
