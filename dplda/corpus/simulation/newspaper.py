"""Newspapers that never were: sections as weighted lists of words, for simulated documents that people can read.

A newspaper is a folder of text files, one a section, in the order of their names: a line with its title after ``#``,
then a word and its weight on each line. ``common.txt`` holds the words that every section uses.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path

import numpy as np

from dplda.core import assets
from dplda.core.errors import InputError, ReadError
from dplda.core.types import Matrix

COMMON = "common.txt"
COMMON_SHARE = 0.2  # of the words of every section


@dataclass(frozen=True, slots=True)
class Section:
    """Words of one kind."""

    title: str
    words: dict[str, float]


@dataclass(frozen=True, slots=True)
class Newspaper:
    """Sections, at least 2 and in the order of their files, and what they have in common."""

    sections: tuple[Section, ...]
    common: Section

    def vocabulary(self, *, n_words: int, n_topics: int) -> tuple[str, ...]:
        """``d`` words for the first ``k`` sections, taken in turn from each and from the common ones, in file order."""
        if n_topics > len(self.sections):
            raise InputError(
                "topics of a newspaper", f"at most its {len(self.sections)} sections", str(n_topics)
            )
        used = [*self.sections[:n_topics], self.common]
        turns = (
            word
            for row in zip_longest(*(each.words for each in used))
            for word in row
            if word is not None
        )
        words = tuple(dict.fromkeys(turns))
        if not n_topics < n_words <= len(words):
            limit = (
                f"from {n_topics + 1} to {len(words)}, the words of its first {n_topics} sections"
            )
            fix = "Use more sections, or anonymous words."
            raise InputError("vocabulary of a newspaper", limit, str(n_words), fix)
        return words[:n_words]

    def topics(self, vocabulary: tuple[str, ...], *, n_topics: int) -> Matrix:
        """Shape (k, d): each section's words by weight, a fifth of its mass on those that all have in common."""
        own = np.array(
            [
                [each.words.get(word, 0.0) for word in vocabulary]
                for each in self.sections[:n_topics]
            ]
        )
        own /= own.sum(axis=1, keepdims=True)
        common = np.array([self.common.words.get(word, 0.0) for word in vocabulary])
        if not common.any():
            return own
        return np.asarray((1 - COMMON_SHARE) * own + COMMON_SHARE * common / common.sum())


def newspapers(where: Path | None = None) -> tuple[str, ...]:
    """Names of the folders there are."""
    folder = where or assets.folder() / "newspapers"
    return tuple(sorted(path.name for path in folder.iterdir() if path.is_dir()))


@lru_cache(maxsize=16)
def read_newspaper(name: str, where: Path | None = None) -> Newspaper:
    """The newspaper of that name in a folder, or among the program's own."""
    known = newspapers(where)
    if name not in known:
        raise InputError("newspaper", f"one of {', '.join(known)}", repr(name))
    folder = (where or assets.folder() / "newspapers") / name
    files = sorted(path for path in folder.glob("*.txt") if path.name != COMMON)
    if len(files) < 2:
        raise ReadError(
            name,
            f"{len(files)} files of words",
            "A newspaper has at least 2 sections, a file each.",
        )
    shared = folder / COMMON
    common = _section(shared) if shared.is_file() else Section("Common words", {})
    return Newspaper(tuple(_section(path) for path in files), common)


def fingerprint(name: str) -> str:
    """Digest of all that a newspaper's documents depend on."""
    paper = read_newspaper(name)
    parts = [(each.title, tuple(each.words.items())) for each in (*paper.sections, paper.common)]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _section(path: Path) -> Section:
    title, words = path.stem, {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if line.startswith("#"):
            title = line[1:].strip() or title
            continue
        parts = line.split()
        if not parts:
            continue
        try:
            word, weight = parts[0], float(parts[1])
            if len(parts) != 2 or not 0 < weight < np.inf or word in words:
                raise ValueError
        except (IndexError, ValueError):
            fix = "Write a word and a number above 0."
            raise ReadError(path.name, "no new word with a weight", fix, number) from None
        words[word] = weight
    if not words:
        raise ReadError(
            path.name, "a file without words", "Write a word and its weight on each line."
        )
    return Section(title, words)
