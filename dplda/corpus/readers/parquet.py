"""Parquet: a table by columns, of which only those asked for are read, some rows at a time.

A few hundred bytes can stand for gigabytes: sizes are added up before anything is decoded, repeated texts stay in their
dictionary, and a row becomes text, and is counted, when its turn comes.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File, too_large_error
from dplda.corpus.group_columns import clean_label
from dplda.corpus.readers.table import Columns, Document, Head, shown_names, too_long_error

if TYPE_CHECKING:  # it takes a while to import, and most files need it not
    from pyarrow import DataType
    from pyarrow.parquet import ColumnChunkMetaData, ParquetFile

    Part = tuple[
        int, ColumnChunkMetaData
    ]  # of a column: how many rows, and what the file says of them

_ROWS_AT_ONCE = 1 << 16
_MOST_PARTS = 100_000  # columns, or groups of rows
_DELTA = (
    "DELTA_BYTE_ARRAY",
    "DELTA_LENGTH_BYTE_ARRAY",
)  # where texts may repeat at no cost, and no dictionary is kept
_SHOWN_CHARS = 1000


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text of each row."""
    from pyarrow import types

    with _damage_refused(file.name):
        table = _opened(file)
        names = list(table.schema_arrow.names)
        places = columns.find(file.name, names)
        wanted = list(dict.fromkeys(names[place] for place in places.all))
        text_kind = table.schema_arrow.field(names[places.text]).type
        person_kind = None
        if places.person is not None:
            person_kind = table.schema_arrow.field(names[places.person]).type
    if not _is_text(text_kind):
        raise ReadError(
            file.name,
            f"the column {names[places.text]!r} holds no text",
            "Say which column holds the text.",
        )
    if person_kind is not None and not (_is_text(person_kind) or types.is_integer(person_kind)):
        assert places.person is not None
        problem = f"the column {names[places.person]!r} holds neither text nor whole numbers"
        raise ReadError(file.name, problem, "Say which column holds the person.")
    n_characters = 0
    for row, cells in enumerate(_rows(file, table, wanted), start=1):
        cell_of = dict(zip(wanted, cells, strict=True))
        text = cell_of[names[places.text]]
        person = None if places.person is None else cell_of[names[places.person]]
        if text is None or (places.person is not None and person is None):
            raise ReadError(file.name, "a missing value", "Fill it, or leave the row out.", row=row)
        if len(str(text)) > file.limits.max_field_chars:
            raise too_long_error(file, row)
        n_characters += len(str(text))
        if n_characters > file.limits.max_bytes:  # one text may stand for many rows
            raise too_large_error(file.name, file.limits)
        labels = tuple(_label(cell_of[names[place]]) for place in places.labels)
        yield Document(str(text), None if person is None else str(person), labels)


def _label(cell: object) -> str:
    """A cell as a label; dates as ISO 8601 writes them, "" for an empty cell."""
    return clean_label(cell.isoformat() if isinstance(cell, date) else cell)


def head(file: File, n_rows: int) -> Head:
    """Names of the columns and the first rows; empty cells of columns without plain values, or too large to look at."""
    from pyarrow import types

    with _damage_refused(file.name):
        table = _opened(file)
        names, parts, room = tuple(table.schema_arrow.names), _parts(table), file.limits.max_bytes
        n_shown, plain = min(n_rows, table.metadata.num_rows), []
        for name, kind in zip(names, table.schema_arrow.types, strict=True):
            is_plain = (
                _is_text(kind)
                or types.is_primitive(kind)
                or types.is_null(kind)
                or types.is_decimal(kind)
            )
            size = _n_bytes(parts[name]) * (
                n_shown if any(_is_delta(chunk) for _, chunk in parts[name]) else 1
            )
            if is_plain and size <= room:
                plain.append(name)
                room -= size
        cells = dict.fromkeys(names, [""] * n_shown)
        if (
            n_shown and plain
        ):  # all at once: Arrow looks through all names for each that is asked for
            batch = next(table.iter_batches(batch_size=n_shown, columns=plain, use_threads=False))
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                cells[name] = [str(cell.as_py())[:_SHOWN_CHARS] for cell in column]
    return Head(shown_names(names), tuple(zip(*(cells[name] for name in names), strict=True)))


def _opened(file: File) -> "ParquetFile":
    """With texts in dictionaries wherever they may repeat."""
    from pyarrow.parquet import ParquetFile

    limits = {
        "thrift_string_size_limit": file.limits.max_bytes,
        "thrift_container_size_limit": _MOST_PARTS,
    }
    binary = file.seekable()
    plain = ParquetFile(binary, **limits)
    leaves = [plain.schema.column(i) for i in range(len(plain.schema))]
    delta = {chunk.path_in_schema for _, chunk in _chunks(plain) if _is_delta(chunk)}
    repeating = [
        it.path for it in leaves if it.physical_type == "BYTE_ARRAY" and it.path not in delta
    ]
    return ParquetFile(binary, read_dictionary=repeating, **limits)


def _rows(file: File, table: "ParquetFile", wanted: list[str]) -> Iterator[tuple[object, ...]]:
    """The fields of each row; columns that are too large are refused before they are decoded."""
    with _damage_refused(file.name):
        parts, most = _parts(table), file.limits.max_bytes
        if sum(_n_bytes(parts[name]) for name in wanted) > most:
            raise too_large_error(file.name, file.limits)
        # no text is longer than the part of a column that it lies in, so a batch of them takes no more than the limit
        longest = max(
            (_n_bytes([part]) for name in wanted for part in parts[name] if _is_delta(part[1])),
            default=1,
        )
        rows_at_once = max(1, min(_ROWS_AT_ONCE, most // longest))
        for batch in table.iter_batches(batch_size=rows_at_once, columns=wanted, use_threads=False):
            fields = [batch.column(batch.schema.get_field_index(column)) for column in wanted]
            for cells in zip(*fields, strict=True):
                yield tuple(cell.as_py() for cell in cells)


def _n_bytes(parts: "Iterable[Part]") -> int:
    """What parts of columns take, where nothing repeats at no cost."""
    return sum(max(chunk.total_uncompressed_size, 1) for _, chunk in parts)


def _parts(table: "ParquetFile") -> "dict[str, list[Part]]":
    """The parts of each column, gathered once: there may be thousands of columns."""
    found: dict[str, list[Part]] = {name: [] for name in table.schema_arrow.names}
    for part in _chunks(table):
        name = part[1].path_in_schema
        while name not in found and "." in name:  # within a list, or any other column of columns
            name = name.rpartition(".")[0]
        found[name].append(part)
    return found


def _chunks(table: "ParquetFile") -> "Iterator[Part]":
    """The rows of each part of a column, and what the file says of it."""
    for group in map(table.metadata.row_group, range(table.num_row_groups)):
        for column in range(group.num_columns):
            yield group.num_rows, group.column(column)


def _is_delta(chunk: "ColumnChunkMetaData") -> bool:
    return any(encoding in _DELTA for encoding in chunk.encodings)


@contextmanager
def _damage_refused(name: str) -> Iterator[None]:
    from pyarrow import ArrowException, ArrowNotImplementedError

    try:
        yield
    except ArrowNotImplementedError:
        raise ReadError(
            name, "an encoding that is not known", "Write it again, or as JSON lines."
        ) from None
    except MemoryError:
        raise ReadError(name, "it takes more memory than there is", "Split the file.") from None
    except (ArrowException, OSError, ValueError, KeyError, OverflowError):
        raise ReadError(
            name, "not a Parquet file, or a damaged one", "Write or copy it again."
        ) from None


def _is_text(kind: "DataType") -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))
