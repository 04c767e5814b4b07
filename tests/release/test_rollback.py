"""Older copies of a ledger: restored without the key, in part or whole, beside files that were paid for later."""

import shutil
from pathlib import Path

import pytest

from dplda.corpus import Corpus
from dplda.release.ledger.folder import HEAD, LEDGER, SUFFIX, Folder
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.workflow.perform import release
from tests.release.conftest import asked


def restore(folder: Folder, copy: Path, *names: str) -> None:
    """Put files of a copy in the place of today's, and remove what SQLite keeps beside them."""
    for part in folder.path.glob(f"{LEDGER}-*"):
        part.unlink()
    for name in names:
        shutil.copyfile(copy / name, folder.path / name)


def test_ledger_restored_with_its_head_refuses_entries(
    corpus: Corpus, folder: Folder, tmp_path: Path
) -> None:
    """Releases at ε = 0.9 and 0.95 would pass a budget of 1; the first file lies beside."""
    ledger = Ledger(folder)
    ledger.lower("mail", epsilon=1.0, delta=1e-5)
    shutil.copytree(folder.path, tmp_path / "copy")
    first_receipt = release(corpus, asked("private-unigram", epsilon=0.9), folder)
    restore(folder, tmp_path / "copy", LEDGER, HEAD)
    with pytest.raises(LedgerError, match="was not paid for by this ledger") as refusal:
        release(corpus, asked("private-unigram", epsilon=0.95), folder)
    assert "restore the newest one" in str(refusal.value)
    assert ledger.faults() == (
        f"{first_receipt.artefact.receipt_number}{SUFFIX} was not paid for by this ledger",
    )
    assert [path.name for path in folder.path.glob(f"*{SUFFIX}")] == [first_receipt.path.name]


def test_newest_copy_restored_accepts_entries_again(
    corpus: Corpus, folder: Folder, tmp_path: Path
) -> None:
    shutil.copytree(folder.path, tmp_path / "older")
    release(corpus, asked("private-unigram"), folder)
    shutil.copytree(folder.path, tmp_path / "newest")
    restore(folder, tmp_path / "older", LEDGER, HEAD)
    restore(folder, tmp_path / "newest", LEDGER, HEAD)
    assert Ledger(folder).faults() == ()
    assert release(corpus, asked("private-unigram", alpha0=2.0), folder).charged
