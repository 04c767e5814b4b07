"""A line on each step of a release that is still to come, for a first visit."""

from collections.abc import Mapping

import streamlit as st

from dplda.release.workflow.draft import ReleaseStep

WHAT_HAPPENS = {
    ReleaseStep.WHOM: "A document, or all documents of a person.",
    ReleaseStep.BUDGET: "ε, topics and words. A verdict says what to expect.",
    ReleaseStep.REHEARSAL: "The same release on invented documents. It costs nothing.",
    ReleaseStep.RELEASE: "Noise is drawn once. A ledger keeps the cost.",
    ReleaseStep.SHARE: "Topics, their receipt, and a report for everybody else.",
}


def draw(titles: Mapping[ReleaseStep, str]) -> None:
    """Draw the steps after the first one side by side, each with what happens in it.

    Args:
        titles: of all steps.
    """
    st.space("small")
    for step_column, (step, sentence) in zip(
        st.columns(len(WHAT_HAPPENS), gap="medium"), WHAT_HAPPENS.items(), strict=True
    ):
        step_column.markdown(f"**{step} · {titles[step]}**  \n:small[{sentence}]")
