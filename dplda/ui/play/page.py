"""One slider and both sides of the bargain: what you learn from all letters, and an attacker from one."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import streamlit as st

from dplda import figures
from dplda.core import assets
from dplda.figures import LearnedSection
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary
from dplda.ui.state import session
from dplda.ui.state.keys import Key


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of the slider: the attacker's success, the promised limit, and the score of every run."""

    epsilon: float | None  # None without noise
    sections: Sequence[LearnedSection]
    right: float
    promised: float | None
    scores: (
        Sequence[float] | None
    )  # above 0: the attacker says that the letter was in; None: all give it away
    was_in: Sequence[bool]


@dataclass(frozen=True, slots=True)
class Shipped:
    """All stops, the number of letters, and the leading words of the attacked one."""

    n_documents: int
    letter: Sequence[str]
    stops: Sequence[Stop]


@cache
def shipped() -> Shipped:
    """The file's numbers, read once."""
    content = json.loads((assets.folder() / "play" / "newspaper.json").read_text("utf-8"))
    stops = []
    for stop in content["stops"]:
        topics = zip(content["sections"], stop.pop("topics"), strict=True)
        stops.append(
            Stop(sections=[LearnedSection(title, **topic) for title, topic in topics], **stop)
        )
    return Shipped(content["simulation"]["n_documents"], content["letter"], stops)


FIRST, NO_NOISE = "1", "no noise"


def question() -> None:
    """Draw the question that the page answers."""
    st.title(
        f"What are {shipped().n_documents:,} letters about, without exposing any one of them?",
        anchor=False,
    )
    st.space("xsmall")


@st.fragment
def draw() -> None:
    """Draw the slider and both sides; moving it redraws nothing else on the page."""
    stops = {
        NO_NOISE if stop.epsilon is None else f"{stop.epsilon:g}": stop for stop in shipped().stops
    }
    asked = st.query_params.get(Key.PLAY, FIRST)
    st.session_state.setdefault(Key.PLAY, asked if asked in stops else FIRST)
    name = st.select_slider(
        "Privacy budget ε: ← more private … no noise →",
        list(stops),
        format_func=lambda name: name if name == NO_NOISE else f"ε = {name}",
        key=Key.PLAY,
        persist_state="session",
        help="The most that the result may say about any one letter. Smaller ε means more noise.",
    )
    session.write({Key.PLAY: None if name == FIRST else name})
    left, right = st.columns(2, gap="medium")
    with left, st.container(gap="xsmall"):
        _learned(stops[name])
    with right, st.container(gap="xsmall"):
        _attacked(stops[name])


def doors() -> None:
    """Draw three links to other pages."""
    with st.container(horizontal=True, gap="small"):
        st.page_link(
            "pages/learn.py", label="**Play the attacker**", query_params={"view": "attack-it"}
        )
        st.page_link(
            "pages/explore.py", label="**Explore the noise**", query_params={"view": "noise"}
        )
        st.page_link("pages/release.py", label="**Release topics of my documents**")


def _learned(stop: Stop) -> None:
    near = f"A section counts as found if its topic is within L1 distance {figures.NEAR:g} of the true one."
    st.header(
        "What you learn",
        anchor=False,
        help=glossary.with_terms(near, "topic release budget epsilon"),
    )
    st.markdown("The newspaper's sections, by their leading words:")
    figure_view.draw_still(figures.sections(stop.sections))


def _attacked(stop: Stop) -> None:
    runs = f"{len(stop.was_in):,} runs"
    known = (
        "The attacker knows the method, all other letters, and the letter that may replace this one. No attack on the"
        f" releases does better. The number is the mean chance of a right guess in {runs}; each dot is one of them."
    )
    st.header("What an attacker learns", anchor=False, help=known)
    st.markdown(f"Was this letter in? :blue[“{literal(' '.join(shipped().letter))} …”]")
    if stop.promised is None:
        beside = "a coin: 50 · no promise without noise"
    else:
        beside = f"a coin: 50 · ε = {stop.epsilon:g} promises at most {math.ceil(100 * stop.promised)} · {runs}"
    title = f"Right {100 * stop.right:.0f} times in 100"
    figure_view.draw_still(figures.heaps(stop.scores, stop.was_in, title=title, beside=beside))
