"""A line in the log for each visit: time, session, place, duration; nothing that a document made.

How long a run takes may depend on documents, also the run of another visitor, who shares the
processors. So a duration is written only until the first upload reaches this process, in coarse
steps. From then on the log says when a session goes to another place, which is when somebody
clicked, and nothing else.
"""

import logging
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING

import streamlit as st

from dplda.ui.state.keys import Key

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

VISITS = "DPLDA_LOG"  # variable of the environment: "1" writes a line for each visit
STEPS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)  # seconds to which a duration is rounded up
_SESSION_BYTES = 4
_LOGGER = logging.getLogger("dplda.visits")
_documents_came = Event()


class UploadWatch:
    """Middleware that notes, before a byte is read, that documents come to this process.

    Args:
        app: what answers.
    """

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on; one that brings a body ends the writing of durations."""
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            _documents_came.set()
        await self._app(scope, receive, send)


def install() -> None:
    """Write visits to the standard error, with times in UTC, if the environment asks for them.

    Earlier handlers of the log are replaced.
    """
    if os.environ.get(VISITS) != "1":
        return
    formatter = logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    formatter.converter = time.gmtime
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    _LOGGER.handlers = [handler]
    _LOGGER.setLevel(logging.INFO)
    _LOGGER.propagate = False


@contextmanager
def logged_visit(place: str) -> Iterator[None]:
    """Run a place's page, and write a line if visits are logged.

    The line has the seconds that the page took, rounded up, also if the page ends in an error.
    Once documents came to this server, it has none, and is written only if the session comes from
    another place. If they come while the page runs, no line is written.

    Args:
        place: last part of the place's address, as ``explore``.
    """
    if not _LOGGER.isEnabledFor(logging.INFO):
        yield
        return
    last_place = st.session_state.get(Key.LOGGED_PLACE)
    st.session_state[Key.LOGGED_PLACE] = place
    may_write_seconds = not _documents_came.is_set()
    if not may_write_seconds and place != last_place:
        _write_line(place)
    started_at = time.monotonic()
    try:
        yield
    finally:  # a page may end its run
        if may_write_seconds and not _documents_came.is_set():
            _write_line(place, f" seconds={_round_up(time.monotonic() - started_at)}")


def _write_line(place: str, duration: str = "") -> None:
    """Write a line; the session's name is random, and stands for no address or account."""
    session = st.session_state.setdefault(Key.LOGGED_SESSION, secrets.token_hex(_SESSION_BYTES))
    _LOGGER.info("session=%s place=%s%s", session, place or "play", duration)


def _round_up(seconds: float) -> str:
    """The smallest step that is no shorter."""
    return next((f"{step:g}" for step in STEPS if seconds <= step), f"over-{STEPS[-1]:g}")
