"""A docstring as Markdown: sections become headings, roles become formulas and code, examples become code."""

import inspect
import re
import textwrap
from collections.abc import Container

_SECTION = re.compile(
    r"^(Args|Attributes|Returns|Yields|Raises|Guarantee|Source|Examples?|Theorem|Proof):[ \t]*\n((?:[ \t]+.*\n|\n)*)",
    re.MULTILINE,
)
_ITEM = re.compile(r"^(\w[\w, ]*): ", re.MULTILINE)
_EXAMPLE = re.compile(r"^>>>.*(?:\n.+)*", re.MULTILINE)
_ROLE = re.compile(r":math:`([^`]*)`")
_DISPLAYED = re.compile(r"^([ \t]*)\.\. math::[ \t]*(.*(?:\n(?:\1[ \t]+.*|[ \t]*(?=\n\1[ \t])))*)", re.MULTILINE)
_CODE = re.compile(r"(?<!`)``([^`]+)``")


def of(documented: object, *, without: Container[str] = ()) -> str:
    """The docstring of a function, class, property or module as Markdown; empty where it has none."""
    return markdown(inspect.getdoc(documented) or "", without=without)


def markdown(docstring: str, *, without: Container[str] = ()) -> str:
    """A docstring of the project's style as Markdown."""

    def part(section: re.Match[str]) -> str:
        name, body = section[1], textwrap.dedent(section[2]).strip()
        if name in ("Args", "Attributes", "Raises"):
            body = _ITEM.sub(r"- `\1`: ", body)
        return "" if name in without else f"**{name}**\n\n{body}\n\n"

    text = _DISPLAYED.sub(lambda found: f"{found[1]}$${' '.join(found[2].split())}$$", docstring + "\n")
    text = _EXAMPLE.sub(r"```python\n\g<0>\n```", _SECTION.sub(part, text))
    return _CODE.sub(r"`\1`", _ROLE.sub(lambda found: f"${' '.join(found[1].split())}$", text)).strip()
