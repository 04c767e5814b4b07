"""The clock of the ten-minute class: two minutes for each step, counted in the browser."""

import math
import time

import streamlit as st

from dplda import figures
from dplda.ui.state import session
from dplda.ui.state.keys import Key

SECONDS_FOR_STEP = 120


def draw() -> None:
    """Draw the time that is left for this step, and a button that starts or stops the clock.

    A clock that is stopped shows the full time, and one that has run out shows 0.

    The digits move by a style's animation, which begins as many seconds ago as the clock runs. So
    no rerun is needed for it, and none disturbs it.
    """
    started_at: float | None = st.session_state.get(Key.CLASS_STARTED)
    if started_at is None:
        st.html(figures.class_clock(SECONDS_FOR_STEP, None), width="content")
        st.button("Start the clock", icon=":material/timer:", key=Key.CLASS_CLOCK, on_click=_start)
        return
    elapsed = time.monotonic() - started_at
    seconds_left = max(0, SECONDS_FOR_STEP - math.floor(elapsed))
    st.html(figures.class_clock(seconds_left, elapsed), width="content")
    st.button(
        "Stop the clock",
        icon=":material/timer_off:",
        key=Key.CLASS_CLOCK,
        on_click=session.put,
        args=(Key.CLASS_STARTED, None),
    )


def restart() -> None:
    """Give a new step its two minutes, if the clock runs."""
    if st.session_state.get(Key.CLASS_STARTED) is not None:
        _start()


def _start() -> None:
    st.session_state[Key.CLASS_STARTED] = time.monotonic()
