"""JSON lines: one object a line, keys of it holding the text and the person."""

import json
from collections.abc import Iterator
from typing import TypeGuard

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.readers.columns import Columns
from dplda.corpus.readers.document import Document
from dplda.corpus.readers.preview import Head

_KINDS = {dict: "an object", list: "an array", bool: "true or false", int: "a number", float: "a number"}
_ONE_A_LINE = "Put one object on each line."


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text of each object.

    Raises:
        ReadError: a line that is not JSON or no object, an object without the key, a text that is not a
            string, null included, or a person that is neither a string nor a whole number; with the number of the line.
    """
    for row, record in _objects(file):
        names = list(record)
        places = columns.find(file.name, names, row)
        document = record[names[places.text]]
        if not isinstance(document, str) and not (columns.lists and _is_list_of_words(document)):
            problem = f"the text is {_kind(document)} where a string is needed"
            raise ReadError(file.name, problem, 'Write "" for an empty document.', row=row)
        whose = None if places.person is None else _person(file.name, record[names[places.person]], row)
        yield Document(document, whose)


def head(file: File, n_rows: int) -> Head:
    """Names of the keys that the first objects have, and what they hold there."""
    records = [record for _, (_, record) in zip(range(n_rows), _objects(file), strict=False)]
    names = tuple(dict.fromkeys(name for record in records for name in record))
    return Head(names, tuple(tuple(_shown(record.get(name, "")) for name in names) for record in records))


def _objects(file: File) -> Iterator[tuple[int, dict[str, object]]]:
    for row, line in enumerate(file.text().lines(), start=1):
        if not line.strip():
            continue
        try:
            record: object = json.loads(line)
        except (ValueError, RecursionError):
            raise ReadError(file.name, "not valid JSON", _ONE_A_LINE, row=row) from None
        if not isinstance(record, dict):
            raise ReadError(file.name, f"{_kind(record)} where an object is needed", _ONE_A_LINE, row=row)
        yield row, record


def _person(source: str, value: object, row: int) -> str:
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    problem = f"the person is {_kind(value)} where a string or a whole number is needed"
    raise ReadError(source, problem, "Say of each document whose it is.", row=row)


def _is_list_of_words(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _kind(value: object) -> str:
    if isinstance(value, str):
        return "a string"
    return _KINDS.get(type(value), "null")


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
