"""Plain text: one document a line."""

from collections.abc import Iterator

from dplda.corpus.readers.decoding import TextSource


def documents(source: TextSource) -> Iterator[str]:
    """Yield each line as a document; an empty line is an empty document.

    Args:
        source: the file.

    Raises:
        ReadError: from the source.
    """
    for line in source.lines():
        yield line.removesuffix("\n")
