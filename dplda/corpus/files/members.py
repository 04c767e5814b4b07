"""Several files that are one corpus: in an archive, in a folder, or brought together."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import PurePosixPath

from dplda.core.errors import ReadError
from dplda.core.safe_open import file_name
from dplda.corpus.files.compression import is_packed
from dplda.corpus.files.file import File, ending
from dplda.corpus.files.limits import Limits, over_size

MOST_MEMBERS = 100_000
_ARCHIVES = {".zip", ".tar", ".tgz", ".tbz", ".7z", ".rar", ".jar", ".xz"}
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[/\\]")
_IGNORED = {"thumbs.db", "desktop.ini"}


@dataclass(frozen=True, slots=True)
class Member:
    """One of several files."""

    name: str
    opened: Callable[[], AbstractContextManager[File]]


class Rules:
    """What the names and sizes in an archive must keep to, checked one member after the other.

    Args:
        limits: ``max_bytes`` bounds all members together.
    """

    def __init__(self, source: str, limits: Limits, *, nested: bool = True) -> None:
        self._source, self._limits, self._nested = source, limits, nested
        self._names: set[tuple[str, ...]] = set()
        self._n_bytes = 0

    def admit(self, path: str, n_bytes: int, *, link: bool = False) -> bool:
        """Look at a member before it is read.

        Raises:
            ReadError: which rule it breaks.
        """
        self._refuse(len(self._names) >= MOST_MEMBERS, f"more than {MOST_MEMBERS:,} members, the limit")
        parts = PurePosixPath(path.replace("\\", "/")).parts
        self._refuse(".." in parts, "a member whose path leads out of the archive")
        self._refuse(_ABSOLUTE.match(path) is not None, "a member with an absolute path")
        self._refuse(link, "a link in the place of a file")
        self._refuse(parts in self._names, "two members of the same name")
        self._names.add(parts)
        if not parts or is_ignored(parts):
            return False
        self._refuse((self._nested and is_packed(path)) or is_archive(parts[-1]), "an archive within the archive")
        self._n_bytes += n_bytes
        if self._n_bytes > self._limits.max_bytes:
            raise over_size(self._source, self._limits)
        return True

    def _refuse(self, broken: bool, rule: str) -> None:
        if broken:
            raise ReadError(self._source, rule, "Unpack it yourself if you trust it, and give the folder.")


def is_ignored(parts: tuple[str, ...]) -> bool:
    """Whether a path is one of those that file managers and version control leave behind, or hidden."""
    return "__MACOSX" in parts or any(part.startswith(".") for part in parts) or parts[-1].lower() in _IGNORED


def is_archive(name: str) -> bool:
    """Whether a file's name is that of an archive."""
    return ending(name) in _ARCHIVES


def shown_name(source: str, path: str) -> str:
    """How messages name a member."""
    return f"{source}/{file_name(path)}"
