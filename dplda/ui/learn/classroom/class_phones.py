"""The teacher's side of phones that join: open the class to them, and see how many answered."""

from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from dplda.ui.learn.classroom.class_rooms import (
    CLASS_ROOMS,
    MAX_PHONES,
    SECONDS_KEPT,
    ClassError,
)
from dplda.ui.learn.lesson_steps.lesson_position import LessonPosition
from dplda.ui.literal import literal
from dplda.ui.shell import downloads
from dplda.ui.state import session
from dplda.ui.state.keys import Key

SECONDS_BETWEEN_COUNTS = 3
OPEN_HELP = (
    "Phones open a link and answer; no names. Only this server's memory holds the answers,"
    f" for {SECONDS_KEPT / 60:.0f} minutes at most. Up to {MAX_PHONES} phones."
)


def room_code() -> str:
    """Code of the class that this session opened to phones; empty if none is open."""
    code = str(st.session_state.get(Key.CLASS_ROOM) or "")
    return code if code and CLASS_ROOMS.is_open(code) else ""


def show_step(step: int) -> None:
    """Lead phones to the teacher's step; nothing happens if the class is not open to phones.

    Args:
        step: its index; the number of questions for the ending.
    """
    code = room_code()
    if code:
        CLASS_ROOMS.show_step(code, step)


def draw_switch(n_steps: int) -> None:
    """Draw the button that opens the class to phones; once open, their link and a button to end it.

    A caption below the link says which phones reach it. If the server has no place for a class, a
    notice says so.

    Args:
        n_steps: number of questions in the class.
    """
    code = room_code()
    if not code:
        st.button(
            "Let phones answer",
            icon=":material/smartphone:",
            key=Key.CLASS_OPEN,
            on_click=_open,
            args=(n_steps,),
            help=OPEN_HELP,
        )
        return
    st.code(_address(code), language=None, wrap_lines=True)
    st.caption(downloads.describe_reach(_address(code)))
    st.button("End it for phones", key=Key.CLASS_CLOSE, on_click=_close, args=(code,))


def draw_count(position: LessonPosition) -> None:
    """Draw where phones answer this question, and how many have; nothing without phones.

    The number is counted again every few seconds. What they answered is not shown.
    """
    code = room_code()
    if not code:
        return

    def draw() -> None:
        n_answers = CLASS_ROOMS.n_answers(code, position.at - 1)
        phones = "1 phone" if n_answers == 1 else f"{n_answers} phones"
        address = literal(_address(code, is_short=True))
        st.markdown(f":material/smartphone: {address} · **{phones}** answered")

    st.fragment(draw, run_every=SECONDS_BETWEEN_COUNTS, key=f"{Key.CLASS_PHONES}.count")()


def take_answers(position: LessonPosition) -> tuple[float, ...]:
    """The phones' answers to this question, which are forgotten here; none without phones."""
    code = room_code()
    return CLASS_ROOMS.take_answers(code, position.at - 1) if code else ()


def _open(n_steps: int) -> None:
    """Open the class, or say why not on the next page."""
    try:
        st.session_state[Key.CLASS_ROOM] = CLASS_ROOMS.open(n_steps)
    except ClassError as error:
        session.notice(str(error))


def _close(code: str) -> None:
    """End the class for phones, and forget their answers."""
    CLASS_ROOMS.close(code)
    del st.session_state[Key.CLASS_ROOM]


def _address(code: str, *, is_short: bool = False) -> str:
    """The link for phones; the short one leaves out what browsers add."""
    parts = urlsplit(str(st.context.url))
    query = urlencode({Key.CLASS_CODE.value: code})
    address = urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))
    return address.removeprefix(f"{parts.scheme}://") if is_short else address
