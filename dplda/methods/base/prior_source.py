"""Public knowledge as its owner names it: what specs, links and guarantees need, and no table."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from dplda.core import assets

ENGLISH_TABLES = assets.folder() / "priors" / "english.npz"
ENGLISH_SOURCE = "first paragraphs of 25,831 articles of the English Wikipedia, 2015"
SEEDS_SOURCE = "words typed by the owner"
FILE_SOURCE = "a file that belongs to the owner"


class PriorKind(StrEnum):
    """Kind of public knowledge that an owner gives."""

    ENGLISH = "English"
    SEEDS = "Seed words"
    FILE = "A table"


SOURCES = {
    PriorKind.ENGLISH: ENGLISH_SOURCE,
    PriorKind.SEEDS: SEEDS_SOURCE,
    PriorKind.FILE: FILE_SOURCE,
}


@dataclass(frozen=True, slots=True)
class PriorSource:
    """Public knowledge as its owner gives it: any number of topics may be asked for later.

    Attributes:
        kind: kind of public knowledge.
        content: seed words, one line a topic (``space: orbit, nasa``), or a CSV table; empty for
            English.
        name: as a guarantee calls it; empty for that of its kind.
    """

    kind: PriorKind = PriorKind.ENGLISH
    content: str = ""
    name: str = ""

    @property
    def title(self) -> str:
        """Name of the table in a guarantee."""
        default_title = "seed words" if self.kind is PriorKind.SEEDS else str(self.kind)
        return self.name or default_title

    @property
    def digest(self) -> str:
        """SHA-256 of the content, hexadecimal: for a file in UTF-8, that of the file."""
        content = self.content.encode()
        if self.kind is PriorKind.ENGLISH:
            content = ENGLISH_TABLES.read_bytes()
        return hashlib.sha256(content).hexdigest()

    @property
    def assumption(self) -> str:
        """Assumption of a guarantee with this table, whatever the number of topics, a sentence."""
        return describe_assumption(self.title, self.digest, SOURCES[self.kind])


def describe_assumption(name: str, digest: str, source: str) -> str:
    """Assumption of a guarantee with a table, a sentence.

    Args:
        name: of the table.
        digest: its SHA-256, hexadecimal.
        source: the public text that it was made from, or by whom.
    """
    return (
        f"The table “{name}” (SHA-256 {digest[:12]}…, from {source}) is public: it was not computed"
        " from the protected documents, nor chosen by looking at them."
    )
