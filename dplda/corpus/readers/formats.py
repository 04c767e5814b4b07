"""Which reader a file has, by the ending of its name: whatever reads, lists or offers formats asks here."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import TypeAlias

from dplda.core import checks
from dplda.corpus.counts_readers import matrices
from dplda.corpus.files.encodings import EncodingGuess, fitting
from dplda.corpus.files.file import NOT_TEXT, File, Limits, ending
from dplda.corpus.files.sources import Readable, gathered, single
from dplda.corpus.readers import delimited, lines, mbox, office, parquet, table, workbook
from dplda.corpus.readers.table import Columns, Document, Head

Reader: TypeAlias = Callable[[File, Columns], Iterator[Document]]
"""From a file and the columns or keys that hold text and person to documents, one after the other."""

_tabbed = partial(delimited.rows, delimiter="\t")
_ROWS: dict[str, table.Rows] = {
    ".csv": delimited.rows,
    ".tsv": _tabbed,
    ".tab": _tabbed,
    ".xlsx": workbook.rows,
}
READERS: dict[str, Reader] = {
    ".txt": lines.plain,
    ".text": lines.plain,
    **{end: partial(table.documents, rows) for end, rows in _ROWS.items()},
    ".jsonl": lines.objects,
    ".ndjson": lines.objects,
    ".json": lines.objects,
    ".parquet": parquet.documents,
    ".mbox": mbox.documents,
    ".docx": office.docx,
    ".pdf": office.pdf,
}
"""What reads a file of documents, by the ending of its name."""

COUNTS: dict[str, Callable[[File], matrices.Entries]] = {
    ".mtx": matrices.matrix_market,
    ".npz": matrices.npz,
}
"""What reads a file of counts, beside the bags of words of UCI, which go by their whole name."""

HEADS: dict[str, Callable[[File, int], Head]] = {
    **{end: partial(table.head, rows) for end, rows in _ROWS.items()},
    ".xlsx": partial(table.head, partial(workbook.rows, most=100)),
    ".jsonl": lines.head,
    ".ndjson": lines.head,
    ".json": lines.head,
    ".parquet": parquet.head,
}
"""What shows the first rows of those that are tables."""

_NO_TEXT = {".xlsx", ".parquet", ".docx", ".pdf"}


def preview(source: Readable, *, encoding: str | None = None, n_rows: int = 5) -> Head:
    """The first rows of a table, to pick its columns from; else no columns. Errors are those of ``load``.

    Args:
        source: a path, or a name and an open binary file, which is read from its beginning and wound back.
    """
    checks.integer_at_least("n_rows", n_rows, 1)
    member = single(source, Limits(), encoding)
    if (head := HEADS.get(ending(member.name))) is None:
        return Head((), ())
    with member.opened() as file:
        found = head(file, n_rows)
    if isinstance(source, tuple):
        source[1].seek(0)
    return found


def encodings(source: Readable) -> tuple[EncodingGuess, ...]:
    """The encodings that fit a file of text, or those of a zip archive, where they are not UTF-8; likeliest first."""
    contents = []
    with ExitStack() as stack:
        for member in gathered(source, Limits(), None, stack).members:
            if ending(member.name) not in _NO_TEXT and not is_counts(member.name):
                with member.opened() as file:
                    contents.append(file.whole())
    return fitting([content for content in contents if not content.startswith(tuple(NOT_TEXT))])


def is_counts(name: str) -> bool:
    """Whether a file's name is one of counts and not of documents."""
    return matrices.is_bag(name) or ending(name) in COUNTS


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """What the reader for a file's name yields; plain text is all that no other reader has."""
    return READERS.get(ending(file.name), lines.plain)(file, columns)
