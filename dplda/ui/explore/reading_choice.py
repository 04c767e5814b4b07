"""How to read a file: a preview from a separate process, its encoding and columns, and what counts as a word."""

import io
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar, cast

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dplda.core.errors import DpldaError, ReadError
from dplda.core.formatting import counted
from dplda.core.types import Report
from dplda.core.worker_pool import ProcessError
from dplda.corpus import Tokenisation
from dplda.corpus.files.encodings import ENCODINGS
from dplda.corpus.read_summary import remark_line
from dplda.corpus.readers import formats
from dplda.corpus.readers.load import glance
from dplda.corpus.readers.reading_process import MOST_MEMORY, NO_MEMORY, TooSlowError, asked
from dplda.corpus.readers.table import Head
from dplda.corpus.words.patterns import WITH_DIGITS
from dplda.corpus.words.vocabulary import stop_words
from dplda.ui.literal import literal
from dplda.ui.state.keys import Key
from dplda.ui.state.progress import keep_placeholder, run_with_progress

V = TypeVar("V")


def openable(file: UploadedFile) -> tuple[str, io.BytesIO]:
    """The file as readers take it."""
    return file.name, io.BytesIO(file.getvalue())


def read_apart(
    name: str, file: UploadedFile, work: Callable[..., V], *, reports: bool = False
) -> V | None:
    """Work on a file in a separate process, with progress and a Cancel button."""

    def ask(report: Report) -> V:
        try:
            return asked(work, report, reports=reports)
        except TooSlowError:
            raise ReadError(file.name, "reading it took hours", "Split the file.") from None
        except ProcessError as error:
            problem = "reading it stopped without a result, perhaps because the file is damaged"
            if error.name in (NO_MEMORY, ""):
                problem = f"reading it takes more memory than {MOST_MEMORY / 1e9:.0f} GB, or stops the program"
            raise ReadError(
                file.name, problem, "Split the file, or write it again as plain text."
            ) from None

    return run_with_progress(name, ask)


def glimpsed(name: str, file: UploadedFile, work: Callable[[], V], *options: Hashable) -> V | None:
    """The same, computed once for a file and its options."""
    known: dict[str, tuple[Hashable, V | DpldaError]] = st.session_state.setdefault(
        Key.GLIMPSED, {}
    )
    asked_for, outcome = (file.file_id, options), cast("V | DpldaError | None", None)
    if name in known and known[name][0] == asked_for:
        outcome = keep_placeholder(known[name][1])
    else:
        try:
            outcome = read_apart(f"{name}.{file.file_id}", file, work)
        except DpldaError as error:
            outcome = error
        if outcome is not None:  # else it was cancelled
            known[name] = asked_for, outcome
    if isinstance(outcome, DpldaError):
        raise outcome
    return outcome


def forget() -> None:
    """Forget all previews of files."""
    st.session_state.pop(Key.GLIMPSED, None)


_LOOKED_AT, _ROWS, _COLUMNS = 50, 3, 4
FIRST_DOCUMENTS = 100  # that show whether a file can be read


@dataclass(frozen=True, slots=True)
class FileReading:
    """How a file is read, or what is missing to read it."""

    encoding: str | None = None
    text: str | None = None
    person: str | None = None
    missing: str = ""
    tokenisation: Tokenisation = field(default_factory=Tokenisation)

    def work(self, read: Callable[..., V], file: UploadedFile) -> Callable[..., V]:
        """A call of ``read`` on the file with these choices."""
        return partial(
            read,
            openable(file),
            text=self.text,
            encoding=self.encoding,
            tokenisation=self.tokenisation,
        )


def choose(file: UploadedFile) -> FileReading:
    """Ask how to read the file, next to its first rows, and what counts as a word."""
    how = _choose_columns(file)
    return how if how.missing else replace(how, tokenisation=_choose_words())


def too_few_documents(number: int) -> str:
    """The refusal of a file that holds fewer than 3 documents; empty if there are enough."""
    if number >= 3:
        return ""
    return (
        f"This file holds {counted(number, 'document')}, and topics need at least 3."
        " Put each document in its own row or line, or several files in one zip archive."
    )


def _choose_columns(file: UploadedFile) -> FileReading:
    encoding = None
    if not file.size:
        st.error(
            literal(f"{file.name} is empty: it has 0 bytes. Save it again, or choose another.")
        )
        return FileReading(missing="a file with documents")
    if formats.is_counts(file.name):
        st.error("Counts need the list of their words. Put both files in one zip archive.")
        return FileReading(missing="a zip archive with both files")
    try:
        fits = glimpsed("encodings", file, partial(formats.encodings, openable(file)))
        if fits is None:
            return FileReading(missing="a look into the file")
        if fits:
            encoding = st.radio(
                "This file is not UTF-8. Which line is spelled right?",
                [fit.encoding for fit in fits],
                index=None,
                format_func={fit.encoding: literal(fit.sample) for fit in fits}.get,
                captions=[ENCODINGS[fit.encoding] for fit in fits],
                key=f"{Key.ENCODING}.{file.file_id}",
                persist_state="session",
            )
            if encoding is None:
                return FileReading(missing="the right spelling")
        look = partial(formats.preview, openable(file), encoding=encoding, n_rows=_LOOKED_AT)
        found = glimpsed("rows", file, look, encoding)
        if found is not None and not found.names:
            return _without_columns(file, encoding)
    except DpldaError as error:
        st.error(literal(str(error)))
        return FileReading(missing="a file that can be read")
    if found is None:
        return FileReading(missing="a look at its first rows")
    if refusal := too_few_documents(len(found.rows)):
        st.error(refusal)
        return FileReading(missing="more documents")
    names = list(dict.fromkeys(found.names))
    likely = found.likely_text()
    first, second = st.columns(2)
    pick: Callable[..., str | None] = partial(
        st.selectbox, options=names, format_func=_plain, persist_state="session"
    )
    with first:
        text = pick(
            "Column of the documents",
            index=None if likely is None else names.index(likely),
            placeholder="Pick one",
            key=f"{Key.COLUMN}.{file.name}",
            help="Each row is one document. The first choice is a guess from the names and the first rows.",
        )
    with second:
        person = pick(
            "Column of the person",
            index=None,
            placeholder="None: protect each document",
            key=f"{Key.PERSON}.{file.name}",
            help="Joins all documents of a person into one and protects them together. Names become numbers.",
        )
    st.table(_shown(found, [it for it in (text, person) if it is not None]))
    for remark in found.remarks:
        st.warning(literal(f"{remark_line(remark)}."), icon=":material/table_rows:")
    return FileReading(
        encoding, text, person, "" if text is not None else "the column of the documents"
    )


def _without_columns(file: UploadedFile, encoding: str | None) -> FileReading:
    """Look at the first documents of a file that is no table, so that one without any is refused at once."""
    look = partial(
        glance, openable(file), vocabulary=None, encoding=encoding, n_documents=FIRST_DOCUMENTS
    )
    first = glimpsed("first", file, look, encoding)
    if first is None:  # counts of words, or the look was canceled
        return FileReading(encoding)
    if refusal := too_few_documents(first.n_read):
        st.error(refusal)
        return FileReading(missing="more documents")
    if first.n_read < FIRST_DOCUMENTS and not first.n_tokens:
        st.error("No words were found in this file. Open it to see whether it holds text.")
        return FileReading(missing="documents with words")
    return FileReading(encoding)


def _choose_words() -> Tokenisation:
    """Draw the choices in an expander, since the defaults are usually right; custom patterns need Python."""
    with st.expander("What counts as a word"):
        digits = st.toggle(
            "Words may hold digits and hyphens", key=Key.WORDS_ARE, help="Type-2, HbA1c, covid-19."
        )
        shortest_help = (
            "In letters of an alphabet. Words of Korean, Hindi, Chinese or Thai may be shorter."
        )
        least = st.number_input(
            "Shortest word", 1, 40, 3, key=Key.LEAST_LETTERS, help=shortest_help
        )
        own = st.text_input(
            "Words to leave out",
            key=Key.OWN_STOP_WORDS,
            max_chars=100_000,
            help="Separate them with spaces. English stop words go too. Your own word list keeps its words.",
        )
    left_out = (*sorted(stop_words()), *own.split()) if own else "english"
    return Tokenisation(
        WITH_DIGITS if digits else None, min_letters=int(least), stop_words=left_out
    )


def _shown(found: Head, chosen: list[str]) -> pd.DataFrame:
    """The first rows of the chosen columns and then of others, as text that Markdown leaves alone."""
    columns: dict[str, list[str]] = {}
    for place in list(dict.fromkeys([*map(found.names.index, chosen), *range(len(found.names))]))[
        :_COLUMNS
    ]:
        plain = _plain(found.names[place]) or "no name"
        name = literal(plain if literal(plain) not in columns else f"{plain} {place + 1}")
        columns[name] = [
            literal(row[place]) if place < len(row) else "" for row in found.shortened()[:_ROWS]
        ]
    return pd.DataFrame(columns)


def _plain(name: str) -> str:
    return " ".join(name.split())[:60]
