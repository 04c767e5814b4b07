"""The terms of the pages: entries of ``assets/docs/glossary.toml``, and headings that explain some of them."""

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

    @property
    def text(self) -> str:
        """The entry as a line of Markdown, and a second one for formula and unit."""
        named = f"**{self.term}**" + (f" {self.symbol}" if self.symbol else "")
        return f"{named}: {self.says}" + (f"  \n{self.exactly}" if self.exactly else "")


@cache
def entries() -> dict[str, GlossaryEntry]:
    """Every entry by its name, in the order of the file."""
    tables = tomllib.loads((assets.folder() / "docs" / "glossary.toml").read_text("utf-8"))
    return {name: GlossaryEntry(**table) for name, table in tables.items()}


@cache
def markdown(*names: str) -> str:
    """Entries as Markdown, a paragraph each."""
    return "\n\n".join(entries()[name].text for name in names)


def heading(text: str, terms: str) -> None:
    """A heading of a section, whose help explains the terms that the section uses, named with spaces between them."""
    st.header(text, anchor=False, help=markdown(*terms.split()))
