"""Charges and files: what binds them hangs on no document, and what was paid for is neither lost nor paid for twice."""

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from dplda.corpus import Corpus, Label, VocabularySource
from dplda.methods.registry import releasable_methods
from dplda.release.artefact.released_file import SUFFIX, read_release, write_release
from dplda.release.ledger.folder import Folder, FolderError, UnwrittenError
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.workflow.perform import release
from dplda.release.workflow.release_store import max_file_bytes
from tests.release.conftest import asked


def test_receipt_number_is_drawn_anew_where_ledgers_are_equal(
    corpus: Corpus, folder: Folder
) -> None:
    """The number of a charge and the file's name are drawn, where the ledger's hashes know every document."""
    contents_before = {path: path.read_bytes() for path in folder.path.iterdir()}
    receipts = []
    for _ in range(2):
        receipts.append(release(corpus, asked("private-unigram"), folder))
        entries = Ledger(folder).entries()
        assert not {receipts[-1].artefact.receipt_number} & {
            part
            for first_receipt in entries
            for part in (first_receipt.hash, first_receipt.hash[:32])
        }
        for path in folder.path.iterdir():
            path.unlink()
        for path, content in contents_before.items():
            path.write_bytes(content)
            path.chmod(0o600)
    first_receipt, second_receipt = receipts
    assert first_receipt.artefact.receipt_number != second_receipt.artefact.receipt_number
    assert first_receipt.path.name == f"{first_receipt.artefact.receipt_number}{SUFFIX}"


def test_release_asked_for_twice_at_once_is_charged_once(corpus: Corpus, folder: Folder) -> None:
    with ThreadPoolExecutor(2) as pool:
        receipts = list(
            pool.map(lambda _: release(corpus, asked("private-unigram"), folder), range(2))
        )
    assert sorted(receipt.charged for receipt in receipts) == [False, True]
    assert write_release(receipts[0].artefact) == write_release(receipts[1].artefact)
    assert [entry.kind for entry in Ledger(folder).entries()].count("charged") == 1


def test_refused_release_claims_no_documents_of_another_dataset(
    corpus: Corpus, folder: Folder
) -> None:
    ledger, asked_for = Ledger(folder), asked("private-unigram")
    ledger.declare("small", epsilon=0.1, delta=1e-5)
    ledger.declare("just enough", epsilon=1.0, delta=1e-6)
    with pytest.raises(LedgerError, match="this would cost"):
        release(corpus, replace(asked_for, dataset="small"), folder)
    assert release(corpus, replace(asked_for, dataset="just enough"), folder).charged
    assert ledger.balance("just enough").added_up == ledger.balance("just enough").cap
    assert not release(corpus, replace(asked_for, dataset="just enough"), folder).charged


def test_dataset_within_a_larger_corpus_is_recognised(corpus: Corpus, folder: Folder) -> None:
    """A department's letters among a company's, of which they are one in a hundred."""
    ledger, asked_for = Ledger(folder), asked("private-unigram")
    ledger.declare("fresh", epsilon=3.0, delta=1e-5)
    part_of_corpus = Corpus(
        corpus.counts[:15], corpus.vocabulary, Label.SENSITIVE, "few", VocabularySource.FIXED
    )
    release(part_of_corpus, asked_for, folder)
    with pytest.raises(LedgerError, match="About 100% of the documents of 'mail' are among these"):
        release(corpus, replace(asked_for, dataset="fresh"), folder)
    assert release(part_of_corpus, asked("private-unigram", alpha0=2.0), folder).charged


def test_release_that_could_not_be_written_is_recovered(
    corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where the disk refuses it, nor where somebody was killed between writing and naming it."""
    failed_write, honest = {}, folder.write

    def refuse(name: str, content: bytes, *, room: Path | None = None) -> Path:
        if room is None:
            return honest(name, content)
        failed_write.update(name=name, content=content)
        room.write_bytes(content)
        raise FolderError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(folder, "write", refuse)
        patch.setattr(
            Path, "unlink", lambda *_, **__: None
        )  # a process that was killed tidies nothing
        with pytest.raises(UnwrittenError, match="Save it elsewhere") as failure:
            release(corpus, asked("private-unigram"), folder)
    assert (
        read_release(failure.value.content, "it").receipt_number + SUFFIX
        == failure.value.name
        == failed_write["name"]
    )
    folder.reserve(10)
    repeated_receipt = release(corpus, asked("private-unigram"), folder)
    assert not repeated_receipt.charged
    assert repeated_receipt.path.read_bytes() == failed_write["content"]
    assert folder.rooms() == []


def test_release_without_room_on_disk_is_refused_uncharged(
    corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        os, "fsync", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
    )
    with pytest.raises(FolderError, match=r"no room for .* bytes"):
        release(corpus, asked("private-unigram"), folder)
    assert Ledger(folder).balance("mail").added_up == (0, 0)
    assert folder.rooms() == []


@pytest.mark.parametrize("method", [method.name for method in releasable_methods()])
def test_max_file_bytes_holds_the_file_without_much_waste(
    method: str, corpus: Corpus, folder: Folder
) -> None:
    """And not ten times too much."""
    Ledger(folder).declare("much", epsilon=12.0, delta=1e-5)
    request = replace(
        asked(method, epsilon=10.0), dataset="much"
    )  # where Adaptive hardly ever finds no topics
    size = len(release(corpus, request, folder).path.read_bytes())
    assert size <= max_file_bytes(corpus, request) <= size + 3e5
