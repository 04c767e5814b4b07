"""Bring documents of one's own: what the file is, who may see it, over which words it is counted."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

import streamlit as st

from dplda.core import demo
from dplda.core.errors import DpldaError, InputError
from dplda.core.formatting import counted
from dplda.corpus import Corpus, Intake, Label, Selection, Tokenisation, load
from dplda.corpus.files.compression import PACKED
from dplda.corpus.files.sources import ZIP
from dplda.corpus.read_summary import LITTLE
from dplda.corpus.readers.formats import COUNTS, READERS, is_counts
from dplda.corpus.readers.load import GLANCED_AT, glance
from dplda.corpus.words.english import english_words
from dplda.experiments.settings import CorpusKind
from dplda.privacy.odds import short
from dplda.privacy.selected import select_words
from dplda.ui.explore.documents import columns_choice, file_reading, reading_choice
from dplda.ui.explore.documents.columns_choice import FileChoice
from dplda.ui.explore.documents.file_reading import UploadedFile, openable
from dplda.ui.literal import literal
from dplda.ui.state import kept_uploads, progress, session
from dplda.ui.state.keys import Key

LARGEST_FILE, LARGEST_LIST, MOST_LISTED = 200, 5, 3000  # MB, MB, words
DECLARATIONS = {Label.PUBLIC: "Anyone may see them.", Label.SENSITIVE: "Nothing leaves this session unprotected."}


class VocabularyChoice(StrEnum):
    """Where the word list comes from."""

    FROM_DATA = "the most common words of these documents"
    ENGLISH = "common English words, picked with noise"
    SELECTED = "words of these documents, picked with noise"
    LIST = "a list of my own"


_OFFERED = {  # the usual one first
    Label.PUBLIC: list(VocabularyChoice),
    Label.SENSITIVE: [*list(VocabularyChoice)[1:], VocabularyChoice.FROM_DATA],
}
_KEEPS = {
    VocabularyChoice.FROM_DATA: "These words keep",
    VocabularyChoice.LIST: "Your list keeps",
    VocabularyChoice.ENGLISH: "Without noise, the best of these words would keep",
    VocabularyChoice.SELECTED: "Without noise, the best of these words would keep",
}


@dataclass(frozen=True, slots=True)
class _WordList:
    """Words that were fixed beforehand, or how many of the documents' own are taken; and how noise picks them."""

    fixed: tuple[str, ...] | None = None
    n_words: int | None = None
    selection: Selection | None = None


def choose() -> None:
    """Draw the form; when asked to, read the file and look at it from now on."""
    if demo.is_on():
        st.info(demo.REFUSAL, icon=":material/public:")
        return
    turn, missing = st.session_state.get(Key.UPLOADS_READ, 0), []
    file = st.file_uploader(
        "Documents: a table, a text with one document a line, mail, or a zip of files",
        type=[*READERS, *COUNTS, ZIP, *PACKED],
        max_upload_size=LARGEST_FILE,
        key=f"{Key.FILE}.{turn}",
        help=f"At most {LARGEST_FILE} MB and a million documents. Use Python or the command line for more.",
    )
    beside_file, beside_label, beside_words = st.container(), st.container(), st.container()
    label, how, names, listed = _declared(beside_label, turn), FileChoice(), None, None
    tokenisation, words = Tokenisation(), VocabularyChoice.FROM_DATA
    if file is None:
        missing.append("a file")
        file_reading.forget()
    else:
        with beside_file:
            if counts := is_counts(file.name):
                names = _counted_words(turn)
            else:
                how = columns_choice.choose(file)
        missing += [how.missing] if how.missing else ["the list of counted words"] if counts and names is None else []
        tokenisation, encoding = reading_choice.choose(mail=".mbox" in file.name.lower())
        how = replace(how, encoding=how.encoding or encoding)
    if label is None:
        missing.append("who may see them")
    elif file is not None:
        with beside_words:
            words, listed = _word_list(label, turn)
        if listed is None:
            missing.append("a word list")
        elif not missing and names is None:
            missing += _promised(file, how, tokenisation, words, listed, beside_file, beside_words)
    with st.container(horizontal=True, vertical_alignment="center"):
        asked = st.button(
            "Read the documents", type="primary", disabled=bool(missing), key=Key.READ, on_click=progress.allow
        )
        if missing:
            st.caption(f"Still needed: {', '.join(missing)}.")
    if not asked or file is None or label is None or listed is None:
        return
    beside = beside_file
    try:
        work = partial(
            load,
            openable(file),
            text=how.text,
            person=how.person,
            label=label,
            vocabulary=listed.fixed,
            n_words=None if listed.selection else listed.n_words,
            encoding=how.encoding,
            words=None if names is None else openable(names),
            tokenisation=tokenisation,
        )
        read = file_reading.read("upload", file, work, reports=True)
        if read is None:
            return
        read = replace(read)  # whatever another process made is checked anew
        rows = read if how.person is None else read.by_person()
        beside = beside_words
        corpus = rows if listed.selection is None else select_words(rows, listed.selection)
    except DpldaError as error:
        beside.error(literal(str(error)))
        return
    _adopt(corpus)


def _declared(place: "st.delta_generator.DeltaGenerator", turn: int) -> Label | None:
    chosen: str | None = place.radio(
        "These documents are",
        list(DECLARATIONS),
        index=None,
        captions=list(DECLARATIONS.values()),
        horizontal=True,
        key=f"{Key.LABEL}.{turn}",
    )
    return None if chosen is None else Label(chosen)


def _word_list(label: Label, turn: int) -> tuple[VocabularyChoice, _WordList | None]:
    """Ask which words are counted; None until there is a list."""
    words = VocabularyChoice(
        st.selectbox(
            "Words to count",
            _OFFERED[label],
            key=f"{Key.VOCABULARY}.{label}",
            help="The word list is part of every result. Only a list fixed beforehand gives nothing away.",
        )
    )
    if words is VocabularyChoice.LIST:
        return words, _own_list(turn)
    usual = Selection()
    first, second = st.columns(2)
    n_words = int(first.number_input("At most d words", 2, MOST_LISTED, usual.n_words, step=100, key=Key.SELECT_WORDS))
    if words is VocabularyChoice.FROM_DATA:
        if label is Label.SENSITIVE:
            warned = "The list shows words of the documents, so every result is **not private**."
            st.warning(warned, icon=":material/lock_open:")
        return words, _WordList(n_words=n_words)
    epsilon = second.number_input(
        "ε of the words",
        0.01,
        20.0,
        usual.epsilon,
        step=0.1,
        key=Key.SELECT_EPSILON,
        help=f"In addition to the ε of the topics. δ is {short(usual.delta)}. It takes thousands of documents.",
    )
    fixed = english_words() if words is VocabularyChoice.ENGLISH else None
    return words, _WordList(fixed, n_words, replace(usual, n_words=n_words, epsilon=float(epsilon)))


def _own_list(turn: int) -> _WordList | None:
    listed: UploadedFile | None = st.file_uploader(
        "Word list",
        type=["txt"],
        max_upload_size=LARGEST_LIST,
        key=f"{Key.WORD_LIST}.{turn}",
        help=f"One word a line, 2 to {MOST_LISTED:,} different words, written down before anyone saw the documents.",
    )
    if listed is None:
        return None
    try:
        found = [line.strip() for line in listed.getvalue().decode("utf-8-sig").splitlines() if line.strip()]
    except UnicodeDecodeError:
        st.error("This list is not UTF-8. Save it as UTF-8.")
        return None
    if len(found) > MOST_LISTED:
        st.error(f"This list has {len(found):,} words. Shorten it to {MOST_LISTED:,}.")
        return None
    return _WordList(tuple(found))


def _promised(
    file: UploadedFile,
    how: FileChoice,
    tokenisation: Tokenisation,
    words: VocabularyChoice,
    listed: _WordList,
    beside_file: "st.delta_generator.DeltaGenerator",
    beside_words: "st.delta_generator.DeltaGenerator",
) -> list[str]:
    """Say what reading will keep, by the first documents; what is missing comes back."""
    look = partial(
        glance,
        openable(file),
        text=how.text,
        vocabulary=listed.fixed,
        n_words=listed.n_words,
        encoding=how.encoding,
        tokenisation=tokenisation,
    )
    try:
        with beside_file:
            found = file_reading.glimpsed("kept", file, look, how, listed, tokenisation)
    except file_reading.LookCancelledError as error:
        beside_file.caption(literal(str(error)))
        return []
    except InputError as error:
        beside_words.error(literal(str(error)))
        return ["another word list"]
    except DpldaError as error:
        beside_file.error(literal(str(error)))
        return ["a file that can be read"]
    return [] if found is None else _shares(found, words, beside_file, beside_words)


def _shares(
    found: Intake,
    words: VocabularyChoice,
    beside_file: "st.delta_generator.DeltaGenerator",
    beside_words: "st.delta_generator.DeltaGenerator",
) -> list[str]:
    for warning in found.warnings():
        beside_file.warning(warning, icon=":material/translate:")
    if found.n_read < 3:
        one = "Put each document in its own row or line, or several files in one zip archive."
        beside_file.error(f"This file holds {counted(found.n_read, 'document')}, and topics need at least 3. {one}")
        return ["more documents"]
    if not found.n_tokens > found.n_stopped:
        beside_file.error("No words were found. Check the column and what a word is.")
        return ["documents with words"]
    if not found.n_tokens_kept:
        beside_words.error("None of these words is in the first documents. Choose other words.")
        return ["another word list"]
    first = f"In the first {found.n_read:,} documents: " if found.n_read >= GLANCED_AT else ""
    said = f"{first}{_KEEPS[words]} {found.share_kept:.0%} of the words, stop words left out."
    if found.share_kept < LITTLE:
        beside_words.warning(f"{said} Less than half is little to find topics in.", icon=":material/filter_alt:")
    else:
        beside_words.caption(said)
    return []


def _counted_words(turn: int) -> UploadedFile | None:
    """Ask for the words of a file of counts."""
    given: UploadedFile | None = st.file_uploader(
        "The words that are counted",
        type=["txt", *PACKED],
        max_upload_size=LARGEST_FILE,
        key=f"{Key.COUNTED_WORDS}.{turn}",
        help="One word a line, in the order of the columns. Or put both files in one zip archive.",
    )
    return given


def _adopt(corpus: Corpus) -> None:
    """Use the corpus, and let go of the file: the next uploader has another key."""
    session.choose(session.Choice(CorpusKind.UPLOADED), corpus)
    file_reading.forget()
    st.session_state[Key.UPLOADS_READ] = st.session_state.get(Key.UPLOADS_READ, 0) + 1
    st.session_state[Key.SOURCE_DONE] = True
    if corpus.label is Label.PUBLIC and kept_uploads.keep(corpus):
        held = "Their counts are kept on this machine, so that a reload finds them."
    else:
        held = "They are only in this session's memory. Reloading the page loses them."
    read = counted(corpus.as_read.n_documents, "document")
    whose = f" of {corpus.n_documents:,} persons" if corpus.of_persons else ""
    session.notice(f"{read}{whose} are read, over {corpus.n_words:,} words. {held}")
    st.rerun()
