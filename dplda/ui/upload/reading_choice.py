"""How to read a file: encoding and columns, next to its first rows, and what is a word."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dplda.core.errors import DpldaError
from dplda.core.formatting import counted
from dplda.corpus import Tokenisation
from dplda.corpus.files.encodings import ENCODINGS, EncodingGuess
from dplda.corpus.read_summary import remark_line
from dplda.corpus.readers import formats
from dplda.corpus.readers.load import glance
from dplda.corpus.readers.table import Head
from dplda.corpus.words.patterns import WITH_DIGITS
from dplda.corpus.words.vocabulary import stop_words
from dplda.ui.literal import literal
from dplda.ui.state.keys import Key
from dplda.ui.upload.file_preview import as_reader_input, cached_preview

V = TypeVar("V")
MIN_DOCUMENTS = 3
ROWS_READ, ROWS_SHOWN, COLUMNS_SHOWN = 50, 3, 4  # of a table's head
FIRST_DOCUMENTS = 100  # that show whether a file can be read
LONGEST_COLUMN_NAME = 60  # characters
TEXT_HELP = (
    "Each row is one document. The first choice is a guess from the names and the first rows."
)
PERSON_HELP = (
    "Joins all documents of a person into one and protects them together. Names become numbers."
)
GROUPS_HELP = (
    "A department, a district, a date. After a release you can ask who talks about what, and since"
    " when. The labels stay with the documents, and are as protected as they are."
)
MAX_GROUP_COLUMNS = 2
SHORTEST_HELP = "In letters of an alphabet. Words of Korean, Hindi, Chinese or Thai may be shorter."
LEFT_OUT_HELP = (
    "Separate them with spaces. English stop words go too. Your own word list keeps its words."
)


@dataclass(frozen=True, slots=True)
class FileReading:
    """How a file is read, or what is missing to read it.

    Attributes:
        encoding: of its text; None for UTF-8, or where the format says it.
        text: column of the documents; None for a file that is no table.
        person: column of the person; None where each document is protected.
        groups: columns whose values are kept as labels, to group results by.
        missing: what is still needed, in words; empty if nothing is.
        tokenisation: what counts as a word.
    """

    encoding: str | None = None
    text: str | None = None
    person: str | None = None
    groups: tuple[str, ...] = ()
    missing: str = ""
    tokenisation: Tokenisation = field(default_factory=Tokenisation)

    def bind(self, read: Callable[..., V], file: UploadedFile) -> Callable[..., V]:
        """A call of ``read`` on the file, with the chosen text column, encoding and tokenisation.

        Persons and groups are left to the caller.
        """
        return partial(
            read,
            as_reader_input(file),
            text=self.text,
            encoding=self.encoding,
            tokenisation=self.tokenisation,
        )


def choose_reading(file: UploadedFile, *, prefers_persons: bool = False) -> FileReading:
    """Draw questions on how to read the file, beside its first rows, and on what counts as a word.

    Questions come one after the other: while an answer is missing, or the file cannot be read, the
    result says what is missing, and later questions are not drawn.

    Args:
        file: the file.
        prefers_persons: whether a column that names a person is chosen at first.
    """
    try:
        reading = _choose_encoding(file)
        if not reading.missing:
            reading = _choose_columns(file, reading, prefers_persons=prefers_persons)
    except DpldaError as error:
        st.error(literal(str(error)))
        return FileReading(missing="a file that can be read")
    if reading.missing:
        return reading
    return replace(reading, tokenisation=_choose_words())


def refuse_too_few(n_documents: int) -> str:
    """The refusal of a file with too few documents for topics; empty if there are enough."""
    if n_documents >= MIN_DOCUMENTS:
        return ""
    return (
        f"This file holds {counted(n_documents, 'document')}, and topics need at least"
        f" {MIN_DOCUMENTS}. Put each document in its own row or line, or several files in one zip"
        " archive."
    )


def _choose_encoding(file: UploadedFile) -> FileReading:
    """Choose the encoding of a file; refuse an empty file, and counts without their words.

    The result says what is missing after a refusal, a canceled look, or without an answer. Its
    encoding is None for UTF-8, and for a file that is no text.
    """
    if not file.size:
        refusal = f"{file.name} is empty: it has 0 bytes. Save it again, or choose another."
        st.error(literal(refusal))
        return FileReading(missing="a file with documents")
    if formats.is_counts(file.name):
        st.error("Counts need the list of their words. Put both files in one zip archive.")
        return FileReading(missing="a zip archive with both files")
    find_encodings = partial(formats.encodings, as_reader_input(file))
    candidates = cached_preview("encodings", file, find_encodings)
    if candidates is None:
        return FileReading(missing="a look into the file")
    if not candidates:
        return FileReading()
    encoding = _ask_encoding(file, candidates)
    if encoding is None:
        return FileReading(missing="the right spelling")
    return FileReading(encoding=encoding)


def _ask_encoding(file: UploadedFile, candidates: Sequence[EncodingGuess]) -> str | None:
    """Draw a line of the file in each encoding that it may have; None until one is chosen."""
    sample_by_encoding = {candidate.encoding: literal(candidate.sample) for candidate in candidates}
    return st.radio(
        "This file is not UTF-8. Which line is spelled right?",
        list(sample_by_encoding),
        index=None,
        format_func=sample_by_encoding.get,
        captions=[ENCODINGS[encoding] for encoding in sample_by_encoding],
        key=f"{Key.ENCODING}.{file.file_id}",
        persist_state="session",
    )


def _choose_columns(
    file: UploadedFile, reading: FileReading, *, prefers_persons: bool
) -> FileReading:
    """Choose the columns of a table, or check the first documents of a file that is none.

    Too few rows are refused. The result says what is missing after a refusal, a canceled look, or
    without an answer.

    Args:
        file: the file.
        reading: its encoding; nothing else of it is used.
        prefers_persons: whether the likely column of persons is chosen at first.
    """
    encoding = reading.encoding
    read_head = partial(formats.preview, as_reader_input(file), encoding=encoding, n_rows=ROWS_READ)
    table_head = cached_preview("rows", file, read_head, encoding)
    if table_head is None:
        return FileReading(missing="a look at its first rows")
    if not table_head.names:
        return _check_without_columns(file, encoding)
    refusal = refuse_too_few(len(table_head.rows))
    if refusal:
        st.error(refusal)
        return FileReading(missing="more documents")
    if prefers_persons:
        _suggest_person(file, table_head)
    return _choose_columns_of_table(file, table_head, encoding)


def _choose_columns_of_table(file: UploadedFile, head: Head, encoding: str | None) -> FileReading:
    """Draw the choice of a table's columns above its first rows, and return them.

    They are those of the documents, of persons, and of groups. Remarks on the table are drawn as
    warnings. The result says so if the column of the documents is missing.
    """
    choice_places = st.columns(3 if len(set(head.names)) > 2 else 2)
    text_column, person_column = _pick_columns(file, head, choice_places)
    with choice_places[-1]:
        group_columns = _pick_group_columns(file, head, taken_columns=(text_column, person_column))
    picked_names = [name for name in (text_column, person_column) if name is not None]
    st.table(_first_rows(head, picked_names))
    for remark in head.remarks:
        st.warning(literal(f"{remark_line(remark)}."), icon=":material/table_rows:")
    missing_item = ""
    if text_column is None:
        missing_item = "the column of the documents"
    return FileReading(
        encoding=encoding,
        text=text_column,
        person=person_column,
        groups=group_columns,
        missing=missing_item,
    )


def _suggest_person(file: UploadedFile, head: Head) -> None:
    """Set the choice of a person's column to the likely one, once for each upload of a file.

    It can be taken back. A choice that was made before stays; without a likely column none is made.
    """
    person_key = f"{Key.PERSON}.{file.name}"
    suggestion_key = f"{person_key}.suggested.{file.file_id}"
    likely_person = head.likely_person()
    session_state = st.session_state
    if (
        likely_person is not None
        and not session_state.get(suggestion_key)
        and session_state.get(person_key) is None
    ):
        session_state[person_key] = likely_person
    session_state[suggestion_key] = True


def _pick_columns(
    file: UploadedFile, head: Head, places: Sequence[DeltaGenerator]
) -> tuple[str | None, str | None]:
    """Draw the choice of the columns of the documents and of the person, and return both.

    The column that likely holds the documents is chosen at first; either may be None.

    Args:
        file: the table.
        head: its first rows.
        places: of the choices, two or more.
    """
    column_names = list(dict.fromkeys(head.names))
    likely_text = head.likely_text()
    first_index = None
    if likely_text is not None:
        first_index = column_names.index(likely_text)
    draw_choice: Callable[..., str | None] = partial(
        st.selectbox, options=column_names, format_func=_one_line, persist_state="session"
    )
    with places[0]:
        text_name = draw_choice(
            "Column of the documents",
            index=first_index,
            placeholder="Pick one",
            key=f"{Key.COLUMN}.{file.name}",
            help=TEXT_HELP,
        )
    with places[1]:
        person_name = draw_choice(
            "Column of the person",
            index=None,
            placeholder="None: protect each document",
            key=f"{Key.PERSON}.{file.name}",
            help=PERSON_HELP,
        )
    return text_name, person_name


def _pick_group_columns(
    file: UploadedFile, head: Head, taken_columns: tuple[str | None, ...]
) -> tuple[str, ...]:
    """Draw the choice of at most two columns to group results by, and return their names.

    Draws nothing, and returns none, if no other column is there.

    Args:
        file: the table.
        head: its first rows.
        taken_columns: columns that hold the documents and the person, which are not offered.
    """
    offered_columns = [
        column_name for column_name in dict.fromkeys(head.names) if column_name not in taken_columns
    ]
    if not offered_columns:
        return ()
    chosen_columns = st.multiselect(
        "Columns to group by",
        offered_columns,
        max_selections=MAX_GROUP_COLUMNS,
        format_func=_one_line,
        placeholder="None",
        key=f"{Key.GROUP_COLUMNS}.{file.name}",
        help=GROUPS_HELP,
    )
    return tuple(chosen_columns)


def _check_without_columns(file: UploadedFile, encoding: str | None) -> FileReading:
    """Read the first documents of a file that is no table; refuse too few, or none with words.

    The latter only if these are all documents. Files of word counts, and a look that was canceled,
    pass.
    """
    read_first_documents = partial(
        glance,
        as_reader_input(file),
        vocabulary=None,
        encoding=encoding,
        n_documents=FIRST_DOCUMENTS,
    )
    first_look = cached_preview("first", file, read_first_documents, encoding)
    if first_look is None:  # counts of words, or the look was canceled
        return FileReading(encoding=encoding)
    refusal = refuse_too_few(first_look.n_read)
    if refusal:
        st.error(refusal)
        return FileReading(missing="more documents")
    if first_look.n_read < FIRST_DOCUMENTS and not first_look.n_tokens:
        st.error("No words were found in this file. Open it to see whether it holds text.")
        return FileReading(missing="documents with words")
    return FileReading(encoding=encoding)


def _choose_words() -> Tokenisation:
    """Draw the choice of what counts as a word, in an expander, and return it.

    The choices are digits with hyphens, the shortest word, and own words, separated by blanks, to
    leave out beside the English stop words. Other patterns need Python.
    """
    with st.expander("What counts as a word"):
        has_digits = st.toggle(
            "Words may hold digits and hyphens", key=Key.WORDS_ARE, help="Type-2, HbA1c, covid-19."
        )
        min_letters = st.number_input(
            "Shortest word", 1, 40, 3, key=Key.LEAST_LETTERS, help=SHORTEST_HELP
        )
        own_stop_words = st.text_input(
            "Words to leave out", key=Key.OWN_STOP_WORDS, max_chars=100_000, help=LEFT_OUT_HELP
        )
    words_left_out: str | tuple[str, ...] = "english"
    if own_stop_words:
        words_left_out = (*sorted(stop_words()), *own_stop_words.split())
    pattern = WITH_DIGITS if has_digits else None
    return Tokenisation(pattern, min_letters=int(min_letters), stop_words=words_left_out)


def _first_rows(head: Head, picked_columns: Sequence[str]) -> pd.DataFrame:
    """Make a table of the first ``ROWS_SHOWN`` rows, as shortened text without Markdown.

    The picked columns come first.
    A column without a name gets one, equal names get the column's number, and short rows empty
    cells. Further columns than ``COLUMNS_SHOWN`` are left out.
    """
    picked_indices = [head.names.index(column_title) for column_title in picked_columns]
    ordered_indices = dict.fromkeys([*picked_indices, *range(len(head.names))])
    shortened_rows = head.shortened()[:ROWS_SHOWN]
    texts_by_column: dict[str, list[str]] = {}
    for column_index in list(ordered_indices)[:COLUMNS_SHOWN]:
        one_line_name = _one_line(head.names[column_index]) or "no name"
        column_title = literal(one_line_name)
        if column_title in texts_by_column:
            column_title = literal(f"{one_line_name} {column_index + 1}")
        texts_by_column[column_title] = [
            literal(row[column_index]) if column_index < len(row) else "" for row in shortened_rows
        ]
    return pd.DataFrame(texts_by_column)


def _one_line(name: str) -> str:
    """A column's name on one line, cut where it is long."""
    return " ".join(name.split())[:LONGEST_COLUMN_NAME]
