"""Nested fields as YAML, with comments for what a person has to fill in."""

from collections.abc import Sequence
from dataclasses import dataclass

INDENT = "  "


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a YAML mapping.

    Attributes:
        key: its name, letters and underscores.
        value: a text, a number, a list of texts, fields, or a list of fields.
        comment: stands behind the key; empty for none.
    """

    key: str
    value: "str | float | Sequence[str] | Sequence[Field] | Sequence[Sequence[Field]]"
    comment: str = ""


def write_yaml(fields: Sequence[Field], depth: int = 0) -> str:
    """The fields as lines of YAML, each ending with a line break.

    Args:
        fields: of one mapping.
        depth: how many levels the mapping stands below the top.
    """
    return "".join(_write_field(field, depth) for field in fields)


def _write_field(field: Field, depth: int) -> str:
    """Write a key with its value and comment; lines of a text or items follow below it."""
    indentation = INDENT * depth
    comment = f"  # {_printable(field.comment)}" if field.comment else ""
    value = field.value
    if isinstance(value, str):
        if "\n" in value:
            return f"{indentation}{field.key}: |{comment}\n{_write_block(value, depth + 1)}"
        return f"{indentation}{field.key}: {_quote(value)}{comment}\n"
    if isinstance(value, int | float):
        return f"{indentation}{field.key}: {_write_number(value)}{comment}\n"
    return f"{indentation}{field.key}:{comment}\n{_write_items(value, depth + 1)}"


def _write_items(
    items: Sequence[str] | Sequence[Field] | Sequence[Sequence[Field]], depth: int
) -> str:
    """The lines below a key: fields, or a list of texts or of mappings."""
    indentation = INDENT * depth
    lines = []
    for item in items:
        if isinstance(item, Field):
            lines.append(_write_field(item, depth))
        elif isinstance(item, str):
            lines.append(f"{indentation}- {_quote(item)}\n")
        else:
            lines.append(f"{indentation}-\n{write_yaml(item, depth + 1)}")
    return "".join(lines)


def _write_block(text: str, depth: int) -> str:
    """A text of several lines as a literal block.

    A line's outer blanks are dropped, and so are empty lines. Characters that YAML may not hold are
    replaced.
    """
    lines = [line.strip() for line in text.splitlines()]
    return "".join(f"{INDENT * depth}{_printable(line)}\n" for line in lines if line)


def _quote(text: str) -> str:
    return "'" + _printable(text).replace("'", "''") + "'"


def _printable(text: str) -> str:
    """A text with a mark in place of every character that a scalar of YAML may not hold."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def _write_number(number: float) -> str:
    """A number that every reader of YAML takes for one: floats have a point."""
    text = repr(number)
    mantissa, separator, exponent = text.partition("e")
    if separator and "." not in mantissa:
        return f"{mantissa}.0e{exponent}"
    return text
