"""Text from outside, as text whatever it looks like."""

import re

_SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")


def literal(text: str) -> str:
    """Escape a file name, a message or any other text so that Markdown shows it as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
