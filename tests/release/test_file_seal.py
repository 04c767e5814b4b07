"""Kept files: a forged one is never given out as the original, and those of before still open."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dplda.cli import main
from dplda.cli.ledger import unpaid
from dplda.core.errors import DpldaError, ReadError
from dplda.corpus import Corpus
from dplda.evaluation.knowledge import PriorUse
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.file_format import checksum_of
from dplda.release.artefact.released_file import (
    parent_of,
    read_release,
    read_release_file,
    write_release,
)
from dplda.release.ledger.file_seal import is_sealed
from dplda.release.ledger.folder import HEAD, LEDGER, ROOM, Folder
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.workflow import perform, release_store
from dplda.release.workflow.perform import release
from dplda.release.workflow.receipt import Receipt
from dplda.release.workflow.recovery import recover_interrupted
from dplda.release.workflow.reopening import reopen_draft
from tests.release.conftest import asked

METHOD = "private-unigram"


@pytest.fixture
def receipt(corpus: Corpus, folder: Folder) -> Receipt:
    return release(corpus, asked(METHOD), folder)


@pytest.fixture
def of_before(corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> Receipt:
    """A release as versions made it that knew no seal."""
    with monkeypatch.context() as patch:
        patch.setattr(perform, "sealed", lambda artefact, _: artefact)
        patch.setattr(release_store, "SEALED", "of before")
        return release(corpus, asked(METHOD), folder)


def forged(file: bytes, change: Callable[[dict], object]) -> bytes:
    """A file with other contents and the checksums that belong to them."""
    content = json.loads(file)
    change(content)
    content["checksum"] = checksum_of(content["release"])
    if "state" in content:
        content["state_checksum"] = checksum_of(content["state"], prefix=content["checksum"])
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


FORGERIES: dict[str, Callable[[dict], object]] = {
    "another title": lambda content_of_file: content_of_file["release"].update(
        documents="other letters"
    ),
    "another word": lambda content_of_file: content_of_file["release"]["vocabulary"].__setitem__(
        0, "forged"
    ),
    "a larger promise": lambda content_of_file: content_of_file["release"]["promise"].update(
        epsilon=1.5
    ),
    "another state": lambda content_of_file: content_of_file["state"]["state"].update(noise=9.0),
    "no state": lambda content_of_file: (
        content_of_file.pop("state"),
        content_of_file.pop("state_checksum"),
    ),
    "no seal": lambda content_of_file: content_of_file.pop("seal"),
    "another seal": lambda content_of_file: content_of_file.update(seal="0" * 64),
    "no seal on another title": lambda content_of_file: (
        content_of_file.pop("seal"),
        content_of_file["release"].update(documents="other letters"),
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_file_is_never_taken_for_the_original(
    name: str, corpus: Corpus, folder: Folder, receipt: Receipt
) -> None:
    honest = receipt.path.read_bytes()
    receipt.path.write_bytes(forged(honest, FORGERIES[name]))
    assert read_release_file(receipt.path) is not None, "its checksums are right"
    continuation = replace(
        asked(METHOD, epsilon=1.5), previous=read_release(honest, "the original")
    )
    for use in (
        lambda: release(corpus, asked(METHOD), folder),
        lambda: release(corpus, continuation, folder),
        lambda: release_store.receipt_for(Ledger(folder).entries()[-1], folder),
    ):
        with pytest.raises(ReadError, match="edited or forged"):
            use()
    assert "edited or forged" in "".join(unpaid(folder, Ledger(folder)))
    receipt.path.write_bytes(honest)
    assert unpaid(folder, Ledger(folder)) == ()
    assert not release(corpus, asked(METHOD), folder).charged


def test_forged_file_is_not_opened_by_the_dashboard(
    corpus: Corpus, folder: Folder, receipt: Receipt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPLDA_RELEASES", str(folder.path))
    assert reopen_draft(receipt.artefact.receipt_number, corpus, ()) is not None
    receipt.path.write_bytes(forged(receipt.path.read_bytes(), FORGERIES["another title"]))
    with pytest.raises(DpldaError, match="edited or forged"):
        reopen_draft(receipt.artefact.receipt_number, corpus, ())


def test_forged_file_elsewhere_is_found_by_verify(
    folder: Folder, receipt: Receipt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setenv("DPLDA_RELEASES", str(folder.path))
    copy = tmp_path / "copy.json"
    copy.write_bytes(receipt.path.read_bytes())
    assert main.main(["ledger", "verify", str(copy)]) == 0
    copy.write_bytes(forged(copy.read_bytes(), FORGERIES["another title"]))
    capsys.readouterr()
    assert main.main(["ledger", "verify", str(copy)]) == 1
    assert "copy.json: is not the file that was released" in capsys.readouterr().out


def test_file_of_another_folder_is_not_sealed_here(
    corpus: Corpus, folder: Folder, receipt: Receipt, tmp_path: Path
) -> None:
    assert is_sealed(receipt.artefact, folder)
    assert not is_sealed(receipt.artefact, Folder(tmp_path / "another"))


def test_seal_of_a_renamed_release_still_holds(
    corpus: Corpus, folder: Folder, receipt: Receipt
) -> None:
    original = receipt.artefact
    renamed = replace(original, names=("tea", *[None] * (len(original.topics) - 1)))
    folder.write(receipt.path.name, write_release(renamed))
    repeated_receipt = release(corpus, asked(METHOD), folder)
    assert (repeated_receipt.charged, repeated_receipt.artefact.names[0]) == (False, "tea")


def test_release_is_named_by_its_child_as_without_a_seal(receipt: Receipt) -> None:
    """So files of before, which have none, are continued by the same name."""
    assert parent_of(receipt.artefact) == parent_of(replace(receipt.artefact, seal=""))


def test_file_without_a_seal_opens_free_of_charge(
    corpus: Corpus, folder: Folder, of_before: Receipt
) -> None:
    assert b'"seal"' not in of_before.path.read_bytes()
    assert unpaid(folder, Ledger(folder)) == ()
    repeated_receipt = release(corpus, asked(METHOD), folder)
    assert (repeated_receipt.charged, repeated_receipt.artefact.receipt_number) == (
        False,
        of_before.artefact.receipt_number,
    )


def test_file_without_a_seal_is_continued_by_a_sealed_one(
    corpus: Corpus, folder: Folder, of_before: Receipt
) -> None:
    repeated_receipt = release(corpus, asked(METHOD), folder)
    continued_receipt = release(
        corpus, replace(asked(METHOD, epsilon=1.5), previous=repeated_receipt.artefact), folder
    )
    assert continued_receipt.charged
    assert is_sealed(continued_receipt.artefact, folder)
    assert of_before.path.read_bytes() == write_release(of_before.artefact), "its SHA-256 stays"


def room_with(folder: Folder, artefact: Artefact, **changes: object) -> Path:
    """Room in which a killed process left a complete release, possibly changed since."""
    content = write_release(artefact)
    if changes:
        content = forged(
            content, lambda content_of_file: content_of_file["release"].update(changes)
        )
    room = folder.reserve(len(content))
    folder.fill(room, content)
    return room


@pytest.mark.parametrize(
    "charge", ["../../elsewhere", "../../" + "ab" * 16, "/tmp/x", "", "AB" * 16]
)
def test_room_whose_charge_is_no_number_writes_nowhere(
    charge: str, folder: Folder, receipt: Receipt
) -> None:
    room = room_with(folder, receipt.artefact, charge=charge)
    paths_before = {path for path in folder.path.parent.parent.rglob("*") if path != room}
    recover_interrupted(folder)
    assert {*folder.path.parent.parent.rglob("*")} == paths_before
    assert not room.exists()


def test_room_with_a_forged_release_is_freed(folder: Folder, receipt: Receipt) -> None:
    receipt.path.unlink()
    room_with(folder, receipt.artefact, documents="other letters")
    recover_interrupted(folder)
    assert not receipt.path.exists()
    assert folder.rooms() == []


def test_room_with_a_paid_release_gets_its_name(
    corpus: Corpus, folder: Folder, receipt: Receipt
) -> None:
    content = receipt.path.read_bytes()
    receipt.path.unlink()
    room_with(folder, receipt.artefact)
    recover_interrupted(folder)
    assert receipt.path.read_bytes() == content
    assert not release(corpus, asked(METHOD), folder).charged


def test_room_never_takes_the_place_of_a_file(folder: Folder, receipt: Receipt) -> None:
    renamed_file = write_release(
        replace(receipt.artefact, names=("tea",) * len(receipt.artefact.topics))
    )
    folder.write(receipt.path.name, renamed_file)
    room_with(folder, receipt.artefact)
    recover_interrupted(folder)
    assert receipt.path.read_bytes() == renamed_file
    assert folder.rooms() == []


def test_room_with_a_sealed_release_shows_that_the_ledger_is_older(
    corpus: Corpus, folder: Folder
) -> None:
    older = {name: (folder.path / name).read_bytes() for name in (LEDGER, HEAD)}
    receipt = release(corpus, asked(METHOD), folder)
    receipt.path.unlink()
    room_with(folder, receipt.artefact)
    for part in folder.path.glob(f"{LEDGER}-*"):
        part.unlink()
    for name, content in older.items():
        (folder.path / name).write_bytes(content)
    with pytest.raises(LedgerError, match="was not paid for by this ledger"):
        release(corpus, asked(METHOD), folder)
    assert receipt.path.exists()
    assert not list(folder.path.glob(f"*{ROOM}"))


def test_release_whose_table_has_no_digest_is_refused(receipt: Receipt) -> None:
    """It would be the name of the file of seed words that is read."""
    table = PriorUse("seeds.txt", "../../etc/passwd", asked=True, used=False, stepped=False)
    with pytest.raises(ReadError, match="not a complete release"):
        read_release(write_release(replace(receipt.artefact, prior_use=table)), "a file")
