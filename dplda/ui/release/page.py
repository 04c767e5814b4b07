"""The six steps in one page: the one that is reached, and the way between them."""

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.release.draft import Draft, ReleaseStep
from dplda.ui.literal import literal
from dplda.ui.release import beginning, budget, ending, rehearsal
from dplda.ui.release.drafted import decided, drafted
from dplda.ui.shell.frame import Experiment, Header
from dplda.ui.state import session
from dplda.ui.state.keys import Key

VIEWS = {
    ReleaseStep.FILE: ("File", beginning.file),
    ReleaseStep.WHOM: ("Whom to protect", beginning.whom),
    ReleaseStep.BUDGET: ("Budget", budget.draw),
    ReleaseStep.REHEARSAL: ("Rehearse", rehearsal.draw),
    ReleaseStep.RELEASE: ("Release", ending.release),
    ReleaseStep.SHARE: ("Share", ending.share),
}


def header(experiment: Experiment) -> Header:
    """What is decided so far."""
    try:
        draft = drafted(experiment)
        return Header(decided(draft, _reached(draft)[0]), on_documents=False)
    except DpldaError:  # which the page says below
        return Header((), on_documents=False)


def draw(experiment: Experiment) -> None:
    """The steps, the open one, and the way on."""
    try:
        draft = drafted(experiment)
        step, lacks = _reached(draft)
        st.session_state[Key.RELEASE_STEPS] = st.session_state[Key.RELEASE_STEP] = step
        st.segmented_control(
            "Steps of a release",
            list(ReleaseStep),
            format_func=lambda one: f"{one} {VIEWS[one][0]}",
            required=True,
            key=Key.RELEASE_STEPS,
            on_change=lambda: session.put(Key.RELEASE_STEP, st.session_state[Key.RELEASE_STEPS]),
            label_visibility="collapsed",
        )
        session.write({Key.RELEASE_STEP: None if step is ReleaseStep.FILE else step.name.lower()})
        VIEWS[step][1](draft)
        _onward(step, lacks)
    except DpldaError as error:
        st.error(literal(str(error)))


def _reached(draft: Draft) -> tuple[ReleaseStep, str]:
    """The step asked for, or the first before it that lacks something; and what it lacks."""
    if session.is_news() or Key.RELEASE_STEP not in st.session_state:
        said = st.query_params.get(Key.RELEASE_STEP, "").upper()
        st.session_state[Key.RELEASE_STEP] = ReleaseStep.__members__.get(said, ReleaseStep.FILE)
    for step in ReleaseStep:
        try:
            draft.check(step)
        except DpldaError as error:
            return step, str(error)
        if step == st.session_state[Key.RELEASE_STEP]:
            break
    return step, ""


def _onward(step: ReleaseStep, lacks: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if step > ReleaseStep.FILE:
            back = (Key.RELEASE_STEP, ReleaseStep(step - 1))
            st.button("Back", key=Key.RELEASE_BACK, on_click=session.put, args=back)
        if step < ReleaseStep.RELEASE or (step is ReleaseStep.RELEASE and not lacks):
            on = (Key.RELEASE_STEP, ReleaseStep(step + 1))
            off = bool(lacks)
            st.button("Continue", type="primary", disabled=off, key=Key.RELEASE_NEXT, on_click=session.put, args=on)
            st.markdown(f":small[{literal(lacks)}]")
