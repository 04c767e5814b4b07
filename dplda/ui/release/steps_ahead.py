"""A card on each step of a release that is still to come, where an early step leaves room."""

from collections.abc import Mapping

import streamlit as st

from dplda.release.workflow.draft import ReleaseStep
from dplda.ui.state.keys import Key

WHAT_HAPPENS = {
    ReleaseStep.WHOM: "A document, or all documents of a person.",
    ReleaseStep.BUDGET: "ε, topics and words. A verdict says what to expect.",
    ReleaseStep.REHEARSAL: "The same release on invented documents. It costs nothing.",
    ReleaseStep.RELEASE: "Noise is drawn once. A ledger keeps the cost.",
    ReleaseStep.SHARE: "Topics, their receipt, and a report for everybody else.",
}


def draw(titles: Mapping[ReleaseStep, str], open_step: ReleaseStep) -> None:
    """Draw the steps after the open one side by side, each with what happens in it.

    Args:
        titles: of all steps.
        open_step: one before the last.
    """
    steps = [step for step in WHAT_HAPPENS if step > open_step]
    st.space("small")
    cards_place = st.container(key=Key.RELEASE_AHEAD)
    for step_column, step in zip(cards_place.columns(len(steps), gap="small"), steps, strict=True):
        card = step_column.container(border=True, height="stretch")
        card.markdown(f":primary[**{step}**]  \n**{titles[step]}**  \n{WHAT_HAPPENS[step]}")
