"""The file of a journal: its name, how it is opened, and which counted records it holds."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import BinaryIO

from dplda.release.ledger.folder import JOURNAL, PRIVATE_FILE, Folder, FolderError
from dplda.release.workflow.journal.counted import CountedRecord
from dplda.release.workflow.journal.record import RecordError, check_record, count_whole_records

MOST_UNCOUNTED = 1
"""Whole records that a kill can leave uncounted: each is counted before the next is written."""


def journal_path(folder: Folder, receipt_number: str) -> Path:
    """The file of a charge's journal."""
    return folder.path / f"{receipt_number}{JOURNAL}"


def begin_journal(folder: Folder, receipt_number: str) -> None:
    """Make an empty journal, whose name is on the disk when this returns.

    A journal that exists keeps its content.

    Raises:
        FolderError: the disk is full or fails, or the journal is no file.
    """
    try:
        with open_journal(journal_path(folder, receipt_number), to_append=True):
            pass
        folder.sync()
    except OSError as error:
        raise FolderError(
            f"A release cannot be kept: {error.strerror}. Make room on the disk of the release"
            " folder."
        ) from None


class JournalState(Enum):
    """What a journal holds of the answers that the ledger counts."""

    WHOLE = "every one, unchanged"
    BROKEN = "not every one, or a changed one"
    AHEAD = "more than a kill can leave uncounted: the ledger is an older copy"


def check_journal(
    folder: Folder, receipt_number: str, records: Sequence[CountedRecord]
) -> JournalState:
    """Compare a journal with what the ledger says of its records.

    ``BROKEN`` if the file or a counted record is missing, changed or unreadable; ``AHEAD`` if more
    than ``MOST_UNCOUNTED`` whole records follow; else ``WHOLE``.
    """
    path = journal_path(folder, receipt_number)
    try:
        with open_journal(path) as file:
            for counted_record in records:
                check_record(file, counted_record.digest)
            n_bytes_left = os.fstat(file.fileno()).st_size - file.tell()
            n_uncounted = count_whole_records(file, n_bytes_left)
    except (RecordError, FolderError, OSError):
        return JournalState.BROKEN
    return JournalState.AHEAD if n_uncounted > MOST_UNCOUNTED else JournalState.WHOLE


@contextmanager
def open_journal(path: Path, *, to_append: bool = False) -> Iterator[BinaryIO]:
    """Open the file of a journal, unless it is a link; close it after the block.

    Args:
        path: of the file.
        to_append: whether it is opened for writing too, which makes a missing one; else for reading
            only.

    Raises:
        FolderError: it is no file.
        OSError: it cannot be opened.
    """
    flags = os.O_RDONLY
    if to_append:
        flags = os.O_RDWR | os.O_CREAT
    for flag_name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, flag_name, 0)
    descriptor = os.open(path, flags, PRIVATE_FILE)
    with os.fdopen(descriptor, "r+b" if to_append else "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise FolderError(f"{path} is no file. Remove it, and try again.")
        yield file
