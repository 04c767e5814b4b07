"""Which words to count: a fixed list, words of the documents, or words that noise picks."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda.corpus import Label, Selection
from dplda.corpus.words.vocabulary import english_words
from dplda.corpus.words.word_lists import entries_of
from dplda.privacy.word_selection.thresholds import TYPICAL_WORDS, rows_needed
from dplda.ui.state.keys import Key
from dplda.ui.state.link import DELTAS, delta_text

MAX_WORDS = 10_000
MOST_COMMON_WORDS = 1000  # the first choice
MAX_SELECTION_EPSILON = 20.0
CHOICE_HELP = (
    "The word list is part of every result. Only a list fixed beforehand gives nothing away."
)
EPSILON_HELP = (
    "In addition to the ε of the topics. It takes thousands of documents to find words that are not"
    " on the list."
)
DELTA_HELP = "In addition to the δ of the topics. 1e-5 finds about twice as many words as 1e-8."
NOT_PRIVATE = "The list shows words of the documents, so every result is **not private**."


class VocabularyChoice(StrEnum):
    """Where the word list comes from."""

    FROM_DATA = "the most common words of these documents"
    ENGLISH = "common English words, and others picked with noise"
    SELECTED = "words of these documents, picked with noise"
    LIST = "a list of my own"


_CHOICES = {  # the usual one first
    Label.PUBLIC: list(VocabularyChoice),
    Label.SENSITIVE: [*list(VocabularyChoice)[1:], VocabularyChoice.FROM_DATA],
}


@dataclass(frozen=True, slots=True)
class CountedWords:
    """Which words are counted.

    Attributes:
        fixed: a list fixed beforehand; None where words are taken from the documents.
        n_words: the most words that are taken from the documents; None for all of a list.
        selection: how noise picks words; None where it does not.
        keeps: begins the sentence on the share of the words that are kept.
    """

    fixed: tuple[str, ...] | None = None
    n_words: int | None = None
    selection: Selection | None = None
    keeps: str = "Without noise, the best of these words would keep"


def choose_word_list(label: Label, upload_number: int, protected_units: str) -> CountedWords | None:
    """Draw the choice of words to count: a list, the most common words, or words found with noise.

    Fields follow for the list, or for the number of words and the ε and δ of the noise. The most
    common words of sensitive documents get a warning that they are not private.

    Args:
        label: who may see the documents.
        upload_number: number of the upload in this session; each has a list of its own.
        protected_units: what is protected, in the plural.

    Returns:
        None while a list is missing.
    """
    chosen_kind = st.selectbox(
        "Words to count", _CHOICES[label], key=f"{Key.VOCABULARY}.{label}", help=CHOICE_HELP
    )
    if chosen_kind == VocabularyChoice.LIST:
        return _write_own_list(upload_number)
    form_columns = st.columns(3)
    if chosen_kind == VocabularyChoice.FROM_DATA:
        with form_columns[0]:
            n_words = _choose_size(chosen_kind, MOST_COMMON_WORDS)
        if label is Label.SENSITIVE:
            st.warning(NOT_PRIVATE, icon=":material/lock_open:")
        return CountedWords(n_words=n_words, keeps="These words keep")
    return _choose_noise(VocabularyChoice(chosen_kind), form_columns, protected_units)


def _choose_noise(
    vocabulary_choice: VocabularyChoice,
    form_columns: Sequence[DeltaGenerator],
    protected_units: str,
) -> CountedWords:
    """Draw the number of words that noise picks, its ε and δ, and return the words to count.

    A caption says about how many documents or persons must use a word for noise to find it.
    English words are listed beforehand; then noise picks only other words, unless fewer words than
    the list has are chosen.

    Args:
        vocabulary_choice: whether a public list comes first.
        form_columns: three columns, one for each field.
        protected_units: what is protected, in the plural.
    """
    listed_words: tuple[str, ...] = ()
    if vocabulary_choice == VocabularyChoice.ENGLISH:
        listed_words = english_words()
    default_selection = Selection()
    with form_columns[0]:
        n_words = _choose_size(
            vocabulary_choice, default_selection.n_words, n_listed=len(listed_words)
        )
    with form_columns[1]:
        words_epsilon = st.number_input(
            "ε of the words",
            0.01,
            MAX_SELECTION_EPSILON,
            default_selection.epsilon,
            0.1,
            key=Key.SELECT_EPSILON,
            help=EPSILON_HELP,
        )
    with form_columns[2]:
        words_delta = st.select_slider(
            "δ of the words",
            DELTAS,
            default_selection.delta,
            delta_text,
            key=Key.SELECT_DELTA,
            help=DELTA_HELP,
        )
    noisy_selection = Selection(n_words, float(words_epsilon), float(words_delta), listed_words)
    list_phrase = "not on the list " if listed_words else ""
    needed_text = f"{rows_needed(noisy_selection):,.0f} {protected_units}"
    st.caption(
        f"A word {list_phrase}is found if about {needed_text} use it"
        f" (if each uses {TYPICAL_WORDS} such words)."
    )
    if not listed_words:
        return CountedWords(n_words=n_words, selection=noisy_selection)
    return CountedWords(
        listed_words, n_words, noisy_selection, keeps="The best listed words alone keep"
    )


def _choose_size(choice: str, default: int, *, n_listed: int = 0) -> int:
    """Draw the choice of the largest number of words, and return it.

    Args:
        choice: of words to count; each has a number of its own.
        default: the number at first.
        n_listed: words on a public list, among which noise picks if fewer are chosen; 0 for none.
    """
    help_text = None
    if n_listed:
        help_text = (
            f"The list has {n_listed:,} words. If you choose fewer, noise also picks among them."
        )
    n_words = st.number_input(
        "At most d words",
        2,
        MAX_WORDS,
        default,
        step=100,
        key=f"{Key.SELECT_WORDS}.{choice}",
        help=help_text,
    )
    return int(n_words)


def _write_own_list(upload_number: int) -> CountedWords | None:
    """Draw the field for an own word list, and return the list.

    None while it is empty, or too long, which is an error on the page.
    """
    typed_text = st.text_area(
        "Word list",
        key=f"{Key.WORD_LIST}.{upload_number}",
        placeholder="One word per line",
        max_chars=MAX_WORDS * 50,
        help=f"At most {MAX_WORDS:,} different words, written down before anyone saw the"
        " documents.",
    )
    typed_words = entries_of(typed_text)
    if len(typed_words) > MAX_WORDS:
        st.error(f"This list has {len(typed_words):,} words. Shorten it to {MAX_WORDS:,}.")
        return None
    if not typed_words:
        return None
    return CountedWords(typed_words, keeps="Your list keeps")
