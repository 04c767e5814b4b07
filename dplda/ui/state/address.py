"""Whether an address is news to the session: a link that was opened, or one that the browser's Back returns to."""

import time
from dataclasses import dataclass

import streamlit as st

from dplda.ui.state.keys import Key

LATE = 0.5  # seconds in which a browser may still send the address before the last
_CONTROLS = (Key.CONFIGURATION, Key.EPSILON, Key.DELTA, Key.N_TOPICS, Key.ALPHA0, Key.SEED)


@dataclass(frozen=True, slots=True)
class Written:
    """The address that a run left; ``passed``: the one that it came with, where it was changed at once."""

    place: str
    query: dict[str, str]
    passed: dict[str, str] | None
    controls: tuple[object, ...]
    at: float


def is_news(place: str, query: dict[str, str]) -> bool:
    """Whether this address says something that the session did not write: never while a control was just moved."""
    last: Written | None = st.session_state.get(Key.ADDRESS)
    if last is None or last.place != place:
        return bool(query)
    if query in (last.query, last.passed) or last.controls != _controls(place):
        return False
    return time.monotonic() - last.at > LATE


def note(place: str, came: dict[str, str]) -> None:
    """Remember the address that this run leaves, and the one that it came with."""
    last: Written | None = st.session_state.get(Key.ADDRESS)
    now = st.query_params.to_dict()
    if last is not None and last.place == place:
        passed, at = last.passed, last.at if last.query == now else time.monotonic()
    else:
        passed, at = came if came != now else None, time.monotonic()
    st.session_state[Key.ADDRESS] = Written(place, now, passed, _controls(place), at)


def _controls(place: str) -> tuple[object, ...]:
    state = st.session_state
    return (*(state.get(key) for key in _CONTROLS), state.get(f"{Key.VIEW}.{place}"))
