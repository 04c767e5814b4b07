"""A docstring as Markdown: sections become headings, roles become formulas and code, examples become code."""

import inspect
import re
import textwrap
from collections.abc import Container

_SECTION = re.compile(r"^(Args|Attributes|Returns|Yields|Raises|Guarantee|Source|Example|Examples|Theorem|Proof):\s*$")
_ITEM = re.compile(r"^(\w[\w, ]*): (.*)$")
_NAMED = ("Args", "Attributes", "Raises")
_ROLE = re.compile(r":math:`([^`]*)`", re.DOTALL)
_DISPLAYED = re.compile(r"^([ \t]*)\.\. math::[ \t]*(.*(?:\n(?:\1[ \t]+.*|[ \t]*(?=\n\1[ \t])))*)", re.MULTILINE)
_CODE = re.compile(r"``([^`]+)``")


def of(documented: object, *, without: Container[str] = ()) -> str:
    """The docstring of a function, class, property or module as Markdown; empty where it has none."""
    return markdown(inspect.getdoc(documented) or "", without=without)


def markdown(docstring: str, *, without: Container[str] = ()) -> str:
    """A docstring of the project's style as Markdown."""
    text = _DISPLAYED.sub(_display, docstring)
    parts: list[str] = []
    section, body = "", list[str]()
    for line in [*text.split("\n"), "End:"]:
        heading = _SECTION.match(line)
        if heading or line == "End:" or (section and line and not line[0].isspace()):
            parts += [] if section in without else [_part(section, "\n".join(body))]
            section, body = (heading[1], []) if heading else ("", [line])
        else:
            body.append(line)
    return "\n\n".join(part for part in parts if part.strip())


def _part(section: str, body: str) -> str:
    text = textwrap.dedent(body).strip("\n")
    if section in _NAMED:
        text = _items(text)
    text = _examples(text)
    return f"**{section}**\n\n{text}" if section else text


def _items(text: str) -> str:
    """``name: meaning`` a line as a list; lines that go on are joined."""
    lines: list[str] = []
    for line in text.split("\n"):
        item = None if line[:1].isspace() else _ITEM.match(line)
        if item:
            lines.append(f"- `{item[1]}`: {item[2]}")
        elif lines and line.strip():
            lines[-1] += f" {line.strip()}"
        elif line.strip():
            lines.append(line)
    return "\n".join(lines)


def _examples(text: str) -> str:
    """Paragraphs that start with a prompt as code, the others with their roles replaced."""
    return "\n\n".join(
        f"```python\n{paragraph}\n```" if paragraph.lstrip().startswith(">>>") else _roles(paragraph)
        for paragraph in re.split(r"\n\s*\n", text)
    )


def _roles(text: str) -> str:
    return _CODE.sub(r"`\1`", _ROLE.sub(lambda found: f"${' '.join(found[1].split())}$", text))


def _display(found: re.Match[str]) -> str:
    return f"{found[1]}$${' '.join(found[2].split())}$$"
