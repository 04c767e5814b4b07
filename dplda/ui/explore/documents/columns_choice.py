"""How to read a file: its encoding where it is not UTF-8, and its columns, guessed and shown with three rows."""

from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus.files.encodings import ENCODINGS
from dplda.corpus.readers import formats
from dplda.corpus.readers.table import Head
from dplda.ui.explore.documents.file_reading import UploadedFile, glimpsed, openable
from dplda.ui.literal import literal
from dplda.ui.state.keys import Key

_LOOKED_AT, _ROWS, _COLUMNS = 50, 3, 4


@dataclass(frozen=True, slots=True)
class FileChoice:
    """How a file is read, or what is missing to read it."""

    encoding: str | None = None
    text: str | None = None
    person: str | None = None
    missing: str = ""


def choose(file: UploadedFile) -> FileChoice:
    """Ask for what the file leaves open, beside its first rows."""
    encoding = None
    try:
        fits = glimpsed("encodings", file, partial(formats.encodings, openable(file)))
        if fits:
            encoding = st.radio(
                "This file is not UTF-8. Which line is spelled right?",
                [fit.encoding for fit in fits],
                index=None,
                format_func={fit.encoding: literal(fit.sample) for fit in fits}.get,
                captions=[ENCODINGS[fit.encoding] for fit in fits],
                key=f"{Key.ENCODING}.{file.file_id}",
            )
            if encoding is None:
                return FileChoice(missing="how it is spelled")
        look = partial(formats.preview, openable(file), encoding=encoding, n_rows=_LOOKED_AT)
        found = glimpsed("rows", file, look, encoding)
    except DpldaError as error:
        st.error(literal(str(error)))
        return FileChoice(missing="a file that can be read")
    if found is None or not found.names:
        return FileChoice(encoding)
    names = list(dict.fromkeys(found.names))
    likely = found.likely_text()
    first, second = st.columns(2)
    text = first.selectbox(
        "Column of the documents",
        names,
        index=None if likely is None else names.index(likely),
        placeholder="Pick one",
        format_func=_plain,
        key=f"{Key.COLUMN}.{file.name}",
        help="Each row is one document. The first choice is a guess from the names and the first rows.",
    )
    person = second.selectbox(
        "Column of the person",
        names,
        index=None,
        placeholder="None: protect each document",
        format_func=_plain,
        key=f"{Key.PERSON}.{file.name}",
        help="Joins all documents of a person into one and protects them together. Names become numbers.",
    )
    st.table(_shown(found, [it for it in (text, person) if it is not None]))
    return FileChoice(encoding, text, person, "" if text is not None else "the column of the documents")


def _shown(found: Head, chosen: list[str]) -> pd.DataFrame:
    """The first rows of the chosen columns and then of others, as text that Markdown leaves alone."""
    places = list(dict.fromkeys([*map(found.names.index, chosen), *range(len(found.names))]))[:_COLUMNS]
    columns: list[str] = []
    for place in places:
        plain = _plain(found.names[place]) or "no name"
        columns.append(literal(plain if plain not in columns else f"{plain} {place + 1}"))
    rows = [[literal(row[place]) for place in places if place < len(row)] for row in found.shortened()[:_ROWS]]
    return pd.DataFrame([[*row, *[""] * (len(places) - len(row))] for row in rows], columns=pd.Index(columns))


def _plain(name: str) -> str:
    return " ".join(name.split())[:60]
