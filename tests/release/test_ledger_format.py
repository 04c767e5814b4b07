"""The ledger's format: older ones are read, and converted by the first write; newer ones are refused."""

import multiprocessing
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dplda.release.ledger.folder import LEDGER, Folder
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.ledger.records import schema
from dplda.release.ledger.records.schema import FORMAT
from tests.release.older_ledger import format_of, make_older

FORK = multiprocessing.get_context("fork")
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A folder whose ledger is of the first format, with a charge."""
    release_folder = Folder(tmp_path / "releases")
    ledger = Ledger(release_folder)
    ledger.declare("mail", epsilon=1.0, delta=1e-6)
    ledger.charge("mail", epsilon=0.4, delta=0.0, detail="old")
    make_older(release_folder)
    return release_folder


def test_older_ledger_is_read_without_a_change(folder: Folder) -> None:
    content_before = (folder.path / LEDGER).read_bytes()
    ledger = Ledger(folder)
    assert ledger.faults() == ()
    assert ledger.balance("mail").remaining[0] == pytest.approx(0.6)
    assert format_of(folder) == 0
    assert (folder.path / LEDGER).read_bytes() == content_before


def test_older_ledger_is_converted_by_the_first_entry_with_all_that_it_holds(
    folder: Folder,
) -> None:
    ledger = Ledger(folder)
    entries_before = ledger.entries()
    ledger.charge("mail", epsilon=0.3, delta=0.0, detail="new")
    assert format_of(folder) == FORMAT
    assert ledger.entries()[:-1] == entries_before
    assert ledger.faults() == ()
    with pytest.raises(LedgerError, match="this would cost"):
        ledger.charge("mail", epsilon=0.5, delta=0.0, detail="")
    with (
        closing(sqlite3.connect(folder.path / LEDGER)) as connection,
        pytest.raises(sqlite3.IntegrityError, match="never removed"),
    ):
        connection.execute("DELETE FROM entries")


def _charge_and_die(path: Path, moment: str) -> None:
    steps = {name: getattr(schema, name) for name in ("_convert", "append")}

    def die(*arguments: object) -> None:
        steps[moment](*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(schema, moment, die)
    Ledger(Folder(path)).charge("mail", epsilon=0.3, delta=0.0, detail="killed")


@pytest.mark.parametrize("moment", ["_convert", "append"])
def test_older_ledger_whose_conversion_is_killed_is_as_it_was(folder: Folder, moment: str) -> None:
    entries_before = Ledger(folder).entries()
    process = FORK.Process(target=_charge_and_die, args=(folder.path, moment))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    ledger = Ledger(folder)
    assert (ledger.entries(), ledger.faults(), format_of(folder)) == (entries_before, (), 0)
    ledger.charge("mail", epsilon=0.3, delta=0.0, detail="new")
    assert (ledger.faults(), format_of(folder)) == ((), FORMAT)


def _charge(path: Path) -> None:
    Ledger(Folder(path)).charge("mail", epsilon=0.05, delta=0.0, detail="")


def test_older_ledger_that_eight_processes_convert_at_once_keeps_all_their_charges(
    folder: Folder,
) -> None:
    racing = [FORK.Process(target=_charge, args=(folder.path,)) for _ in range(8)]
    for process in racing:
        process.start()
    for process in racing:
        process.join()
    assert [process.exitcode for process in racing] == [0] * 8
    ledger = Ledger(folder)
    assert (len(ledger.entries()), ledger.faults()) == (10, ())


def test_older_ledger_that_was_changed_is_not_converted(folder: Folder) -> None:
    with closing(sqlite3.connect(folder.path / LEDGER)) as connection:
        connection.execute("DROP TRIGGER never_changed")
        connection.execute("UPDATE entries SET epsilon = 1 WHERE number = 2")
        connection.commit()
    ledger = Ledger(folder)
    with pytest.raises(LedgerError, match="changed from outside"):
        ledger.charge("mail", epsilon=0.1, delta=0.0, detail="")
    assert format_of(folder) == 0
    assert ledger.faults() == ("entry 2 was changed, or the one before it",)


def test_newer_ledger_is_neither_read_nor_written(folder: Folder) -> None:
    with closing(sqlite3.connect(folder.path / LEDGER)) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    ledger = Ledger(folder)
    with pytest.raises(LedgerError, match="newer version of dplda"):
        ledger.charge("mail", epsilon=0.1, delta=0.0, detail="")
    with pytest.raises(LedgerError, match="newer version of dplda"):
        ledger.entries()
    assert "newer version" in ledger.faults()[0]


def test_entry_of_an_unknown_kind_stops_every_entry(folder: Folder) -> None:
    ledger = Ledger(folder)
    with ledger._writing() as entries:
        ledger._append(entries, "invented", "mail", (0, 0), "")
    assert "Entry 3 of the ledger was written by a newer version" in ledger.faults()[0]
    with pytest.raises(LedgerError, match="newer version"):
        ledger.charge("mail", epsilon=0.1, delta=0.0, detail="")
