"""The pieces of the Start page."""

import streamlit as st

from dplda.ui.shell import flow_picture, sidebar
from dplda.ui.shell.frame import Experiment
from dplda.ui.shell.keys import Key
from dplda.ui.shell.link import EPSILONS, epsilon_text


def introduction() -> None:
    """What this is, in three sentences."""
    st.markdown(
        "**dplda** finds the topics of a collection of documents while protecting every single document in it. It adds"
        " measured noise on the way from documents to topics; how much is set by ε, the privacy loss that any one"
        " document may suffer. Below, live: at first the documentation of the Python packages on this machine, which is"
        " public, so that you may see what noise takes away."
    )


def epsilon() -> None:
    """The sidebar's ε once more, right beside what it changes."""
    st.session_state[Key.START_EPSILON] = st.session_state[Key.EPSILON]
    st.select_slider(
        "Move ε: a small loss of privacy costs topics",
        EPSILONS,
        format_func=epsilon_text,
        key=Key.START_EPSILON,
        on_change=_move,
        help="The same control as in the sidebar. Use the arrow keys to go step by step.",
    )
    sidebar.ends()


def flow(experiment: Experiment) -> None:
    """Where the noise enters on the way from documents to topics; nothing for a method without a picture."""
    verdict = flow_picture.own(experiment.settings.method)
    if verdict is None:
        return
    st.subheader("Where the noise enters", anchor=False)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        flow_picture.draw(verdict, key="start.flow")
    with right:
        flow_picture.say(verdict)
        st.caption(experiment.settings.method.summary)
        st.page_link("pages/privacy.py", label="What would leak, and what noise costs", icon=":material/account_tree:")


def doors() -> None:
    """Where to go next."""
    st.subheader("Go on", anchor=False)
    left, middle, right = st.columns(3)
    with left.container(border=True):
        st.page_link("pages/topics.py", label="**Topics**", icon=":material/bar_chart:")
        st.caption(
            "What survives the noise and why: how sure every word is, every release with its noise, files to save."
        )
    with middle.container(border=True):
        st.page_link("pages/privacy.py", label="**Privacy**", icon=":material/account_tree:")
        st.caption("Where noise enters the flow, how the budget is divided, and what error to expect.")
    with right.container(border=True):
        st.page_link("pages/corpus.py", label="**Corpus**", icon=":material/library_books:")
        st.caption("Other documents: simulate some with known topics, or bring your own.")


def _move() -> None:
    st.session_state[Key.EPSILON] = st.session_state[Key.START_EPSILON]
