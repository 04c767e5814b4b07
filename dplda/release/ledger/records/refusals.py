"""Refusals of the release folder: what went wrong on the disk, and what to do."""

import errno

from dplda.core.errors import DpldaError

STAY = "Do not use another release folder: it would forget what was spent."
RESTORE = f"Restore the newest copy of the whole folder; Docs, Backup, says how. {STAY}"

_FIXES = {
    errno.EEXIST: "Its path has to be that of a folder.",
    errno.ENOTDIR: "Its path has to be that of a folder.",
    errno.ENOSPC: f"Make room on the disk. {STAY}",
    errno.EDQUOT: f"Make room on the disk. {STAY}",
    errno.EROFS: f"The disk is read-only: make it writable. {STAY}",
    errno.EACCES: f"Check who owns the folder, and its permissions. {STAY}",
    errno.EPERM: f"Check who owns the folder, and its permissions. {STAY}",
}


class FolderError(DpldaError):
    """The release folder cannot be used."""


class UnwrittenError(FolderError):
    """A release that was paid for but could not be saved.

    Args:
        name: of its file.
        content: of its file.
    """

    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(
            f"{name} was paid for, but the release folder cannot take it. Save it elsewhere now,"
            " or make room and repeat the same request: it costs nothing more."
        )
        self.name = name
        self.content = content


def fix_of(error: OSError, usual: str = f"Check the disk of the release folder. {STAY}") -> str:
    """A sentence on what to do about an error of the system; ``usual`` for one not listed."""
    return _FIXES.get(error.errno or 0, usual)
