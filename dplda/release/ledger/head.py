"""The file ``head``: the name of the ledger's last entry, and entries that the table lacks as yet.

It holds new entries before the table does. They count already, and the next writer adds them first,
so a kill neither loses a charge nor looks like an older ledger. Without the folder's key nobody can
write one, so a table that was cut or restored is noticed.
"""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from dplda.release.ledger.folder import HEAD, Folder
from dplda.release.ledger.records.entry import LedgerEntry

FIRST = "0" * 64
"""The hash before the first entry."""

MISSING = "the file head, which names the last entry, is missing"
DAMAGED = "the file head, which names the last entry, is damaged"
CHANGED = "the file head, which names the last entry, was changed"


@dataclass(frozen=True, slots=True)
class LedgerHead:
    """Content of the file beside a table.

    Attributes:
        pending: entries that the table lacks as yet.
        problem: what is wrong with the file, or with the table beside it; empty if nothing is.
    """

    pending: tuple[LedgerEntry, ...] = ()
    problem: str = ""


def read_head_file(folder: Folder) -> bytes | None:
    """The file's content; None if it is missing, empty if it cannot be read.

    It is read before the table, so that the table holds at least what the file names.
    """
    try:
        return (folder.path / HEAD).read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        return b""


def compare_head(
    folder: Folder, content: bytes | None, entries: Sequence[LedgerEntry]
) -> LedgerHead:
    """Check the head file against the table's entries, and find entries that the table lacks.

    The file names the last entry that the table had, and the entries that were to be added next.

    Args:
        folder: the release folder, whose key signs the file.
        content: of the file; None if there is none.
        entries: of the table: all of them, or the last ones.

    Returns:
        The entries that the table still lacks, because their writer was killed; none if it has them
        already; or the problem, if the file is missing though the table has entries, damaged or
        changed, or the table an older copy: it lacks the last entry, or goes on with others than
        those that were to be added.
    """
    if content is None:
        return LedgerHead(problem=MISSING if entries else "")
    try:
        last_number, last_hash, *pending_rows, signature = json.loads(content)
        pending_entries = tuple(LedgerEntry(*row) for row in pending_rows)
    except (ValueError, TypeError):
        return LedgerHead(problem=DAMAGED)
    if signature != _sign(folder, last_number, last_hash, pending_entries):
        return LedgerHead(problem=CHANGED)
    hashes_by_number = {0: FIRST} | {entry.number: entry.hash for entry in entries}
    if hashes_by_number.get(last_number) != last_hash:
        return LedgerHead(problem=_old_copy(last_number))
    if max(hashes_by_number) == last_number:
        return LedgerHead(pending_entries)
    for entry in pending_entries:
        if hashes_by_number.get(entry.number) != entry.hash:
            return LedgerHead(problem=_old_copy(entry.number))
    return LedgerHead()


def write_head(
    folder: Folder, entries: Sequence[LedgerEntry], pending: Sequence[LedgerEntry]
) -> None:
    """Write the file: the last of the table's entries, and those about to be added."""
    number, last_hash = last_of(entries)
    signature = _sign(folder, number, last_hash, pending)
    rows = map(astuple, pending)
    folder.write(HEAD, json.dumps([number, last_hash, *rows, signature]).encode())


def last_of(entries: Sequence[LedgerEntry]) -> tuple[int, str]:
    """Number and hash of the last entry; 0 and ``FIRST`` before the first."""
    if not entries:
        return 0, FIRST
    return entries[-1].number, entries[-1].hash


def _sign(folder: Folder, number: int, last_hash: str, pending: Sequence[LedgerEntry]) -> str:
    signed_parts = (f"{number}", f"{last_hash}", *(json.dumps(astuple(entry)) for entry in pending))
    return folder.sign(b"head", *(part.encode() for part in signed_parts))


def _old_copy(number: int) -> str:
    return f"entry {number} is missing: this is an old copy of the ledger"
