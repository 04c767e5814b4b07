"""Connections to the ledger's database: one that writes, and one that reads wherever it lies.

SQLite writes even to read a database with a write-ahead log: it keeps an index beside it. On a
read-only or full disk the file is therefore read as it is. Where entries are in the log alone, as a
killed process leaves them, and the index is gone, both are read from a private copy that is deleted
again.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from dplda.release.ledger.records.entry import LedgerError, LedgerUnavailable
from dplda.release.ledger.records.refusals import RESTORE, STAY

PATIENCE = 60.0  # seconds for others to finish writing
LOG = "-wal"
INDEX = "-shm"  # endings of the files that SQLite keeps beside a database

BUSY = f"Another program has been writing to the ledger for a minute. Wait, and try again. {STAY}"
FULL = f"The disk of the release folder is full or fails. Make room, and try again. {STAY}"
READ_ONLY = (
    "The release folder cannot be written to: its disk is read-only, or its owner is another user."
    f" Nothing was charged. Make it writable first. {STAY}"
)
DAMAGED = f"The ledger is damaged. {RESTORE}"


def can_be_written(path: Path) -> bool:
    """Whether this process may write the database and the files beside it."""
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


@contextmanager
def open_for_writing(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection on which a commit is on the disk when it returns; the file has to exist.

    No transaction is begun. The connection is closed after the block. Errors of SQLite and of the
    system inside the block leave it as refusals, too.

    Raises:
        LedgerUnavailable: another program keeps it, or the disk is full or read-only.
        LedgerError: it is damaged, or SQLite fails otherwise.
    """
    if not can_be_written(path):
        raise LedgerUnavailable(READ_ONLY)
    with _refusing(), closing(_connect(path, "mode=rw")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        yield connection


@contextmanager
def open_for_reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database for reading; an empty one if the file does not exist.

    A file that cannot be written, or whose index cannot be made, is read as it is. The connection
    is closed after the block. Errors of SQLite and of the system inside the block leave it as
    refusals, too.

    Raises:
        LedgerUnavailable: it cannot be opened now.
        LedgerError: it is damaged or cannot be read.
    """
    with _refusing(), ExitStack() as closed_after:
        connection = None
        if not path.exists():
            connection = sqlite3.connect(":memory:", isolation_level=None)
        elif can_be_written(path):
            connection = _open_with_index(path)
        if connection is None:
            yield closed_after.enter_context(_as_it_is(path))
        else:
            yield closed_after.enter_context(closing(connection))


@contextmanager
def _as_it_is(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database read-only, whose files must not, or cannot, be written.

    A log without its index cannot be read so: then a temporary copy of both is opened.
    """
    log_path = path.with_name(path.name + LOG)
    index_path = path.with_name(path.name + INDEX)
    has_log = log_path.exists() and log_path.stat().st_size > 0
    if not has_log or index_path.exists():
        mode_query = "mode=ro" if has_log else "mode=ro&immutable=1"
        with closing(_connect(path, mode_query)) as connection:
            yield connection
        return
    with tempfile.TemporaryDirectory() as folder:  # of mode 0700
        copy_path = Path(folder) / path.name
        shutil.copyfile(path, copy_path)
        shutil.copyfile(log_path, copy_path.with_name(copy_path.name + LOG))
        with closing(_connect(copy_path, "mode=rw")) as connection:
            yield connection


def _open_with_index(path: Path) -> sqlite3.Connection | None:
    """Open a database for reading, with the index that SQLite makes for it.

    None on a full or read-only disk, or where the index cannot be made. After any other error of
    its first query the connection is open, and the caller meets that error again.

    Raises:
        sqlite3.Error: any other error of opening.
    """
    connection = None
    try:
        connection = _connect(path, "mode=rw")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        cannot_have_index = isinstance(error, sqlite3.OperationalError) and _kind_of(error) in {
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_FULL,
            sqlite3.SQLITE_IOERR,
            sqlite3.SQLITE_READONLY,
        }
        if cannot_have_index:
            if connection is not None:
                connection.close()
            return None
        if connection is None:
            raise
    return connection


def _connect(path: Path, how: str) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?{how}"
    return sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn errors of the system and of SQLite within the block into refusals that say what to do.

    Raises:
        LedgerUnavailable: the file cannot be opened, or not now.
        LedgerError: any other of SQLite's errors.
    """
    try:
        yield
    except OSError as error:
        raise LedgerUnavailable(
            f"The ledger cannot be opened: {error.strerror}. Check the release folder. {STAY}"
        ) from None
    except sqlite3.Error as error:
        raise _refusal_of(error) from None


def _refusal_of(error: sqlite3.Error) -> LedgerError:
    """Make the refusal for an error of SQLite, by its code.

    ``LedgerUnavailable`` if the file is in use, cannot or may not be opened, or its disk is
    full, fails or is read-only. Else a plain ``LedgerError``, which says that the file is damaged
    or names the error.
    """
    message_by_code = {
        sqlite3.SQLITE_BUSY: BUSY,
        sqlite3.SQLITE_LOCKED: BUSY,
        sqlite3.SQLITE_FULL: FULL,
        sqlite3.SQLITE_IOERR: FULL,
        sqlite3.SQLITE_READONLY: READ_ONLY,
        sqlite3.SQLITE_CANTOPEN: READ_ONLY,
        sqlite3.SQLITE_PERM: READ_ONLY,
    }
    error_code = _kind_of(error)
    if error_code in message_by_code:
        return LedgerUnavailable(message_by_code[error_code])
    if error_code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return LedgerError(DAMAGED)
    return LedgerError(f"The ledger cannot be used: {error}. Run dplda ledger verify. {STAY}")


def _kind_of(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 for errors that Python itself raises."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
