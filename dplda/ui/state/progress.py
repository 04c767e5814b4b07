"""Long work, done once for all who wait, with progress, the time left and Cancel."""

import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from functools import partial
from threading import Lock, Thread
from typing import Generic, TypeVar, cast

import streamlit as st

from dplda.core.types import Report
from dplda.ui.literal import literal
from dplda.ui.state import session
from dplda.ui.state.keys import Key

T = TypeVar("T")
GLANCE = 0.05  # seconds between two looks at a job
PATIENCE = 0.6  # seconds until progress appears, so that short work does not flicker
EVERY = 0.15  # seconds between two redraws


class NobodyWaitsError(Exception):
    """Raised to end a job that nobody waits for."""


@dataclass(slots=True, eq=False)
class Job(Generic[T]):
    """One piece of work, shared by all who wait; changes need the lock of its ``Background``.

    Attributes:
        work: what is done, which reports its progress.
        n_waiting: callers that wait for it.
        last_report: share done, in [0, 1], and the step.
        started_at: in seconds of the monotonic clock.
        future: its result, or the error that it raised.
    """

    work: Callable[[Report], T]
    n_waiting: int = 1
    last_report: tuple[float, str] = (0.0, "Waiting for other work")
    started_at: float = field(default_factory=time.monotonic)
    future: Future[T] = field(default_factory=Future)


class Background:
    """Threads that wait for the work of all sessions, which the process pool does."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._jobs: dict[Hashable, Job[object]] = {}

    def begin(self, key: Hashable, work: Callable[[Report], T]) -> Job[T]:
        """Start the job of this key, or join the one that is running, and return it.

        One that nobody waits for is replaced. Counts the caller as waiting; a caller that stops
        waiting must leave the job.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and job.n_waiting > 0:
                job.n_waiting += 1
            else:
                job = self._jobs[key] = Job(work)
                Thread(target=self._run, args=(key, job), name="dplda-asked", daemon=True).start()
        return cast("Job[T]", job)  # the key names what was asked for

    def leave(self, job: Job[T]) -> None:
        """Stop waiting; work that nobody waits for ends at its next report."""
        with self._lock:
            job.n_waiting -= 1

    def ask(self, key: Hashable, work: Callable[[Report], T], report: Report) -> T:
        """Do work, or join it, and return its value or raise its error.

        ``report`` may raise to stop waiting. Work that nobody waits for ends at its next report.
        """
        job = self.begin(key, work)
        try:
            while not wait([job.future], GLANCE).done:
                report(*job.last_report)
        finally:
            self.leave(job)
        return job.future.result()

    def _run(self, key: Hashable, job: Job[object]) -> None:
        """Do the work of a job, and put its result or its error into its future.

        The job is then removed. The work ends with an error at its next report once nobody waits.
        """

        def report(share: float, step: str) -> None:
            job.last_report = (share, step)
            if job.n_waiting <= 0:
                raise NobodyWaitsError

        settle_future: Callable[[], None]
        try:
            settle_future = partial(job.future.set_result, job.work(report))
        except BaseException as error:  # raised again where somebody waits
            settle_future = partial(job.future.set_exception, error)
        with self._lock:
            if self._jobs.get(key) is job:
                del self._jobs[key]
            settle_future()


BACKGROUND = Background()


def run_with_progress(name: str, work: Callable[[Report], T]) -> T | None:
    """Do work with a progress bar and a Cancel button, and return its result; its errors pass.

    Cancel ends the run of the page. In later runs a message and a button that starts again are
    drawn, and None comes back, until the button is pressed or other work is canceled.

    Args:
        name: of the work, by which it is canceled.
        work: what is done, which reports its progress.
    """
    if st.session_state.get(Key.CANCELLED) == name:
        st.info("This was canceled.", icon=":material/cancel:")
        st.button("Start again", key=f"again.{name}", on_click=allow)
        return None
    progress_bar = _ProgressBar(name)
    result = work(progress_bar.report)
    progress_bar.placeholder.empty()
    return result


class _ProgressBar:
    """A progress bar with a Cancel button, which appears when work takes longer than a moment."""

    def __init__(self, name: str) -> None:
        self.placeholder = st.empty()
        self._name = name
        self._bar: st.delta_generator.DeltaGenerator | None = None
        self._drawn: tuple[float, str] | None = None
        self._started_at = self._redrawn_at = time.monotonic()

    def report(self, share: float, step: str) -> None:
        """Draw the share that is done, the step, and the time left.

        A share outside of 0 to 1 is drawn as the nearer end. Nothing is drawn at first, too soon
        again, or if nothing has changed.
        Every call ends a run of the page that another run replaces, even if nothing is drawn.
        """
        # Read so that a run that another one replaces ends, also before anything is drawn.
        st.session_state.get(Key.CANCELLED)
        now = time.monotonic()
        if now - self._started_at < PATIENCE or now - self._redrawn_at < EVERY:
            return
        self._redrawn_at = now
        share = min(max(share, 0.0), 1.0)
        bar_text = literal(step + time_left(now - self._started_at, share))
        if self._drawn == (share, bar_text):
            return
        self._drawn = (share, bar_text)
        if self._bar is None:
            self._bar = self._draw(share, bar_text)
        else:
            self._bar.progress(share, text=bar_text)

    def _draw(self, share: float, text: str) -> "st.delta_generator.DeltaGenerator":
        """Draw Cancel and the bar for the first time; returns the bar."""
        name = self._name
        with self.placeholder.container(
            key=f"watched.{name}", horizontal=True, vertical_alignment="center"
        ):
            # The button comes first: a click on it must find a script that still draws.
            st.button("Cancel", key=f"cancel.{name}", on_click=_cancel, args=(name,))
            return st.progress(share, text=text)


def time_left(seconds: float, share: float) -> str:
    """The end of a line on work: how long the rest takes, or an ellipsis until that is known.

    Args:
        seconds: time that the work took so far.
        share: of the work that is done, in [0, 1].
    """
    if share < 0.1:
        return " …"
    seconds_left = max(1, round(seconds * (1 - share) / share))
    return f", about {seconds_left} s left"


def keep_placeholder(value: T) -> T:
    """Return a value that needed no work, and draw an empty element in the place of its progress.

    Elements below keep their positions, which Streamlit tells them by.
    """
    st.empty()
    return value


def _cancel(name: str) -> None:
    """Note that the work of this name was canceled."""
    st.session_state[Key.CANCELLED] = name
    session.notice("Canceled.")


def allow() -> None:
    """Forget a cancellation; for the click that asks again."""
    st.session_state[Key.CANCELLED] = None
