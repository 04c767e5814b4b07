"""From texts to numbers of words."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dplda.corpus.words.tokenisation import Tokenisation

PASSED_OVER, STOPPED = -2, -3
"""Words that are not counted: those outside a given vocabulary, and stop words."""


class Read(NamedTuple):
    """Words of some documents, one after the other: columns, ``PASSED_OVER`` or ``STOPPED``; and whose each is."""

    codes: NDArray[np.int32]
    document: NDArray[np.int32]


class Lexicon:
    """The column of each word.

    Args:
        vocabulary: the only words to count, in column order; None counts all but stop words.
    """

    def __init__(self, tokenisation: Tokenisation, vocabulary: Sequence[str] | None = None) -> None:
        self.columns = {word: column for column, word in enumerate(vocabulary or ())}
        self._tokenisation = tokenisation
        self._fixed = vocabulary is not None
        self._left_out = tokenisation.left_out()

    def read(self, texts: Sequence[str]) -> Read:
        """Find the words of some documents, as ``vocabulary.strip_controls`` returns them."""
        listed = [list(map(self.number, self._tokenisation.words(text))) for text in texts]
        lengths = np.fromiter(map(len, listed), dtype=np.int64)
        document = np.repeat(np.arange(lengths.size, dtype=np.int32), lengths)
        return Read(np.fromiter(chain.from_iterable(listed), dtype=np.int32), document)

    def number(self, word: str) -> int:
        """The column of a word, or that it is passed over."""
        column = self.columns.get(word)
        if column is not None:
            return column
        if word in self._left_out or (not self._tokenisation.lowercase and word.lower() in self._left_out):
            return STOPPED
        if self._fixed:
            return PASSED_OVER
        return self.columns.setdefault(word, len(self.columns))
