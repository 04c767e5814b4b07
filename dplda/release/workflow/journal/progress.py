"""What became of a charge: a file, nothing yet, or nothing that could still come of it."""

from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from dplda.core.versions import source_version
from dplda.release.ledger.folder import JOURNAL, RESTORE, Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.ledger.records.entry import LedgerEntry, LedgerError, noted_in, receipt_of
from dplda.release.workflow.journal.counted import KeptAnswers, kept_answers_of
from dplda.release.workflow.journal.journal import Journal
from dplda.release.workflow.journal.journal_file import JournalState, check_journal

PROGRAM = "program"  # in the detail of a charge: the version of the sources that draw for it


class Progress(StrEnum):
    """What became of a charge, in words for whoever paid it."""

    RELEASED = "released"
    UNFINISHED = (
        "nothing came of it yet: repeat the same request to finish it, at no further charge"
    )
    WITHOUT_TOPICS = (
        "no topics or groups were found; repeating the request says so again, at no charge"
    )
    OTHER_VERSION = (
        "nothing came of it yet, and only the version of dplda that drew it can finish it: any"
        " other charges the same request again"
    )
    OLDER_LEDGER = (
        "its journal holds answers that the ledger does not count: this is an old copy of the"
        " ledger"
    )
    GONE = "its file is not in the release folder: the same request is charged again"

    @property
    def can_be_finished(self) -> bool:
        """Whether the same request is answered from the journal, and not charged."""
        return self in (Progress.UNFINISHED, Progress.WITHOUT_TOPICS)


def progress_of(charge: LedgerEntry, folder: Folder) -> Progress | None:
    """Find what became of a charge: released if its file is there, else what its journal says.

    None for a charge that was not for a release.

    Raises:
        LedgerError: an entry was changed.
    """
    receipt_number = receipt_of(charge)
    if receipt_number is None:
        return None
    if folder.has_file_of(receipt_number):
        return Progress.RELEASED
    progress_by_journal = _progress_by_journal(charge, receipt_number, folder)
    # Another process may have named the file, and deleted the journal, since the first look.
    return Progress.RELEASED if folder.has_file_of(receipt_number) else progress_by_journal


def last_unfinished(charges: Sequence[LedgerEntry], folder: Folder) -> LedgerEntry | None:
    """The last of some charges that can be finished free; None without one.

    Raises:
        LedgerError: the journal of a later charge is ahead of the ledger, or an entry was changed.
    """
    for entry in reversed(charges):
        progress = progress_of(entry, folder)
        if progress is Progress.OLDER_LEDGER:
            raise LedgerError(f"Entry {entry.number}: {progress}. {RESTORE}")
        if progress is not None and progress.can_be_finished:
            return entry
    return None


def _progress_by_journal(charge: LedgerEntry, receipt_number: str, folder: Folder) -> Progress:
    """Find what became of a charge without a file, by its journal and its program.

    ``OLDER_LEDGER`` if the journal is ahead of the ledger; ``GONE`` if answers are lost or the
    charge does not name its program; ``OTHER_VERSION`` if another program made it;
    ``WITHOUT_TOPICS`` if the run ended so; else ``UNFINISHED``.
    """
    kept_answers = _kept(charge, receipt_number, folder)
    journal_state = check_journal(folder, receipt_number, kept_answers.records)
    if journal_state is JournalState.AHEAD:
        return Progress.OLDER_LEDGER
    if PROGRAM not in noted_in(charge) or journal_state is JournalState.BROKEN:
        return Progress.GONE
    if noted_in(charge)[PROGRAM] != source_version():
        return Progress.OTHER_VERSION
    return Progress.WITHOUT_TOPICS if kept_answers.ended_without_topics else Progress.UNFINISHED


def journal_of(charge: LedgerEntry, folder: Folder) -> Journal:
    """The journal of a charge for a release: as far as it was kept, or a new one."""
    receipt = receipt_of(charge)
    assert receipt is not None
    return Journal(folder, charge, receipt, kept=_kept(charge, receipt, folder))


def _kept(charge: LedgerEntry, receipt_number: str, folder: Folder) -> KeptAnswers:
    """The answers of a charge's journal that the ledger counts."""
    return kept_answers_of(receipt_number, Ledger(folder).kept_entries(charge.dataset))


def remove_uncharged(folder: Folder) -> None:
    """Delete empty journals that were begun for a charge that was not made.

    Call only while this process has the folder's turn. Nothing is deleted if the ledger cannot be
    read.
    """
    empty_journals = [
        journal_path for journal_path in folder.path.glob(f"*{JOURNAL}") if _is_empty(journal_path)
    ]
    if not empty_journals:
        return
    with suppress(OSError, LedgerError):  # of a ledger that cannot be read nothing is known
        charged_receipts = {receipt_of(entry) for entry in Ledger(folder).entries()}
        for journal_path in empty_journals:
            if journal_path.name.removesuffix(JOURNAL) not in charged_receipts:
                journal_path.unlink(missing_ok=True)


def _is_empty(path: Path) -> bool:
    return not path.is_symlink() and path.is_file() and path.stat().st_size == 0


def remove_outlived(folder: Folder) -> None:
    """Delete journals whose file has its name, as a kill between the two leaves them."""
    for path in folder.path.glob(f"*{JOURNAL}"):
        if folder.has_file_of(path.name.removesuffix(JOURNAL)):
            with suppress(OSError):
                path.unlink()
