"""Choices among a few: the open view of a page, kept in its address, and other visible choices."""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from typing import TypeVar

import streamlit as st

from dplda.ui.literal import literal
from dplda.ui.state import session
from dplda.ui.state.keys import Key

NEAR = 0.5  # similarity of two names, from 0 to 1, above which one is meant by the other
LONGEST_SHOWN_NAME = 40  # letters
SEGMENTS = partial(st.segmented_control, "View", required=True, label_visibility="collapsed")


def choose(
    place: str,
    titles: Sequence[str],
    parameter: str = Key.VIEW,
    control: Callable[..., object] = SEGMENTS,
    *,
    unnamed: str = "",
) -> str:
    """Draw the choice of a view.

    Args:
        place: the page; each has a choice of its own.
        titles: of the views, the usual one first.
        parameter: of the address, which keeps the choice.
        control: draws the choice.
        unnamed: as for ``open_title``.

    Returns:
        The open title.
    """
    title = open_title(place, titles, parameter, unnamed=unnamed)
    control(titles, key=f"{parameter}.{place}", persist_state="session")
    return title


def open_title(place: str, titles: Sequence[str], parameter: str, *, unnamed: str = "") -> str:
    """Find the title of the open view, and note it in the address before its control is drawn.

    It is the one that a new address names, else the one that was open, else the first. So links
    that are drawn before the control lead to it. An address without a title means the first view,
    so that one is left out of it, unless ``unnamed`` gives it another meaning.

    Args:
        place: the page.
        titles: of its views, the usual one first.
        parameter: of the address, which keeps the choice.
        unnamed: what an address means that has other parameters than this one; empty for the first
            title. So old links keep their meaning where another view became the usual one.
    """
    session_key = f"{parameter}.{place}"
    unnamed = unnamed or titles[0]
    if session.address_changed():
        st.session_state[session_key] = _title_in_address(titles, parameter, unnamed)
    if st.session_state.get(session_key) not in titles:
        st.session_state[session_key] = titles[0]
    title = str(st.session_state[session_key])
    is_usual_title = title == unnamed == titles[0]
    session.write({parameter: None if is_usual_title else address_name(title)})
    return title


def _title_in_address(titles: Sequence[str], parameter: str, unnamed: str) -> str:
    """Find the title that the address names; for a name that does not exist, the nearest one.

    ``unnamed`` if the address has only other parameters; the first title for an empty address, and
    if no name is near. A name that does not exist is said: of a view in a notice, which stays, of
    any other choice in a toast, since notices are drawn before it.
    """
    name_in_address = st.query_params.get(parameter)
    if not name_in_address:
        return unnamed if len(st.query_params) else titles[0]
    title_by_name = {address_name(title): title for title in titles}
    linked_name = address_name(name_in_address)
    if linked_name in title_by_name:
        return title_by_name[linked_name]
    near_name = _nearest_name(linked_name, list(title_by_name))
    title = title_by_name[near_name] if near_name else titles[0]
    choice_phrase = "" if parameter == Key.VIEW else f"the {parameter} "
    shown_name = f"{choice_phrase}“{name_in_address[:LONGEST_SHOWN_NAME]}”"
    message = f"This link names {shown_name}, which does not exist here. “{title}” is open."
    if parameter == Key.VIEW:
        session.notice(message)
    else:
        st.toast(literal(message), duration="long")
    return title


def _nearest_name(linked_name: str, names: Sequence[str]) -> str:
    """Find the name that is meant by one that does not exist; empty if none is near.

    It is the only one that has the linked name among its words, else the most similar one. A number
    means no other.
    """
    if linked_name.isdigit():
        return ""
    names_with_word = [name for name in names if linked_name in name.split("-")]
    if len(names_with_word) == 1:
        return names_with_word[0]
    near_names = get_close_matches(linked_name, names, n=1, cutoff=NEAR)
    return near_names[0] if near_names else ""


def address_name(title: str) -> str:
    """A view's name in the address."""
    return "-".join(re.findall(r"\w+", title.lower()))


T = TypeVar("T")


def choose_one(
    label: str,
    options: Sequence[T],
    *,
    key: str,
    help: str | None = None,
    first: T | None = None,
    format_func: Callable[[T], str] = str,
) -> T:
    """Draw a choice among a few options as buttons, and return the chosen one.

    Args:
        label: written above them.
        options: at least one.
        key: of the widget.
        help: the text behind its question mark.
        first: the option that is chosen at first; None for the first one.
        format_func: writes an option.
    """
    first_choice = options[0] if first is None else first
    return st.segmented_control(
        label,
        options,
        default=first_choice,
        required=True,
        format_func=format_func,
        key=key,
        help=help,
        persist_state="session",
    )
