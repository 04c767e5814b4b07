"""Requests whose release another process finishes while somebody asks where it stands."""

import pytest

from dplda.corpus import Corpus
from dplda.release.ledger.folder import SUFFIX, Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow import status
from dplda.release.workflow.journal import progress as progress_module
from dplda.release.workflow.journal.journal_file import JournalState
from dplda.release.workflow.journal.progress import Progress, progress_of
from dplda.release.workflow.perform import release
from dplda.release.workflow.status import find_status
from tests.release.conftest import asked


def test_progress_of_a_release_finished_between_two_looks_is_released(
    corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = release(corpus, asked("private-unigram"), folder)
    charge = next(entry for entry in Ledger(folder).entries() if entry.kind == "charged")
    hidden_file = receipt.path.with_suffix(".hidden")
    receipt.path.rename(hidden_file)

    def name_file_and_find_no_journal(*_: object) -> JournalState:
        hidden_file.rename(receipt.path)
        return JournalState.BROKEN

    monkeypatch.setattr(progress_module, "check_journal", name_file_and_find_no_journal)
    assert receipt.path.name.endswith(SUFFIX)
    assert progress_of(charge, folder) is Progress.RELEASED


def test_status_of_a_release_finished_after_the_first_look_has_its_receipt(
    corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(corpus, asked("private-unigram"), folder)
    find_existing = status.find_existing
    n_looks = 0

    def see_nothing_at_first(*arguments: object) -> object:
        nonlocal n_looks
        n_looks += 1
        return find_existing(*arguments) if n_looks > 1 else None

    monkeypatch.setattr(status, "find_existing", see_nothing_at_first)
    release_status = find_status(corpus, asked("private-unigram"), folder)
    assert release_status.receipt is not None
    assert not release_status.receipt.charged
