"""The third step: what is looked for, how much privacy it may use, and of which budget."""

import streamlit as st

from dplda.privacy.odds import best_guess, in_hundred, remaining
from dplda.release.draft import Draft
from dplda.release.ledger import LONGEST_NAME
from dplda.release.price import uses
from dplda.ui.literal import literal
from dplda.ui.release.drafted import cap_key, least_cap
from dplda.ui.shell import sidebar
from dplda.ui.state.keys import Key


def draw(draft: Draft) -> None:
    """The controls, and what they come to."""
    request, held = draft.request, draft.datasets
    sidebar.epsilon()
    guess = in_hundred(best_guess(*request.cost))
    st.markdown(
        f"Somebody who knows everything else, and guesses which of two {draft.unit}s was in, is right at most {guess}"
        " (a coin: 50)."
    )
    if held:
        st.selectbox(
            "Budget",
            [*held, ""],
            format_func=lambda name: f"{name}: ε = {remaining(held[name].left[0])} left" if name else "a new one",
            key=Key.RELEASE_DATASET,
            persist_state="session",
            help="Use the same budget for the same documents each time, whatever the file is called.",
        )
    if draft.cap:
        name, cap = st.columns([2, 1])
        name.text_input(
            "Name of the budget",
            placeholder="mail, for example",
            max_chars=LONGEST_NAME,
            key=Key.LEDGER_NAME,
            persist_state="session",
            help="For your own records: it stands for these documents in every later release.",
        )
        cap.number_input(
            "Largest ε in all",
            *(0.1, 100.0, least_cap(request)),
            key=cap_key(request),
            persist_state="session",
            help="The most that all releases of these documents may ever use. It can be lowered later, never raised.",
        )
    if request.dataset:
        st.markdown(f"**{literal(uses(request, draft.balance))}**")
