"""Sessions whose connection has ended: kept for a browser that comes back, then dropped on a timer.

Streamlit's own storage drops an expired session only when another one comes or goes.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import get_instance
from streamlit.runtime.session_manager import SessionClient, SessionInfo, SessionStorage

from dplda.core.memory import return_free_memory

MOST_SESSIONS = 128
BUSY_SECONDS = 5.0  # until a session with a running job is looked at again
SETTLING_SECONDS = 2.0  # in which a script that was stopped ends


@dataclass(slots=True)
class _Disconnected:
    """A session, and the timer that drops it."""

    info: SessionInfo
    timer: asyncio.TimerHandle


class TimedSessionStorage(SessionStorage):
    """Streamlit's storage of disconnected sessions, each of which is shut down when its time is up.

    All methods run in the server's event loop.

    Args:
        ttl_seconds: time from the end of a session's connection until it is shut down. A session
            with a running job is kept until the job is done.
    """

    def __init__(self, ttl_seconds: float) -> None:
        self._ttl_seconds = ttl_seconds
        self._sessions: dict[str, _Disconnected] = {}  # the longest disconnected first

    def get(self, session_id: str) -> SessionInfo | None:
        """The session of this id, if it is kept."""
        session = self._sessions.get(session_id)
        return None if session is None else session.info

    def save(self, session_info: SessionInfo) -> None:
        """Keep a session whose connection has ended, and start its timer.

        Of more than ``MOST_SESSIONS``, the one that ended first is closed, unless it has a running
        job.
        """
        session_id = session_info.session.id
        self.delete(session_id)
        timer = asyncio.get_running_loop().call_later(self._ttl_seconds, self._expire, session_id)
        self._sessions[session_id] = _Disconnected(session_info, timer)
        if len(self._sessions) > MOST_SESSIONS:
            self._expire(next(iter(self._sessions)))

    def delete(self, session_id: str) -> None:
        """Keep a session no longer: it is connected again, or shut down."""
        session = self._sessions.pop(session_id, None)
        if session is not None:
            session.timer.cancel()

    def list(self) -> list[SessionInfo]:
        """All sessions that are kept."""
        return [session.info for session in self._sessions.values()]

    def _expire(self, session_id: str) -> None:
        """Close a session, and drop its documents a little later; a session with a job is kept.

        Then it is looked at again after ``BUSY_SECONDS``.
        """
        # This imports NumPy, which the server sets up first.
        from dplda.ui.state.running import has_running_job

        loop = asyncio.get_running_loop()
        session = self._sessions[session_id]
        session.timer.cancel()
        if has_running_job(session_id, session.info.session.session_state):
            session.timer = loop.call_later(BUSY_SECONDS, self._expire, session_id)
            return
        get_instance().close_session(session_id)
        _displace_last_session()
        loop.call_later(SETTLING_SECONDS, partial(loop.run_in_executor, None, _forget_documents))


def _forget_documents() -> None:
    """End the processes that read files, and give free memory back."""
    from dplda.core.worker_pool import reading_process

    reading_process.POOL.retire()
    return_free_memory()


def _displace_last_session() -> None:
    """Serve an empty session: Streamlit's loop holds on to the one that it served last."""
    runtime = get_instance()
    loop = asyncio.get_running_loop()
    client = _Nobody(lambda: loop.call_soon(runtime.close_session, session_id))
    session_id = runtime.connect_session(client=client, user_info={})
    session = runtime.get_app_session(session_id)
    assert session is not None  # it was connected just now
    session._enqueue_forward_msg(ForwardMsg())


class _Nobody(SessionClient):
    """The client of an empty session, which leaves with its first message."""

    def __init__(self, leave: Callable[[], object]) -> None:
        self._leave = leave

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Take a message."""
        self._leave()
