"""Upload documents: how to read the file, who may see it, and which words to count."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator as Place
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dplda.core import demo
from dplda.core.errors import DpldaError, InputError
from dplda.core.formatting import counted
from dplda.corpus import Corpus, Label, Selection, load
from dplda.corpus.read_summary import LITTLE
from dplda.corpus.readers.load import GLANCED_AT, glance
from dplda.corpus.words.vocabulary import english_words
from dplda.corpus.words.word_lists import entries_of
from dplda.experiments.experiment import HeldDocuments
from dplda.privacy.word_selection.selection import select_words
from dplda.privacy.word_selection.thresholds import TYPICAL_WORDS, rows_needed
from dplda.release.ledger.fingerprints import holds_former_readings
from dplda.release.ledger.folder import Folder, default_path
from dplda.release.ledger.ledger import Ledger
from dplda.ui.explore import reading_choice
from dplda.ui.explore.reading_choice import FileReading
from dplda.ui.literal import literal
from dplda.ui.state import progress, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import DELTAS, delta_text

LARGEST_FILE, MOST_LISTED = 200, 10_000  # MB, words
DECLARATIONS = {
    Label.PUBLIC: "Anyone may see them.",
    Label.SENSITIVE: "Nothing leaves this session unprotected.",
}


class VocabularyChoice(StrEnum):
    """Where the word list comes from."""

    FROM_DATA = "the most common words of these documents"
    ENGLISH = "common English words, and others picked with noise"
    SELECTED = "words of these documents, picked with noise"
    LIST = "a list of my own"


_OFFERED = {  # the usual one first
    Label.PUBLIC: list(VocabularyChoice),
    Label.SENSITIVE: [*list(VocabularyChoice)[1:], VocabularyChoice.FROM_DATA],
}


@dataclass(frozen=True, slots=True)
class _WordList:
    """A list fixed beforehand, or how many of the documents' own words to take, and how noise picks them."""

    fixed: tuple[str, ...] | None = None
    n_words: int | None = None
    selection: Selection | None = None
    keeps: str = "Without noise, the best of these words would keep"


def choose() -> None:
    """Draw the form; on its button, read the file and switch to it."""
    if demo.is_on():
        st.info(demo.REFUSAL, icon=":material/public:")
        return
    turn = st.session_state.get(Key.UPLOADS_READ, 0)
    file = st.file_uploader(
        "Documents: a table, a text with one document per line, mail, or a zip of files",
        max_upload_size=LARGEST_FILE,
        key=f"{Key.FILE}.{turn}",
        help=f"At most {LARGEST_FILE} MB and a million documents. Use Python or the command line for more.",
    )
    beside_file = st.container()
    declared: str | None = st.radio(
        "These documents are",
        list(DECLARATIONS),
        index=None,
        captions=list(DECLARATIONS.values()),
        horizontal=True,
        key=f"{Key.LABEL}.{turn}",
    )
    beside_words = st.container()
    if file is None:
        reading_choice.forget()
        _button("a file" if declared else "a file, and who may see the documents")
        return
    with beside_file:
        how = reading_choice.choose(file)
    missing = how.missing
    if declared is None:
        _button(", and ".join(filter(None, [missing, "who may see the documents"])))
        return
    label = Label(declared)
    with beside_words:
        words = _word_list(label, turn, "documents" if how.person is None else "persons")
    if words is None or missing:
        _button(missing or "a word list")
        return
    if _button(_promised(file, how, words, beside_file, beside_words)):
        _read(file, how, label, words, beside_file, beside_words)


def waits() -> bool:
    """Whether a file is chosen that is not read yet."""
    return bool(st.session_state.get(f"{Key.FILE}.{st.session_state.get(Key.UPLOADS_READ, 0)}"))


def _read(
    file: UploadedFile,
    how: FileReading,
    label: Label,
    words: _WordList,
    beside_file: Place,
    beside_words: Place,
) -> None:
    """Read the file and use it; an error is shown next to the control that can fix it."""
    beside = beside_file
    work = partial(
        how.work(load, file),
        person=how.person,
        label=label,
        vocabulary=None if words.selection else words.fixed,
        n_words=None if words.selection else words.n_words,
        former=_seeks_former_readings(),
    )
    try:
        if (read := reading_choice.read_apart("upload", file, work, reports=True)) is None:
            return
        read = replace(read)  # whatever another process made is checked anew
        rows = read if how.person is None else read.by_person()
        beside = beside_words
        corpus = rows if words.selection is None else select_words(rows, words.selection)
    except DpldaError as error:
        beside.error(literal(str(error)))
        return
    _adopt(corpus)


def _seeks_former_readings() -> bool:
    """Whether earlier versions released something here, so that documents are read as they did, too."""
    try:
        return default_path().exists() and holds_former_readings(Ledger(Folder()))
    except DpldaError:  # said where something is released
        return True


def _button(missing: str) -> bool:
    """Draw the button that reads the file, disabled while something is missing."""
    with st.container(horizontal=True, vertical_alignment="center"):
        label = "Read the documents"
        asked = st.button(
            label, type="primary", disabled=bool(missing), key=Key.READ, on_click=progress.allow
        )
        if missing:
            st.caption(f"Still needed: {missing}.")
    return asked


def _word_list(label: Label, turn: int, rows: str) -> _WordList | None:
    words = st.selectbox(
        "Words to count",
        _OFFERED[label],
        key=f"{Key.VOCABULARY}.{label}",
        help="The word list is part of every result. Only a list fixed beforehand gives nothing away.",
    )
    if words == VocabularyChoice.LIST:
        return _own_list(turn)
    usual, most_common = Selection(), words == VocabularyChoice.FROM_DATA
    first, second, third = st.columns(3)
    fixed = english_words() if words == VocabularyChoice.ENGLISH else ()
    said = (
        f"The list has {len(fixed):,} words. If you choose fewer, noise also picks among them."
        if fixed
        else None
    )
    limits, key = (
        (2, MOST_LISTED, 1000 if most_common else usual.n_words),
        f"{Key.SELECT_WORDS}.{words}",
    )
    n_words = int(first.number_input("At most d words", *limits, step=100, key=key, help=said))
    if most_common:
        if label is Label.SENSITIVE:
            warned = "The list shows words of the documents, so every result is **not private**."
            st.warning(warned, icon=":material/lock_open:")
        return _WordList(None, n_words, keeps="These words keep")
    said = "In addition to the ε of the topics. It takes thousands of documents to find words that are not on the list."
    epsilon = second.number_input(
        "ε of the words", 0.01, 20.0, usual.epsilon, 0.1, key=Key.SELECT_EPSILON, help=said
    )
    said = "In addition to the δ of the topics. 1e-5 finds about twice as many words as 1e-8."
    delta = third.select_slider(
        "δ of the words", DELTAS, usual.delta, delta_text, key=Key.SELECT_DELTA, help=said
    )
    asked = Selection(n_words, float(epsilon), float(delta), fixed)
    other, needed = "not on the list " if fixed else "", rows_needed(asked)
    st.caption(
        f"A word {other}is found if about {needed:,.0f} {rows} use it (if each uses {TYPICAL_WORDS} such words)."
    )
    if fixed:
        return _WordList(fixed, n_words, asked, keeps="The best listed words alone keep")
    return _WordList(None, n_words, asked)


def _own_list(turn: int) -> _WordList | None:
    given = st.text_area(
        "Word list",
        key=f"{Key.WORD_LIST}.{turn}",
        placeholder="One word per line",
        max_chars=MOST_LISTED * 50,
        help=f"At most {MOST_LISTED:,} different words, written down before anyone saw the documents.",
    )
    found = entries_of(given)
    if len(found) > MOST_LISTED:
        st.error(f"This list has {len(found):,} words. Shorten it to {MOST_LISTED:,}.")
    return _WordList(found, keeps="Your list keeps") if 0 < len(found) <= MOST_LISTED else None


def _promised(
    file: UploadedFile, how: FileReading, words: _WordList, beside_file: Place, beside_words: Place
) -> str:
    """Say what share of the words reading will keep, judging by the first documents; returns what is still missing."""
    look = partial(how.work(glance, file), vocabulary=words.fixed, n_words=words.n_words)
    try:
        with beside_file:
            found = reading_choice.glimpsed("kept", file, look, how, words)
    except DpldaError as error:
        of_words = isinstance(error, InputError)
        (beside_words if of_words else beside_file).error(literal(str(error)))
        return "another word list" if of_words else "a file that can be read"
    if found is None:
        return ""
    for warning in found.warnings():
        beside_file.warning(warning, icon=":material/translate:")
    if refusal := reading_choice.too_few_documents(found.n_read):
        beside_file.error(refusal)
        return "more documents"
    if found.n_tokens == found.n_stopped:
        beside_file.error("No words were found. Check the column and what counts as a word.")
        return "documents with words"
    if not found.n_tokens_kept:
        beside_words.error("None of these words is in the first documents. Choose other words.")
        return "another word list"
    if words.selection and found.n_read < min(GLANCED_AT, rows_needed(words.selection)):
        sought = "words that are not on the list" if words.fixed else "words"
        beside_words.warning(
            f"{found.n_read:,} documents are too few to find {sought}. Expect none."
        )
    first = f"In the first {found.n_read:,} documents: " if found.n_read >= GLANCED_AT else ""
    said = f"{first}{words.keeps} {found.share_kept:.0%} of the words, stop words left out."
    said += " If the documents are protected, do not choose words by this share."
    if found.share_kept < LITTLE:
        beside_words.warning(
            f"{said} Less than half is often too little to find topics.",
            icon=":material/filter_alt:",
        )
    else:
        beside_words.caption(said)
    return ""


def _adopt(corpus: Corpus) -> None:
    """Use the corpus and drop the file by giving the next uploader a new key."""
    session.choose(HeldDocuments(), corpus)
    reading_choice.forget()
    st.session_state[Key.UPLOADS_READ] = st.session_state.get(Key.UPLOADS_READ, 0) + 1
    st.session_state[Key.SOURCE_DONE] = True
    read = counted(corpus.as_read.n_documents, "document")
    whose = f" of {corpus.n_documents:,} persons" if corpus.of_persons else ""
    session.notice(
        f"{read}{whose} are read. They are only in this session's memory. Reloading or closing the page drops them."
    )
    st.rerun()
