"""Readers of files of documents, one module a format; ``load`` chooses the reader."""

from dplda.corpus.files.file import Limits
from dplda.corpus.readers.load import load, load_to

__all__ = ["Limits", "load", "load_to"]
