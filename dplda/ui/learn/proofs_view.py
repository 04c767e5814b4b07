"""Gaps in the paper's proofs, one card each: the claim, what is true, and a live figure."""

import tomllib
from functools import cache, partial

import streamlit as st

from dplda import figures
from dplda.core import assets
from dplda.figures import theme
from dplda.figures.errors.gaps import ASIDE, CLAIMED, TRUE
from dplda.methods.base.method_names import PAPER_IS
from dplda.theory.gaps.card_numbers import numbers
from dplda.ui.shell import figure_view, glossary, views
from dplda.ui.state.keys import Key

COLOURS = {"claimed": CLAIMED, "aside": ASIDE, "true": TRUE}


def draw() -> None:
    """Draw the choice of a card, and the chosen one: its figure, claim, and what is true.

    A caption names the paper, another one says what follows. The address keeps the choice.
    """
    title_by_name = {
        card_name: f"{number}. {_text(card_name, 'title')}"
        for number, card_name in enumerate(cards(), 1)
    }
    draw_select_box = partial(
        st.selectbox,
        f"{len(title_by_name)} places where the paper's claims fail, or cost more than they need",
        format_func=title_by_name.get,
        help=glossary.describe_terms("calibration", "release", "topic", "as_published"),
    )
    chosen_name = views.choose("learn", list(title_by_name), Key.GAP, draw_select_box)
    st.caption(PAPER_IS)
    card_place = st.container(key=Key.GAP_CARD)
    left_column, right_column = card_place.columns([3, 2], gap="medium")
    with left_column:
        figure_view.draw(
            make_figure(chosen_name),
            f"proofs.{chosen_name}",
            fills=True,
            smallest_letters=theme.ROOM_LETTERS,
        )
    with right_column:
        st.markdown(f"**Claim**: {_text(chosen_name, 'claim')}")
        st.markdown(f"**What is true**: {_text(chosen_name, 'truth')}")
        st.caption(_text(chosen_name, "so"))


@cache
def cards() -> dict[str, dict[str, object]]:
    """Every card by its name, in the order of the paper."""
    return tomllib.loads((assets.folder() / "proofs" / "gaps.toml").read_text("utf-8"))


def make_figure(name: str) -> figures.Figure:
    """Make the figure of a card: bars with a limit if the card has bars, else lines.

    Its title is the card's finding. Bars show the first line of numbers.
    """
    card_numbers = numbers(name)
    figure_title = _text(name, "finding")
    x_title = _text(name, "x")
    bar_names = cards()[name].get("bars")
    if isinstance(bar_names, list):
        value_by_bar = dict(zip(bar_names, card_numbers.lines[0], strict=True))
        return figures.gap_bars(
            value_by_bar, limit=card_numbers.limit, title=figure_title, x=x_title
        )
    return figures.gap_lines(
        _make_lines(name), card_numbers.across, title=figure_title, x=x_title, y=_text(name, "y")
    )


def _make_lines(name: str) -> list[figures.GapLine]:
    """Make the lines of a card, colored by their roles: claimed, true, or aside."""
    card_numbers = numbers(name)
    role_by_label = cards()[name]["lines"]
    assert isinstance(role_by_label, dict)
    return [
        figures.GapLine(
            line_label.format(**card_numbers.replacements), tuple(line_values), COLOURS[color_role]
        )
        for (line_label, color_role), line_values in zip(
            role_by_label.items(), card_numbers.lines, strict=True
        )
    ]


def _text(name: str, part: str) -> str:
    """A card's text with its numbers filled in; other cards' numbers are not computed."""
    text = str(cards()[name][part])
    if "{" not in text:
        return text
    return text.format(**numbers(name).replacements)
