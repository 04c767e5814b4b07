"""The third step: what is looked for, how much privacy it may use, and of which budget."""

import streamlit as st

from dplda.privacy.odds import best_guess, in_hundred
from dplda.release.ledger import LONGEST_NAME
from dplda.ui.literal import literal
from dplda.ui.release.draft import DELTAS, Draft, cap_keys
from dplda.ui.shell import sidebar
from dplda.ui.state.keys import Key
from dplda.ui.state.link import delta_text


def draw(draft: Draft) -> None:
    """The controls, and what they come to."""
    sidebar.epsilon()
    guess = in_hundred(best_guess(*draft.request.cost))
    st.markdown(
        f"With these settings, nobody can tell which of two candidates a {draft.unit} was more often than {guess}"
        " (a coin: 50)."
    )
    if draft.datasets:
        st.selectbox(
            "Budget",
            [*draft.datasets, ""],
            format_func=lambda name: name or "a new one",
            key=Key.RELEASE_DATASET,
            persist_state="session",
            help="Use the same budget for the same documents each time, whatever the file is called.",
        )
    if draft.opens:
        _new(draft)
    if draft.request.dataset:
        st.markdown(f"**{literal(draft.price()[0])}**")


def _new(draft: Draft) -> None:
    """A budget that begins with this release: nothing is declared before."""
    name, epsilon, delta = st.columns([2, 1, 1])
    name.text_input(
        "Name of the budget",
        placeholder="mail, for example",
        max_chars=LONGEST_NAME,
        key=Key.LEDGER_NAME,
        persist_state="session",
        help="For your own records: it names these documents, and every later release of them.",
    )
    said = "The most that all releases of these documents may ever use. It can be lowered later, never raised."
    keys = cap_keys(draft.least)
    epsilon.number_input("Cap of ε", 0.1, 100.0, draft.least[0], key=keys[0], persist_state="session", help=said)
    delta.select_slider(
        "Cap of δ", [*DELTAS, 0.1], draft.least[1], format_func=delta_text, key=keys[1], persist_state="session"
    )
