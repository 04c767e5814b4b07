"""Documents on lines of plain text, or in objects of JSON lines.

Of many text files each is one document.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from dplda.core.errors import ReadError
from dplda.corpus.files.encodings import whole_characters
from dplda.corpus.files.file import File
from dplda.corpus.group_columns import clean_label
from dplda.corpus.readers.table import NO_NAME, Columns, Document, Head, too_long_error

_KIND_NAMES = {
    dict: "an object",
    list: "an array",
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a string",
    type(None): "null",
}
_MESSAGE_START = re.compile(
    r"From [^\n]{1,300}\d\d:\d\d[^\n]{1,50}\n"  # From ann at x.test  Mon Jan  1 10:00:00 2024
    r"[!-9;-~]{1,80}:[ \t\n]"  # a header
)
_ONE_OBJECT_A_LINE = "Put one object on each line."


def plain(file: File, columns: Columns) -> Iterator[Document]:
    """Yield each line as a document, even an empty one; of several files, each is one document.

    Persons and labels are refused, since such files have no columns, and so is a mailbox, as
    archives name theirs .txt and mail programs without an ending.
    """
    columns.refuse_person(file.name)
    lines = _without_mailbox(file, file.lines())
    if not file.alone:
        yield Document(_whole(file, lines))
        return
    for line in lines:
        yield Document(line.removesuffix("\n"))


def _without_mailbox(file: File, lines: Iterator[str]) -> Iterator[str]:
    """Yield the same lines, if the first two do not begin a message of a mailbox.

    Raises:
        ReadError: they do; raised when the first line is asked for.
    """
    first_lines = list(islice(lines, 2))
    begins_message = _MESSAGE_START.match("".join(first_lines)) is not None
    if begins_message:
        problem = "a mailbox, whose messages are documents, and not its lines"
        raise ReadError(file.name, problem, "Name it .mbox.", row=1)
    yield from first_lines
    yield from lines


def _whole(file: File, lines: Iterator[str]) -> str:
    """Join all lines to one text; refused as soon as it is too long."""
    lines_read: list[str] = []
    n_characters = 0
    for line_number, line in enumerate(lines, start=1):
        lines_read.append(line)
        n_characters += len(line)
        if n_characters > file.limits.max_field_chars:
            raise too_long_error(file, line_number, "document")
    return "".join(lines_read)


def objects(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the document of each object; an object without a key of labels has no label there.

    The text is taken from the same key in all objects as in the first one. A key of labels that no
    object has is not refused, because a refusal would tell what documents have.

    Args:
        file: JSON lines.
        columns: keys that hold text, author and labels.

    Raises:
        ReadError: no JSON objects, a missing key, or a text or author of another type.
    """
    label_keys = columns.labels
    columns = replace(columns, labels=())
    for line_number, json_object in _records(file):
        keys = list(json_object)
        places = columns.find(file.name, keys, line_number)
        text_key = keys[places.text]
        columns = replace(columns, text=text_key)
        text = _text_in(file, line_number, json_object[text_key])
        person = None
        if places.person is not None:
            person_key = keys[places.person]
            person = _person_in(file, line_number, json_object[person_key])
        labels = tuple(clean_label(json_object.get(key)) for key in label_keys)
        yield Document(text, person, labels)


def _text_in(file: File, row: int, value: object) -> str:
    """The text of an object, as it is; anything but a string is refused."""
    if isinstance(value, str):
        return value
    problem = f"the text is {_KIND_NAMES[type(value)]} where a string is needed"
    fix = 'Write "" for an empty document, and put spaces between words that are already separate.'
    raise ReadError(file.name, problem, fix, row=row)


def _person_in(file: File, row: int, value: object) -> str:
    """The author of an object: a string, or a whole number as one; anything else is refused."""
    if type(value) in (str, int):
        return str(value)
    kind_name = _KIND_NAMES[type(value)]
    problem = f"the person is {kind_name} where a string or a whole number is needed"
    raise ReadError(file.name, problem, "Name the person of each document.", row=row)


def head(file: File, n_rows: int) -> Head:
    """Read the keys and values of the first objects; "" for a key that an object lacks.

    Values are not cut. They are texts as they are, with halves of characters replaced, and JSON of
    anything else. The name of a blank key is ``NO_NAME``.

    Raises:
        ReadError: one of these lines is no JSON object.
    """
    records = [record for _, record in islice(_records(file), n_rows)]
    keys = list(dict.fromkeys(key for record in records for key in record))
    names = tuple(key if key.strip() else NO_NAME for key in keys)
    rows = []
    for record in records:
        cells = tuple(_shown(record.get(key, "")) for key in keys)
        rows.append(cells)
    return Head(names, tuple(rows))


def _records(file: File) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield each object with the number of its line; empty lines are left out.

    Halves of characters in its keys are replaced.

    Raises:
        ReadError: a line that is no JSON object.
    """
    for line_number, line in enumerate(file.lines(), start=1):
        if not line.strip():
            continue
        try:
            json_object: object = json.loads(line)
        except (ValueError, RecursionError):
            raise ReadError(
                file.name, "not valid JSON", _ONE_OBJECT_A_LINE, row=line_number
            ) from None
        if not isinstance(json_object, dict):
            problem = f"{_KIND_NAMES[type(json_object)]} where an object is needed"
            raise ReadError(file.name, problem, _ONE_OBJECT_A_LINE, row=line_number)
        if "\\u" in line:  # the only way to half a character
            json_object = {
                whole_characters(object_key): object_value
                for object_key, object_value in json_object.items()
            }
        yield line_number, json_object


def _shown(value: object) -> str:
    """The value as a preview shows it: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return whole_characters(value)
    return json.dumps(value)
