"""Temporary folders: gone afterwards, or swept at the next start where a process was killed."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":  # where a folder that is in use cannot be told from one that is not
    import fcntl

PREFIX = "dplda-temporary-"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder for this process alone, which is gone afterwards; those of processes that were killed go first."""
    sweep()
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX))
        held = _held(path, wait=True)
        if path.is_dir():
            break
        _let_go(held)  # it was swept before it was held
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        _let_go(held)


def sweep() -> None:
    """Remove temporary folders that no process holds any more."""
    if sys.platform == "win32":
        return
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        held = _held(path)
        if held is not None:
            shutil.rmtree(path, ignore_errors=True)
            _let_go(held)


def _held(path: Path, *, wait: bool = False) -> int | None:
    """A lock on a folder, which ends with this process at the latest; None where it is another's, or gone."""
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
