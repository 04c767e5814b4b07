"""From texts to numbers of words: texts are cut into pieces, and each piece is looked into once."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplda.corpus.words.tokenisation import Tokenisation

Numbers: TypeAlias = NDArray[np.int32]

PASSED_OVER, STOPPED = -2, -3
"""Words that are not counted: those outside a given vocabulary, and stop words."""

_NOTHING, _SEVERAL = -1, -4  # a piece without a word; and below: pieces of several
_MOST_PIECES = 1 << 18
_LONGEST_PIECE = 64
_APART = bytes(code for code in range(128) if not (chr(code).isalnum() or chr(code) in "_'"))
_SPACES = bytes.maketrans(_APART, b" " * len(_APART))


class Read(NamedTuple):
    """Words of some documents, one after the other: columns, ``PASSED_OVER`` or ``STOPPED``; and whose each is."""

    codes: Numbers
    document: Numbers


class Lexicon(dict[bytes, int]):
    """The numbers of the words that pieces of text hold.

    Args:
        vocabulary: the only words to count, in column order; None counts all but stop words.
    """

    def __init__(self, tokenisation: Tokenisation, vocabulary: Sequence[str] | None = None) -> None:
        super().__init__()
        self.columns = {word: column for column, word in enumerate(vocabulary or ())}
        self._tokenisation = tokenisation
        self._fixed = vocabulary is not None
        self._left_out = tokenisation.left_out()
        self._several: dict[tuple[int, ...], int] = {}
        self._listed: list[tuple[int, ...]] = []
        self._n_held = 0

    def read(self, texts: Sequence[str]) -> Read:
        """Find the words of some documents, as ``vocabulary.strip_controls`` returns them."""
        if self._tokenisation.cuts_into_letters:
            pieces = _pieces(texts, self._tokenisation)
            table = np.array(list(map(self.__getitem__, pieces.distinct)), dtype=np.int32)
            found, lengths = table[pieces.place] if table.size else table, pieces.lengths
        else:
            listed = [list(map(self.number, self._tokenisation.words(text))) for text in texts]
            found = np.fromiter(chain.from_iterable(listed), dtype=np.int32)
            lengths = np.array(list(map(len, listed)), dtype=np.int64)
        document = np.repeat(np.arange(lengths.size, dtype=np.int32), lengths)
        read = self._expanded(found, document)
        if len(self) + self._n_held > _MOST_PIECES:  # of numbers or sentences without spaces hardly any comes twice
            self._forget_pieces()
        return read

    def forget(self) -> None:
        """Let go of everything; nothing can be read any more."""
        self._forget_pieces()
        self.columns.clear()

    def _forget_pieces(self) -> None:
        self._several.clear()
        self._listed.clear()
        self.clear()
        self._n_held = 0

    def __missing__(self, piece: bytes) -> int:
        if piece.isalpha():  # nothing but ASCII letters: most pieces are
            found = self._tokenisation.of_letters(piece.decode())
        else:
            found = self._tokenisation.words(piece.decode("utf-8", "surrogatepass"))
        if len(found) > 1:
            several = tuple(map(self.number, found))
            code = self._several.setdefault(several, _SEVERAL - len(self._listed))
            if code == _SEVERAL - len(self._listed):
                self._listed.append(several)
                self._n_held += len(several)
        else:
            code = self.number(found[0]) if found else _NOTHING
        if len(piece) <= _LONGEST_PIECE:
            self[piece] = code
        return code

    def number(self, word: str) -> int:
        """The column of a word, or that it is passed over."""
        if self._fixed and word in self.columns:
            return self.columns[word]
        if word in self._left_out or (not self._tokenisation.lowercase and word.lower() in self._left_out):
            return STOPPED
        if self._fixed:
            return PASSED_OVER
        return self.columns.setdefault(word, len(self.columns))

    def _expanded(self, codes: Numbers, document: Numbers) -> Read:
        """Put words in the place of pieces that hold several, and nothing in that of pieces without one."""
        several = np.flatnonzero(codes <= _SEVERAL)
        if several.size:
            parts = [self._listed[_SEVERAL - code] for code in codes[several].tolist()]
            lengths = np.array([len(part) for part in parts])
            times = np.ones(codes.size, dtype=np.int64)
            times[several] = lengths
            first = (np.cumsum(times) - times)[several]
            codes, document = np.repeat(codes, times), np.repeat(document, times)
            within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            codes[np.repeat(first, lengths) + within] = np.fromiter(chain.from_iterable(parts), dtype=np.int32)
        met = codes != _NOTHING
        return Read(codes[met], document[met])


class _Pieces(NamedTuple):
    distinct: list[bytes]
    place: Numbers  # of each piece, in ``distinct``
    lengths: NDArray[np.int64]  # pieces in each text


def _pieces(texts: Sequence[str], tokenisation: Tokenisation) -> _Pieces:
    """Cut texts at every ASCII character that is no letter, digit, underscore or apostrophe.

    The words of a text are those of its pieces, whatever stands around them. Arrow does the work on all texts at once.
    """
    import pyarrow  # here, as it takes a while to import
    from pyarrow import compute

    # the whole text in lower case at once, as a letter may have a form for the end of a word; ASCII comes later
    cased = [text.lower() if tokenisation.lowercase and not text.isascii() else text for text in texts]
    encoded = [text.encode("utf-8", "surrogatepass") for text in cased]
    ends = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(it) for it in encoded], out=ends[1:])
    buffers = [None, pyarrow.py_buffer(ends), pyarrow.py_buffer(b"".join(encoded).translate(_SPACES))]
    cut = compute.ascii_split_whitespace(pyarrow.Array.from_buffers(pyarrow.large_string(), len(encoded), buffers))
    coded = cut.values.dictionary_encode()
    return _Pieces(
        coded.dictionary.cast(pyarrow.large_binary()).to_pylist(),
        coded.indices.to_numpy(),
        np.diff(cut.offsets.to_numpy()).astype(np.int64),
    )
