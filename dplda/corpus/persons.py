"""Whose documents they are: names to numbers, so that no name is kept."""

import re
import unicodedata

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dplda.core.errors import CorpusError
from dplda.corpus.words.vocabulary import normalised, strip_controls

Persons = NDArray[np.int64]

# Marks and letters that are drawn as nothing: fillers, blanks, joiners and selectors of variants.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)


class Roll:
    """Numbers persons in the order in which they are met.

    Names that differ in case, width, white space or invisible characters only are one person: taking one for two would
    protect neither.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._documents: list[int] = []

    def add(self, name: str) -> bool:
        """Note whose the next document is; where the name says nothing, which is what comes back, nothing is noted."""
        if known := _alike(name):
            self._documents.append(self._numbers.setdefault(known, len(self._numbers)))
        return bool(known)

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
        "NFD", normalised("NFKC", _UNSEEN.sub("", strip_controls(name).text))
    )
    folded = normalised("NFKC", seen.casefold()).casefold()
    return " ".join(normalised("NFKC", folded).split())


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
