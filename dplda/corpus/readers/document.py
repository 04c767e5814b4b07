"""What a reader yields: one document after the other."""

from typing import NamedTuple


class Document(NamedTuple):
    """One document.

    Attributes:
        text: as it stands in the file.
        person: whose it is, as the file names them; None where nobody asked.
    """

    text: str
    person: str | None = None
