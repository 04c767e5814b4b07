"""A folder of files, and those below it; links are not followed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from dplda.core.safe_open import file_name, opened, refusal
from dplda.corpus.files.compression import unpacked
from dplda.corpus.files.file import File
from dplda.corpus.files.limits import Limits
from dplda.corpus.files.members import Member, Rules, shown_name


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
        raise refusal(error, path.resolve()) from None
    return [Member(it.name, partial(_opened, it, name, limits, encoding, alone=len(found) == 1)) for it in found]


def _files(path: Path) -> Iterator[Path]:
    """Without recursion: folders may lie deeper than Python's stack."""
    waiting = [(str(path), True)]
    while waiting:
        place, is_folder = waiting.pop()
        if not is_folder:
            yield Path(place)
            continue
        with os.scandir(place) as entries:
            found = sorted(entries, key=lambda entry: entry.name, reverse=True)
        for entry in found:
            below = entry.is_dir(follow_symlinks=False)
            if below or entry.is_file(follow_symlinks=False):
                waiting.append((entry.path, below))


@contextmanager
def _opened(path: Path, folder: str, limits: Limits, encoding: str | None, *, alone: bool) -> Iterator[File]:
    name = shown_name(folder, path.name)
    with opened(path) as binary:
        yield File(name, unpacked(name, binary), limits, encoding, alone=alone)
