"""Gaps in the paper's proofs, one card each: the claim, what is true, and a figure computed live."""

import tomllib
from functools import cache, partial

import streamlit as st

from dplda import figures
from dplda.core import assets
from dplda.figures.errors.gaps import ASIDE, CLAIMED, TRUE
from dplda.theory.theorems.gap_numbers import numbers
from dplda.ui.shell import figure_view, glossary, views
from dplda.ui.state.keys import Key

COLOURS = {"claimed": CLAIMED, "aside": ASIDE, "true": TRUE}


def draw() -> None:
    """Draw the choice of a card, and the one chosen."""
    titles = {name: f"{number}. {_text(name, 'title')}" for number, name in enumerate(cards(), 1)}
    said = f"The paper's proofs have {len(titles)} gaps that we know of"
    control = partial(
        st.selectbox,
        said,
        format_func=titles.get,
        help=glossary.describe_terms("calibration", "release"),
    )
    name = views.choose("learn", list(titles), Key.GAP, control)
    left, right = st.columns([3, 2], gap="medium")  # a phone shows the left one first
    with left:
        figure_view.draw(picture(name), f"proofs.{name}")
    with right:
        st.markdown(f"**Claim**: {_text(name, 'claim')}")
        st.markdown(f"**What is true**: {_text(name, 'truth')}")
        st.caption(_text(name, "so"))


@cache
def cards() -> dict[str, dict[str, object]]:
    """Every card by its name, in the order of the paper."""
    return tomllib.loads((assets.folder() / "proofs" / "gaps.toml").read_text("utf-8"))


def picture(name: str) -> figures.Figure:
    """The card's picture."""
    found, card, title, x = numbers(name), cards()[name], _text(name, "finding"), _text(name, "x")
    if isinstance(bars := card.get("bars"), list):
        return figures.gap_bars(
            dict(zip(bars, found.lines[0], strict=True)), limit=found.limit, title=title, x=x
        )
    roles = card["lines"]
    assert isinstance(roles, dict)
    lines = [
        figures.GapLine(line.format(**found.told), tuple(values), COLOURS[role])
        for (line, role), values in zip(roles.items(), found.lines, strict=True)
    ]
    return figures.gap_lines(lines, found.across, title=title, x=x, y=_text(name, "y"))


def _text(name: str, part: str) -> str:
    """A card's text with its numbers filled in; other cards' numbers are not computed."""
    text = str(cards()[name][part])
    return text.format(**numbers(name).told) if "{" in text else text
