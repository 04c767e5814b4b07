"""JSON lines: one object a line, one of its keys holding the text."""

import json
from collections.abc import Iterator

from dplda.corpus.readers.columns import text_column
from dplda.corpus.readers.decoding import TextSource
from dplda.errors import ReadError

_KINDS = {dict: "an object", list: "an array", bool: "true or false", int: "a number", float: "a number"}


def documents(source: TextSource, text: str | None) -> Iterator[str]:
    """Yield the text of each object.

    Args:
        source: the file; lines without any character but white space are passed over.
        text: the key that holds the document; None takes the only one, or one named ``text``, of each object.

    Raises:
        ReadError: a line that is not JSON or no object, an object without the key, or a value that is not a
            string, null included; with the number of the line.
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
        document = record[names[text_column(source.name, names, text, row)]]
        if not isinstance(document, str):
            problem = f"the text is {_kind(document)} where a string is needed"
            raise ReadError(source.name, problem, 'Write "" for an empty document.', row=row)
        yield document


def _kind(value: object) -> str:
    if isinstance(value, str):
        return "a string"
    return _KINDS.get(type(value), "null")
