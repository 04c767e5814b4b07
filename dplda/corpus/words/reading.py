"""Versions of the reading: which letters a text has, which words they make, and when two texts count as one.

Requests and documents are known again by hashes of what was read, so a change of the reading changes every hash of
documents that it touches. Such a change raises ``READING``. The ledger notes the version with each charge, and documents
are looked up as every version reads them: what was released before stays free, and stays with its dataset.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

READING = 2
"""The version of today."""

FIRST_READING = 1
"""The version of charges that name none."""


class TextReading(ABC):
    """How one version reads texts and lists, for one definition of a word."""

    def __init__(self, *, lowercase: bool) -> None:
        self._lowercase = lowercase

    @abstractmethod
    def clean(self, text: str) -> str:
        """The text in the letters in which words are looked for."""

    @abstractmethod
    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """The pieces of each clean text that are words if their length allows it, stop words included."""

    @abstractmethod
    def is_long_enough(self, word: str) -> bool:
        """Whether a piece is neither too short nor too long for a word."""

    @abstractmethod
    def stop_words(self) -> frozenset[str]:
        """The words to leave out, as they are read, in lower case."""

    def words(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each clean text, in their order, stop words included."""
        return [[word for word in text if self.is_long_enough(word)] for text in self.split(texts)]

    def cased(self, name: str) -> str:
        """A name as it is written among words."""
        return name.lower() if self._lowercase else name

    def are_words(self, names: Sequence[str]) -> list[bool]:
        """Whether each name is one word, as it stands, and nothing else."""
        return [
            found == [name] and self.clean(name) == name
            for name, found in zip(names, self.words(names), strict=True)
        ]
