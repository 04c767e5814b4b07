"""The folder of files that are kept between runs, and the embedded corpus's counts and words."""

import os
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from dplda.core import safe_open
from dplda.core.errors import CorpusError
from dplda.core.types import Counts
from dplda.corpus.counts import canonical_counts

FOLDER_VARIABLE = "DPLDA_CACHE"  # environment variable that names another folder for the cache


@dataclass(frozen=True, slots=True, eq=False)
class WordCounts:
    """Counts, shape (N, d), and what they are counts of: the ``d`` distinct words, in column order."""

    counts: Counts
    words: tuple[str, ...]


def folder() -> Path:
    """Where files are kept: ``DPLDA_CACHE``, else ``dplda`` in ``XDG_CACHE_HOME``, else in ``~/.cache``."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or safe_open.home() / ".cache") / "dplda"


def trouble() -> str:
    """Why nothing can be kept in the folder at the moment, and what to do, in words; empty where it can."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder()) as probe:
            probe.write(bytes(4096))
            probe.flush()
    except OSError as error:
        return (
            f"Nothing can be kept in the folder {folder()}: {error.strerror or 'it cannot be written to'}. What is read"
            f" or computed lasts until the program ends. Fix that, or set another folder in {FOLDER_VARIABLE}."
        )
    return ""


def read(path: Path) -> WordCounts | None:
    """Read a file of counts and words that is ours, wherever it lies; None where it is missing or damaged."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            words = tuple(stored["words"].tobytes().decode().split("\n"))
            indptr = stored["indptr"]
            matrix = csr_array((stored["data"], stored["indices"], indptr), shape=(indptr.size - 1, len(words)))
        return WordCounts(canonical_counts(matrix), words)
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error, CorpusError):
        return None
