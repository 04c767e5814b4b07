"""Common English words, written down for this project: a public list that gives nothing away."""

import functools
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import TypeAlias

from dplda.core import assets
from dplda.corpus.words.vocabulary import stop_words, strip_controls
from dplda.corpus.words.vocabulary import words as words_of

Inflect: TypeAlias = Callable[[str], tuple[str, ...]]

_VOWELS = "aeiou"


@functools.cache
def english_words() -> tuple[str, ...]:
    """The words in their public order: one of every theme in turn, each theme's commoner words first.

    Each base form is followed by its regular inflections. English stop words are left out.
    """
    text = (assets.folder() / "words" / "english.txt").read_text("utf-8")
    themes = [list(_theme(part)) for part in text.split("\n## ")[1:]]
    in_turn = (forms for row in zip_longest(*themes, fillvalue=()) for forms in row)
    left_out = stop_words()
    listed = dict.fromkeys(form for forms in in_turn for form in forms)
    return tuple(word for word in listed if word not in left_out and words_of(strip_controls(word).text) == [word])


def _theme(part: str) -> Iterator[tuple[str, ...]]:
    """The words of a theme with their forms: a noun, a verb and so on in turn."""
    lines = []
    for line in part.splitlines()[1:]:
        kind, _, given = line.partition(":")
        if given:
            inflect = _KINDS[kind.strip()]
            lines.append([(word, *inflect(word)) for word in given.split()])
    for row in zip_longest(*lines, fillvalue=()):
        yield from row


def _with_s(word: str) -> str:
    if word.endswith("y") and word[-2] not in _VOWELS:
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _noun(word: str) -> tuple[str, ...]:
    return (_with_s(word),)


def _verb(word: str) -> tuple[str, ...]:
    if word.endswith("ie"):
        return _with_s(word), word + "d", word[:-2] + "ying"
    if word.endswith("e"):
        kept = word if word.endswith(("ee", "oe", "ye")) else word[:-1]
        return _with_s(word), word + "d", kept + "ing"
    if word.endswith("y") and word[-2] not in _VOWELS:
        return _with_s(word), word[:-1] + "ied", word + "ing"
    return _with_s(word), word + "ed", word + "ing"


def _doubling(word: str) -> tuple[str, ...]:
    return _with_s(word), word + word[-1] + "ed", word + word[-1] + "ing"


def _without_past(verb: Inflect) -> Inflect:
    return lambda word: tuple(form for form in verb(word) if not form.endswith("ed"))


def _plain(word: str) -> tuple[str, ...]:
    return ()


_KINDS: dict[str, Inflect] = {
    "nouns": _noun,
    "verbs": _verb,
    "strong": _without_past(_verb),
    "doubling": _doubling,
    "strong doubling": _without_past(_doubling),
    "plain": _plain,
}
