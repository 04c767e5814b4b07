"""What a word is, folded away, since the default is right for most."""

from enum import StrEnum

import streamlit as st

from dplda.corpus import Tokenisation
from dplda.corpus.files.encodings import ENCODINGS
from dplda.corpus.words.vocabulary import stop_words
from dplda.ui.state.keys import Key


class WordChoice(StrEnum):
    """What a word is; a pattern of one's own is for Python, since a bad one would stop the server."""

    LETTERS = "runs of letters"
    LETTERS_AND_DIGITS = "letters and digits, hyphens inside"
    PARTED = "whatever stands between spaces"


_PATTERNS = {WordChoice.LETTERS_AND_DIGITS: r"[^\W_]+(?:-[^\W_]+)*"}


def choose(*, mail: bool) -> tuple[Tokenisation, str | None]:
    """Draw the choices: what a word is, and an encoding for mail that names none."""
    with st.expander("What a word is"):
        first, second = st.columns(2)
        words = WordChoice(first.selectbox("Words are", list(WordChoice), key=Key.WORDS_ARE) or WordChoice.LETTERS)
        least = second.number_input(
            "Shortest word",
            1,
            40,
            3,
            key=Key.LEAST_LETTERS,
            help="In letters. Words of Chinese, Japanese or Thai may be shorter.",
        )
        own = st.text_input(
            "Words to leave out",
            key=Key.OWN_STOP_WORDS,
            max_chars=100_000,
            help="With spaces between them, in addition to English stop words. Your own word list keeps its words.",
        )
        encoding = None
        if mail:
            encoding = st.selectbox(
                "Encoding of messages that name none",
                list(ENCODINGS),
                index=None,
                placeholder="UTF-8",
                format_func=lambda codec: ENCODINGS[codec],
                key=Key.ENCODING,
            )
    tokenisation = Tokenisation(
        pattern=_PATTERNS.get(words),
        min_letters=None if words is WordChoice.PARTED else int(least),
        stop_words=(*sorted(stop_words()), *own.split()) if own else "english",
        pre_tokenised=words is WordChoice.PARTED,
    )
    return tokenisation, encoding
