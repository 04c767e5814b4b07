"""The glossary of ``assets/docs/glossary.toml``, and headings that explain some of its terms."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache

import streamlit as st

from dplda.core import assets

GLOSSARY_LINK = "?view=docs&chapter=glossary"
NOT_LINKED = (  # code, formulas, links, headings and indented blocks
    r"```.*?```|`[^`]+`|\$\$.*?\$\$|\$[^$]+\$|\[[^]]*\]\([^)]*\)|(?m:^(?:#| {4})[^\n]*)"
)


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A term of the glossary.

    Attributes:
        term: as it is written in a text.
        says: its meaning in plain words.
        symbol: its letter; empty for none.
        exactly: formula and unit, as Markdown; empty for none.
        common: whether the word is so common that texts do not link it.
    """

    term: str
    says: str
    symbol: str = ""
    exactly: str = ""
    common: bool = False

    @property
    def text(self) -> str:
        """The entry as a line of Markdown, and a second line with formula and unit."""
        term = f"**{self.term}** {self.symbol}".strip()
        line = f"{term}: {self.says}"
        if self.exactly:
            line += f"  \n{self.exactly}"
        return line


@cache
def entries() -> dict[str, GlossaryEntry]:
    """Every entry by its name, in the order of the file."""
    text = (assets.folder() / "docs" / "glossary.toml").read_text("utf-8")
    return {name: GlossaryEntry(**table) for name, table in tomllib.loads(text).items()}


@cache
def describe_terms(*names: str) -> str:
    """Entries as Markdown, one paragraph each."""
    return "\n\n".join(entries()[name].text for name in names)


@cache
def link_terms(text: str) -> str:
    """Turn the first use of each term in a Markdown text into a link to the glossary.

    Plurals and any case count. Common terms, and parts that must not be linked, such as code and
    headings, stay as they are.
    """
    unlinked_terms = {entry.term.casefold() for entry in entries().values() if not entry.common}
    longest_first = sorted(unlinked_terms, key=len, reverse=True)
    any_term = "|".join(map(re.escape, longest_first))
    pattern_of_terms = rf"{NOT_LINKED}|\b(?P<term>{any_term})s?\b"

    def link(match: re.Match[str]) -> str:
        """The matched text, as a link if it is the first use of a term."""
        term = (match["term"] or "").casefold()
        if term not in unlinked_terms:
            return match[0]
        unlinked_terms.remove(term)
        return f"[{match[0]}]({GLOSSARY_LINK})"

    return re.sub(pattern_of_terms, link, text, flags=re.IGNORECASE | re.DOTALL)


def with_terms(help_text: str, term_keys: str) -> str:
    """A help text followed by glossary entries.

    Args:
        help_text: what comes first.
        term_keys: names of entries, separated by spaces.
    """
    return "\n\n".join(filter(None, (help_text, describe_terms(*term_keys.split()))))


def draw_heading(text: str, term_keys: str) -> None:
    """Draw a heading whose help explains terms.

    Args:
        text: of the heading.
        term_keys: names of glossary entries, separated by spaces.
    """
    st.header(text, anchor=False, help=describe_terms(*term_keys.split()))
