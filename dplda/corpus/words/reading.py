"""Versions of reading: letters of a text, the words that they make, and texts that count as equal.

Requests and documents are recognized by hashes of what was read, so a change of the reading changes
the hash of every document that it touches. Such a change raises ``READING``. The ledger records the
version with each charge, and documents are looked up as every version reads them: repeating an
earlier release stays free, and an earlier document stays with its dataset.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

READING = 2
"""Today's version."""

FIRST_READING = 1
"""Version of charges in the ledger that name none."""


class TextReading(ABC):
    """How one version reads texts and lists, for one definition of a word.

    Args:
        lowercase: whether words that differ only in case are one.
    """

    def __init__(self, *, lowercase: bool) -> None:
        self._lowercase = lowercase

    @abstractmethod
    def clean(self, text: str) -> str:
        """The text with letters normalized, before it is divided into words."""

    @abstractmethod
    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """Split each clean text into pieces, stop words included.

        A piece is a word if its length allows it.
        """

    @abstractmethod
    def is_long_enough(self, word: str) -> bool:
        """Whether a piece is neither too short nor too long for a word."""

    @abstractmethod
    def stop_words(self) -> frozenset[str]:
        """Words to leave out, as they are read, in lower case."""

    def words(self, texts: Sequence[str]) -> list[list[str]]:
        """List the words of each clean text in order, stop words included."""
        return [
            [piece for piece in pieces if self.is_long_enough(piece)]
            for pieces in self.split(texts)
        ]

    def cased(self, name: str) -> str:
        """The name in the case in which words are kept."""
        return name.lower() if self._lowercase else name

    def are_words(self, names: Sequence[str]) -> list[bool]:
        """Whether each name is exactly one word, in clean letters."""
        return [
            words == [name] and self.clean(name) == name
            for name, words in zip(names, self.words(names), strict=True)
        ]
