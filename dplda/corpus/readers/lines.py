"""A document a line: plain text, one a file where there are many files, and JSON lines, one an object."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from dplda.core.errors import ReadError
from dplda.corpus.files.encodings import whole_characters
from dplda.corpus.files.file import File
from dplda.corpus.group_columns import clean_label
from dplda.corpus.readers.table import NO_NAME, Columns, Document, Head, too_long_error

_KINDS = {
    dict: "an object",
    list: "an array",
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a string",
    type(None): "null",
}
_ONE_A_LINE = "Put one object on each line."


def plain(file: File, columns: Columns) -> Iterator[Document]:
    """Yield each line as a document, even an empty one; of several files, each is one document."""
    columns.refuse_person(file.name)
    lines = file.lines()
    if not file.alone:
        yield Document(_whole(file, lines))
        return
    for line in lines:
        yield Document(line.removesuffix("\n"))


def _whole(file: File, lines: Iterator[str]) -> str:
    """All lines as one text, refused as soon as it is too long."""
    kept: list[str] = []
    n_characters = 0
    for row, line in enumerate(lines, start=1):
        kept.append(line)
        n_characters += len(line)
        if n_characters > file.limits.max_field_chars:
            raise too_long_error(file, row, "document")
    return "".join(kept)


def objects(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text of each object; one without a key of labels has no label there.

    That holds where no object has the key, too: else a refusal would tell what documents have.
    """
    labels = columns.labels
    columns = replace(columns, labels=())
    for row, record in _records(file):
        places, names = columns.find(file.name, list(record), row), list(record)
        columns = replace(columns, text=names[places.text])  # as in the first object, so in all
        text = record[names[places.text]]
        person = None if places.person is None else record[names[places.person]]
        if not isinstance(text, str):
            problem = f"the text is {_KINDS[type(text)]} where a string is needed"
            fix = 'Write "" for an empty document, and put spaces between words that are already separate.'
            raise ReadError(file.name, problem, fix, row=row)
        if places.person is not None and type(person) not in (str, int):
            problem = (
                f"the person is {_KINDS[type(person)]} where a string or a whole number is needed"
            )
            raise ReadError(file.name, problem, "Name the person of each document.", row=row)
        own_labels = tuple(clean_label(record.get(label)) for label in labels)
        yield Document(text, None if person is None else str(person), own_labels)


def head(file: File, n_rows: int) -> Head:
    """Names of the keys that the first objects have, and what they hold there."""
    records = [record for _, record in islice(_records(file), n_rows)]
    names = tuple(dict.fromkeys(name for record in records for name in record))
    rows = tuple(tuple(_shown(record.get(name, "")) for name in names) for record in records)
    return Head(tuple(name if name.strip() else NO_NAME for name in names), rows)


def _records(file: File) -> Iterator[tuple[int, dict[str, object]]]:
    for row, line in enumerate(file.lines(), start=1):
        if not line.strip():
            continue
        try:
            record: object = json.loads(line)
        except (ValueError, RecursionError):
            raise ReadError(file.name, "not valid JSON", _ONE_A_LINE, row=row) from None
        if not isinstance(record, dict):
            raise ReadError(
                file.name, f"{_KINDS[type(record)]} where an object is needed", _ONE_A_LINE, row=row
            )
        if "\\u" in line:  # the only way to half a character
            record = {whole_characters(name): value for name, value in record.items()}
        yield row, record


def _shown(value: object) -> str:
    return whole_characters(value) if isinstance(value, str) else json.dumps(value)
