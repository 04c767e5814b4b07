"""How a file is read, folded away, since what it says is right for most: its encoding, and what a word is."""

from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from dplda.corpus import Tokenisation
from dplda.corpus.files.file import ENCODINGS
from dplda.ui.state.keys import Key

AUTOMATIC = "UTF-8, or UTF-16 with a mark"


class WordChoice(StrEnum):
    """What a word is; a pattern of one's own is for Python, since a bad one would stop the server."""

    LETTERS = "runs of letters"
    LETTERS_AND_DIGITS = "letters and digits, hyphens inside"
    PARTED = "parted already, by spaces"


class StopWords(StrEnum):
    """Which words are left out."""

    ENGLISH = "English ones"
    NONE = "none"
    OWN = "a list of my own"


class Files(StrEnum):
    """How many documents are in a file of plain text."""

    USUAL = "one a line, or one a file of an archive"
    LINES = "always one a line"
    WHOLE = "always one a file"


_WHOLE = {Files.USUAL: None, Files.LINES: False, Files.WHOLE: True}
_PATTERNS = {WordChoice.LETTERS_AND_DIGITS: r"[^\W_]+(?:-[^\W_]+)*"}


@dataclass(frozen=True, slots=True)
class ReadingChoice:
    """How a file is read."""

    encoding: str | None
    tokenisation: Tokenisation
    whole_files: bool | None


def choose() -> ReadingChoice:
    """Draw the choices."""
    with st.expander("Language, words and encoding"):
        first, second = st.columns(2)
        encoding = first.selectbox(
            "Encoding",
            [AUTOMATIC, *ENCODINGS],
            key=Key.ENCODING,
            help="Change this only if the file is refused: wrong letters are worse than an error.",
        )
        files: str | None = second.selectbox(
            "Documents in plain text",
            list(Files),
            key=Key.WHOLE_FILES,
            help="Tables, mail and the like have their own rows.",
        )
        words: str | None = first.selectbox(
            "Words are",
            list(WordChoice),
            key=Key.WORDS_ARE,
            help="For Chinese, Japanese or Thai, part the words beforehand. A pattern of your own is for Python.",
        )
        least = second.number_input(
            "Shortest word",
            1,
            40,
            3,
            key=Key.LEAST_LETTERS,
            help="In letters. Take 1 or 2 where words are written with few signs.",
        )
        stop: str | None = first.selectbox(
            "Words to leave out",
            list(StopWords),
            key=Key.STOP_WORDS,
            help="Only where the vocabulary is taken from the documents.",
        )
        cased = second.toggle("Keep capital letters", key=Key.KEEP_CASE, help="So that Turkey is not turkey.")
        own = ""
        if stop == StopWords.OWN:
            own = st.text_area(
                "Words to leave out, parted by spaces or lines", key=Key.OWN_STOP_WORDS, max_chars=100_000
            )
    return ReadingChoice(
        None if encoding == AUTOMATIC else encoding,
        Tokenisation(
            pattern=_PATTERNS.get(WordChoice(words or WordChoice.LETTERS)),
            lowercase=not cased,
            min_letters=int(least),
            stop_words="english" if stop == StopWords.ENGLISH else tuple(own.split()),
            pre_tokenised=words == WordChoice.PARTED,
        ),
        _WHOLE[Files(files or Files.USUAL)],
    )
