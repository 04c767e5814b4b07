"""Which column of a table holds the documents, and which says whose they are: picked beside its first rows."""

from functools import partial

import pandas as pd
import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus.readers.formats import preview
from dplda.corpus.readers.table import Head
from dplda.ui.explore.documents.file_reading import UploadedFile, glimpsed, openable
from dplda.ui.literal import literal
from dplda.ui.state.keys import Key

_ROWS, _COLUMNS = 4, 8


def choose(file: UploadedFile, encoding: str | None) -> tuple[str | None, str | None]:
    """Draw the first rows of a table and ask for its columns; nothing where the file is no table."""
    try:
        look = partial(preview, openable(file), encoding=encoding, n_rows=_ROWS)
        found = glimpsed("rows", file, look, encoding)
    except DpldaError as error:
        st.caption(f"No preview. {literal(str(error))}")
        return None, None
    if found is None or not found.names:
        return None, None
    names = list(dict.fromkeys(found.names))
    st.table(_shown(found))
    if len(found.names) > _COLUMNS:
        st.caption(f"And {len(found.names) - _COLUMNS:,} more columns.")
    first, second = st.columns(2)
    text = first.selectbox(
        "Column of the documents",
        names,
        index=0 if len(names) == 1 else names.index("text") if "text" in names else None,
        placeholder="Pick one",
        format_func=_plain,
        key=f"{Key.COLUMN}.{file.name}",
        help="Each row of it is one document.",
    )
    person = second.selectbox(
        "Column of the person",
        names,
        index=None,
        placeholder="Nobody: rows stand for themselves",
        format_func=_plain,
        key=f"{Key.PERSON}.{file.name}",
        help="All documents of a person are then read as one, and protected together. Kept as numbers.",
    )
    return text, person


def _shown(found: Head) -> pd.DataFrame:
    """The first columns as text that Markdown leaves alone, whatever it looks like, each under a name of its own."""
    columns: list[str] = []
    for name in found.names[:_COLUMNS]:
        plain = _plain(name) or "no name"
        columns.append(literal(plain if plain not in columns else f"{plain} {len(columns) + 1}"))
    rows = [[literal(cell) for cell in row[: len(columns)]] for row in found.shortened()]
    return pd.DataFrame(rows, columns=pd.Index(columns))


def _plain(name: str) -> str:
    return " ".join(name.split())[:60]
