"""A child process to whom permissions apply even where tests run as root, and a disk that is read-only."""

import ctypes
import multiprocessing
import os
import traceback
from collections.abc import Callable
from pathlib import Path

_VERSION = 0x20080522  # of Linux's capability interface
FORK = multiprocessing.get_context("fork")


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


def drop_capabilities() -> None:
    """Give up root's right to pass over permissions, for good."""
    if os.getuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        nothing = (_Sets * 2)()
        if libc.capset(ctypes.byref(_Header(_VERSION, 0)), nothing):
            raise OSError(ctypes.get_errno(), "capset")


def run_read_only(folder: Path, work: Callable[[], object]) -> None:
    """Run ``work`` in a child for whom a folder and its files cannot be written; it must not fail."""
    files = list(folder.iterdir())
    for path in files:
        path.chmod(0o400)
    folder.chmod(0o500)
    process = FORK.Process(target=_restricted, args=(work,))
    try:
        process.start()
        process.join(120)
        assert process.exitcode == 0
    finally:
        folder.chmod(0o700)
        for path in files:
            path.chmod(0o600)


def _restricted(work: Callable[[], object]) -> None:
    drop_capabilities()
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
