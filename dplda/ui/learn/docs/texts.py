"""The texts in ``assets/docs``, read once; links between them lead to chapters."""

import re
from functools import cache

import streamlit as st

from dplda.core import assets

_LINK = re.compile(r"\]\((\w+)\.md\)")


@cache
def read(name: str) -> str:
    """A file of ``assets/docs`` as it is."""
    return (assets.folder() / "docs" / name).read_text("utf-8")


@cache
def citation() -> str:
    """How to cite the program and what it implements."""
    return (assets.home() / "CITATION.cff").read_text("utf-8")


def show(name: str) -> None:
    """Draw a text."""
    st.markdown(_chapter(name))


@cache
def _chapter(name: str) -> str:
    return _LINK.sub(lambda link: f"](?chapter={link[1].capitalize()})", read(f"{name}.md"))
