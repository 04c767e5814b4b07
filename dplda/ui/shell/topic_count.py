"""How many topics these documents carry at this ε, read off released values, and what may be done about it."""

import streamlit as st

from dplda.refined.uncertainty import Uncertainty
from dplda.ui.shell import glossary
from dplda.ui.shell.keys import Key
from dplda.ui.shell.link import TOPICS


def headline(uncertainty: Uncertainty, *, n_true: int | None = None) -> None:
    """How many topics are told apart from the unigram, and what that means.

    Args:
        uncertainty: of the run.
        n_true: how many topics the documents were drawn from; None where that is not known.
    """
    told, k = uncertainty.n_told_apart, len(uncertainty.topics)
    glossary.heading(f"{told} of {k} topics are told apart from the unigram", "told_apart unigram interval")
    if told == k:
        said = "Noise hides none of them; that is necessary for topics that make sense, not sufficient."
    else:
        said = (
            "The words of the others, taken together, are no further from the frequencies of all words than known"
            " errors would bring them: they are not readable at this ε, whatever they look like."
        )
    if n_true is not None and n_true < k:
        said += f" The documents were drawn from {n_true} topics only."
    st.caption(said + " This is read off released values, so knowing it costs no privacy.")


def offer(uncertainty: Uncertainty, *, place: str) -> None:
    """A new run with as many topics as are told apart, where they are fewer than were asked for.

    Args:
        uncertainty: of the run that was made.
        place: of the button, distinct on every page.
    """
    told, k = uncertainty.n_told_apart, len(uncertainty.topics)
    if not max(2, TOPICS[0]) <= told < k:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Run again with k = {told}",
            icon=":material/replay:",
            key=f"{Key.FEWER_TOPICS}.{place}",
            on_click=_ask_for,
            args=(told,),
        )
        st.caption(
            f"A new run with k = {told} looks at the documents again: on a real release it is a second charge of the"
            f" same ε, on top of the first. Showing {told} of these {k} is free.",
            width="stretch",
        )


def _ask_for(n_topics: int) -> None:
    st.session_state[Key.N_TOPICS] = n_topics
