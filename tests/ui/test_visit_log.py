"""The log of visits: time, session, place and a coarse duration, and nothing that documents made."""

import asyncio
import logging
import re
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any

import pytest

from dplda.ui.server import visit_log
from dplda.ui.server.visit_log import UploadWatch, logged_visit


class Visits:
    """Visits of one session, and what the log says of them.

    Attributes:
        seconds: that each takes, by a clock of our own.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.02
        self._clock = 0.0
        self._text = StringIO()
        monkeypatch.setenv(visit_log.VISITS, "1")
        monkeypatch.setattr(visit_log.st, "session_state", {})
        monkeypatch.setattr(visit_log.time, "monotonic", lambda: self._clock)
        visit_log.install()
        (handler,) = visit_log._LOGGER.handlers
        handler.setStream(self._text)

    def visit(self, place: str) -> None:
        with logged_visit(place):
            self._clock += self.seconds

    def lines(self) -> list[str]:
        return self._text.getvalue().splitlines()


@pytest.fixture
def visits(monkeypatch: pytest.MonkeyPatch):
    visit_log._documents_came.clear()
    yield Visits(monkeypatch)
    visit_log._documents_came.clear()
    visit_log._LOGGER.handlers = []
    visit_log._LOGGER.setLevel(logging.NOTSET)


async def pass_on(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers nothing."""


def request(method: str) -> None:
    scope = {"type": "http", "method": method, "path": "/_stcore/upload_file/one/two"}
    call: Any = UploadWatch(pass_on)
    with ThreadPoolExecutor(1) as thread:  # in this one a browser's own loop may run
        thread.submit(asyncio.run, call(scope, None, None)).result()


def test_visit_of_a_place_writes_one_line(visits: Visits) -> None:
    visits.visit("explore")
    (line,) = visits.lines()
    pattern = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ session=[0-9a-f]{8} place=explore seconds=0\.1"
    assert re.fullmatch(pattern, line)


def test_sessions_are_told_apart_by_a_random_name(visits: Visits) -> None:
    visits.visit("explore")
    visits.visit("learn")
    visit_log.st.session_state.clear()
    visits.visit("learn")
    explore_session, learn_session, new_session = (
        re.findall(r"session=(\w+)", line)[0] for line in visits.lines()
    )
    assert explore_session == learn_session != new_session


@pytest.mark.parametrize(
    ("seconds", "step"), [(0.11, "0.3"), (1.0, "1"), (12.0, "30"), (31.0, "over-30")]
)
def test_duration_is_rounded_up_to_a_coarse_step(visits: Visits, seconds: float, step: str) -> None:
    visits.seconds = seconds
    visits.visit("compare")
    assert visits.lines()[0].endswith(f" seconds={step}")


def test_durations_end_with_the_first_upload(visits: Visits) -> None:
    visits.visit("explore")
    request("PUT")
    visits.visit("release")
    assert ["seconds" in line for line in visits.lines()] == [True, False]


def test_runs_at_a_place_are_not_counted_after_an_upload(visits: Visits) -> None:
    """When a run begins by itself may depend on documents, as after a fit."""
    request("PUT")
    for _ in range(3):
        visits.visit("release")
    assert len(visits.lines()) == 1


def test_upload_in_the_middle_of_a_run_leaves_it_unlogged(visits: Visits) -> None:
    with logged_visit("explore"):
        request("PUT")
    assert visits.lines() == []


def test_reading_a_page_leaves_durations(visits: Visits) -> None:
    request("GET")
    visits.visit("play")
    assert "seconds" in visits.lines()[0]


def test_visit_log_without_the_operators_wish_stays_empty(visits: Visits) -> None:
    visit_log._LOGGER.setLevel(logging.WARNING)
    visits.visit("explore")
    assert visits.lines() == []
