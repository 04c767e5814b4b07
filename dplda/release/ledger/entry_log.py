"""The ledger's entries on the disk: read wherever they lie, checked, and only ever added to."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, replace
from datetime import UTC, datetime
from typing import TypeAlias

from dplda.release.ledger.folder import LEDGER, Folder, FolderError
from dplda.release.ledger.head import compare_head, last_of, read_head_file, write_head
from dplda.release.ledger.records import schema
from dplda.release.ledger.records.database import open_for_reading, open_for_writing
from dplda.release.ledger.records.entry import LedgerEntry, LedgerError, LedgerUnavailable
from dplda.release.ledger.tally import are_linked, check_kinds, find_faults, find_unpaid

WrittenAndPending: TypeAlias = tuple[list[LedgerEntry], tuple[LedgerEntry, ...]]
"""Entries of the table, and of the file ``head``, which the next writer adds to it."""

UNPAID_FIX = (
    "It may be an older copy: restore the newest one of the whole folder; Docs, Backup, says how."
    " If the file is of another release folder, move it there."
)


class EntryLog:
    """The entries of a folder; every call opens it again, so several processes may use it."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._path = folder.path / LEDGER

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep all others from writing until the block ends.

        As for every writer, the ledger is made if there is none, checked, and completed by entries
        that a killed writer left.

        Raises:
            LedgerError: the ledger was changed, or cannot be written to.
        """
        with self._writing():
            yield

    def faults(self) -> tuple[str, ...]:
        """List faults: damage, changed or removed entries, charges beyond a budget, unpaid files.

        Empty if all is well. A ledger that cannot be read, or that a newer version wrote, gives
        that one fault. A fault of the head is listed only if the file and entries have none,
        because it follows from theirs.

        Raises:
            LedgerUnavailable: nobody can tell now, because it is in use or its disk fails.
        """
        head_content = read_head_file(self._folder)
        try:
            with self._opened() as connection:
                table_entries = schema.read_entries(connection)
                faults_of_file = [
                    f"the file is damaged: {problem}"
                    for (problem,) in connection.execute("PRAGMA integrity_check")
                    if problem != "ok"
                ]
            head = compare_head(self._folder, head_content, table_entries)
            entries = (*table_entries, *head.pending)
            check_kinds(entries)
        except LedgerUnavailable:
            raise
        except (LedgerError, FolderError) as error:
            return (str(error),)
        faults = [*faults_of_file, *find_faults(entries, self._hash)]
        if not faults and head.problem:
            faults.append(head.problem)
        return (*faults, *find_unpaid(self._folder, entries))

    def _all_entries(self) -> tuple[LedgerEntry, ...]:
        """Entries of the table and of the head, in order; hashes are not checked.

        Raises:
            LedgerError: they cannot be read, or a newer version wrote one.
        """
        head_content = read_head_file(self._folder)
        with self._opened() as connection:
            table_entries = schema.read_entries(connection)
        entries = (*table_entries, *compare_head(self._folder, head_content, table_entries).pending)
        check_kinds(entries)
        return entries

    def _append(
        self,
        entries: list[LedgerEntry],
        kind: str,
        dataset: str,
        amounts: tuple[int, int],
        detail: str,
    ) -> LedgerEntry:
        """Add an entry of this moment to the entries that are about to be written; returns it.

        Args:
            entries: all entries so far, or the last ones.
            kind: of the entry.
            dataset: that it is of.
            amounts: ε and δ in the ledger's units.
            detail: facts on it.
        """
        written_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        last_number, last_hash = last_of(entries)
        unhashed_entry = LedgerEntry(
            last_number + 1, written_at, kind, dataset, *amounts, detail, ""
        )
        entry = replace(unhashed_entry, hash=self._hash(last_hash, unhashed_entry))
        entries.append(entry)
        return entry

    def _hash(self, previous_hash: str, entry: LedgerEntry) -> str:
        """The keyed hash of all fields of an entry but its hash, and of the hash before it."""
        *fields_of_entry, _ = astuple(entry)
        return self._folder.sign(
            b"entry",
            previous_hash.encode(),
            json.dumps(fields_of_entry, default=repr).encode(),
        )

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """A connection that reads, of an empty database where nothing is declared yet."""
        self._folder.has_ledger()
        with open_for_reading(self._path) as connection:
            yield connection

    @contextmanager
    def _writing(self, last_note: LedgerEntry | None = None) -> Iterator[list[LedgerEntry]]:
        """Yield the list of all entries, for one writer at a time to append to.

        Makes the ledger if there is none. After the block new entries go into the table, and into
        the head before they are committed. Any error before that rolls the table back. Entries
        that a killed writer left in the head alone are added, too.

        Args:
            last_note: entry that this object has just written: then the last entries alone come, if
                they follow it; None for all.

        Raises:
            LedgerError: the ledger has a fault, holds a file that was not paid for, or cannot be
                written to.
        """
        self._folder.make_ledger()
        with open_for_writing(self._path) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                head_content = read_head_file(self._folder)
                table_entries, head_entries = self._checked_end(
                    connection, head_content, last_note
                ) or self._checked(connection, head_content)
                entries = [*table_entries, *head_entries]
                yield entries
                self._write(connection, table_entries, entries[len(table_entries) :])
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def _checked(
        self, connection: sqlite3.Connection, head_content: bytes | None
    ) -> WrittenAndPending:
        """Read all entries of the table, and those that only the head holds yet; check all.

        If all is well, deletes unfinished files that killed processes left.

        Raises:
            LedgerError: there is a fault, an entry of a newer version, or a file that was not paid
                for.
        """
        table_entries = schema.read_entries(connection)
        head = compare_head(self._folder, head_content, table_entries)
        entries = [*table_entries, *head.pending]
        check_kinds(entries)
        if head.problem or any(find_faults(entries, self._hash)):
            raise LedgerError(
                "The ledger was changed from outside, so it accepts no entry. Run dplda ledger"
                " verify."
            )
        unpaid_file = next(find_unpaid(self._folder, entries), None)
        if unpaid_file is not None:
            raise LedgerError(f"{unpaid_file}, so it accepts no entry. {UNPAID_FIX}")
        self._folder.remove_parts()
        return table_entries, head.pending

    def _checked_end(
        self,
        connection: sqlite3.Connection,
        head_content: bytes | None,
        last_note: LedgerEntry | None,
    ) -> WrittenAndPending | None:
        """Read the entries from ``last_note`` on, with the one before it, and those of the head.

        Returns None if all entries must be read: ``last_note`` is None or the first entry, the
        entries do not follow it, or the head has a problem.
        """
        if last_note is None:
            return None
        table_entries = schema.read_entries(connection, last_note.number - 1)
        head = compare_head(self._folder, head_content, table_entries)
        entries = [*table_entries, *head.pending]
        is_followed = table_entries[1:2] == [last_note] and are_linked(entries, self._hash)
        if head.problem or not is_followed:
            return None
        return table_entries, head.pending

    def _write(
        self,
        connection: sqlite3.Connection,
        table_entries: list[LedgerEntry],
        new_entries: list[LedgerEntry],
    ) -> None:
        """Put new entries into the table, and into the file ``head`` before they are committed."""
        schema.prepare_for_writing(connection)
        for entry in new_entries:
            schema.append(connection, astuple(entry))
        write_head(self._folder, table_entries, new_entries)
