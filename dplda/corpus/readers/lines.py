"""Plain text: one document a line, or one a file where there are many files."""

from collections.abc import Iterator

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.readers.columns import Columns
from dplda.corpus.readers.document import Document


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """Yield each line as a document; an empty line is an empty document.

    Args:
        file: alone, or one of many; each of many is one document, unless ``columns`` says otherwise.

    Raises:
        ReadError: a person asked for, and what reading the text refuses.
    """
    if columns.person is not None:
        fix = "Give CSV, Excel, JSON lines or Parquet."
        raise ReadError(file.name, "plain text has no column that says whose a document is", fix)
    each_line = file.alone if columns.whole_files is None else not columns.whole_files
    if each_line:
        for line in file.text().lines():
            yield Document(line.removesuffix("\n"))
    else:
        yield Document("".join(file.text().lines()))
