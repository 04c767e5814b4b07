"""Temporary folders that are deleted at the end, or at the next start if a process was killed."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":  # which cannot lock a folder
    import fcntl

PREFIX = "dplda-temporary-"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder for this process, deleted at the end; folders of killed processes are deleted first."""
    sweep()
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX))
        held = _held(path, wait=True)
        if path.is_dir():
            break
        _let_go(held)  # another process deleted it before it was locked
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        _let_go(held)


def sweep() -> None:
    """Delete temporary folders that no process uses any more."""
    if sys.platform == "win32":
        return
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        held = _held(path)
        if held is not None:
            shutil.rmtree(path, ignore_errors=True)
            _let_go(held)


def _held(path: Path, *, wait: bool = False) -> int | None:
    """A lock on a folder, which ends with this process; None if another process has it or it is gone."""
    if sys.platform == "win32":
        return None
    with suppress(OSError):
        held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            os.close(held)
        else:
            return held
    return None


def _let_go(held: int | None) -> None:
    if held is not None:
        os.close(held)
