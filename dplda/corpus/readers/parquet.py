"""Parquet: a table by columns, of which only those asked for are read, some rows at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.readers.columns import Columns
from dplda.corpus.readers.document import Document
from dplda.corpus.readers.preview import Head

if TYPE_CHECKING:  # it takes a while to import, and most files need it not
    from pyarrow import DataType
    from pyarrow.parquet import ParquetFile

_ROWS_AT_ONCE = 1000


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text of each row.

    Args:
        file: held in memory where it is packed or lies in an archive.
        columns: which columns hold text and person.

    Raises:
        ReadError: no Parquet file or a damaged one, no such column, a column that holds neither text nor, for persons,
            whole numbers, or a missing value, with the row, from 1.
    """
    with _damage_refused(file.name):
        table = _opened(file)
        names = list(table.schema_arrow.names)
        places = columns.find(file.name, names)
        wanted = [names[places.text]] if places.person is None else [names[places.text], names[places.person]]
        kinds = [table.schema_arrow.field(name).type for name in wanted]
    if not (_is_text(kinds[0]) or (columns.lists and _is_list_of_text(kinds[0]))):
        raise ReadError(file.name, f"the column {wanted[0]!r} holds no text", "Say which column holds the text.")
    if len(kinds) > 1 and not (_is_text(kinds[1]) or _is_whole(kinds[1])):
        problem = f"the column {wanted[1]!r} holds neither text nor whole numbers"
        raise ReadError(file.name, problem, "Say which column holds the person.")
    for row, fields in enumerate(_rows(file.name, table, wanted), start=1):
        text, *whose = fields
        if None in fields or (isinstance(text, list) and None in text):
            raise ReadError(file.name, "a missing value", "Fill it, or leave the row out.", row=row)
        if _n_characters(text) > file.limits.max_field_chars:
            problem = f"a field of more than {file.limits.max_field_chars:,} characters, the limit"
            raise ReadError(file.name, problem, "Split that document.", row=row)
        yield Document(text if isinstance(text, list) else str(text), str(whose[0]) if whose else None)


def head(file: File, n_rows: int) -> Head:
    """Names of the columns and the first rows."""
    with _damage_refused(file.name):
        table = _opened(file)
        names = list(table.schema_arrow.names)
        batch = next(table.iter_batches(batch_size=n_rows), None)
        rows = [] if batch is None else batch.slice(0, n_rows).to_pylist()
    return Head(tuple(names), tuple(tuple(str(row[name]) for name in names) for row in rows))


def _opened(file: File) -> "ParquetFile":
    from pyarrow.parquet import ParquetFile

    return ParquetFile(
        file.seekable(), thrift_string_size_limit=file.limits.max_bytes, thrift_container_size_limit=10_000_000
    )


def _rows(name: str, table: "ParquetFile", wanted: list[str]) -> Iterator[tuple[object, ...]]:
    with _damage_refused(name):
        batches = iter(table.iter_batches(batch_size=_ROWS_AT_ONCE, columns=wanted, use_threads=False))
    while True:
        with _damage_refused(name):
            batch = next(batches, None)
            if batch is None:
                return
            fields = [batch.column(batch.schema.get_field_index(column)).to_pylist() for column in wanted]
        yield from zip(*fields, strict=True)


@contextmanager
def _damage_refused(name: str) -> Iterator[None]:
    from pyarrow import ArrowException

    try:
        yield
    except (ArrowException, OSError, ValueError, KeyError, OverflowError, MemoryError):
        raise ReadError(name, "not a Parquet file, or a damaged one", "Write or copy it again.") from None


def _is_text(kind: "DataType") -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_list_of_text(kind: "DataType") -> bool:
    from pyarrow import types

    return bool(types.is_list(kind) or types.is_large_list(kind)) and _is_text(kind.value_type)


def _is_whole(kind: "DataType") -> bool:
    from pyarrow import types

    return bool(types.is_integer(kind))


def _n_characters(text: object) -> int:
    return sum(map(len, text)) if isinstance(text, list) else len(str(text))
