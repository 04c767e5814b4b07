"""Checks of the words of a corpus against its counts, and names for words that have none."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from dplda.core.errors import CorpusError
from dplda.core.formatting import counted

_MAX_WORDS = 10_000_000
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def as_word_tuple(vocabulary: Sequence[str]) -> tuple[str, ...]:
    """Make a tuple of the words, one after the other, as a list may have no end.

    Raises:
        CorpusError: a single text, no list, an entry that is no text, or too many of them.
    """
    words: object = vocabulary
    if isinstance(words, str) or not isinstance(words, Iterable) or getattr(words, "ndim", 1) != 1:
        raise CorpusError("The vocabulary is no list of words", "Give one word per column.")
    entries = []
    for word in islice(words, _MAX_WORDS + 1):
        if not isinstance(word, str):
            problem = "The vocabulary holds something that is no text"
            raise CorpusError(problem, "Give one word per column.")
        entries.append(word)
    if len(entries) > _MAX_WORDS:
        problem = f"The vocabulary has more than {_MAX_WORDS:,} words, the limit"
        raise CorpusError(problem, "Give one word per column.")
    return tuple(entries)


def numbered_words(n_words: int) -> tuple[str, ...]:
    """Name ``d`` words that have no names: ``w0000``, ``w0001``, … with at least four digits."""
    width = max(4, len(str(n_words - 1)))
    return tuple(f"w{index:0{width}}" for index in range(n_words))


def check_shape(shape: tuple[int, int], vocabulary: tuple[str, ...]) -> None:
    """Refuse counts that are too few, or words that do not fit their columns.

    Args:
        shape: (N, d), of the counts; at least 3 documents and 2 words.
        vocabulary: one distinct text for each of the d columns.

    Raises:
        CorpusError: a condition does not hold; says which.
    """
    n_documents, n_words = shape
    if n_documents < 3:
        raise CorpusError(f"The corpus has {counted(n_documents, 'document')}", "Give at least 3.")
    if n_words < 2:
        raise CorpusError(f"The vocabulary has {n_words} words", "Give at least 2.")
    if len(vocabulary) != n_words:
        problem = f"The vocabulary has {len(vocabulary):,} words, the counts {n_words:,} columns"
        raise CorpusError(problem, "Give one word per column.")
    if not all(isinstance(word, str) for word in vocabulary):
        raise CorpusError(
            "The vocabulary holds something that is no text", "Give one word per column."
        )
    n_distinct = len(set(vocabulary))
    if n_distinct < n_words:
        problem = (
            f"The vocabulary repeats itself: {n_words:,} words, {n_distinct:,} of them distinct"
        )
        raise CorpusError(problem, "List each word once.")


def check_characters(vocabulary: tuple[str, ...], name: str) -> None:
    """Refuse half characters (lone surrogates), which no file and no page can hold.

    Args:
        vocabulary: words to check; the message numbers the first such word, from 1.
        name: of the corpus, checked first.

    Raises:
        CorpusError: the name or a word holds half a character.
    """
    fix = 'Write "\\ufffd" in its place.'
    if _HALF_CHARACTER.search(name):
        raise CorpusError("The name of the corpus holds half a character", fix)
    if _HALF_CHARACTER.search("\n".join(vocabulary)):
        column = next(i for i, word in enumerate(vocabulary) if _HALF_CHARACTER.search(word))
        raise CorpusError(f"Word {column + 1:,} of the vocabulary holds half a character", fix)
