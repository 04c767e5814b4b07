"""Common English words, written down for this project: a public list that gives nothing away."""

import functools

from dplda.core import assets


@functools.cache
def english_words() -> tuple[str, ...]:
    """The words in their public order, which is that of the file."""
    lines = (assets.folder() / "words" / "english.txt").read_text("utf-8").splitlines()
    return tuple(word for line in lines if not line.startswith("#") for word in line.split())
