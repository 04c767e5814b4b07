"""The embedded corpus for all processes of a run: parsed by the first that needs it, while the others wait."""

import fcntl
import json
import os
import shutil
from pathlib import Path

import pytest

from dplda.corpus import disk_cache, python_docs


def parsed_once(kept: Path) -> list[tuple[float, str]]:
    """Bring the parsed corpus into the cache of this process.

    Args:
        kept: the folder that all processes share.

    Returns:
        The progress that was told while it was parsed, in this run or an earlier one.
    """
    kept.mkdir(parents=True, exist_ok=True)
    progress = kept / "progress.json"
    heard: list[tuple[float, str]] = []
    with (kept / "lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)
        patch.setenv(disk_cache.FOLDER_VARIABLE, str(kept))
        if not progress.exists():  # a run was ended in between
            for file in kept.glob("*.npz"):
                file.unlink()
        python_docs(report=lambda share, line: heard.append((share, line)))
        if heard:
            progress.write_text(json.dumps(heard), "utf-8")
    bring(kept, disk_cache.folder())
    return [(share, line) for share, line in json.loads(progress.read_text("utf-8"))]


def bring(kept: Path, own: Path) -> None:
    """Copy the parsed corpus from one cache to another."""
    own.mkdir(exist_ok=True)
    for file in kept.glob("python-docs-*.npz"):
        shutil.copyfile(file, own / "part")
        os.replace(own / "part", own / file.name)
