"""Standard output and error of a command, which never stop it: work does not hang on messages.

A console may not know every letter, a disk may be full, or the reader of the output may be gone.
Letters are then spelled in ASCII, and what nobody takes is dropped. The first error of standard
output is kept, to be reported at the end.
"""

import codecs
import io
import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from dplda.core.safe_open import printable

SPELLED = "dplda.spelled"  # an error handler of Python's codecs
LONGEST_WORD = 300  # characters of a word in a message
ASCII_MARKS = {
    "–": "-",
    "—": "-",
    "−": "-",
    "‑": "-",
    "“": '"',
    "”": '"',
    "„": '"',
    "‘": "'",
    "’": "'",
    "·": "-",
    "×": "x",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "→": "->",
    "√": "sqrt ",
    "∞": "infinity",
    "ß": "ss",
}
GREEK = "GREEK SMALL LETTER "


class Stream(io.TextIOBase):
    """A text stream that takes every letter and raises no error of the system.

    Attributes:
        trouble: the first error of the system; what is written after it is dropped.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.trouble: OSError | None = None

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Encoding of the console."""
        return self._stream.encoding or "utf-8"

    def write(self, text: str) -> int:
        """Write a text, in letters that the console knows; after the first error, drop it.

        Returns:
            The number of its characters in either case.
        """
        if self.trouble is None:
            try:
                self._stream.write(in_letters_of(self.encoding, text))
            except OSError as error:
                self.trouble = error
        return len(text)

    def flush(self) -> None:
        """Hand over what was written, unless an error was met before."""
        if self.trouble is None:
            try:
                self._stream.flush()
            except OSError as error:
                self.trouble = error

    def writable(self) -> bool:
        """Always."""
        return True

    def isatty(self) -> bool:
        """Whether a person reads it."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """Its file descriptor."""
        return self._stream.fileno()


@contextmanager
def forgiving_streams() -> Iterator[Stream]:
    """Replace both standard streams of this process within the block; yield that of output.

    A stream that is closed takes everything and shows nothing. Its descriptor is filled, so that no
    file opened later gets a number to which other code writes its errors. At the end the original
    streams are back; one that met an error drops what it still holds.
    """
    _fill_closed_descriptors()
    original_streams = sys.stdout, sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as null_file:
        output, error_output = (Stream(stream or null_file) for stream in original_streams)
        sys.stdout, sys.stderr = output, error_output
        try:
            yield output
        finally:
            for stream, original_stream in zip(
                (output, error_output), original_streams, strict=True
            ):
                stream.flush()
                if stream.trouble is not None and original_stream is not None:
                    _discard(original_stream)
            sys.stdout, sys.stderr = original_streams


def in_letters_of(encoding: str, text: str) -> str:
    """Spell the letters of a text that an encoding lacks in those that it has.

    Args:
        encoding: name of the encoding of an output.
        text: what is written to it.
    """
    return text.encode(encoding, SPELLED).decode(encoding)


def one_line(message: str) -> str:
    """A message on one line, without control characters, its longest words cut."""
    return printable(" ".join(map(_cut, message.split(" "))))


def _cut(word: str) -> str:
    """A word, of which only the first half of ``LONGEST_WORD`` and the last character are kept."""
    return word if len(word) <= LONGEST_WORD else f"{word[: LONGEST_WORD // 2]}…{word[-1]}"


def _spelled(error: UnicodeError) -> tuple[str, int]:
    """Spell letters that an output cannot hold in ASCII, with ``^`` before raised ones.

    For the handler of encoding errors.

    Returns:
        The spelling, and the position in the text where encoding goes on.

    Raises:
        UnicodeError: it comes from decoding.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    spellings = []
    is_after_raised = False
    for letter in error.object[error.start : error.end]:
        is_raised = unicodedata.decomposition(letter).startswith("<super>")
        if is_raised and not is_after_raised:
            spellings.append("^")
        spellings.append(_spelled_letter(letter))
        is_after_raised = is_raised
    return "".join(spellings), error.end


def _spelled_letter(letter: str) -> str:
    """Spell a letter in ASCII: its mark, its Greek name, or the letter without accents.

    The Greek name is the last word of a small letter's Unicode name, in lower case.

    Returns a question mark if none of these is ASCII.
    """
    if letter in ASCII_MARKS:
        return ASCII_MARKS[letter]
    letter_name = unicodedata.name(letter, "")
    if letter_name.startswith(GREEK):
        return letter_name.split()[-1].lower()
    decomposed_letter = unicodedata.normalize("NFKD", letter)
    without_accents = (
        base_letter for base_letter in decomposed_letter if not unicodedata.combining(base_letter)
    )
    ascii_spelling = "".join(
        ASCII_MARKS.get(base_letter, base_letter) for base_letter in without_accents
    )
    return ascii_spelling if ascii_spelling.isascii() else "?"


def _fill_closed_descriptors() -> None:
    """Open the null device in place of each standard stream that is closed."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one


def _discard(stream: TextIO) -> None:
    """Let a stream drop what it still holds, so that Python ends in silence."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # a stream without a descriptor
        return


codecs.register_error(SPELLED, _spelled)
