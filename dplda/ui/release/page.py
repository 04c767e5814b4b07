"""The Release page: six steps, the one reached, and the way between them."""

from functools import partial

import streamlit as st

from dplda.core import demo
from dplda.core.errors import DpldaError
from dplda.corpus import Corpus
from dplda.experiments.experiment import CorpusKind, Experiment
from dplda.release.workflow.draft import Draft, ReleaseStep
from dplda.ui.literal import literal
from dplda.ui.release import deciding, ending
from dplda.ui.shell import frame, glossary, sidebar
from dplda.ui.state import cache, link, session
from dplda.ui.state.keys import Key
from dplda.ui.upload import form

VIEWS = {
    ReleaseStep.FILE: ("File", deciding.file),
    ReleaseStep.WHOM: ("Whom to protect", deciding.whom),
    ReleaseStep.BUDGET: ("Budget", deciding.budget),
    ReleaseStep.REHEARSAL: ("Rehearse", deciding.rehearse),
    ReleaseStep.RELEASE: ("Release", ending.release),
    ReleaseStep.SHARE: ("Share", ending.share),
}


def draw() -> None:
    """Draw the decisions so far, the steps, the open one, and Back and Continue."""
    question = glossary.with_terms(
        "How do I get topics out of documents that I must protect?", "release budget"
    )
    st.container(horizontal=True).title("Release", anchor=False, help=question)
    session.say_notices()
    if demo.is_on():
        st.info(demo.REFUSAL, icon=":material/public:")
        return
    settings = sidebar.read_experiment()
    try:
        corpus = cache.corpus()
        if corpus is None:
            return
        draft, step, lacks = _reached(corpus, settings)
        session.write_link(settings)
        if decided := draft.summary(step):
            frame.draw_line(tuple(map(literal, decided)))
        st.session_state[Key.RELEASE_STEPS] = st.session_state[Key.RELEASE_STEP] = step
        st.segmented_control(
            "Steps of a release",
            list(ReleaseStep),
            format_func=lambda one: f"{one} {VIEWS[one][0]}",
            required=True,
            key=Key.RELEASE_STEPS,
            on_change=lambda: _go(st.session_state[Key.RELEASE_STEPS]),
            label_visibility="collapsed",
        )
        named = None if step is ReleaseStep.FILE else step.name.lower()
        session.write(
            {Key.RELEASE_STEP: named, Key.RELEASE_OPENED: st.session_state[Key.RELEASE_OPENED]}
        )
    except DpldaError as error:
        st.error(literal(str(error)))
        return
    try:
        VIEWS[step][1](draft)
    except DpldaError as error:
        st.error(literal(str(error)))
    _onward(step, lacks)


def _go(step: ReleaseStep) -> None:
    st.session_state[Key.RELEASE_STEP], st.session_state[Key.RELEASE_OPENED] = step, None


def _reached(corpus: Corpus, settings: Experiment) -> tuple[Draft, ReleaseStep, str]:
    """The decisions; the requested step, or the first earlier one that is incomplete, and what it lacks."""
    if session.address_changed() or Key.RELEASE_STEP not in st.session_state:
        said, named = (st.query_params.get(key, "") for key in (Key.RELEASE_STEP, link.CORPUS_KEY))
        gone = named == CorpusKind.UPLOADED and session.uploaded() is None
        _go(
            ReleaseStep.FILE
            if gone
            else ReleaseStep.__members__.get(said.upper(), ReleaseStep.FILE)
        )
        st.session_state[Key.RELEASE_OPENED] = st.query_params.get(Key.RELEASE_OPENED)
    draft = deciding.drafted(corpus, settings)
    if draft.opened is not None:
        return draft, ReleaseStep.SHARE, ""
    if form.is_waiting_to_be_read():
        return draft, ReleaseStep.FILE, "First read the file that you chose."
    for step in ReleaseStep:
        try:
            draft.check_step(step)
        except DpldaError as error:
            return draft, step, str(error)
        if step == st.session_state[Key.RELEASE_STEP]:
            break
    if step is ReleaseStep.SHARE and (made := draft.receipt()) is not None:  # by these decisions
        session.put(Key.RELEASE_OPENED, made.artefact.receipt_number)
        draft = deciding.drafted(corpus, settings)
    return draft, step, ""


def _onward(step: ReleaseStep, lacks: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if step > ReleaseStep.FILE:
            to = (
                ReleaseStep.FILE if step is ReleaseStep.SHARE else ReleaseStep(step - 1)
            )  # where others are opened
            st.button("Back", key=Key.RELEASE_BACK, on_click=_go, args=(to,))
        if step < ReleaseStep.RELEASE or (step is ReleaseStep.RELEASE and not lacks):
            on, practice = (
                ReleaseStep(step + 1),
                step is ReleaseStep.FILE and session.uploaded() is None,
            )
            button = (
                partial(st.button, "Practice")
                if practice
                else partial(st.button, "Continue", type="primary")
            )
            button(disabled=bool(lacks), key=Key.RELEASE_NEXT, on_click=_go, args=(on,))
            st.markdown(f":small[{literal(lacks)}]")
