"""Plain text: one document a line."""

from collections.abc import Iterator

from dplda.corpus.readers.decoding import TextSource
from dplda.corpus.readers.document import Document


def documents(source: TextSource) -> Iterator[Document]:
    """Yield each line as a document; an empty line is an empty document.

    Args:
        source: the file.

    Raises:
        ReadError: from the source.
    """
    for line in source.lines():
        yield Document(line.removesuffix("\n"))
