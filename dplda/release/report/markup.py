"""HTML templates, which escape everything that comes from outside."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

_FOLDERS = (Path(__file__).parent, Path(__file__).parents[2] / "lessons")


def visible(outside: object) -> object:
    """Text with a mark for every invisible character; a macro's markup unchanged."""
    if not isinstance(outside, str) or isinstance(outside, Markup):
        return outside
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in outside
    )


TEMPLATES = Environment(
    loader=FileSystemLoader(_FOLDERS),
    autoescape=True,
    finalize=visible,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
