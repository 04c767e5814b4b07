"""The form that uploads documents: the file, who may see it, and which words to count."""

from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dplda.core import demo
from dplda.core.errors import DpldaError
from dplda.core.formatting import counted
from dplda.corpus import Corpus, Label, load
from dplda.experiments.experiment import HeldDocuments
from dplda.privacy.word_selection.selection import select_words
from dplda.release.ledger.fingerprints import holds_former_readings
from dplda.release.ledger.folder import Folder, default_path
from dplda.release.ledger.ledger import Ledger
from dplda.ui.literal import literal
from dplda.ui.state import progress, session
from dplda.ui.state.keys import Key
from dplda.ui.upload.file_preview import forget_previews, read_in_process
from dplda.ui.upload.first_look import FormPlaces, check_first_documents
from dplda.ui.upload.reading_choice import FileReading, choose_reading
from dplda.ui.upload.second_collection import choose_second, join_files
from dplda.ui.upload.word_list_choice import CountedWords, choose_word_list
from dplda.ui.upload.word_list_choice import VocabularyChoice as VocabularyChoice

LARGEST_FILE = 200  # MB
DECLARATIONS = {
    Label.PUBLIC: "Anyone may see them.",
    Label.SENSITIVE: "Nothing leaves this session unprotected.",
}
DECLARATION = "who may see the documents"


def draw_form() -> None:
    """Draw the form of an upload: the file, who may see it, and how it is read.

    Once its button is pressed, the documents are read and used. Without a file, questions on its
    reading are left out, and previews of earlier files are forgotten. A demo draws a refusal
    instead.
    """
    if demo.is_on():
        st.info(demo.REFUSAL, icon=":material/public:")
        return
    upload_number = _turn()
    file = st.file_uploader(
        "Documents: a table, a text with one document per line, mail, or a zip of files",
        max_upload_size=LARGEST_FILE,
        key=f"{Key.FILE}.{upload_number}",
        help=f"At most {LARGEST_FILE} MB and a million documents."
        " Use Python or the command line for more.",
    )
    below_file = st.container()
    declaration: str | None = st.radio(
        "These documents are",
        list(DECLARATIONS),
        index=None,
        captions=list(DECLARATIONS.values()),
        horizontal=True,
        key=f"{Key.LABEL}.{upload_number}",
    )
    places = FormPlaces(below_file=below_file, below_words=st.container())
    if file is None:
        forget_previews()
        _draw_button("a file" if declaration else f"a file, and {DECLARATION}")
        return
    _ask_and_read(file, declaration, upload_number, places)


def _ask_and_read(
    file: UploadedFile, declaration: str | None, upload_number: int, places: FormPlaces
) -> None:
    """Ask how a file is read and which words count, and read it once the button is pressed.

    The button is disabled, with the reason, while a way to read the file, who may see it, or a word
    list is missing. A second file, where one is chosen, is joined to the first. A column of persons
    is suggested for sensitive documents. The first documents are previewed as soon as nothing is
    missing.

    Args:
        file: the first file.
        declaration: who may see the documents; None while that is not declared.
        upload_number: number of the upload in this session.
        places: where questions and messages are drawn.
    """
    with places.below_file:
        file_to_join = choose_second(file, upload_number)
        is_sensitive = declaration == Label.SENSITIVE
        reading = choose_reading(file, prefers_persons=is_sensitive)
    if file_to_join is not None:  # which has the same columns
        file = join_files(file, file_to_join)
    if declaration is None:
        _draw_button(", and ".join(filter(None, [reading.missing, DECLARATION])))
        return
    corpus_label = Label(declaration)
    with places.below_words:
        protected_units = "documents" if reading.person is None else "persons"
        counted_words = choose_word_list(corpus_label, upload_number, protected_units)
    if counted_words is None or reading.missing:
        _draw_button(reading.missing or "a word list")
        return
    if _draw_button(check_first_documents(file, reading, counted_words, places)):
        _read(file, reading, corpus_label, counted_words, places, by_file=file_to_join is not None)


def is_waiting_to_be_read() -> bool:
    """Whether a file is chosen that is not read yet."""
    return bool(st.session_state.get(f"{Key.FILE}.{_turn()}"))


def _turn() -> int:
    """Number of files that were read in this session; each uploader has a key of its own."""
    return int(st.session_state.get(Key.UPLOADS_READ, 0))


def _read(
    file: UploadedFile,
    reading: FileReading,
    corpus_label: Label,
    counted_words: CountedWords,
    places: FormPlaces,
    *,
    by_file: bool,
) -> None:
    """Read the file and use its documents.

    An error is drawn next to the control that can mend it, and nothing changes; nor does it if
    reading was canceled. Persons' documents are joined if a column names them. Then words are
    selected with simulated noise, if that was chosen: among all words that the documents hold.

    Args:
        file: the file.
        reading: how it is read.
        corpus_label: who may see the documents.
        counted_words: which words are counted.
        places: where errors are drawn.
        by_file: whether each file of the archive is a group.
    """
    vocabulary = counted_words.fixed
    n_words = counted_words.n_words
    if counted_words.selection is not None:  # among all words that documents hold
        vocabulary = None
        n_words = None
    read_documents = partial(
        reading.bind(load, file),
        person=reading.person,
        groups=reading.groups,
        by_file=by_file,
        label=corpus_label,
        vocabulary=vocabulary,
        n_words=n_words,
        former=_seeks_former_readings(),
    )
    try:
        corpus_of_process = read_in_process("upload", file, read_documents, reports=True)
        if corpus_of_process is None:
            return
        protected_rows = replace(corpus_of_process)  # checked anew here
        if reading.person is not None:
            protected_rows = protected_rows.by_person()
    except DpldaError as error:
        places.below_file.error(literal(str(error)))
        return
    try:
        corpus = protected_rows
        if counted_words.selection is not None:
            corpus = select_words(protected_rows, counted_words.selection)
    except DpldaError as error:
        places.below_words.error(literal(str(error)))
        return
    _adopt(corpus)


def _seeks_former_readings() -> bool:
    """Whether earlier versions released something here, whose way of reading is needed, too."""
    try:
        return default_path().exists() and holds_former_readings(Ledger(Folder()))
    except DpldaError:  # said where something is released
        return True


def _draw_button(missing: str) -> bool:
    """Draw the button that reads the file, disabled, with what is missing, if something is.

    A press also allows a reading that was canceled before.

    Returns:
        Whether it was pressed.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        is_pressed = st.button(
            "Read the documents",
            type="primary",
            disabled=bool(missing),
            key=Key.READ,
            on_click=progress.allow,
        )
        if missing:
            st.caption(f"Still needed: {missing}.")
    return is_pressed


def _adopt(corpus: Corpus) -> None:
    """Use the corpus, forget its file, and run the page again.

    The next uploader gets a new key, so it is empty. A notice says what was read and where it is
    kept.
    """
    session.choose(HeldDocuments(), corpus)
    forget_previews()
    st.session_state.pop(Key.JOINED, None)
    st.session_state[Key.UPLOADS_READ] = _turn() + 1
    st.session_state[Key.SOURCE_DONE] = True
    n_documents_text = counted(corpus.as_read.n_documents, "document")
    persons_text = ""
    if corpus.of_persons:
        persons_text = f" of {corpus.n_documents:,} persons"
    session.notice(
        f"{n_documents_text}{persons_text} are read. They are only in this session's memory."
        " Reloading or closing the page drops them."
    )
    st.rerun()
