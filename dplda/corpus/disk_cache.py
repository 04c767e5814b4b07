"""Folder of files that are kept between runs."""

import os
import tempfile
from pathlib import Path

from dplda.core import safe_open

FOLDER_VARIABLE = "DPLDA_CACHE"  # environment variable that names another folder for the cache


def folder() -> Path:
    """Folder for files to keep; it need not exist.

    It is ``DPLDA_CACHE``, else ``dplda`` in ``XDG_CACHE_HOME``, else ``dplda`` in ``~/.cache``.
    """
    usual = Path(os.environ.get("XDG_CACHE_HOME") or safe_open.home() / ".cache") / "dplda"
    return Path(os.environ.get(FOLDER_VARIABLE) or usual)


def describe_trouble() -> str:
    """Explain why nothing can be saved in the folder at the moment, and what to do.

    "" if it can be. Makes the folder, and writes a file of 4 KB that is deleted at once.
    """
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder()) as probe_file:
            probe_file.write(bytes(4096))
            probe_file.flush()
    except OSError as error:
        reason = error.strerror or "it cannot be written to"
        return (
            f"Nothing can be saved in the folder {folder()}: {reason}. What is read or computed"
            " lasts until the program ends. Fix that, or set another folder in"
            f" {FOLDER_VARIABLE}."
        )
    return ""
