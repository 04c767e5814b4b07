"""Which reader a file has, by the ending of its name: whatever reads, lists or offers formats asks here."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import TypeAlias

from dplda.core import checks
from dplda.core.errors import ReadError
from dplda.corpus.counts_readers import matrices
from dplda.corpus.files.encodings import EncodingGuess, fitting
from dplda.corpus.files.file import NOT_TEXT, File, Limits, ending
from dplda.corpus.files.sources import Readable, gathered, single
from dplda.corpus.readers import delimited, lines, mbox, office, parquet, table, workbook
from dplda.corpus.readers.extraction.html_text import declared_encoding
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
    ".eml": mbox.one_message,
    ".docx": office.docx,
    ".pdf": office.pdf,
    ".html": office.html,
    ".htm": office.html,
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

_OTHER_FORMATS = (
    ({".xls"}, "an old workbook, or an encrypted one", "Save it as .xlsx, without a password."),
    ({".xlsb", ".xlsm", ".ods", ".numbers"}, "another kind of workbook", "Save it as .xlsx."),
    ({".doc"}, "an old Word document, or an encrypted one", "Save it as .docx."),
    ({".odt", ".rtf", ".docm", ".pages"}, "another kind of document", "Save it as .docx."),
    (
        {".yaml", ".yml", ".xml", ".toml"},
        "a structured text",
        "Write it as JSON lines (.jsonl), one object a document.",
    ),
    ({".msg", ".pst"}, "mail of Outlook", "Export it as .eml or .mbox."),
    ({".ppt", ".pptx", ".odp", ".key"}, "slides", "Save them as .pdf."),
    (
        {
            *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic", ".tif", ".tiff", ".bmp"),
            *(".svg", ".psd", ".ico"),
        },
        "a picture",
        "If it shows text, recognize the text first, and save that as .txt.",
    ),
    (
        {
            *(".mp3", ".wav", ".m4a", ".ogg", ".flac", ".mp4", ".mov", ".avi", ".mkv"),
            *(".webm", ".wmv"),
        },
        "a recording",
        "If somebody speaks in it, write that down, and save it as .txt.",
    ),
)  # what people try: the kind, and what to do

WHOLE_FILES = frozenset({".txt", ".text", "", ".docx", ".pdf", ".html", ".htm", ".eml"})
"""Endings of files that are one document each where there are several files."""

_NO_TEXT = {".xlsx", ".parquet", ".docx", ".pdf"}
_NAMES_ITS_ENCODING = {".html", ".htm"}  # where it does


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
        files = gathered(source, Limits(), None, stack)
        for member in files.members:
            if is_known(member.name) and ending(member.name) not in _NO_TEXT:
                with member.opened() as file:
                    content = file.whole()
                if ending(member.name) in _NAMES_ITS_ENCODING and declared_encoding(content):
                    continue
                contents.append(content)
    return fitting([content for content in contents if not content.startswith(tuple(NOT_TEXT))])


def is_known(name: str) -> bool:
    """Whether a file's name is one of documents that can be read; no ending means plain text."""
    return ending(name) in (*READERS, "") and not is_counts(name)


def is_counts(name: str) -> bool:
    """Whether a file's name is one of counts and not of documents."""
    return matrices.is_bag(name) or ending(name) in COUNTS


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """What the reader for a file's name yields.

    Raises:
        ReadError: no reader has such a name; to read it a line a document would be a guess.
    """
    if not is_known(file.name):
        raise _unknown(file.name)
    return READERS.get(ending(file.name), lines.plain)(file, columns)


def _unknown(name: str) -> ReadError:
    """The refusal of a file that no reader has."""
    end = ending(name)
    for endings, kind, fix in _OTHER_FORMATS:
        if end in endings:
            return ReadError(name, f"{kind}, which dplda does not read", fix)
    known = ", ".join(sorted({*READERS, *COUNTS}))
    fix = f"Known are {known}. If each line is one document, name it .txt."
    return ReadError(name, f"dplda does not read files that end in {end}", fix)
