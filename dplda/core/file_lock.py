"""Locks on open files, which the system gives back when a process dies.

A lock belongs to the open file, not to the process, so two threads that open the same file exclude
each other too. A forked child would keep its parent's locks alive; it closes them at once.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl
else:
    import msvcrt

_HELD: set[int] = set()
"""Descriptors of the files that this process has locked."""


@contextmanager
def locked(descriptor: int) -> Iterator[bool]:
    """Lock an open file until the block ends, without waiting; yield whether it worked.

    A process that is forked in the block closes the descriptor, so that it holds no lock.
    """
    if not _lock(descriptor):
        yield False
        return
    _HELD.add(descriptor)
    try:
        yield True
    finally:
        _HELD.discard(descriptor)
        _unlock(descriptor)


def remove_if_unlocked(path: Path) -> None:
    """Remove a regular file that nobody has locked, holding its lock meanwhile.

    One that is locked, or that the system refuses to open or remove, stays.
    """
    open_flags = os.O_RDWR
    for flag_name in ("O_NOFOLLOW", "O_NONBLOCK"):
        open_flags |= getattr(os, flag_name, 0)
    with suppress(OSError):
        descriptor = os.open(path, open_flags)
        try:
            with locked(descriptor) as is_abandoned:
                if is_abandoned:
                    path.unlink()
        finally:
            os.close(descriptor)


def _lock(descriptor: int) -> bool:
    """Try to take the exclusive lock of an open file, without waiting; say whether it worked."""
    try:
        if sys.platform != "win32":
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def _unlock(descriptor: int) -> None:
    """Give up the lock of an open file; one that is gone already is no fault."""
    with suppress(OSError):
        if sys.platform != "win32":
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        else:
            msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)


def _close_inherited() -> None:
    """Close, in a forked process, the locked files that it inherited, so that it holds no lock."""
    for descriptor in _HELD:
        with suppress(OSError):
            os.close(descriptor)
    _HELD.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_inherited)
