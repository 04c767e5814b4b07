"""Files for their owner alone: whole or not there, and on the disk before they count."""

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from dplda.core.file_lock import locked, remove_if_unlocked

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
PART = ".part"
"""Ending of a file that is being written."""


def write_new(path: Path, content: bytes) -> None:
    """Write a new file for its owner alone; its content is on the disk on return.

    Its name need not be: ``sync_folder`` sees to that.

    Args:
        path: where there is no file yet.
        content: of the file.

    Raises:
        FileExistsError: there is one.
    """
    _write(path, content, os.O_CREAT | os.O_EXCL)


def overwrite(path: Path, content: bytes) -> None:
    """Write over a file that exists, in the room that it has; arguments as in ``put``."""
    _write(path, content, 0)


def put(path: Path, content: bytes) -> None:
    """Put a file in the place of another or of none; the old one stays until the new is whole.

    The new one is for its owner alone; content and name are on the disk on return.

    Args:
        path: of the file.
        content: of the file.
    """
    with _part(path.parent, content) as part:
        os.replace(part, path)
    sync_folder(path.parent)


def put_first(path: Path, content: bytes) -> None:
    """Put a file where there is none; where there is one, it stays, and nothing is raised.

    So of two processes that do so the first one wins. Arguments are as in ``put``.
    """
    with _part(path.parent, content) as part, suppress(FileExistsError):
        os.link(part, path)
    sync_folder(path.parent)


def remove_parts(folder: Path) -> None:
    """Remove what killed processes had begun to write; files being written are locked."""
    for part in folder.glob(f".*{PART}"):
        remove_if_unlocked(part)


def sync_folder(path: Path) -> None:
    """Put the names of a folder's files on the disk, by ``fsync``; does nothing on Windows."""
    if not hasattr(os, "O_DIRECTORY"):
        return  # Windows has no such flag
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _part(folder: Path, content: bytes) -> Iterator[Path]:
    """Write a content into a new locked file on the disk, yield its path, and delete it afterwards.

    If another process deletes the file before it is locked, a new one is made. Its lock keeps other
    processes from deleting it.
    """
    while True:
        part_path = folder / f".{secrets.token_hex(8)}{PART}"
        descriptor = os.open(part_path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as file, locked(descriptor) as is_mine:
            if not is_mine or not part_path.exists():  # somebody removed it before it was locked
                continue
            try:
                file.write(content)
                _sync(file)
                if sys.platform == "win32":
                    file.close()  # an open file gets no other name there
                yield part_path
            finally:
                part_path.unlink(missing_ok=True)
        return


def _write(path: Path, content: bytes, flags: int) -> None:
    """Write a whole private file, opened with these flags besides, onto the disk."""
    descriptor = os.open(path, os.O_WRONLY | flags, PRIVATE_FILE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.truncate()
        _sync(file)


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
