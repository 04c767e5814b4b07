"""The prose of a docstring: what its author says in sentences, without code, names, types and citations."""

import re
from collections.abc import Iterator
from itertools import chain, pairwise

_UNDERLINE = re.compile(r"^\s*([-=~^*#\"+])\1{2,}\s*$")
_COLON_HEADING = re.compile(r"^[A-Z][A-Za-z ]{2,24}:\s*$")
_DIRECTIVE = re.compile(r"^\s*\.\.(\s|$)")
_ADMONITION = re.compile(
    r"^\s*\.\. (note|warning|tip|important|seealso|caution|topic|admonition)::", re.I
)
_NAMED_ENTRY = re.compile(r"^\s+[*`]*\w[\w.]*[`]*(\s*\([^)]*\))?:\s+")
_FIELD = re.compile(r"^\s*:(\w+)[^:`]*:\s?")
_NOT_WORDS = re.compile(
    r":math:`[^`]*`|\$[^$\n]*\$"  # formulas
    r"|\bhttps?://\S+|\bwww\.\S+|\S+@\S+\.\w+"  # addresses
    r"|\[\d+\]_?|<[^<>\n]{1,80}>"  # citations, markup
    r"|\\[A-Za-z]+"  # LaTeX commands
)
_ROLE = re.compile(r":[a-z][a-z:+-]*:(?=`)")

_DROPPED_SECTIONS = frozenset(
    {
        "see also",
        "examples",
        "example",
        "references",
        "usage",
        "methods",
        "routine listings",
        "author",
    }
)
_LISTING_SECTIONS = frozenset(
    {
        "parameters",
        "other parameters",
        "attributes",
        "returns",
        "return",
        "yields",
        "raises",
        "warns",
    }
    | {
        "args",
        "arguments",
        "keyword arguments",
        "keyword args",
        "parameter",
        "receives",
        "properties",
    }
)


def prose(docstring: str) -> str:
    """Keep the sentences of a docstring.

    Left out: examples, doctests and literal blocks; references and see-also lists; headings; names of
    parameters and their types; formulas and addresses. What is said of a parameter stays.

    Args:
        docstring: with its indentation already taken off, as ``inspect.cleandoc`` does.

    Returns:
        Lines of text; empty where the docstring has no prose.
    """
    lines = _without_sections(_without_blocks(docstring.expandtabs().splitlines()))
    return _ROLE.sub("", _NOT_WORDS.sub(" ", "\n".join(lines)))


def _without_blocks(lines: list[str]) -> Iterator[str]:
    """Leave out doctests with their output, fenced code, directives, and what is indented under them."""
    omitted_indent: int | None = (
        None  # lines indented deeper than this belong to what is being left out
    )
    in_doctest = in_fence = False
    for line in lines:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if text.startswith(("```", "~~~")) and not _UNDERLINE.match(line):
            in_fence = not in_fence
            continue
        in_doctest = bool(text) and (in_doctest or text.startswith(">>>"))
        if omitted_indent is not None and text and indent <= omitted_indent:
            omitted_indent = None
        if in_fence or in_doctest or omitted_indent is not None:
            continue
        if _DIRECTIVE.match(line):
            omitted_indent = None if _ADMONITION.match(line) else indent
            continue
        if text.endswith("::"):
            omitted_indent = indent
        yield line


def _without_sections(lines: Iterator[str]) -> Iterator[str]:
    """Leave out headings, whole sections that are not prose, and the names in lists of parameters."""
    section = ""
    ends_at_margin = False  # a heading with a colon governs what is indented under it
    for line, following in pairwise(chain(lines, [""])):
        text = line.strip()
        at_margin = line[:1] not in ("", " ")
        underlined = bool(text) and _UNDERLINE.match(following) is not None
        if underlined or _COLON_HEADING.match(line):
            section = text.rstrip(":").lower()
            ends_at_margin = not underlined
            continue
        if at_margin and ends_at_margin:
            section = ""
        names_a_value = section in _LISTING_SECTIONS and at_margin
        if not text or _UNDERLINE.match(line) or names_a_value or section in _DROPPED_SECTIONS:
            continue
        if section in _LISTING_SECTIONS and ends_at_margin:
            line = _NAMED_ENTRY.sub("", line)
        yield _FIELD.sub("", line)
