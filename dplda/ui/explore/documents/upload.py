"""Bring documents of one's own: what the file is, who may see it, over which words it is counted."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial

import streamlit as st

from dplda.core import demo
from dplda.core.errors import CorpusError, DpldaError, InputError
from dplda.core.formatting import counted
from dplda.corpus import Corpus, Label, Selection, load
from dplda.corpus.files.compression import PACKED
from dplda.corpus.files.sources import ZIP
from dplda.corpus.readers.formats import COUNTS, READERS, is_counts
from dplda.corpus.readers.load import glance
from dplda.corpus.words.english import english_words
from dplda.corpus.words.selection import MOST_PER_UNIT
from dplda.experiments.settings import CorpusKind
from dplda.privacy.odds import short
from dplda.privacy.selected import select_words
from dplda.ui.explore.documents import columns_choice, file_reading, reading_choice
from dplda.ui.explore.documents.file_reading import UploadedFile, openable
from dplda.ui.literal import literal
from dplda.ui.state import kept_uploads, progress, session
from dplda.ui.state.keys import Key

LARGEST_FILE, LARGEST_LIST = 200, 5  # MB
DECLARATIONS = {
    Label.PUBLIC: "Anyone may see these documents.",
    Label.SENSITIVE: "Nothing derived from them may leave this session.",
}


class VocabularyChoice(StrEnum):
    """Where the vocabulary comes from."""

    ENGLISH = "common English words"
    LIST = "a list of my own"
    SELECTED = "selected privately from these documents"
    FROM_DATA = "taken from these documents"


def choose() -> None:
    """Draw the form; when asked to, read the file and look at it from now on."""
    if demo.is_on():
        st.info(demo.REFUSAL, icon=":material/public:")
        return
    st.markdown(
        "Plain text with one document a line; CSV, TSV, JSON lines or Parquet; mail (mbox), DOCX, PDF;"
        " counts of words (UCI, Matrix Market, SciPy). Packed or in a zip archive, too."
    )
    turn = st.session_state.get(Key.UPLOADS_READ, 0)
    file = st.file_uploader(
        "Documents",
        type=[*READERS, *COUNTS, ZIP, *PACKED],
        max_upload_size=LARGEST_FILE,
        key=f"{Key.FILE}.{turn}",
        help=f"At most {LARGEST_FILE} MB and a million documents; larger ones are for Python or the command line.",
    )
    beside_file = st.container()
    reading, column, person, names = reading_choice.choose(), None, None, None
    with beside_file:
        if file is not None and is_counts(file.name):
            names = _counted_words(turn)
        elif file is not None:
            column, person = columns_choice.choose(file, reading.encoding)
    label = st.radio(
        "These documents are",
        list(DECLARATIONS),
        index=None,
        captions=list(DECLARATIONS.values()),
        key=f"{Key.LABEL}.{turn}",
        help="Must be declared before anything is read. Sensitive ones are shown to you, and nothing can be saved.",
    )
    words = VocabularyChoice(
        st.radio(
            "Vocabulary",
            list(VocabularyChoice),
            key=Key.VOCABULARY,
            help="The vocabulary is part of the result: only a list fixed beforehand gives nothing away.",
        )
        or VocabularyChoice.ENGLISH
    )
    listed, n_words, selection = _vocabulary_details(words, label, turn)
    if file is None:
        file_reading.forget()
    elif not is_counts(file.name):
        _share_kept(file, words, listed, column, reading)
    if label is None:
        st.caption("Declare the documents public or sensitive, then they can be read.")
    ready = file is not None and label is not None and (words is not VocabularyChoice.LIST or listed is not None)
    asked = st.button("Read the documents", type="primary", disabled=not ready, key=Key.READ, on_click=progress.allow)
    if asked and file is not None and label is not None:
        try:
            how = partial(
                load,
                openable(file),
                text=column,
                person=person,
                label=Label(label),
                vocabulary=_vocabulary(words, listed),
                n_words=n_words,
                encoding=reading.encoding,
                words=None if names is None else openable(names),
                whole_files=reading.whole_files,
                tokenisation=reading.tokenisation,
            )
            read = file_reading.read("upload", file, how, reports=True)
            corpus = None if read is None else _chosen(read, selection, by_person=person is not None)
        except DpldaError as error:
            st.error(literal(str(error)))
            return
        if corpus is not None:
            _adopt(corpus)


def _vocabulary_details(
    words: VocabularyChoice, label: Label | None, turn: int
) -> tuple[UploadedFile | None, int | None, Selection | None]:
    """A list, how many words to take from the documents (None: every one), and how they are selected then."""
    if words is VocabularyChoice.LIST:
        listed: UploadedFile | None = st.file_uploader(
            "Word list",
            type=["txt"],
            max_upload_size=LARGEST_LIST,
            key=f"{Key.WORD_LIST}.{turn}",
            help="One word a line, 2 to 3,000 distinct words of three or more letters, written down beforehand.",
        )
        return listed, None, None
    if words is VocabularyChoice.ENGLISH:
        st.caption(
            f"A public list of {len(english_words()):,} words. The most common ones are picked with noise, which uses"
            " the ε below."
        )
        return None, None, _selection()
    if words is VocabularyChoice.SELECTED:
        st.caption(
            "Words that many documents hold are picked with noise, which uses the ε below. It takes thousands of"
            " documents."
        )
        return None, None, _selection()
    if label == Label.SENSITIVE:
        st.warning(
            "A vocabulary taken from sensitive documents is part of the output: every result is then **not private**.",
            icon=":material/lock_open:",
        )
    else:
        st.caption("The most frequent words but stop words. Fine for public documents; it is not protected.")
    size = st.number_input(
        "Vocabulary size d",
        2,
        3000,
        1000,
        step=100,
        key=Key.VOCABULARY_SIZE,
        help="How many of the most frequent words to count.",
    )
    return None, int(size), None


def _selection() -> Selection:
    usual = Selection()
    first, second, third = st.columns(3)
    n_words = first.number_input(
        "At most d words", 2, 3000, usual.n_words, step=100, key=Key.SELECT_WORDS, help="The best by noisy numbers."
    )
    per_unit = second.number_input(
        "Words that count",
        1,
        MOST_PER_UNIT,
        usual.per_unit,
        key=Key.SELECT_PER_UNIT,
        help="Distinct words of a document, or of a person. More carry more information but need more noise.",
    )
    epsilon = third.number_input(
        "ε of the words",
        0.01,
        20.0,
        usual.epsilon,
        step=0.1,
        key=Key.SELECT_EPSILON,
        help=f"Spent beside the topics' own; δ is {short(usual.delta)}.",
    )
    return Selection(int(n_words), int(per_unit), float(epsilon), usual.delta)


def _share_kept(
    file: UploadedFile,
    words: VocabularyChoice,
    listed: UploadedFile | None,
    column: str | None,
    reading: reading_choice.ReadingChoice,
) -> None:
    """Which share of the first documents' words a fixed list keeps: before anything else is read of them."""
    if words in (VocabularyChoice.SELECTED, VocabularyChoice.FROM_DATA):
        return
    if words is VocabularyChoice.LIST and listed is None:
        return
    try:
        vocabulary = tuple(_vocabulary(words, listed) or ())
        look = partial(
            glance,
            openable(file),
            text=column,
            vocabulary=vocabulary,
            encoding=reading.encoding,
            whole_files=reading.whole_files,
            tokenisation=reading.tokenisation,
        )
        found = file_reading.glimpsed("kept", file, look, column, vocabulary, reading)
    except CorpusError as error:
        st.warning(literal(f"Of the first documents, for your eyes: {error}"), icon=":material/filter_alt:")
        return
    except DpldaError as error:
        st.caption(literal(f"The first documents cannot be looked at yet. {error}"))
        return
    if found is None:
        return
    said = f"In the first {counted(found.n_read, 'document')}, for your eyes: {' '.join(found.kept_in_words())}"
    if found.warnings():
        st.warning(said, icon=":material/filter_alt:")
    else:
        st.caption(said)


def _vocabulary(words: VocabularyChoice, listed: UploadedFile | None) -> Sequence[str] | None:
    if words in (VocabularyChoice.FROM_DATA, VocabularyChoice.SELECTED):
        return None
    if words is VocabularyChoice.ENGLISH:
        return english_words()
    if listed is None:
        raise InputError("the word list", "a file, one word a line", "none", "Choose it above.")
    try:
        text = listed.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError:
        fix = "Save it as UTF-8."
        raise InputError("the word list", "UTF-8 text, one word a line", "bytes of another kind", fix) from None
    found = [line.strip() for line in text.splitlines() if line.strip()]
    if len(found) > 3000:
        raise InputError("the word list", "at most 3,000 words long", f"{len(found):,} words", "Shorten it.")
    return found


def _counted_words(turn: int) -> UploadedFile | None:
    """Ask for the words of a file of counts."""
    given: UploadedFile | None = st.file_uploader(
        "The words that are counted",
        type=["txt", *PACKED],
        max_upload_size=LARGEST_FILE,
        key=f"{Key.COUNTED_WORDS}.{turn}",
        help="One word a line, in the order of the columns. Or bring both files in one zip archive.",
    )
    return given


def _chosen(corpus: Corpus, selection: Selection | None, *, by_person: bool) -> Corpus:
    """What is protected as rows, over the words that are counted; whatever another process made is checked anew."""
    read = replace(corpus)
    rows = read.by_person() if by_person else read
    return rows if selection is None else select_words(rows, selection)


def _adopt(corpus: Corpus) -> None:
    """Use the corpus, and let go of the file: the next uploader has another key."""
    session.choose(session.Choice(CorpusKind.UPLOADED), corpus)
    file_reading.forget()
    st.session_state[Key.UPLOADS_READ] = st.session_state.get(Key.UPLOADS_READ, 0) + 1
    st.session_state[Key.SOURCE_DONE] = True
    if corpus.label is Label.PUBLIC and kept_uploads.keep(corpus):
        held = "Their counts are kept on this machine, so that a reload finds them."
    else:
        held = "They are held in this session's memory alone: a reload of the page loses them."
    read = counted(corpus.as_read.n_documents, "document")
    whose = f" of {corpus.n_documents:,} persons" if corpus.of_persons else ""
    session.notice(f"{read}{whose} are read, over {corpus.n_words:,} words. {held}")
    st.rerun()
