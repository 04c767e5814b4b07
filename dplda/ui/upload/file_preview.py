"""Looks into an uploaded file, each in a separate process with progress and Cancel, and kept."""

import io
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dplda.core.errors import DpldaError, ReadError
from dplda.core.types import Report
from dplda.core.worker_pool import ProcessError
from dplda.core.worker_pool.reading_process import (
    MAX_MEMORY,
    NO_MEMORY,
    TooSlowError,
    run_in_process,
)
from dplda.ui.state.keys import Key
from dplda.ui.state.progress import keep_placeholder, run_with_progress

V = TypeVar("V")
TOO_SLOW = "reading it took hours"
DAMAGED = "reading it stopped without a result, perhaps because the file is damaged"
TOO_LARGE = f"reading it takes more memory than {MAX_MEMORY / 1e9:.0f} GB, or stops the program"
SPLIT_OR_REWRITE = "Split the file, or write it again as plain text."


def as_reader_input(file: UploadedFile) -> tuple[str, io.BytesIO]:
    """Name and content of a file, as readers take it."""
    return file.name, io.BytesIO(file.getvalue())


def read_in_process(
    name: str, file: UploadedFile, work: Callable[..., V], *, reports: bool = False
) -> V | None:
    """Work on a file in a separate process, with progress and a Cancel button.

    Args:
        name: of the work, by which it is canceled.
        file: named in errors.
        work: what reads the file.
        reports: whether the work reports its progress.

    Returns:
        The result; None if it was canceled.

    Raises:
        ReadError: the file cannot be read, or reading takes too much time or memory.
    """

    def ask_process(report: Report) -> V:
        """The result of the work.

        Raises:
            ReadError: the process took too long, ran out of memory, or failed otherwise.
        """
        try:
            return run_in_process(work, report, reports=reports)
        except TooSlowError:
            raise ReadError(file.name, TOO_SLOW, "Split the file.") from None
        except ProcessError as error:
            is_too_large = error.name in (NO_MEMORY, "")
            problem_clause = TOO_LARGE if is_too_large else DAMAGED
            raise ReadError(file.name, problem_clause, SPLIT_OR_REWRITE) from None

    return run_with_progress(name, ask_process)


def cached_preview(
    name: str, file: UploadedFile, work: Callable[[], V], *options: Hashable
) -> V | None:
    """Work on a file in a separate process, once for the file and its options.

    A result or an error is kept in the session; work that was canceled is done anew.

    Args:
        name: of the look; each has one outcome in the session, of the last file and options.
        file: the file that is looked into.
        work: what reads the file.
        options: what the result depends on besides.

    Returns:
        The result; None if it was canceled.

    Raises:
        DpldaError: as raised by the work, also when its outcome is asked for again.
    """
    outcome_by_name: dict[str, tuple[Hashable, V | DpldaError]] = st.session_state.setdefault(
        Key.GLIMPSED, {}
    )
    file_and_options = (file.file_id, options)
    outcome = cast("V | DpldaError | None", None)
    if name in outcome_by_name and outcome_by_name[name][0] == file_and_options:
        outcome = keep_placeholder(outcome_by_name[name][1])
    else:
        try:
            outcome = read_in_process(f"{name}.{file.file_id}", file, work)
        except DpldaError as error:
            outcome = error
        if outcome is not None:
            outcome_by_name[name] = file_and_options, outcome
    if isinstance(outcome, DpldaError):
        raise outcome
    return outcome


def forget_previews() -> None:
    """Forget the outcomes of all looks into files."""
    st.session_state.pop(Key.GLIMPSED, None)
