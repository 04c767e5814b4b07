"""Parquet files: tables by columns, of which only those asked for are read, some rows at a time.

A few hundred bytes can stand for gigabytes: sizes are added up before anything is decoded, repeated
texts stay in their dictionary, and a row becomes text, and is counted, when it is reached.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING

from dplda.core.errors import ReadError
from dplda.core.optional_packages import requiring
from dplda.corpus.files.file import File, too_large_error
from dplda.corpus.group_columns import clean_label
from dplda.corpus.readers.table import (
    Columns,
    Document,
    Head,
    Places,
    shown_names,
    too_long_error,
)

if TYPE_CHECKING:  # it takes a while to import, and most files need it not
    from pyarrow import DataType
    from pyarrow.parquet import ColumnChunkMetaData, ParquetFile

    Chunk = tuple[int, ColumnChunkMetaData]
    """Part of a column: its number of rows, and its description in the file."""

_MAX_BATCH_ROWS = 1 << 16
_MAX_CHUNKS = 100_000  # columns, or groups of rows
# Encodings in which texts may repeat at no cost, and no dictionary is kept.
_DELTA_ENCODINGS = ("DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY")
_SHOWN_CHARACTERS = 1000


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the document of each row.

    Raises:
        ReadError: no Parquet file, a column that is missing, of another type or not the only one of
            its name, a text or author that is missing, or texts that are too long, alone or
            together.
    """
    with _refusing_damage(file.name):
        table = _open_table(file)
        column_names = list(table.schema_arrow.names)
        places = columns.find(file.name, column_names)
        column_types = table.schema_arrow.types
    _check_types(file.name, column_names, column_types, places)
    names_of_places = {place: column_names[place] for place in places.all}
    wanted_names = list(dict.fromkeys(names_of_places.values()))
    # Arrow reads columns by their names.
    if any(column_names.count(name) > 1 for name in wanted_names):
        raise ReadError(file.name, "two columns of the same name", "Rename one of them.")
    n_characters = 0
    rows = _rows(file, table, wanted_names)
    for row_number, cells in enumerate(rows, start=1):
        cell_by_name = dict(zip(wanted_names, cells, strict=True))
        cell_by_place = {place: cell_by_name[name] for place, name in names_of_places.items()}
        document = _document_in(file, row_number, cell_by_place, places)
        n_characters += len(document.text)
        if n_characters > file.limits.max_bytes:  # one text may stand for many rows
            raise too_large_error(file.name, file.limits)
        yield document


def _document_in(
    file: File, row: int, cell_by_place: dict[int, object], places: Places
) -> Document:
    """The document in a row; a missing text or author, or too long a text, is refused."""
    text = cell_by_place[places.text]
    person: object = None
    lacks_value = text is None
    if places.person is not None:
        person = cell_by_place[places.person]
        lacks_value = lacks_value or person is None
    if lacks_value:
        raise ReadError(file.name, "a missing value", "Fill it, or leave the row out.", row=row)
    if len(str(text)) > file.limits.max_field_chars:
        raise too_long_error(file, row)
    person_name = None if person is None else str(person)
    labels = tuple(_label(cell_by_place[place]) for place in places.labels)
    return Document(str(text), person_name, labels)


def _check_types(
    source: str, names: Sequence[str], types: "Sequence[DataType]", places: Places
) -> None:
    """Refuse a text column without text, and an author column of neither text nor integers."""
    from pyarrow.types import is_integer

    if not _is_text(types[places.text]):
        problem = f"the column {names[places.text]!r} holds no text"
        raise ReadError(source, problem, "Say which column holds the text.")
    if places.person is None:
        return
    person_type = types[places.person]
    if not (_is_text(person_type) or is_integer(person_type)):
        problem = f"the column {names[places.person]!r} holds neither text nor whole numbers"
        raise ReadError(source, problem, "Say which column holds the person.")


def _label(cell: object) -> str:
    """A cell as a label: dates as ISO 8601 writes them, "" for an empty cell."""
    return clean_label(cell.isoformat() if isinstance(cell, date) else cell)


def head(file: File, n_rows: int) -> Head:
    """Read names of the columns and the first rows, whose cells are cut.

    Cells are empty in columns without plain values, and in columns that are too large to look at.
    A missing value is shown as ``None``.

    Raises:
        ReadError: no Parquet file, or one that cannot be read.
    """
    with _refusing_damage(file.name):
        table = _open_table(file)
        column_names = tuple(table.schema_arrow.names)
        n_shown = min(n_rows, table.metadata.num_rows)
        small_columns = _small_columns(table, n_shown, file.limits.max_bytes)
        cells_by_name = dict.fromkeys(column_names, [""] * n_shown)
        # All columns at once: Arrow looks through all names for each one that is asked for.
        if n_shown and small_columns:
            batches = table.iter_batches(
                batch_size=n_shown, columns=small_columns, use_threads=False
            )
            batch = next(batches)
            for column_name, column_cells in zip(batch.schema.names, batch.columns, strict=True):
                cells_by_name[column_name] = [
                    str(cell.as_py())[:_SHOWN_CHARACTERS] for cell in column_cells
                ]
    shown_rows = tuple(
        zip(*(cells_by_name[column_name] for column_name in column_names), strict=True)
    )
    return Head(shown_names(column_names), shown_rows)


def _small_columns(table: "ParquetFile", n_rows: int, max_bytes: int) -> list[str]:
    """Columns of plain values in order, without those that would exceed the bytes allowed.

    Args:
        table: the file.
        n_rows: rows to show; in delta encodings each may be as large as all of its column.
        max_bytes: largest size of all columns together.
    """
    chunks = _chunks_of_columns(table)
    small_columns = []
    n_bytes_left = max_bytes
    for column_name, column_type in zip(
        table.schema_arrow.names, table.schema_arrow.types, strict=True
    ):
        row_may_hold_all = any(_is_delta(chunk) for _, chunk in chunks[column_name])
        n_column_bytes = _n_bytes(chunks[column_name]) * (n_rows if row_may_hold_all else 1)
        if _is_plain(column_type) and n_column_bytes <= n_bytes_left:
            small_columns.append(column_name)
            n_bytes_left -= n_column_bytes
    return small_columns


def _is_plain(column_type: "DataType") -> bool:
    """Whether values of a type are texts, numbers, dates or nothing."""
    from pyarrow import types

    is_number = types.is_primitive(column_type) or types.is_decimal(column_type)
    return _is_text(column_type) or is_number or types.is_null(column_type)


def _open_table(file: File) -> "ParquetFile":
    """Open a file with texts in dictionaries, but for columns in a delta encoding.

    The size of its metadata is bounded. Arrow's errors are passed on.
    """
    from pyarrow.parquet import ParquetFile

    limits_by_option = {
        "thrift_string_size_limit": file.limits.max_bytes,
        "thrift_container_size_limit": _MAX_CHUNKS,
    }
    binary = file.seekable()
    table = ParquetFile(binary, **limits_by_option)
    leaf_columns = [table.schema.column(leaf_index) for leaf_index in range(len(table.schema))]
    delta_paths = {chunk.path_in_schema for _, chunk in _all_chunks(table) if _is_delta(chunk)}
    dictionary_paths = [
        leaf_column.path
        for leaf_column in leaf_columns
        if leaf_column.physical_type == "BYTE_ARRAY" and leaf_column.path not in delta_paths
    ]
    return ParquetFile(binary, read_dictionary=dictionary_paths, **limits_by_option)


def _rows(file: File, table: "ParquetFile", names: list[str]) -> Iterator[tuple[object, ...]]:
    """Yield the cells of each row in some columns.

    Columns that are together larger than the limit are refused undecoded. Texts that may each be
    as large as their column are read in small batches.
    """
    with _refusing_damage(file.name):
        chunks = _chunks_of_columns(table)
        max_bytes = file.limits.max_bytes
        if sum(_n_bytes(chunks[column_name]) for column_name in names) > max_bytes:
            raise too_large_error(file.name, file.limits)
        # No text is longer than its chunk, so a batch of texts takes no more than the limit.
        delta_sizes = [
            _n_bytes([chunk])
            for column_name in names
            for chunk in chunks[column_name]
            if _is_delta(chunk[1])
        ]
        max_text_bytes = max(delta_sizes, default=1)
        batch_rows = max(1, min(_MAX_BATCH_ROWS, max_bytes // max_text_bytes))
        for batch in table.iter_batches(batch_size=batch_rows, columns=names, use_threads=False):
            batch_columns = [
                batch.column(batch.schema.get_field_index(column_name)) for column_name in names
            ]
            for cells in zip(*batch_columns, strict=True):
                yield tuple(cell.as_py() for cell in cells)


def _n_bytes(chunks: "Iterable[Chunk]") -> int:
    """Bytes that chunks take decoded, unless texts repeat at no cost; at least 1 for each."""
    return sum(max(chunk.total_uncompressed_size, 1) for _, chunk in chunks)


def _chunks_of_columns(table: "ParquetFile") -> "dict[str, list[Chunk]]":
    """Chunks of each column by its name, in one pass, as there may be thousands of columns."""
    chunks_of: dict[str, list[Chunk]] = {name: [] for name in table.schema_arrow.names}
    for chunk in _all_chunks(table):
        name = chunk[1].path_in_schema
        while name not in chunks_of and "." in name:  # within a list, or a column of columns
            name = name.rpartition(".")[0]
        chunks_of[name].append(chunk)
    return chunks_of


def _all_chunks(table: "ParquetFile") -> "Iterator[Chunk]":
    """Yield all chunks, group of rows after group of rows."""
    for group in map(table.metadata.row_group, range(table.num_row_groups)):
        for column in range(group.num_columns):
            yield group.num_rows, group.column(column)


def _is_delta(chunk: "ColumnChunkMetaData") -> bool:
    """Whether a chunk has an encoding in which texts may repeat at no cost."""
    return any(encoding in _DELTA_ENCODINGS for encoding in chunk.encodings)


@contextmanager
def _refusing_damage(file_name: str) -> Iterator[None]:
    """Turn errors in a ``with`` block into refusals with a ``ReadError``.

    They are those of a damaged file, of an encoding of Parquet that Arrow does not know, and of
    missing memory. A missing ``pyarrow`` is refused before the block.
    """
    with requiring("pyarrow", "Reading Parquet files"):
        from pyarrow import ArrowException, ArrowNotImplementedError

    try:
        yield
    except ArrowNotImplementedError:
        fix = "Write it again, or as JSON lines."
        raise ReadError(file_name, "an encoding that is not known", fix) from None
    except MemoryError:
        raise ReadError(
            file_name, "it takes more memory than there is", "Split the file."
        ) from None
    except (ArrowException, OSError, ValueError, KeyError, OverflowError):
        problem = "not a Parquet file, or a damaged one"
        raise ReadError(file_name, problem, "Write or copy it again.") from None


def _is_text(column_type: "DataType") -> bool:
    """Whether values of a type are texts, in a dictionary or not."""
    from pyarrow import types

    if types.is_dictionary(column_type):
        return _is_text(column_type.value_type)
    return bool(
        types.is_string(column_type)
        or types.is_large_string(column_type)
        or types.is_string_view(column_type)
    )
