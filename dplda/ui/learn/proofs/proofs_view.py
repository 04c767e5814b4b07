"""Gaps in the paper's proofs, a card each and one open: the claim, what is true, a picture of live numbers."""

import tomllib
from collections.abc import Sequence
from functools import cache

import streamlit as st

from dplda.core import assets
from dplda.core.formatting import digits
from dplda.theory.theorems.gaps import Counterexample
from dplda.ui.learn.proofs import pictures
from dplda.ui.shell import figure_view, views
from dplda.ui.state.keys import Key


def draw() -> None:
    """Draw the choice of a card, and the one chosen."""
    name = views.choose("learn", list(cards()), Key.GAP, _titles)
    card, numbers = cards()[name], {}
    if found := pictures.COUNTEREXAMPLES.get(name):
        numbers = {"story": _story(found()[1]), "gap": digits(found()[1].gap, 2)}
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.markdown(f"**Claim**: {card['claim']}")
        st.markdown(f"**What is true**: {card['truth'].format(**numbers)}")
        st.caption(card["so"])
    with right:
        figure_view.draw(pictures.PICTURES[name](), f"proofs.{name}")


@cache
def cards() -> dict[str, dict[str, str]]:
    """Every card's texts by its name, in the order of the paper."""
    return tomllib.loads((assets.folder() / "proofs" / "gaps.toml").read_text("utf-8"))


def _titles(names: Sequence[str], key: str) -> object:
    return st.selectbox(
        f"The paper's proofs have {len(names)} gaps that we know of",
        names,
        format_func=lambda name: f"{names.index(name) + 1}. {cards()[name]['title']}",
        key=key,
        persist_state="session",
    )


def _story(found: Counterexample) -> str:
    listed = ", ".join(f"{number:,} × “{kind}”" for kind, number in found.documents)
    before, after = found.replaced
    return (
        f"Take {listed}, and replace a single “{before}” by “{after}” (each digit is a word): T moves by"
        f" {digits(found.change)}, {found.ratio:,.0f} times what the theorem allows."
    )
