"""A folder of files, and those below it; links are not followed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from dplda.corpus.readers.file import File
from dplda.corpus.readers.gzipped import unpacked
from dplda.corpus.readers.limits import Limits
from dplda.corpus.readers.members import Member, Rules, shown_name
from dplda.errors import ReadError
from dplda.opening import file_name, opened


def members(path: Path, limits: Limits, encoding: str | None = None) -> list[Member]:
    """The files in a folder, sorted by their path; links, pipes and devices are passed over.

    Raises:
        ReadError: the folder cannot be read; files over the limit in number or size; archives among them.
    """
    name = file_name(path.resolve())
    rules = Rules(name, limits, nested=False)
    try:
        found = [it for it in _files(path) if rules.admit(it.relative_to(path).as_posix(), it.lstat().st_size)]
    except OSError as error:
        raise ReadError(name, error.strerror or "cannot be read", "Check the path.") from None
    return [Member(it.name, partial(_opened, it, name, limits, encoding, alone=len(found) == 1)) for it in found]


def _files(path: Path) -> Iterator[Path]:
    with os.scandir(path) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path))
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry.path)


@contextmanager
def _opened(path: Path, folder: str, limits: Limits, encoding: str | None, *, alone: bool) -> Iterator[File]:
    name = shown_name(folder, path.name)
    with opened(path) as binary:
        yield File(name, unpacked(name, binary), limits, encoding, alone=alone)
