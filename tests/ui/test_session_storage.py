"""Sessions without a connection: they wait for a browser that comes back, and are dropped on time."""

import asyncio
import tomllib
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.state import SessionState

from dplda.release.workflow.release_job import ReleaseJob
from dplda.ui.server import session_storage
from dplda.ui.server.session_storage import TimedSessionStorage
from dplda.ui.state import running
from dplda.ui.state.keys import Key
from dplda.ui.state.progress import Job

TTL = 0.05  # seconds
ROOT = Path(__file__).resolve().parents[2]


class FakeRuntime:
    """Closes what the storage tells it to, as Streamlit's session manager does."""

    def __init__(self, storage: TimedSessionStorage) -> None:
        self.closed: list[str] = []
        self.connected: list[object] = []
        self._storage = storage

    def close_session(self, session_id: str) -> None:
        self.closed.append(session_id)
        self._storage.delete(session_id)

    def connect_session(self, *, client: object, user_info: object) -> str:
        self.connected.append(client)
        return "nobody"

    def get_app_session(self, session_id: str) -> object:
        write = self.connected[-1].write_forward_msg
        return SimpleNamespace(_enqueue_forward_msg=write)


@pytest.fixture
def storage(monkeypatch: pytest.MonkeyPatch) -> TimedSessionStorage:
    storage = TimedSessionStorage(TTL)
    runtime = FakeRuntime(storage)
    monkeypatch.setattr(session_storage, "get_instance", lambda: runtime)
    monkeypatch.setattr(session_storage, "BUSY_SECONDS", TTL)
    return storage


def closed() -> list[str]:
    """Sessions that were shut down so far."""
    runtime: Any = session_storage.get_instance()
    return cast("list[str]", runtime.closed)


def disconnected(session_id: str, **values: object) -> SessionInfo:
    """What Streamlit's session manager saves of a session with these values."""
    state = SessionState()
    for key, value in values.items():
        state[key] = value
    return cast(
        "SessionInfo", SimpleNamespace(session=SimpleNamespace(id=session_id, session_state=state))
    )


def in_loop(work: Callable[[], Coroutine[object, object, None]]) -> None:
    """Run it in another thread: in this one a browser's own loop may run."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work()).result()


def test_session_without_connection_is_shut_down_when_its_time_is_up(storage) -> None:
    async def visit() -> None:
        storage.save(disconnected("a"))
        await asyncio.sleep(TTL / 5)
        assert closed() == []
        assert storage.get("a") in storage.list()
        await asyncio.sleep(2 * TTL)
        assert "a" in closed()
        assert storage.get("a") is None

    in_loop(visit)


def test_session_that_comes_back_in_time_is_kept(storage) -> None:
    async def visit() -> None:
        storage.save(disconnected("a"))
        storage.delete("a")  # connected again
        await asyncio.sleep(3 * TTL)
        assert closed() == []

    in_loop(visit)


def test_session_that_breaks_again_has_its_whole_time_again(storage) -> None:
    async def visit() -> None:
        for _ in range(4):
            storage.save(disconnected("a"))
            await asyncio.sleep(TTL / 2)
            assert closed() == []
            storage.delete("a")

    in_loop(visit)


def test_session_with_a_running_job_is_kept_until_the_job_is_done(storage) -> None:
    job = Job(lambda report: None)

    async def visit() -> None:
        storage.save(disconnected("a", **{Key.NULL_RUNS: {("fit",): job}}))
        await asyncio.sleep(4 * TTL)
        assert closed() == []
        job.future.set_result(None)
        await asyncio.sleep(2 * TTL)
        assert "a" in closed()

    in_loop(visit)


def test_storage_of_too_many_sessions_drops_the_longest_disconnected(storage, monkeypatch) -> None:
    monkeypatch.setattr(session_storage, "MOST_SESSIONS", 2)

    async def visit() -> None:
        for name in "abc":
            storage.save(disconnected(name))
        await asyncio.sleep(0)
        assert [info.session.id for info in storage.list()] == ["b", "c"]

    in_loop(visit)


def test_dropped_session_another_takes_its_place_in_the_loop(storage) -> None:
    async def visit() -> None:
        storage.save(disconnected("a"))
        await asyncio.sleep(2 * TTL)
        assert closed() == ["a", "nobody"], "and leaves at once"

    in_loop(visit)


def test_configuration_keeps_sessions_for_two_minutes() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert settings["server"]["disconnectedSessionTTL"] == 120


def state_with(**values: object) -> SessionState:
    state = SessionState()
    for key, value in values.items():
        state[key] = value
    return state


def test_has_running_job_follows_a_release_until_it_is_done() -> None:
    job = object.__new__(ReleaseJob)
    job.future = Future()
    state = state_with(**{Key.RELEASE_JOB: job})
    assert running.has_running_job("a", state)
    job.future.set_result(None)
    assert not running.has_running_job("a", state)


def test_has_running_job_knows_whose_sweep_is_running(monkeypatch) -> None:
    sweep = SimpleNamespace(by="a", state=running.JobState.RUNNING)
    monkeypatch.setattr(running.runs, "scheduler", lambda: SimpleNamespace(job=sweep))
    assert running.has_running_job("a", state_with())
    assert not running.has_running_job("b", state_with())
    sweep.state = running.JobState.CANCELLED
    assert not running.has_running_job("a", state_with())
