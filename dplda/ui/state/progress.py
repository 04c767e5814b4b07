"""Long work, done once for all who wait, off the script threads, with progress, the time left and Cancel."""

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
    """One piece of work, shared by all who wait; changes need the lock of its ``Background``."""

    make: Callable[[Report], T]
    waiting: int = 1
    told: tuple[float, str] = (0.0, "Waiting for other work")
    begun: float = field(default_factory=time.monotonic)
    made: Future[T] = field(default_factory=Future)


class Background:
    """Threads that wait for the work of all sessions, which the process pool does."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._jobs: dict[Hashable, Job[object]] = {}

    def begin(self, key: Hashable, make: Callable[[Report], T]) -> Job[T]:
        """The job of this key, started if none is running; a caller that stops waiting must leave it."""
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and job.waiting > 0:
                job.waiting += 1
            else:
                job = self._jobs[key] = Job(make)
                Thread(target=self._work, args=(key, job), name="dplda-asked", daemon=True).start()
        return cast("Job[T]", job)  # the key names what was asked for

    def leave(self, job: Job[T]) -> None:
        """Stop waiting; work that nobody waits for ends at its next report."""
        with self._lock:
            job.waiting -= 1

    def ask(self, key: Hashable, make: Callable[[Report], T], report: Report) -> T:
        """Do work, or join it, and return its value or raise its error; ``report`` may raise to stop waiting."""
        job = self.begin(key, make)
        try:
            while not wait([job.made], GLANCE).done:
                report(*job.told)
        finally:
            self.leave(job)
        return job.made.result()

    def _work(self, key: Hashable, job: Job[object]) -> None:
        def report(share: float, line: str) -> None:
            job.told = (share, line)
            if job.waiting <= 0:
                raise NobodyWaitsError

        end: Callable[[], None]
        try:
            end = partial(job.made.set_result, job.make(report))
        except BaseException as error:  # raised again where somebody waits
            end = partial(job.made.set_exception, error)
        with self._lock:
            if self._jobs.get(key) is job:
                del self._jobs[key]
            end()


BACKGROUND = Background()


def run_with_progress(name: str, work: Callable[[Report], T]) -> T | None:
    """Do work with progress and a Cancel button; None if it was canceled."""
    if st.session_state.get(Key.CANCELLED) == name:
        st.info("This was canceled.", icon=":material/cancel:")
        st.button("Start again", key=f"again.{name}", on_click=allow)
        return None
    place, bar = st.empty(), cast("st.delta_generator.DeltaGenerator | None", None)
    started = drawn = time.monotonic()

    def report(share: float, line: str) -> None:
        nonlocal bar, drawn
        st.session_state.get(
            Key.CANCELLED
        )  # ends a run that another one replaces, also before anything is drawn
        now = time.monotonic()
        if now - started < PATIENCE or now - drawn < EVERY:
            return
        drawn, share = now, min(max(share, 0.0), 1.0)
        text = literal(line + left(now - started, share))
        if bar is None:
            with place.container(
                key=f"watched.{name}", horizontal=True, vertical_alignment="center"
            ):
                # The button comes first: a click on it must find a script that still draws.
                st.button("Cancel", key=f"cancel.{name}", on_click=_cancel, args=(name,))
                bar = st.progress(share, text=text)
        else:
            bar.progress(share, text=text)

    result = work(report)
    place.empty()
    return result


def left(seconds: float, share: float) -> str:
    """The end of a line on work of which a share is done after some seconds: how long the rest takes, once known."""
    return (
        f", about {max(1, round(seconds * (1 - share) / share))} s left" if share >= 0.1 else " …"
    )


def keep_placeholder(value: T) -> T:
    """A value that no work was needed for: takes the place that progress would, so that what is below keeps its own."""
    st.empty()
    return value


def _cancel(name: str) -> None:
    st.session_state[Key.CANCELLED] = name
    session.notice("Canceled.")


def allow() -> None:
    """Forget a cancellation; for the click that asks again."""
    st.session_state[Key.CANCELLED] = None
