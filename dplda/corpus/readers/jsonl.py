"""JSON lines: one object a line, one of its keys holding the text."""

import json
from collections.abc import Iterator

from dplda.corpus.readers.columns import Columns
from dplda.corpus.readers.decoding import TextSource
from dplda.corpus.readers.document import Document
from dplda.errors import ReadError

_KINDS = {dict: "an object", list: "an array", bool: "true or false", int: "a number", float: "a number"}


def documents(source: TextSource, columns: Columns) -> Iterator[Document]:
    """Yield the text of each object.

    Args:
        source: the file; lines without any character but white space are passed over.
        columns: which keys of each object hold text and person.

    Raises:
        ReadError: a line that is not JSON or no object, an object without the key, or a text that is not a
            string, null included, or a person that is neither a string nor a whole number; with the number of the line.
    """
    for row, line in enumerate(source.lines(), start=1):
        if not line.strip():
            continue
        try:
            record: object = json.loads(line)
        except (ValueError, RecursionError):
            raise ReadError(source.name, "not valid JSON", "Put one object on each line.", row=row) from None
        if not isinstance(record, dict):
            problem = f"{_kind(record)} where an object is needed"
            raise ReadError(source.name, problem, "Put one object on each line.", row=row)
        names = list(record)
        places = columns.find(source.name, names, row)
        document = record[names[places.text]]
        if not isinstance(document, str):
            problem = f"the text is {_kind(document)} where a string is needed"
            raise ReadError(source.name, problem, 'Write "" for an empty document.', row=row)
        whose = None if places.person is None else _person(source.name, record[names[places.person]], row)
        yield Document(document, whose)


def _person(source: str, value: object, row: int) -> str:
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    problem = f"the person is {_kind(value)} where a string or a whole number is needed"
    raise ReadError(source, problem, "Say of each document whose it is.", row=row)


def _kind(value: object) -> str:
    if isinstance(value, str):
        return "a string"
    return _KINDS.get(type(value), "null")
