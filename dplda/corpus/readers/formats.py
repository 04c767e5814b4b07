"""Reader of a file by the ending of its name: the one place that knows the formats."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import TypeAlias

from dplda.core import checks
from dplda.core.errors import ReadError
from dplda.corpus.counts_readers import matrices
from dplda.corpus.files.encodings import EncodingGuess, guess_encodings
from dplda.corpus.files.file import NOT_TEXT, File, Limits, file_ending
from dplda.corpus.files.sources import Readable, as_member, gather_files
from dplda.corpus.readers import delimited, lines, mbox, office, parquet, table, workbook
from dplda.corpus.readers.extraction.html_text import declared_encoding
from dplda.corpus.readers.table import Columns, Document, Head

Reader: TypeAlias = Callable[[File, Columns], Iterator[Document]]
"""Function that yields the documents of a file, given the columns or keys to read."""

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
"""Reader of a file of documents, by the ending of its name."""

COUNTS: dict[str, Callable[[File], matrices.Entries]] = {
    ".mtx": matrices.matrix_market,
    ".npz": matrices.npz,
}
"""Reader of a file of counts, by the ending of its name.

UCI's bags of words go by their whole name.
"""

HEADS: dict[str, Callable[[File, int], Head]] = {
    **{end: partial(table.head, rows) for end, rows in _ROWS.items()},
    ".xlsx": partial(table.head, partial(workbook.rows, max_rows=100)),
    ".jsonl": lines.head,
    ".ndjson": lines.head,
    ".json": lines.head,
    ".parquet": parquet.head,
}
"""Function that reads the first rows of a table, by the ending of its name."""

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
    (
        {".msg", ".pst", ".ost", ".olm", ".emlx"},
        "mail of Outlook or Apple Mail",
        "Export it as .eml or .mbox.",
    ),
    ({".epub", ".mobi", ".azw3", ".fb2"}, "a book", "Save it as .docx, .pdf or .html."),
    ({".mht", ".mhtml", ".xhtml", ".webarchive"}, "a saved web page", "Save it as .html."),
    ({".srt", ".vtt", ".ass"}, "subtitles", "Save their words, without the times, as .txt."),
    (
        {
            *(".sav", ".dta", ".sas7bdat", ".rds", ".rdata", ".feather", ".arrow", ".orc"),
            *(".avro", ".pkl", ".pickle", ".h5", ".hdf5", ".mat"),
        },
        "a table of another program",
        "Save it as .csv or .parquet.",
    ),
    (
        {".db", ".sqlite", ".sqlite3", ".sql", ".mdb", ".accdb"},
        "a database",
        "Export the table with the texts as .csv.",
    ),
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
)  # formats that people try: endings, kind of file, and advice

WHOLE_FILES = frozenset({".txt", ".text", "", ".docx", ".pdf", ".html", ".htm", ".eml"})
"""Endings of files that are one document each if there are several files."""

_NO_TEXT = {".xlsx", ".parquet", ".docx", ".pdf"}
_NAMES_ITS_ENCODING = {".html", ".htm"}  # where it does


def preview(source: Readable, *, encoding: str | None = None, n_rows: int = 5) -> Head:
    """Read the first rows of a table, to choose its columns from.

    Of other files no columns and rows; they are not opened.

    Args:
        source: a path, or a name and an open binary file, which is read from its beginning and
            wound back.
        encoding: name of a codec; None for UTF-8, or UTF-16 with a byte-order mark.
        n_rows: largest number of rows, at least 1.

    Raises:
        InputError: ``n_rows`` is too small, or there is no such encoding.
        ReadError: the file cannot be read, as in ``load``.
    """
    checks.integer_at_least("n_rows", n_rows, 1)
    member = as_member(source, Limits(), encoding)
    read_head = HEADS.get(file_ending(member.name))
    if read_head is None:
        return Head((), ())
    with member.opened() as file:
        table_head = read_head(file, n_rows)
    if isinstance(source, tuple):
        source[1].seek(0)
    return table_head


def encodings(source: Readable) -> tuple[EncodingGuess, ...]:
    """Guess the encodings of a file of text, or of all texts of a zip archive; likeliest first.

    Empty if they are in UTF-8, or if some are in UTF-8 beyond ASCII and others are not. Pages that
    name their encoding, files that are no text and files whose names no reader has do not count. A
    folder is read like an archive. The default ``Limits`` apply. A file that is open already is
    read to its end, and not wound back.

    Raises:
        InputError: no file, or something that is neither a path nor a file.
        ReadError: a file cannot be read.
        MissingPackageError: an encoding is needed, and charset-normalizer is not installed.
    """
    contents = []
    with ExitStack() as stack:
        files = gather_files(source, Limits(), None, stack)
        for member in files.members:
            ending = file_ending(member.name)
            if not is_known(member.name) or ending in _NO_TEXT:
                continue
            with member.opened() as file:
                content = file.whole()
            if ending in _NAMES_ITS_ENCODING and declared_encoding(content):
                continue
            contents.append(content)
    signatures = tuple(NOT_TEXT)
    return guess_encodings([content for content in contents if not content.startswith(signatures)])


def is_known(name: str) -> bool:
    """Whether a file of this name can be read as documents.

    A name without an ending means plain text.
    """
    return file_ending(name) in (*READERS, "") and not is_counts(name)


def is_counts(name: str) -> bool:
    """Whether a file of this name holds counts and no documents."""
    return matrices.is_bag(name) or file_ending(name) in COUNTS


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the documents of a file, by the reader for its name.

    Raises:
        ReadError: no reader has such a name; to read it a line a document would be a guess. Or
            labels are asked for, and the reader's documents have none.
    """
    if not is_known(file.name):
        raise _unknown_format_error(file.name)
    reader = READERS.get(file_ending(file.name), lines.plain)
    for document in reader(file, columns):
        if len(document.labels) < len(columns.labels):
            columns.refuse_person(file.name)
        yield document


def _unknown_format_error(name: str) -> ReadError:
    """Error for a file that no reader has, with advice for formats that people try."""
    ending = file_ending(name)
    for endings, kind, fix in _OTHER_FORMATS:
        if ending in endings:
            return ReadError(name, f"{kind}, which dplda does not read", fix)
    known_endings = ", ".join(sorted({*READERS, *COUNTS}))
    fix = f"Known are {known_endings}. If each line is one document, name it .txt."
    return ReadError(name, f"dplda does not read files that end in {ending}", fix)
