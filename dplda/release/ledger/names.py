"""Names of datasets: short, printable, and none that reads like another."""

from collections.abc import Sequence
from functools import cache

from dplda.core.optional_packages import requiring
from dplda.corpus.persons import UNSEEN
from dplda.corpus.words.vocabulary import normalised
from dplda.release.ledger.records.entry import LedgerError

LONGEST_NAME = 80


def check_name(dataset: str, other_names: Sequence[str]) -> None:
    """Refuse an invalid name of a dataset, one that is taken, or one that looks like another.

    Args:
        dataset: the name.
        other_names: names of other datasets.

    Raises:
        LedgerError: why it is refused.
    """
    if (
        not 1 <= len(dataset) <= LONGEST_NAME
        or not dataset.isprintable()
        or dataset != dataset.strip()
        or not _seen(dataset)
    ):
        raise LedgerError(f"A dataset's name must have 1 to {LONGEST_NAME} printable characters.")
    look_alikes = _looks_of(dataset) if other_names else frozenset()
    for other_name in other_names:
        if look_alikes & _looks_of(other_name):
            similarity_clause = "" if other_name == dataset else ", which looks like this name"
            raise LedgerError(
                f"There is a budget {other_name!r} already{similarity_clause}. Choose it for the"
                " same documents, or another name."
            )


def _looks_of(name: str) -> frozenset[str]:
    """The look of a name as it is, in small and in capital letters; look-alikes share a form.

    Source:
        Unicode Technical Standard #39, section 4, confusable detection: skeletons, here of both
        cases too, as ``Mail`` reads like ``MAIL``.
    """
    normalized_name = normalised("NFKC", _seen(name))
    return frozenset(
        map(_skeleton, (normalized_name, normalized_name.casefold(), normalized_name.upper()))
    )


def _seen(name: str) -> str:
    """A name without characters that are drawn as nothing, and with single spaces."""
    return " ".join(UNSEEN.sub("", name).split())


def _skeleton(text: str) -> str:
    """The text with each character replaced by one for all that look like it."""
    return "".join(_prototype(character) for character in normalised("NFD", text))


@cache
def _prototype(character: str) -> str:
    """The character, or the sequence, that stands for all that look like this one.

    The table lists beside a prototype all that it stands for, and beside any other character its
    prototype alone. So a character with no look-alike or with several stands for itself, and one
    with a single look-alike is stood for by it. Two characters that only look like each other list
    each other; the smaller one stands for both.
    """
    look_alikes = _look_alikes(character)
    if len(look_alikes) != 1:
        return character
    (look_alike,) = look_alikes
    is_prototype = len(look_alike) > 1 or len(_look_alikes(look_alike)) > 1
    return look_alike if is_prototype else min(character, look_alike)


def _look_alikes(character: str) -> tuple[str, ...]:
    """Characters and sequences that look like a character; none for one unlike all others.

    Raises:
        MissingPackageError: ``confusable-homoglyphs`` is not installed.
    """
    with requiring("confusable-homoglyphs", "Naming a dataset of a ledger"):
        from confusable_homoglyphs.confusables import is_confusable  # takes a tenth of a second

    confusables = is_confusable(character, greedy=True) or []
    return tuple(
        homoglyph["c"] for confusable in confusables for homoglyph in confusable["homoglyphs"]
    )
