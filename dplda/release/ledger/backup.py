"""A copy of the release folder, whole and checked, while other programs may use it.

Not copied: whose turn it is, room for files to come, and what a release under way has drawn so far.
Were that restored after the release had ended, its last values would be drawn a second time.
"""

import os
import re
import secrets
import shutil
import sqlite3
from contextlib import closing, nullcontext
from pathlib import Path

from dplda.core.errors import DpldaError, InputError
from dplda.release.ledger.folder import (
    HEAD,
    KEY,
    LEDGER,
    PRIVATE_FILE,
    PRIVATE_FOLDER,
    SHARES_SUFFIX,
    SUFFIX,
    Folder,
)
from dplda.release.ledger.ledger import Ledger
from dplda.release.ledger.records.database import can_be_written, open_for_reading

_TABLE = re.compile("[0-9a-f]{64}[.][a-z]+")
"""Names of tables of public knowledge: their SHA-256 and kind."""


class BackupError(DpldaError):
    """A release folder that cannot be copied."""


def back_up(folder: Folder, target: Path) -> int:
    """Copy a release folder into a new folder of mode 0700, and check the copy's ledger.

    The key and the tables of public knowledge are copied, too; journals are not.
    Released files are copied before the ledger, so that each of them has its charge. Nobody writes
    to the ledger while it is copied, and entries that are only in SQLite's log are copied with it.
    A copy that fails is deleted.

    Args:
        target: does not exist yet, and lies outside of the release folder.

    Returns:
        How many released files were copied.

    Raises:
        InputError: ``target`` exists, or lies in the folder.
        BackupError: it cannot be written, or the copy is not whole.
    """
    if target.exists() or target.is_symlink():
        raise InputError("the folder of the copy", "a new one", "one that exists")
    if folder.path.resolve() in (target.resolve(), *target.resolve().parents):
        raise InputError("the folder of the copy", "outside of the release folder", "one in it")
    unfinished_copy = target.with_name(f".{target.name}.{secrets.token_hex(8)}.part")
    try:
        unfinished_copy.mkdir(mode=PRIVATE_FOLDER)  # it gets its name when it is whole
        n_files = _copy_files(folder, unfinished_copy)
        _copy_ledger(folder, unfinished_copy)
        faults = Ledger(Folder(unfinished_copy)).faults()
        if faults:
            raise BackupError(
                f"The copy is not whole: {'; '.join(faults)}. Run dplda ledger verify, and try"
                " again."
            )
        unfinished_copy.rename(target)
    except OSError as error:
        raise BackupError(
            f"The copy cannot be written: {error.strerror}. Choose another place for it."
        ) from None
    finally:
        shutil.rmtree(unfinished_copy, ignore_errors=True)
    return n_files


def _copy_files(folder: Folder, target: Path) -> int:
    """Copy the key, tables of public knowledge and released files; returns how many of the latter.

    Files without a name yet are left out. The ledger is not copied here.

    Raises:
        OSError: there is no key, the target already has one of the files, or a file cannot be read
            or written.
    """
    file_names = sorted(os.listdir(folder.path))
    table_names = [file_name for file_name in file_names if _TABLE.fullmatch(file_name)]
    released_names = [
        file_name
        for file_name in file_names
        if file_name.endswith((SUFFIX, SHARES_SUFFIX)) and not file_name.startswith(".")
    ]
    for file_name in (KEY, *table_names, *released_names):
        _write(target / file_name, (folder.path / file_name).read_bytes())
    return len(released_names)


def _copy_ledger(folder: Folder, target: Path) -> None:
    """Copy the ledger with all of its log, and its head, while nobody writes to either.

    Copies nothing if there is no ledger yet. A ledger that cannot be written is not locked.
    """
    if not folder.has_ledger():
        return
    ledger_path = folder.path / LEDGER
    writer_lock = Ledger(folder).held() if can_be_written(ledger_path) else nullcontext()
    with writer_lock, open_for_reading(ledger_path) as source_database:
        _write(target / LEDGER, b"")
        with closing(sqlite3.connect(target / LEDGER)) as target_database:
            source_database.backup(target_database)
        _write(target / HEAD, (folder.path / HEAD).read_bytes())


def _write(path: Path, content: bytes) -> None:
    """Write a new private file onto the disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
