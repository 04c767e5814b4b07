"""The words of the pages: entries of ``assets/docs/glossary.toml``, and a popover that shows some of them."""

import tomllib
from dataclasses import dataclass
from functools import cache

import streamlit as st

from dplda.core import assets

NAMED = 3  # words on the button itself


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A term of the glossary."""

    term: str
    says: str
    symbol: str = ""
    exactly: str = ""

    @property
    def symbols(self) -> tuple[str, ...]:
        """Each of its letters."""
        return tuple(symbol.strip() for symbol in self.symbol.split(",")) if self.symbol else ()

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


def popover(words: str) -> None:
    """A button that opens what entries say; it names the first of them, so that no two read the same."""
    names = words.split()
    named = [entries()[name] for name in names[:NAMED]]
    first = ", ".join(entry.symbols[0] if len(entry.symbols) == 1 else entry.term for entry in named)
    more = " …" if len(names) > NAMED else ""
    with st.popover(f"Words: {first}{more}", icon=":material/dictionary:", type="tertiary"):
        st.markdown(markdown(*names))


def heading(text: str, words: str) -> None:
    """A heading of a section, and beside it the `popover` of the words that the section uses."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.header(text, anchor=False, width="content")
        popover(words)
