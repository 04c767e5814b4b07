"""One slider and both sides: what you learn from all letters, and an attacker from one."""

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

FIRST_STOP = "1"
NO_NOISE = "no noise"
FOUND_HELP = (
    "A section counts as found if its topic is within L1 distance"
    f" {figures.NEAR:g} of the true one."
)


@dataclass(frozen=True, slots=True)
class SliderStop:
    """One stop of the slider.

    Attributes:
        epsilon: ε; None without noise.
        sections: the newspaper's sections, and how well each is found.
        success: the attacker's mean chance of a right guess.
        promised_chance: the largest chance of a right guess that ε allows; None without noise.
        scores: one a run, above 0 where the attacker says that the letter was in; None where every
            run gives it away.
        was_in: whether the letter was in, one a run.
    """

    epsilon: float | None
    sections: Sequence[LearnedSection]
    success: float
    promised_chance: float | None
    scores: Sequence[float] | None
    was_in: Sequence[bool]


@dataclass(frozen=True, slots=True)
class ShippedNumbers:
    """The numbers of the page.

    Attributes:
        n_documents: number of letters.
        letter: the leading words of the attacked one.
        stops: all stops of the slider.
    """

    n_documents: int
    letter: Sequence[str]
    stops: Sequence[SliderStop]


@cache
def shipped_numbers() -> ShippedNumbers:
    """Read the numbers of the newspaper's file, once for this process."""
    file_content = json.loads((assets.folder() / "play" / "newspaper.json").read_text("utf-8"))
    slider_stops = []
    for stop in file_content["stops"]:
        titles_and_topics = zip(file_content["sections"], stop["topics"], strict=True)
        sections = [
            LearnedSection(title, topic["words"], topic["shares"], topic["error"])
            for title, topic in titles_and_topics
        ]
        slider_stops.append(
            SliderStop(
                epsilon=stop["epsilon"],
                sections=sections,
                success=stop["right"],
                promised_chance=stop["promised"],
                scores=stop["scores"],
                was_in=stop["was_in"],
            )
        )
    return ShippedNumbers(
        file_content["simulation"]["n_documents"], file_content["letter"], slider_stops
    )


def draw_question() -> None:
    """Draw the question that the page answers."""
    n_documents = shipped_numbers().n_documents
    question = f"What are {n_documents:,} letters about, without exposing any one of them?"
    st.title(question, anchor=False)
    st.space("xsmall")


@st.fragment
def draw() -> None:
    """Draw the slider of ε, and what is learned and attacked at its stop.

    Moving it redraws nothing else on the page. It begins at the stop that the address names, or at
    ``FIRST_STOP``; the address keeps it.
    """
    stops = {_stop_name(stop): stop for stop in shipped_numbers().stops}
    name_in_address = st.query_params.get(Key.PLAY, FIRST_STOP)
    if name_in_address not in stops:
        name_in_address = FIRST_STOP
    st.session_state.setdefault(Key.PLAY, name_in_address)
    stop_name = st.select_slider(
        "Privacy budget ε: ← more private … no noise →",
        list(stops),
        format_func=lambda stop_name: stop_name if stop_name == NO_NOISE else f"ε = {stop_name}",
        key=Key.PLAY,
        persist_state="session",
        help="The most that the result may say about any one letter. Smaller ε means more noise.",
    )
    session.write({Key.PLAY: None if stop_name == FIRST_STOP else stop_name})
    left_column, right_column = st.columns(2, gap="medium")
    with left_column, st.container(gap="xsmall"):
        _draw_learned(stops[stop_name])
    with right_column, st.container(gap="xsmall"):
        _draw_attacked(stops[stop_name])


def _stop_name(stop: SliderStop) -> str:
    """A stop's ε in words, by which the slider and the address name it."""
    if stop.epsilon is None:
        return NO_NOISE
    return f"{stop.epsilon:g}"


def draw_doors() -> None:
    """Draw three links to other pages."""
    with st.container(horizontal=True, gap="small"):
        st.page_link(
            "pages/learn.py", label="**Play the attacker**", query_params={"view": "attack-it"}
        )
        st.page_link(
            "pages/explore.py", label="**Explore the noise**", query_params={"view": "noise"}
        )
        st.page_link("pages/release.py", label="**Release topics of my documents**")


def _draw_learned(stop: SliderStop) -> None:
    """Draw how well the newspaper's sections are found."""
    help_text = glossary.with_terms(FOUND_HELP, "topic release budget epsilon")
    st.header("What you learn", anchor=False, help=help_text)
    st.markdown("The newspaper's sections, by their leading words:")
    figure_view.draw_still(figures.sections(stop.sections))


def _draw_attacked(stop: SliderStop) -> None:
    """Draw how often an attacker is right about one letter, in runs as dots, beside the promise.

    Without noise there is no promise, as the figure says.
    """
    runs_text = f"{len(stop.was_in):,} runs"
    help_text = (
        "The attacker knows the method, all other letters, and the letter that may replace this"
        " one. No attack on the releases does better. The number is the mean chance of a right"
        f" guess in {runs_text}; each dot is one of them."
    )
    st.header("What an attacker learns", anchor=False, help=help_text)
    letter_text = literal(" ".join(shipped_numbers().letter))
    st.markdown(f"Was this letter in? :blue[“{letter_text} …”]")
    comparison = "a coin: 50 · no promise without noise"
    if stop.promised_chance is not None:
        times_in_100 = math.ceil(100 * stop.promised_chance)
        comparison = (
            f"a coin: 50 · ε = {stop.epsilon:g} promises at most {times_in_100} · {runs_text}"
        )
    title = f"Right {100 * stop.success:.0f} times in 100"
    figure_view.draw_still(figures.heaps(stop.scores, stop.was_in, title=title, beside=comparison))
