"""The ledger on a disk that is read-only, full, in use or damaged: what works, and what a refusal says."""

import multiprocessing
import os
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dplda.cli import main
from dplda.corpus import Corpus
from dplda.release.ledger.folder import LEDGER, Folder, FolderError
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.ledger.records import database
from dplda.release.workflow.perform import release
from tests.release.conftest import asked
from tests.release.restricted import run_read_only

FORK = multiprocessing.get_context("fork")
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")


def test_restricted_child_cannot_write(folder: Folder) -> None:
    """Else the tests below could not fail."""

    def work() -> None:
        with pytest.raises(PermissionError):
            (folder.path / "new").touch()
        with pytest.raises(PermissionError):
            os.open(folder.path / LEDGER, os.O_RDWR)

    run_read_only(folder.path, work)


def test_read_only_disk_shows_the_ledger(folder: Folder) -> None:
    ledger = Ledger(folder)
    ledger.charge("mail", epsilon=0.4, delta=0.0, detail="paid")
    entries = ledger.entries()

    def work() -> None:
        read_only_ledger = Ledger(Folder(folder.path))
        assert read_only_ledger.entries() == entries
        assert read_only_ledger.faults() == ()
        assert read_only_ledger.balance("mail") == ledger.balance("mail")

    run_read_only(folder.path, work)
    assert not list(folder.path.glob(f"{LEDGER}-*"))


def _charge_and_die(path: Path) -> None:
    folder = Folder(path)
    Ledger(folder).charge("mail", epsilon=0.4, delta=0.0, detail="in the log alone")
    with database.open_for_reading(path / LEDGER) as connection:
        connection.execute("SELECT * FROM entries").fetchone()
        Ledger(folder).charge("mail", epsilon=0.3, delta=0.0, detail="this one too")
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("has_index", [True, False])
def test_read_only_disk_shows_entries_that_are_in_the_log_alone(
    folder: Folder, has_index: bool
) -> None:
    process = FORK.Process(target=_charge_and_die, args=(folder.path,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    log, index = (folder.path / f"{LEDGER}{ending}" for ending in (database.LOG, database.INDEX))
    assert log.stat().st_size > 0
    if not has_index:
        index.unlink()

    def work() -> None:
        read_only_ledger = Ledger(Folder(folder.path))
        assert [entry.kind for entry in read_only_ledger.entries()] == [
            "declared",
            "charged",
            "charged",
        ]
        assert read_only_ledger.faults() == ()

    run_read_only(folder.path, work)
    assert index.exists() == has_index


def test_ledger_on_a_read_only_disk_refuses_entries_with_the_reason(folder: Folder) -> None:
    def work() -> None:
        ledger = Ledger(Folder(folder.path))
        for refused_action in (
            lambda: ledger.declare("news", epsilon=1.0, delta=1e-6),
            lambda: ledger.lower("mail", epsilon=1.0, delta=1e-6),
            lambda: ledger.charge("mail", epsilon=0.1, delta=0.0, detail=""),
        ):
            with pytest.raises(
                LedgerError, match=r"cannot be written to.*Make it writable"
            ) as refusal:
                refused_action()
            assert "DPLDA_RELEASES" not in str(refusal.value)

    run_read_only(folder.path, work)
    assert len(Ledger(folder).entries()) == 1


def test_release_on_a_read_only_disk_is_returned_only_when_paid(
    corpus: Corpus, folder: Folder
) -> None:
    first_receipt = release(corpus, asked("private-unigram"), folder)

    def work() -> None:
        read_only_folder = Folder(folder.path)
        repeated_receipt = release(corpus, asked("private-unigram"), read_only_folder)
        assert not repeated_receipt.charged
        assert repeated_receipt.artefact.receipt_number == first_receipt.artefact.receipt_number
        with pytest.raises(FolderError, match="cannot be written to"):
            release(corpus, asked("private-unigram", alpha0=2.0), read_only_folder)

    run_read_only(folder.path, work)
    assert Ledger(folder).balance("mail") == first_receipt.balance


def test_commands_work_on_a_read_only_disk(
    corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setenv("DPLDA_RELEASES", str(folder.path))
    release(corpus, asked("private-unigram"), folder)

    def work() -> None:
        assert main.main(["ledger", "show"]) == 0
        assert main.main(["ledger", "show", "mail"]) == 0
        assert main.main(["ledger", "verify"]) == 0
        output = capsys.readouterr().out
        assert "Ledger checked" in output
        assert "charged" in output
        assert main.main(["ledger", "declare", "news", "--epsilon", "1"]) == 2
        assert "cannot be written to" in capsys.readouterr().err

    run_read_only(folder.path, work)


def test_ledger_that_another_program_keeps_says_to_wait(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    with closing(sqlite3.connect(folder.path / LEDGER, isolation_level=None)) as other_connection:
        other_connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match=r"Wait, and try again.*would forget"):
            Ledger(folder).charge("mail", epsilon=0.1, delta=0.0, detail="")
    assert len(Ledger(folder).entries()) == 1


def test_ledger_that_cannot_be_read_now_is_not_called_damaged(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(*_: object) -> None:
        raise database.LedgerUnavailable(database.BUSY)

    monkeypatch.setattr(database, "_connect", keep)
    with pytest.raises(LedgerError, match="Wait, and try again"):
        Ledger(folder).faults()


def test_ledger_on_a_full_disk_says_to_make_room(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = database._connect

    def with_no_page_left(path: Path, mode: str) -> sqlite3.Connection:
        connection = connect(path, mode)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(database, "_connect", with_no_page_left)
    with pytest.raises(LedgerError, match=r"Make room.*would forget"):
        Ledger(folder).charge("mail", epsilon=0.1, delta=0.0, detail="x" * 100_000)
    assert len(Ledger(folder).entries()) == 1


@pytest.mark.parametrize("content", [b"junk" * 4096, None])
def test_ledger_that_is_damaged_says_to_restore_a_copy(
    folder: Folder, content: bytes | None
) -> None:
    path = folder.path / LEDGER
    honest = path.read_bytes()
    path.write_bytes(honest[:4096] + b"\xff" * 8192 if content is None else content)
    ledger = Ledger(folder)
    with pytest.raises(LedgerError, match="Restore the newest copy") as refusal:
        ledger.charge("mail", epsilon=0.1, delta=0.0, detail="")
    assert "DPLDA_RELEASES" not in str(refusal.value)
    assert ledger.faults()


def _lock_of_the_database_is_held(path: Path, answer) -> None:
    import fcntl

    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)  # SQLite's readers
        except OSError:
            answer.put(True)
        else:
            answer.put(False)


def test_ledger_opened_again_in_one_process_keeps_its_locks(folder: Folder) -> None:
    """To open and close the file itself would end them, and another process could drop the log."""
    answer = FORK.SimpleQueue()
    with Ledger(folder)._writing():
        Ledger(Folder(folder.path)).entries()
        process = FORK.Process(
            target=_lock_of_the_database_is_held, args=(folder.path / LEDGER, answer)
        )
        process.start()
        process.join()
    assert answer.get()


def test_copy_of_a_folder_with_its_log_is_whole(folder: Folder, tmp_path: Path) -> None:
    with database.open_for_reading(folder.path / LEDGER) as connection:
        connection.execute("SELECT * FROM entries").fetchone()  # so that the log stays
        Ledger(folder).charge("mail", epsilon=0.4, delta=0.0, detail="in the log")
        shutil.copytree(folder.path, tmp_path / "copy")
    copy = Ledger(Folder(tmp_path / "copy"))
    assert copy.faults() == ()
    assert copy.entries() == Ledger(folder).entries()
