"""The file beside a UCI bag of words: one word a line, the first line naming word 1."""

from collections.abc import Iterator

from dplda.core.errors import ReadError
from dplda.corpus.files.decoding import TextSource
from dplda.corpus.words.vocabulary import strip_controls


def read(source: TextSource, n_words: int) -> list[str]:
    """Read the words in their order.

    Raises:
        ReadError: more or fewer words, an empty line before the last word, or a line that repeats another one
            letter by letter; with the number of the line.
    """
    listed: list[str] = []
    seen: set[str] = set()
    for row, word in _lines(source):
        if row > n_words:
            raise _wrong_number(source.name, "more", n_words)
        if row != len(listed) + 1:
            raise ReadError(
                source.name, "an empty line where a word is needed", "Put one word on each line.", row=row - 1
            )
        if word in seen:
            raise ReadError(source.name, "a word that is listed before", "List each word once.", row=row)
        seen.add(word)
        listed.append(word)
    if len(listed) < n_words:
        raise _wrong_number(source.name, "fewer", n_words)
    return listed


def _lines(source: TextSource) -> Iterator[tuple[int, str]]:
    for row, line in enumerate(source.lines(), start=1):
        word = strip_controls(line.strip()).text
        if word:
            yield row, word


def _wrong_number(name: str, comparison: str, n_words: int) -> ReadError:
    return ReadError(
        name,
        f"{comparison} words than the {n_words:,} that the file of counts declares",
        "Give the word list that belongs to these counts.",
    )
