"""Three doors from Start: links that set up what their page needs."""

import streamlit as st

from dplda.corpus import Simulation
from dplda.methods.registry import parse_method
from dplda.ui.corpus.corpus_choice import CorpusSource
from dplda.ui.error_curves import page as curves
from dplda.ui.shell import link, method_choice, session
from dplda.ui.shell.keys import Key

# As in the papers' first figure; every configuration finds topics there at ε = 3.
TEACHING = Simulation(n_documents=100_000, n_words=100, n_topics=3, alpha0=0.1, mean_length=100, newspaper="english")
TAUGHT = "adaptive/corrected"  # its edges can be chosen, its budget divided, its error is predicted
TEACH, BRING, PAPERS = "teach", "documents", "papers"


def draw() -> None:
    """The three links."""
    with st.container(horizontal=True, gap="small"):
        st.page_link(
            "pages/learn.py",
            label="**Teach me**",
            query_params={"door": TEACH},
            help="Lessons that ask before they show; and everywhere else simulated documents whose topics are known.",
        )
        st.page_link(
            "pages/corpus.py",
            label="**My documents**",
            query_params={"door": BRING},
            help="Read a file of your own, public or sensitive.",
        )
        st.page_link(
            "pages/error_curves.py",
            label="**The papers**",
            query_params={"door": PAPERS},
            help="The figures of the two papers, and what comes out here.",
        )


def enter() -> None:
    """Set up what the door in the address asks for, once; before any control is drawn."""
    session.read_link()
    door = st.query_params.get(Key.DOOR)
    if door is None:
        return
    session.write({Key.DOOR: None})
    if door == TEACH:
        session.simulate(TEACHING)
        st.session_state[Key.EPSILON] = link.DEFAULTS[Key.EPSILON]
        method_choice.choose(parse_method(TAUGHT))
    elif door == BRING:
        st.session_state[Key.SOURCE] = CorpusSource.UPLOAD
    elif door == PAPERS:
        st.session_state[Key.CURVES_SHOWN] = curves.FIRST
