"""The folder of files that are kept between runs."""

import os
import tempfile
from pathlib import Path

from dplda.core import safe_open

FOLDER_VARIABLE = "DPLDA_CACHE"  # environment variable that names another folder for the cache


def folder() -> Path:
    """Where files are kept: ``DPLDA_CACHE``, else ``dplda`` in ``XDG_CACHE_HOME``, else in ``~/.cache``."""
    usual = Path(os.environ.get("XDG_CACHE_HOME") or safe_open.home() / ".cache") / "dplda"
    return Path(os.environ.get(FOLDER_VARIABLE) or usual)


def trouble() -> str:
    """Why nothing can be kept in the folder at the moment, and what to do, in words; empty where it can."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder()) as probe:
            probe.write(bytes(4096))
            probe.flush()
    except OSError as error:
        return (
            f"Nothing can be saved in the folder {folder()}: {error.strerror or 'it cannot be written to'}. What is"
            f" read or computed lasts until the program ends. Fix that, or set another folder in {FOLDER_VARIABLE}."
        )
    return ""
