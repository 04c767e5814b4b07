"""One of a few, in plain sight: always one of them, and still that one when a page is come back to."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

T = TypeVar("T")


def one_of(
    label: str,
    options: Sequence[T],
    *,
    key: str,
    help: str | None = None,
    first: T | None = None,
    format_func: Callable[[T], str] = str,
) -> T:
    """Draw a choice."""
    first = options[0] if first is None else first
    chosen = st.segmented_control(
        label,
        options,
        default=first,
        required=True,
        format_func=format_func,
        key=key,
        help=help,
        persist_state="session",
    )
    return first if chosen is None else chosen
