"""Escaping of outside text, so that it never acts as Markdown."""

import re

_SPECIAL = re.compile(r"([!-+\--/:-@\[-`{-~])")
_LINKED = re.compile(  # and 1e-7, which would break at its hyphen
    r"(@|://|www\.|\de-(?=\d))", re.IGNORECASE
)
_JOINER = "\u2060"  # invisible: an address in which it stands is not made a link


def literal(text: str) -> str:
    """Escape a file name or any other text so that Markdown shows it unchanged, on one line."""
    one_line = " ".join(text.split())
    return _SPECIAL.sub(r"\\\1", _LINKED.sub(rf"\1{_JOINER}", one_line))
