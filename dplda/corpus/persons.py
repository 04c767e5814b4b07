"""Whose documents they are: names to numbers, so that no name is kept."""

import re
import unicodedata
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dplda.core.errors import CorpusError
from dplda.corpus.addresses import addresses_in
from dplda.corpus.remarks import Remark
from dplda.corpus.words.vocabulary import normalised, strip_controls

Persons = NDArray[np.int64]

UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
"""Marks and letters that are drawn as nothing: fillers, blanks, joiners and selectors of variants."""

_UNNAMED = frozenset(
    {
        *("nan", "<na>", "na", "n/a", "#n/a", "null", "none", "nil", "undefined", "not available"),
        *("-", "--", "?", "unknown", "anonymous", "deleted", "[deleted]", "removed", "[removed]"),
    }
)  # what programs and sites write where they know no author
_WHOLE = re.compile(r"\+?(-?)([0-9]+)(?:\.0*|,00?)?")  # 101, 101.0, 101,00
_POWER = re.compile(r"\+?([0-9])(?:\.([0-9]*))?e\+?([0-9]{1,2})")  # 1.01e+02


class Author(NamedTuple):
    """Whose a document is.

    Attributes:
        name: one spelling for all that are one person's; empty where the name says nothing.
        remark: what to say of how the name was read; None where there is nothing to say.
        has_address: whether the name is an address.
    """

    name: str
    remark: Remark | None = None
    has_address: bool = False


def author_named(name: str) -> Author:
    """The author that a cell, key or header names.

    Of a name with an address the address counts, of several addresses the first one. Whole numbers are one person's
    however spreadsheets and data frames write them. Taking two names for one person is always safe: both are then
    protected together. Taking one person for two protects neither.
    """
    visible = UNSEEN.sub("", strip_controls(name).text)
    addresses = addresses_in(visible)
    if addresses:
        remark = Remark.SEVERAL_AUTHORS if len(addresses) > 1 else None
        return Author(_alike(addresses[0]), remark, has_address=True)
    spelled = _alike(visible)
    if spelled in _UNNAMED:
        return Author(spelled, Remark.UNNAMED_AUTHOR)
    number = _whole_number(spelled)
    return Author(number, None if number == spelled else Remark.NUMBER_REWRITTEN)


class Roll:
    """Numbers persons in the order in which they are met.

    Names that differ in case, width, white space or invisible characters only are one person: taking one for two would
    protect neither.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._documents: list[int] = []

    def add(self, author: Author) -> bool:
        """Note whose the next document is. Returns False, and notes nothing, for a blank name."""
        if author.name:
            number = self._numbers.setdefault(author.name, len(self._numbers))
            self._documents.append(number)
        return bool(author.name)

    def numbers(self) -> Persons:
        """The person of each document, from 0, shape (N,)."""
        return np.array(self._documents, dtype=np.int64)


def _alike(name: str) -> str:
    """One spelling for all that are one person's.

    Source:
        The Unicode Standard, section 3.13: cases are folded twice, as folding can leave normal form and forms bring
        capitals back.
    """
    seen = unicodedata.normalize(
        "NFD", normalised("NFKC", UNSEEN.sub("", strip_controls(name).text))
    )
    folded = normalised("NFKC", seen.casefold()).casefold()
    return " ".join(normalised("NFKC", folded).split())


def _whole_number(name: str) -> str:
    """A whole number by its digits, without leading zeros and decimals; any other name as it is."""
    if match := _WHOLE.fullmatch(name):
        sign, digits = match.groups()
        significant = digits.lstrip("0") or "0"
        return significant if significant == "0" else sign + significant
    if match := _POWER.fullmatch(name):
        lead, decimals, power = match[1], (match[2] or "").rstrip("0"), int(match[3])
        if len(decimals) <= power:
            return (lead + decimals.ljust(power, "0")).lstrip("0") or "0"
    return name


def checked(persons: ArrayLike | None, n_documents: int) -> Persons | None:
    """Copy the persons of documents, renumbered from 0 without gaps in the order in which they are met; read-only."""
    if persons is None:
        return None
    given = np.asarray(persons)
    if given.shape != (n_documents,) or given.dtype.kind not in "iu":
        problem = f"The persons are an array of {given.dtype} of shape {given.shape} beside {n_documents:,} documents"
        raise CorpusError(
            problem, "Give one whole number a document, the same for all documents of a person."
        )
    _, first, inverse = np.unique(given, return_index=True, return_inverse=True)
    numbers: Persons = np.argsort(np.argsort(first))[inverse].astype(np.int64, copy=False)
    numbers.flags.writeable = False
    return numbers
