"""Long work: nothing is shown for the first moments, then progress, the time left and a way out."""

import time
from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from dplda.core.types import Report
from dplda.ui.literal import literal
from dplda.ui.state import session
from dplda.ui.state.keys import Key

T = TypeVar("T")

PATIENCE = 0.6  # seconds until progress appears, so that short work does not flicker
EVERY = 0.15  # seconds between two redraws


def watched(name: str, work: Callable[[Report], T]) -> T | None:
    """Do some work that reports its progress."""
    if st.session_state.get(Key.CANCELLED) == name:
        st.info("This was cancelled, so there is nothing to show yet.", icon=":material/cancel:")
        st.button("Start again", key=f"again.{name}", on_click=allow)
        return None
    place = st.empty()
    result = work(_Reporter(name, place))
    place.empty()
    return result


def unneeded(value: T) -> T:
    """A value that no work was needed for: takes the place that progress would, so that what is below keeps its own."""
    st.empty()
    return value


class _Reporter:
    def __init__(self, name: str, place: "st.delta_generator.DeltaGenerator") -> None:
        self._name, self._place = name, place
        self._started = self._drawn = time.monotonic()
        self._bar: st.delta_generator.DeltaGenerator | None = None

    def __call__(self, share: float, line: str) -> None:
        st.session_state.get(Key.CANCELLED)  # ends a run that another one replaces, also before anything is drawn
        now = time.monotonic()
        if now - self._started < PATIENCE or now - self._drawn < EVERY:
            return
        self._drawn = now
        share = min(max(share, 0.0), 1.0)
        text = literal(line + _time_left(now - self._started, share))
        if self._bar is None:
            with self._place.container(key=f"watched.{self._name}", horizontal=True, vertical_alignment="center"):
                # The button comes first: a click on it must find a script that still draws.
                st.button("Cancel", key=f"cancel.{self._name}", on_click=_cancel, args=(self._name,))
                self._bar = st.progress(share, text=text)
        else:
            self._bar.progress(share, text=text)


def _time_left(elapsed: float, share: float) -> str:
    if share < 0.05:
        return " …"
    left = elapsed * (1 - share) / share
    return f", about {max(1, round(left))} s left"


def _cancel(name: str) -> None:
    st.session_state[Key.CANCELLED] = name
    session.notice("Cancelled: everything is as it was.")


def allow() -> None:
    """Forget what was cancelled; for the click that asks for it again."""
    st.session_state[Key.CANCELLED] = None
