"""Downloads stay while a browser may show their button, and go with their session."""

import threading
from types import SimpleNamespace

import pytest
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from dplda.ui.server import media_files
from dplda.ui.server.media_files import KEPT_SECONDS, PatientMediaFiles


class Server:
    """A manager of files, the clock it reads, and the runs of its sessions."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.session = "one"
        self.planned = []
        self.storage = MemoryMediaFileStorage("/media")
        self.files = PatientMediaFiles(self.storage)
        monkeypatch.setattr(media_files, "monotonic", lambda: self.now)
        monkeypatch.setattr(media_file_manager, "_get_session_id", lambda: self.session)
        monkeypatch.setattr(
            media_files,
            "get_script_run_ctx",
            lambda suppress_warning: SimpleNamespace(session_id=self.session),
        )
        monkeypatch.setattr(threading, "Timer", self._timer)

    def run(self, session: str, *, content: str | None, run_ends: bool = True) -> str | None:
        """A run of a session, which draws a button for this content; its identifier."""
        self.session = session
        self.files.clear_session_refs()
        button = None
        if content is not None:
            button = self.files.add_deferred(lambda: content, "text/csv", "1.2", "topics.csv")
        if run_ends:
            self.files.remove_orphaned_files()
        return button

    def end_of_session(self, session: str) -> None:
        self.files.clear_session_refs(session)
        self.files.remove_orphaned_files()

    def press(self, button: str) -> str:
        """Press a button; the address of the file."""
        return self.files.execute_deferred(button)

    def fetch(self, address: str) -> bytes:
        return self.storage.get_file(address.rpartition("/")[2]).content

    def has_nothing(self) -> bool:
        return not (self.files._deferred_callables or self.files._file_metadata)

    def _timer(self, seconds, function):
        self.planned.append((self.now + seconds, function))
        return SimpleNamespace(start=lambda: None)


@pytest.fixture
def server(monkeypatch) -> Server:
    return Server(monkeypatch)


def test_download_button_of_the_run_before_works(server) -> None:
    first_button = server.run("one", content="before")
    server.run("one", content="after")
    assert server.fetch(server.press(first_button)) == b"before"


def test_download_button_works_after_a_run_stopped_before_it(server) -> None:
    first_button = server.run("one", content="before")
    server.run("one", content=None)
    assert server.fetch(server.press(first_button)) == b"before"


def test_download_button_works_throughout_a_long_run(server) -> None:
    first_button = server.run("one", content="before")
    server.run("one", content=None, run_ends=False)
    for _ in range(3):
        server.now += 10 * KEPT_SECONDS
        server.run("two", content="another")
    assert server.fetch(server.press(first_button)) == b"before"


def test_media_file_stays_while_others_end_their_runs(server) -> None:
    address = server.press(server.run("one", content="topics"))
    for _ in range(3):
        server.run("two", content="another")
    assert server.fetch(address) == b"topics"


def test_media_file_no_longer_shown_goes_after_its_time(server) -> None:
    first_button = server.run("one", content="before")
    address = server.press(first_button)
    server.run("one", content=None)
    server.now += KEPT_SECONDS
    for _ in range(2):  # Streamlit marks a file first
        server.run("one", content=None)
    with pytest.raises(MediaFileStorageError):
        server.press(first_button)
    with pytest.raises(MediaFileStorageError):
        server.fetch(address)
    assert server.has_nothing()


def test_media_file_no_longer_shown_goes_without_another_run(server) -> None:
    server.press(server.run("one", content="before"))
    server.run("one", content=None)
    while server.planned:
        server.now, clean = server.planned.pop(0)
        server.session = "no run"
        clean()
    assert not server.files._deferred_callables


def test_media_files_of_an_ended_session_are_gone(server) -> None:
    server.press(server.run("one", content="secret"))
    server.run("one", content="secret too", run_ends=False)
    server.end_of_session("one")
    assert server.has_nothing()
    assert not server.files._running_sessions


def test_media_file_of_an_ended_session_stays_for_others(server) -> None:
    for session in ("one", "two"):
        address = server.press(server.run(session, content="the same"))
    server.end_of_session("one")
    assert server.fetch(address) == b"the same"
