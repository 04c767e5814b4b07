"""The pieces of the Start page."""

import streamlit as st

from dplda.ui.literal import literal
from dplda.ui.shell import flow_picture, frame
from dplda.ui.shell.frame import Experiment, Header


def header(experiment: Experiment) -> Header:
    """One sentence in the place of the experiment's numbers, which stand below the picture."""
    corpus = experiment.corpus
    said = f"**dplda** finds topics and hides every {corpus.unit}. Live, of **{literal(corpus.name)}**: move ε."
    return Header((said,), frame.of_method(experiment).claim)


def about(experiment: Experiment) -> None:
    """The experiment in numbers, and what happens here, in three sentences."""
    frame.line(frame.of_method(experiment).line)
    st.markdown(
        "Measured noise is added on the way from documents to topics; how much is set by ε, the privacy loss that any"
        f" one {experiment.corpus.unit} may suffer. What stands beside the private topics is for looking: on sensitive"
        " documents nobody sees it but their curator."
    )


def flow(experiment: Experiment) -> None:
    """Where the noise enters on the way from documents to topics; nothing for a method without a picture."""
    verdict = flow_picture.own(experiment.settings.method)
    if verdict is None:
        return
    st.header("Where the noise enters", anchor=False)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        flow_picture.draw(verdict, key="start.flow")
    with right:
        flow_picture.say(verdict)
        st.caption(experiment.settings.method.summary)
        st.page_link("pages/privacy.py", label="What would leak, and what noise costs", icon=":material/account_tree:")
