"""Lists of methods, under the headings of their groups; a heading picks its first method."""

from collections.abc import Callable, Iterable

import streamlit as st

from dplda.methods.base.method import Method
from dplda.methods.base.method_names import MethodGroup


def sort_by_group(methods: Iterable[Method]) -> list[Method]:
    """Methods in the order of the groups, each group in the given order."""
    groups = list(MethodGroup)
    return sorted(methods, key=lambda method: groups.index(method.group))


def choose_method(
    label: str,
    methods: Iterable[Method],
    *,
    key: str,
    option_of: Callable[[Method], str],
    text_of: Callable[[Method], str],
    help_text: str | None = None,
) -> str:
    """Draw a list of methods under headings; typing part of a name finds it.

    Choosing a heading chooses its first method instead.

    Args:
        label: written above it.
        methods: to choose from.
        key: of the widget, whose value is an option; it has one before this is called.
        option_of: the option that stands for a method.
        text_of: a method as the list shows it.
        help_text: the text behind the question mark.

    Returns:
        The chosen option.
    """
    text_by_option: dict[str, str] = {}
    first_option_by_heading: dict[str, str] = {}
    for method in sort_by_group(methods):
        heading = str(method.group)
        if heading not in first_option_by_heading:
            text_by_option[heading] = f"── {heading} ──"
            first_option_by_heading[heading] = option_of(method)
        text_by_option[option_of(method)] = text_of(method)

    def leave_heading() -> None:
        chosen_option = st.session_state[key]
        st.session_state[key] = first_option_by_heading.get(chosen_option, chosen_option)

    return st.selectbox(
        label,
        list(text_by_option),
        format_func=lambda option: text_by_option.get(option, option),
        key=key,
        on_change=leave_heading,
        persist_state="session",
        help=help_text,
    )
