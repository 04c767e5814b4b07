"""Uploads are read in a process of their own, which Cancel or leaving kills: no file stops other visitors."""

import io
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dplda.core.errors import DpldaError, ReadError
from dplda.core.types import Report
from dplda.core.worker_pool import ProcessError
from dplda.corpus.readers.reading_process import MOST_MEMORY, NO_MEMORY, TooSlowError, asked
from dplda.ui.state.keys import Key
from dplda.ui.state.progress import unneeded, watched

V = TypeVar("V")


def openable(file: UploadedFile) -> tuple[str, io.BytesIO]:
    """The file as readers take it."""
    return file.name, io.BytesIO(file.getvalue())


def read(name: str, file: UploadedFile, work: Callable[..., V], *, reports: bool = False) -> V | None:
    """The value of work on a file, with progress and a way out."""

    def ask(report: Report) -> V:
        try:
            return asked(work, report, reports=reports)
        except TooSlowError:
            raise ReadError(file.name, "reading it took hours", "Split the file.") from None
        except ProcessError as error:
            problem = "reading it stopped without a result, perhaps because the file is damaged"
            if error.name in (NO_MEMORY, ""):
                problem = f"reading it takes more memory than {MOST_MEMORY / 1e9:.0f} GB, or stops the program"
            raise ReadError(file.name, problem, "Split the file, or write it again as plain text.") from None

    return watched(name, ask)


def glimpsed(name: str, file: UploadedFile, work: Callable[[], V], *options: Hashable) -> V | None:
    """As ``read``, once while the same file is looked at with the same options."""
    known: dict[str, tuple[Hashable, V | DpldaError]] = st.session_state.setdefault(Key.GLIMPSED, {})
    asked_for, outcome = (file.file_id, options), cast("V | DpldaError | None", None)
    if name in known and known[name][0] == asked_for:
        outcome = unneeded(known[name][1])
    else:
        try:
            outcome = read(f"{name}.{file.file_id}", file, work)
        except DpldaError as error:
            outcome = error
        if outcome is not None:  # else it was cancelled
            known[name] = asked_for, outcome
    if isinstance(outcome, DpldaError):
        raise outcome
    return outcome


def forget() -> None:
    """Keep nothing of files that were looked at."""
    st.session_state.pop(Key.GLIMPSED, None)
