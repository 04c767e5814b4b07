"""The glossary of ``assets/docs/glossary.toml``, and headings that explain some of its terms."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache

import streamlit as st

from dplda.core import assets


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A term of the glossary."""

    term: str
    says: str
    symbol: str = ""
    exactly: str = ""
    common: bool = False

    @property
    def text(self) -> str:
        """The entry as a line of Markdown, and a second line with formula and unit."""
        named = f"**{self.term}**" + (f" {self.symbol}" if self.symbol else "")
        return f"{named}: {self.says}" + (f"  \n{self.exactly}" if self.exactly else "")


@cache
def entries() -> dict[str, GlossaryEntry]:
    """Every entry by its name, in the order of the file."""
    tables = tomllib.loads((assets.folder() / "docs" / "glossary.toml").read_text("utf-8"))
    return {name: GlossaryEntry(**table) for name, table in tables.items()}


@cache
def describe_terms(*names: str) -> str:
    """Entries as Markdown, one paragraph each."""
    return "\n\n".join(entries()[name].text for name in names)


@cache
def link_terms(text: str) -> str:
    """Markdown of the docs, where the first use of each term leads to the glossary."""
    terms = {entry.term.casefold() for entry in entries().values() if not entry.common}
    anywhere = "|".join(map(re.escape, sorted(terms, key=len, reverse=True)))
    skipped = r"```.*?```|`[^`]+`|\$\$.*?\$\$|\$[^$]+\$|\[[^]]*\]\([^)]*\)|(?m:^(?:#| {4})[^\n]*)"

    def link(found: re.Match[str]) -> str:
        term = (found["term"] or "").casefold()
        if term not in terms:
            return found[0]
        terms.remove(term)
        return f"[{found[0]}](?view=docs&chapter=glossary)"

    return re.sub(
        rf"{skipped}|\b(?P<term>{anywhere})s?\b", link, text, flags=re.IGNORECASE | re.DOTALL
    )


def with_terms(said: str, terms: str) -> str:
    """A help text followed by the glossary entries of ``terms``, names separated by spaces."""
    return "\n\n".join(filter(None, (said, describe_terms(*terms.split()))))


def draw_heading(text: str, terms: str) -> None:
    """Draw a heading whose help explains ``terms``, names separated by spaces."""
    st.header(text, anchor=False, help=describe_terms(*terms.split()))
