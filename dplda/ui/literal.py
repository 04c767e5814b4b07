"""Escaping of outside text, so that it never acts as Markdown."""

import re

_SPECIAL = re.compile(r"([!-+\--/:-@\[-`{-~])")
_LINKED = re.compile(
    r"(@|://|www\.|\de-(?=\d))", re.IGNORECASE
)  # and 1e-7, which would break at its hyphen
_JOINER = "\u2060"  # invisible: an address in which it stands is not made a link


def literal(text: str) -> str:
    """Escape a file name, a message or any other text so that Markdown shows it unchanged, on one line."""
    return _SPECIAL.sub(r"\\\1", _LINKED.sub(rf"\1{_JOINER}", " ".join(text.split())))
