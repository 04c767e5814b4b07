"""Sweeps of this server: start, watch, cancel, resume.

One at a time, whichever page or session asks.
"""

from collections.abc import Callable

import pandas as pd
import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dplda.core.errors import DpldaError
from dplda.experiments.storage.store import frame_of
from dplda.experiments.sweeps import Busy, JobState, Scheduler, Store, Sweep, SweepJob
from dplda.experiments.sweeps.scheduler import duration
from dplda.ui.literal import literal
from dplda.ui.state import session
from dplda.ui.state.keys import Key

TICK = 0.5  # seconds between two looks at a job
REDRAW = 2.5  # seconds between two drawings of results that fill in


@st.cache_resource(show_spinner=False, on_release=Scheduler.close)
def scheduler() -> Scheduler:
    """The server's one scheduler."""
    return Scheduler()


def store(sweep: Sweep) -> Store:
    """Where a sweep's results are kept, finished or not."""
    return Store(sweep, scheduler().folder)


def is_running(sweep: Sweep) -> bool:
    """Whether this sweep is running."""
    job = _job_of(sweep)
    return job is not None and job.state is JobState.RUNNING


def results(sweep: Sweep) -> pd.DataFrame:
    """Finished results by the current code on the current documents.

    Empty if there are none or they are unreadable.
    """
    try:
        rows = store(sweep).rows()
    except DpldaError:  # said where the panel is drawn
        rows = {}
    return frame_of(rows)


def panel(sweep: Sweep, name: str, *, start_label: str = "Run it") -> None:
    """Draw a sweep's controls: a button that starts or resumes it, or progress with Cancel.

    If the sweep's results cannot be read, there is only an error. If another sweep runs, the
    progress is that one's. A sweep of which all is done gets a sentence in place of the button;
    runs that failed are not done. How its last run ended is said above the button.

    Args:
        sweep: the sweep.
        name: distinguishes the panels of a page.
        start_label: label of the button of a run without results.
    """
    try:
        n_done = sum(not cell.failed for cell in store(sweep).rows().values())
    except DpldaError as error:
        st.error(literal(str(error)))
        return
    job = scheduler().job
    if job is not None and job.state is JobState.RUNNING:
        _progress(job, name, is_own=job.sweep == sweep)
        return
    _outcome(_job_of(sweep))
    if n_done >= sweep.n_cells:
        st.caption(
            f"All {sweep.n_cells:,} runs are done and kept."
            " Running again would give the same numbers."
        )
        return
    button_label = start_label
    if n_done:
        button_label = f"Resume: {n_done:,} of {sweep.n_cells:,} runs are done"
    st.button(
        button_label,
        type="primary",
        icon=":material/play_arrow:",
        key=f"{Key.RUN}.start.{name}",
        on_click=_start,
        args=(sweep,),
    )


def live(sweep: Sweep, name: str, draw: Callable[[pd.DataFrame], None]) -> None:
    """Draw the results so far, and again every few seconds while the sweep runs.

    Args:
        sweep: whose finished results are drawn.
        name: distinguishes the results of a page.
        draw: draws a frame with a row for each finished result.
    """

    def draw_results() -> None:
        draw(results(sweep))

    interval = REDRAW if is_running(sweep) else None
    st.fragment(draw_results, run_every=interval, key=f"{Key.RUN}.results.{name}")()


def _job_of(sweep: Sweep) -> SweepJob | None:
    """The server's job if it is of this sweep, running or ended; else None."""
    job = scheduler().job
    if job is None or job.sweep != sweep:
        return None
    return job


def _start(sweep: Sweep) -> None:
    """Start a sweep at the ε of the page; a notice says why it cannot start."""
    try:
        epsilon = float(st.session_state[Key.EPSILON])
        scheduler().start(sweep, _visitor(), first_epsilon=epsilon)
    except DpldaError as error:  # perhaps another session was quicker
        session.notice(f"The run did not start. {error}")


def _visitor() -> str:
    """Identifier of the session that is drawn; empty outside a run of a page."""
    context = get_script_run_ctx()
    if context is None:
        return ""
    return context.session_id


def _progress(job: SweepJob, name: str, *, is_own: bool) -> None:
    """Draw a running job's progress again and again until it ends, then how it ended.

    The page is run again then. Only the visitor who started the job can cancel it, or anybody once
    they have left.

    Args:
        job: the job.
        name: of the panel.
        is_own: whether it is of the panel's own sweep; else it is in its way.
    """

    def draw() -> None:
        """Draw the progress once, and a button that cancels; run the page again after the job.

        The button is for the visitor who started it, or for everybody once that one is gone.
        """
        if job.state is not JobState.RUNNING:
            _outcome(job)  # said at once, while the page is drawn anew
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="bottom"):
            progress_text = _progress_text(job) if is_own else str(Busy(job))
            st.progress(job.progress.fraction, text=literal(progress_text))
            if job.by != _visitor() and get_instance().is_active_session(job.by):
                st.caption("Only the visitor who started it can cancel it.")
            else:
                cancel_label = "Cancel" if is_own else "Cancel that run"
                st.button(cancel_label, key=f"{Key.RUN}.cancel.{name}", on_click=job.cancel)

    st.fragment(draw, run_every=TICK, key=f"{Key.RUN}.progress.{name}")()


def _progress_text(job: SweepJob) -> str:
    """Text on the cells that are done, and on the time left, at least a second, once it is known.

    Until the first cell is done, it names the present step too.
    """
    progress = job.progress
    seconds_left = job.seconds_left
    sentence = f"{progress.n_done:,} of {job.sweep.n_cells:,} runs done"
    if seconds_left is not None:
        sentence += f", about {duration(max(1.0, seconds_left))} left"
    present_step = "" if progress.n_done else job.note
    return f"{sentence}. {present_step}"


def _outcome(job: SweepJob | None) -> None:
    """Draw how a job ended: canceled, failed, or with failed cells.

    Draws nothing without a job, or if all went well.
    """
    if job is None:
        return
    if job.state is JobState.CANCELLED:
        st.info(job.note, icon=":material/cancel:")
    elif job.state is JobState.FAILED:
        st.error(literal(job.note), icon=":material/error:")
    elif job.progress.n_failed:
        st.warning(
            f"The program failed in {job.progress.n_failed:,} runs."
            " Press the button to try them again.",
            icon=":material/warning:",
        )
