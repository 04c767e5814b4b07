"""A copy of the release folder: whole while others write, checked, and without what must not be drawn twice."""

import multiprocessing
import os
import shutil
import signal
import stat
from pathlib import Path

import pytest

from dplda.cli import main
from dplda.cli.ledger import unpaid
from dplda.core.errors import InputError
from dplda.corpus import Corpus
from dplda.release.ledger.backup import BackupError, back_up
from dplda.release.ledger.folder import HEAD, KEY, LEDGER, SUFFIX, Folder
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.workflow.perform import release
from tests.release.conftest import asked
from tests.release.older_ledger import make_older
from tests.release.restricted import run_read_only
from tests.yardstick import waited_for

FORK = multiprocessing.get_context("fork")
METHOD = "private-unigram"
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")


def test_copy_restored_in_the_place_of_a_lost_folder_goes_on_from_there(
    corpus: Corpus, folder: Folder, tmp_path: Path
) -> None:
    first_receipt = release(corpus, asked(METHOD), folder)
    assert back_up(folder, tmp_path / "copy") == 1
    shutil.rmtree(folder.path)
    (tmp_path / "copy").rename(folder.path)
    restored_folder = Folder(folder.path)
    repeated = release(corpus, asked(METHOD), restored_folder)
    assert (repeated.charged, repeated.artefact.receipt_number) == (
        False,
        first_receipt.artefact.receipt_number,
    )
    assert release(corpus, asked(METHOD, alpha0=2.0), restored_folder).charged
    assert (Ledger(restored_folder).faults(), unpaid(restored_folder, Ledger(restored_folder))) == (
        (),
        (),
    )


def test_backup_holds_lasting_files_closed_to_others(
    corpus: Corpus, folder: Folder, tmp_path: Path
) -> None:
    receipt = release(corpus, asked(METHOD), folder)
    folder.reserve(10)
    (folder.path / f"{receipt.artefact.receipt_number}.journal").write_bytes(b"drawn so far")
    (folder.path / ".0.part").write_bytes(b"of a killed process")
    back_up(folder, tmp_path / "copy")
    files = list((tmp_path / "copy").iterdir())
    assert {path.name for path in files} == {KEY, LEDGER, HEAD, receipt.path.name}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o700


def _charge_for_ever(path: Path) -> None:
    ledger = Ledger(Folder(path))
    while True:
        ledger.charge("mail", epsilon=1e-6, delta=0.0, detail="x" * 3000)


def test_copies_of_a_ledger_that_others_write_to_are_whole(folder: Folder, tmp_path: Path) -> None:
    """The newest entries are in SQLite's log alone, and a copy of the files may lack them."""
    processes = [FORK.Process(target=_charge_for_ever, args=(folder.path,)) for _ in range(2)]
    for process in processes:
        process.start()
    try:
        for number in range(5):
            n_before = len(Ledger(folder).entries())
            waited_for(lambda n=n_before: len(Ledger(folder).entries()) > n)
            back_up(folder, tmp_path / f"copy {number}")
            copy = Ledger(Folder(tmp_path / f"copy {number}"))
            assert copy.faults() == ()
            assert len(copy.entries()) > n_before
    finally:
        for process in processes:
            os.kill(process.pid or 0, signal.SIGKILL)
            process.join()


def test_copy_holds_an_entry_that_the_table_lacks_as_yet(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill after the file head was written leaves its entries there alone."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    ledger = Ledger(folder)
    with monkeypatch.context() as patch:
        write = folder.write
        patch.setattr(folder, "write", lambda *arguments: (write(*arguments), stop()))
        with pytest.raises(KeyboardInterrupt):
            ledger.charge("mail", epsilon=0.5, delta=0.0, detail="pending")
    back_up(folder, tmp_path / "copy")
    copy = Ledger(Folder(tmp_path / "copy"))
    assert [entry.detail for entry in copy.entries()][-1] == "pending"
    assert copy.faults() == ()


def test_copy_of_a_read_only_folder_is_whole(folder: Folder, tmp_path: Path) -> None:
    Ledger(folder).charge("mail", epsilon=0.5, delta=0.0, detail="paid")
    run_read_only(folder.path, lambda: back_up(Folder(folder.path), tmp_path / "copy"))
    assert Ledger(Folder(tmp_path / "copy")).entries() == Ledger(folder).entries()


def test_copy_of_an_older_ledger_is_readable(folder: Folder, tmp_path: Path) -> None:
    make_older(folder)
    back_up(folder, tmp_path / "copy")
    assert Ledger(Folder(tmp_path / "copy")).entries() == Ledger(folder).entries()


@pytest.mark.parametrize("place", ["copy", "releases/copy", "releases", "link"])
def test_place_that_exists_or_lies_in_the_folder_is_refused(
    folder: Folder, tmp_path: Path, place: str
) -> None:
    (tmp_path / "copy").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    paths_before = {*tmp_path.rglob("*")}
    with pytest.raises(InputError, match="the folder of the copy must be"):
        back_up(folder, tmp_path / place)
    assert {*tmp_path.rglob("*")} == paths_before


def test_copy_of_a_ledger_that_is_not_whole_is_refused(folder: Folder, tmp_path: Path) -> None:
    (folder.path / f"{'ab' * 16}{SUFFIX}").write_text("{}")
    with pytest.raises((BackupError, LedgerError), match="was not paid for"):
        back_up(folder, tmp_path / "copy")
    assert [path.name for path in tmp_path.iterdir()] == [folder.path.name]


def test_place_that_cannot_be_written_is_said(folder: Folder, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="Choose another place"):
        back_up(folder, tmp_path / "no such folder" / "copy")


def test_backup_command_copies_the_folder_with_its_place_in_words(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setenv("DPLDA_RELEASES", str(folder.path))
    assert main.main(["ledger", "backup", str(tmp_path / "copy")]) == 0
    assert f"0 released files are in {tmp_path / 'copy'}" in capsys.readouterr().out


def test_backup_command_to_a_full_folder_is_refused(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setenv("DPLDA_RELEASES", str(folder.path))
    assert main.main(["ledger", "backup", str(tmp_path / "copy")]) == 0
    assert main.main(["ledger", "backup", str(tmp_path / "copy")]) == 2
    assert "must be a new one" in capsys.readouterr().err
