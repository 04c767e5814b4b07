"""Invented newspapers: sections as weighted lists of words, for documents that people can read.

A newspaper is a folder of text files, one for each section, in the order of their names: a line
with its title after ``#``, then a word and its weight on each line. ``common.txt`` holds the words
that every section uses.
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
    """Weighted words of one section.

    Attributes:
        title: name of the section.
        words: weight of each word, above 0, in the order of the file.
    """

    title: str
    words: dict[str, float]

    def weights(self, vocabulary: tuple[str, ...]) -> list[float]:
        """Weight of each of some words, 0 for one that the section does not have."""
        return [self.words.get(word, 0.0) for word in vocabulary]


@dataclass(frozen=True, slots=True)
class Newspaper:
    """Sections, and the words that they have in common.

    Attributes:
        sections: at least 2, in the order of their files.
        common: words of all sections; may have none.
    """

    sections: tuple[Section, ...]
    common: Section

    def vocabulary(self, *, n_words: int, n_topics: int) -> tuple[str, ...]:
        """Choose distinct words: one of each of the first sections, one of the common ones, again.

        Each list is taken in the order of its file, and passed over once it is empty.

        Args:
            n_words: ``d``, more than ``n_topics`` and at most the number of all their words.
            n_topics: ``k``, number of sections, at most all.

        Raises:
            InputError: more sections than there are, or a number of words out of its range.
        """
        n_sections = len(self.sections)
        if n_topics > n_sections:
            limit_text = f"at most its {n_sections} sections"
            raise InputError("topics of a newspaper", limit_text, str(n_topics))
        sections = (*self.sections[:n_topics], self.common)
        rounds = zip_longest(*[section.words for section in sections])
        words_in_turn = [word for words in rounds for word in words if word is not None]
        words = tuple(dict.fromkeys(words_in_turn))
        if not n_topics < n_words <= len(words):
            limit_text = (
                f"from {n_topics + 1} to {len(words)}, the words of its first {n_topics} sections"
            )
            fix = "Use more sections, or anonymous words."
            raise InputError("vocabulary of a newspaper", limit_text, str(n_words), fix)
        return words[:n_words]

    def topics(self, vocabulary: tuple[str, ...], *, n_topics: int) -> Matrix:
        """Topics of the first sections, shape (k, d); a fifth of their mass is on common words.

        Without common words in the vocabulary, all mass is on the section's.

        Args:
            vocabulary: the ``d`` words, with at least one of each of these sections.
            n_topics: ``k``.
        """
        section_rows = [section.weights(vocabulary) for section in self.sections[:n_topics]]
        section_weights = np.array(section_rows)
        section_weights /= section_weights.sum(axis=1, keepdims=True)
        common_weights = np.array(self.common.weights(vocabulary))
        if not common_weights.any():
            return section_weights
        common_part = COMMON_SHARE * common_weights / common_weights.sum()
        own_part = (1 - COMMON_SHARE) * section_weights
        return np.asarray(own_part + common_part)


def newspapers(folder: Path | None = None) -> tuple[str, ...]:
    """Names of all newspapers in a folder; None for the program's own."""
    parent = folder or assets.folder() / "newspapers"
    folders = [path for path in parent.iterdir() if path.is_dir()]
    return tuple(sorted(path.name for path in folders))


@lru_cache(maxsize=16)
def read_newspaper(name: str, folder: Path | None = None) -> Newspaper:
    """Read a newspaper: a section a file, by file name, and common words if there is a file.

    Args:
        name: its folder's name.
        folder: holds newspapers; None for the program's own.

    Raises:
        InputError: there is no newspaper of this name.
        ReadError: it has fewer than 2 sections, or a file holds something else than words and
            weights.
    """
    known_names = newspapers(folder)
    if name not in known_names:
        raise InputError("newspaper", f"one of {', '.join(known_names)}", repr(name))
    own_folder = (folder or assets.folder() / "newspapers") / name
    section_paths = sorted(
        section_path for section_path in own_folder.glob("*.txt") if section_path.name != COMMON
    )
    if len(section_paths) < 2:
        problem = f"{len(section_paths)} files of words"
        raise ReadError(name, problem, "A newspaper has at least 2 sections, a file each.")
    common_path = own_folder / COMMON
    common_section = Section("Common words", {})
    if common_path.is_file():
        common_section = _read_section(common_path)
    return Newspaper(
        tuple(_read_section(section_path) for section_path in section_paths), common_section
    )


def fingerprint(name: str) -> str:
    """SHA-256 of the titles, words and weights of a newspaper, in hexadecimal."""
    newspaper = read_newspaper(name)
    sections = (*newspaper.sections, newspaper.common)
    contents = [(section.title, tuple(section.words.items())) for section in sections]
    return hashlib.sha256(repr(contents).encode()).hexdigest()


def _read_section(path: Path) -> Section:
    """Read a section: a word and its weight on each line, and blank lines that do not count.

    A line that begins with ``#`` is the title; without one it is the file's name.

    Raises:
        ReadError: a line that is no word and finite number above 0, a word that was there before,
            or no words at all.
    """
    title = path.stem
    weight_by_word: dict[str, float] = {}
    for line_number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if line.startswith("#"):
            title = line[1:].strip() or title
            continue
        fields = line.split()
        if not fields:
            continue
        try:
            word, weight_text = fields
            weight = float(weight_text)
            if not 0 < weight < np.inf or word in weight_by_word:
                raise ValueError
        except ValueError:
            fix = "Write a word and a number above 0."
            raise ReadError(path.name, "no new word with a weight", fix, line_number) from None
        weight_by_word[word] = weight
    if not weight_by_word:
        fix = "Write a word and its weight on each line."
        raise ReadError(path.name, "a file without words", fix)
    return Section(title, weight_by_word)
