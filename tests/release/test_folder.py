"""The release folder: whose turn it is, what is missing, and what killed processes leave behind."""

import errno
import multiprocessing
import os
import signal
import time
from pathlib import Path
from threading import Thread
from unittest.mock import Mock

import pytest

from dplda.core.errors import DpldaError
from dplda.release.ledger import folder as folders
from dplda.release.ledger.folder import HEAD, KEY, LEDGER, SUFFIX, TURN, Folder, FolderError
from dplda.release.ledger.ledger import Ledger, LedgerError

FORK = multiprocessing.get_context("fork")
RECEIPT = "ab" * 16
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    release_folder = Folder(tmp_path / "releases")
    Ledger(release_folder).declare("mail", epsilon=1.0, delta=1e-6)
    return release_folder


def takes_turn(folder: Folder) -> bool:
    """Whether a turn is to be had at once."""
    try:
        with folder.turn(patience=0):
            return True
    except FolderError:
        return False


def test_turn_of_another_thread_is_waited_for(folder: Folder) -> None:
    order = []

    def wait() -> None:
        with folder.turn(patience=30):
            order.append("second")

    with folder.turn():
        assert not takes_turn(folder)
        second = Thread(target=wait)
        second.start()
        time.sleep(3 * folders.EVERY)
        order.append("first")
    second.join(60)
    assert order == ["first", "second"]


def test_turn_file_that_is_a_link_is_refused(folder: Folder, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    (folder.path / TURN).unlink(missing_ok=True)
    (folder.path / TURN).symlink_to(target)
    with pytest.raises(FolderError, match="Remove"), folder.turn(patience=0):
        pass
    assert not target.exists()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_turn_file_of_another_kind_is_refused_at_once(
    folder: Folder, make, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder.path / TURN).unlink(missing_ok=True)
    make(folder.path / TURN)
    monkeypatch.setattr(folders.time, "sleep", Mock(side_effect=AssertionError("it waits")))
    with pytest.raises(FolderError, match="Remove"), folder.turn():
        pass


def test_turn_file_with_junk_in_it_keeps_nobody_waiting(folder: Folder) -> None:
    (folder.path / TURN).write_bytes(b"junk" * 4096)
    assert takes_turn(folder)


def _hold_turn_and_fork(path: Path, write_end: int) -> None:
    with Folder(path).turn():
        worker = os.fork()
        if worker == 0:  # outlives its parent
            time.sleep(60)
            os._exit(0)
        os.write(write_end, f"{worker}\n".encode())
        time.sleep(60)


def test_turn_of_a_killed_process_is_free_although_its_child_lives(folder: Folder) -> None:
    ready, write_end = os.pipe()
    process = FORK.Process(target=_hold_turn_and_fork, args=(folder.path, write_end))
    process.start()
    assert process.pid is not None
    worker = int(os.read(ready, 100))
    try:
        assert not takes_turn(folder)
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        assert takes_turn(folder)
    finally:
        os.kill(worker, signal.SIGKILL)


@pytest.mark.parametrize("remaining", [LEDGER, HEAD, f"{RECEIPT}{SUFFIX}"])
def test_key_that_is_gone_while_files_remain_is_refused(folder: Folder, remaining: str) -> None:
    (folder.path / f"{RECEIPT}{SUFFIX}").write_text("{}")
    for path in folder.path.iterdir():
        if path.name != remaining:
            path.unlink()
    with pytest.raises(FolderError, match="key is missing"):
        Folder(folder.path)
    assert [path.name for path in folder.path.iterdir()] == [remaining]


@pytest.mark.parametrize("remaining", [HEAD, f"{RECEIPT}{SUFFIX}"])
def test_ledger_that_is_gone_while_files_remain_is_refused(folder: Folder, remaining: str) -> None:
    (folder.path / f"{RECEIPT}{SUFFIX}").write_text("{}")
    for path in folder.path.iterdir():
        if path.name not in (KEY, remaining):
            path.unlink()
    ledger = Ledger(Folder(folder.path))
    with pytest.raises(FolderError, match="ledger is missing"):
        ledger.declare("mail", epsilon=1.0, delta=1e-6)
    with pytest.raises(FolderError, match="ledger is missing"):
        ledger.entries()
    assert "ledger is missing" in ledger.faults()[0]
    assert not (folder.path / LEDGER).exists()


def test_folder_that_is_new_has_neither_ledger_nor_head_before_the_first_entry(
    tmp_path: Path,
) -> None:
    new_folder = Folder(tmp_path / "new")
    assert Ledger(new_folder).entries() == ()
    assert Ledger(new_folder).faults() == ()
    assert sorted(path.name for path in new_folder.path.iterdir()) == [KEY]


def _declare_and_die(path: Path) -> None:
    def die(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    os.replace = die
    Ledger(Folder(path)).declare("news", epsilon=1.0, delta=1e-6)


def test_part_of_a_killed_declaration_is_gone_after_the_next_one(folder: Folder) -> None:
    process = FORK.Process(target=_declare_and_die, args=(folder.path,))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert list(folder.path.glob(".*.part"))
    Ledger(folder).declare("news", epsilon=1.0, delta=1e-6)
    assert not list(folder.path.glob(".*.part"))


def test_part_that_is_being_written_is_not_removed(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def tidied_meanwhile(part: Path, target: Path) -> None:
        Folder(folder.path).remove_parts()
        replace(part, target)

    monkeypatch.setattr(os, "replace", tidied_meanwhile)
    assert folder.write("a file", b"content").read_bytes() == b"content"


ADVICE = {
    errno.ENOSPC: "Make room",
    errno.EDQUOT: "Make room",
    errno.EROFS: "make it writable",
    errno.EACCES: "who owns",
}


@pytest.mark.parametrize("number", ADVICE)
def test_disk_error_advises_what_to_do_in_the_same_folder(
    folder: Folder, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    for refused_action in (
        lambda: folder.write("a file", b"content"),
        lambda: folder.reserve(10),
        lambda: Ledger(folder).declare("news", epsilon=1.0, delta=1e-6),
    ):
        with pytest.raises(DpldaError, match=ADVICE[number]) as error:
            refused_action()
        assert "DPLDA_RELEASES" not in str(error.value)
        assert "another release folder" in str(error.value)
    assert list(folder.path.glob(".*")) == []


def test_name_of_a_released_file_that_no_charge_has_stops_every_entry(folder: Folder) -> None:
    (folder.path / f"{RECEIPT}{SUFFIX}").write_text("{}")
    ledger = Ledger(folder)
    for refused_action in (
        lambda: ledger.declare("news", epsilon=1.0, delta=1e-6),
        lambda: ledger.lower("mail", epsilon=0.5, delta=1e-6),
        lambda: ledger.charge("mail", epsilon=0.1, delta=0.0, detail=""),
    ):
        with pytest.raises(LedgerError, match=f"{RECEIPT}.* was not paid for by this ledger"):
            refused_action()
    assert ledger.faults() == (f"{RECEIPT}{SUFFIX} was not paid for by this ledger",)
    (folder.path / f"{RECEIPT}{SUFFIX}").rename(folder.path / f"my letters{SUFFIX}")
    assert ledger.charge("mail", epsilon=0.1, delta=0.0, detail="").number == 2
