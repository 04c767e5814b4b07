"""Readers: files of documents to corpora. One module a format; ``load`` chooses."""

from dplda.corpus.files.file import Limits
from dplda.corpus.readers.load import load, load_to

__all__ = ["Limits", "load", "load_to"]
