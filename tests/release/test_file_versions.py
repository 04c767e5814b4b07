"""Versions of released files: older ones open and keep their bytes, newer ones are refused in a sentence."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from dplda.cli.ledger import unpaid
from dplda.core.errors import NotReleasable, ReadError
from dplda.corpus import Corpus
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.file_format import VERSION, checksum_of
from dplda.release.artefact.released_file import parent_of, read_release, write_release
from dplda.release.ledger.folder import SUFFIX, Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow import perform, release_store
from dplda.release.workflow.perform import release
from tests.release.conftest import asked

METHOD = "private-unigram"


@pytest.fixture
def older(corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> Artefact:
    """A release of version 1, without a seal, as its folder keeps it."""
    with monkeypatch.context() as patch:
        patch.setattr(perform, "sealed", lambda artefact, _: replace(artefact, version=1))
        patch.setattr(release_store, "SEALED", "of before")
        return release(corpus, asked(METHOD), folder).artefact


def with_other_state(file: bytes, change: Callable[[dict], object]) -> bytes:
    """The file with another state and its checksum."""
    content = json.loads(file)
    change(content["state"]["state"])
    content["state_checksum"] = checksum_of(content["state"], prefix=content["checksum"])
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def test_file_of_version_1_opens_with_its_bytes(
    corpus: Corpus, folder: Folder, older: Artefact
) -> None:
    file = write_release(older)
    assert json.loads(file)["version"] == 1
    assert write_release(read_release(file, "a file")) == file
    assert unpaid(folder, Ledger(folder)) == ()
    assert not release(corpus, asked(METHOD), folder).charged


def test_file_of_version_1_is_continued_in_the_newest_version(
    corpus: Corpus, folder: Folder, older: Artefact
) -> None:
    continued_release = release(
        corpus, replace(asked(METHOD, epsilon=1.5), previous=older), folder
    ).artefact
    assert continued_release.version == VERSION
    assert continued_release.resumable is not None
    assert continued_release.resumable.parent == parent_of(older)


STATES: dict[str, Callable[[dict], object]] = {
    "without a number": lambda state: state.pop("noise"),
    "with another start": lambda state: state.update(start={"counts": [1.0, 2.0]}),
    "with steps that nobody knows": lambda state: state.update(steps=[1, 2]),
}


@pytest.mark.parametrize("name", STATES)
def test_file_of_version_1_with_an_unknown_state_is_not_continued(
    name: str, corpus: Corpus, folder: Folder, older: Artefact
) -> None:
    file = with_other_state(write_release(older), STATES[name])
    (folder.path / f"{older.receipt_number}{SUFFIX}").write_bytes(file)
    reopened_receipt = release(corpus, asked(METHOD), folder)
    assert not reopened_receipt.charged
    assert write_release(reopened_receipt.artefact) == file, "its SHA-256 is on receipts"
    continuation = replace(asked(METHOD, epsilon=1.5), previous=reopened_receipt.artefact)
    with pytest.raises(NotReleasable, match="nothing to continue from"):
        release(corpus, continuation, folder)


def test_state_of_this_version_that_is_not_known_is_refused(older: Artefact) -> None:
    file = write_release(replace(older, version=VERSION))
    for change in STATES.values():
        with pytest.raises(ReadError, match="not a complete release"):
            read_release(with_other_state(file, change), "a file")


@pytest.mark.parametrize("version", [VERSION + 1, 0, "1", True, 1.0, None])
def test_file_of_an_unknown_version_is_refused(version: object, older: Artefact) -> None:
    content = json.loads(write_release(older)) | {"version": version}
    with pytest.raises(ReadError, match="another version of dplda"):
        read_release(json.dumps(content).encode(), "a file")


def test_file_named_as_the_first_versions_did_is_known_by_the_charge_in_it(
    corpus: Corpus, folder: Folder, older: Artefact
) -> None:
    """They named it after the request."""
    path = folder.path / f"{older.receipt_number}{SUFFIX}"
    path.rename(folder.path / f"{'cd' * 16}{SUFFIX}")
    assert Ledger(folder).faults() == ()
    assert release(corpus, asked(METHOD, alpha0=2.0), folder).charged
