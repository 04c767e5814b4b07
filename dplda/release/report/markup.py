"""HTML templates, which escape everything that comes from outside."""

from pathlib import Path

from dplda.core.optional_packages import requiring

with requiring("jinja2", "Writing a report"):
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup as Markup

_HERE = Path(__file__).parent
_FOLDERS = (
    _HERE,
    _HERE.parent / "pictures",
    _HERE.parent / "publication",
    _HERE.parents[1] / "lessons",
)


def visible(outside: object) -> object:
    """Text with U+FFFD in place of every invisible character, a line break among them.

    A macro's markup, and a value that is no text, are returned unchanged.
    A no-break space is as visible as another space, and stays: values such as ε = 1 have two.
    """
    if not isinstance(outside, str) or isinstance(outside, Markup):
        return outside
    return "".join(
        letter if letter.isprintable() or letter == "\u00a0" else "\N{REPLACEMENT CHARACTER}"
        for letter in outside
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
