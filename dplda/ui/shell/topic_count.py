"""How many topics these documents carry at this ε, read off released values, and what may be done about it."""

import streamlit as st

from dplda.refined.uncertainty import Uncertainty
from dplda.ui.shell import glossary, run_again
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
        said = (
            "Noise hides none of them; that is necessary for topics that make sense, not sufficient: documents without"
            " any topics are split too, with noise or without."
        )
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
    key, free = f"{Key.FEWER_TOPICS}.{place}", f"Showing {told} of these {k} is free."
    run_again.offer(told, symbol="k", sets=Key.N_TOPICS, key=key, free=free)
