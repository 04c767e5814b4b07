"""What a reader yields: one document after the other."""

from collections.abc import Sequence
from typing import NamedTuple


class Document(NamedTuple):
    """One document.

    Attributes:
        text: as it stands in the file, or its words where the file lists them.
        person: whose it is, as the file names them; None where nobody asked.
    """

    text: str | Sequence[str]
    person: str | None = None
