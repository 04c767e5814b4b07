"""The six steps in one page: the one that is reached, and the way between them."""

from collections.abc import Callable

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.ui.literal import literal
from dplda.ui.release import beginning, budget, ending, rehearsal
from dplda.ui.release.draft import Draft, ReleaseStep, drafted
from dplda.ui.shell.frame import Experiment, Header
from dplda.ui.state import session
from dplda.ui.state.keys import Key

LABELS = {
    ReleaseStep.FILE: "1 File",
    ReleaseStep.WHOM: "2 Whom to protect",
    ReleaseStep.BUDGET: "3 Budget",
    ReleaseStep.REHEARSE: "4 Rehearse",
    ReleaseStep.RELEASE: "5 Release",
    ReleaseStep.SHARE: "6 Share",
}
VIEWS: dict[ReleaseStep, Callable[[Draft], None]] = {
    ReleaseStep.FILE: beginning.file,
    ReleaseStep.WHOM: beginning.whom,
    ReleaseStep.BUDGET: budget.draw,
    ReleaseStep.REHEARSE: rehearsal.draw,
    ReleaseStep.RELEASE: ending.release,
    ReleaseStep.SHARE: ending.share,
}


def header(experiment: Experiment) -> Header:
    """What is decided so far."""
    try:
        draft = drafted(experiment)
        return Header(draft.decided(_reached(draft)[0]), on_documents=False)
    except DpldaError:  # which the page says below
        return Header((), on_documents=False)


def draw(experiment: Experiment) -> None:
    """The steps, the open one, and the way on."""
    try:
        draft = drafted(experiment)
        step, why = _reached(draft)
        st.session_state[Key.RELEASE_STEPS] = st.session_state[Key.RELEASE_STEP] = step
        st.segmented_control(
            "Steps of a release",
            list(ReleaseStep),
            format_func=lambda one: LABELS[one],
            required=True,
            key=Key.RELEASE_STEPS,
            on_change=_go,
            label_visibility="collapsed",
        )
        session.write({Key.RELEASE_STEP: None if step is ReleaseStep.FILE else step})
        VIEWS[step](draft)
        _onward(step, why)
    except DpldaError as error:
        st.error(literal(str(error)))


def _reached(draft: Draft) -> tuple[ReleaseStep, str]:
    """The step asked for, or the first before it that lacks something; and what the step itself still lacks."""
    said = st.query_params.get(Key.RELEASE_STEP)
    asked = st.session_state.get(Key.RELEASE_STEP) or (said if said in list(ReleaseStep) else ReleaseStep.FILE)
    for step in ReleaseStep:
        try:
            draft.check(step)
        except DpldaError as error:
            return step, str(error)
        if step == asked:
            break
    return ReleaseStep(asked), ""


def _go() -> None:
    session.put(Key.RELEASE_STEP, st.session_state[Key.RELEASE_STEPS])


def _onward(step: ReleaseStep, why: str) -> None:
    order = list(ReleaseStep)
    place = order.index(step)
    with st.container(horizontal=True, vertical_alignment="center"):
        if step is not ReleaseStep.FILE:
            st.button("Back", key=Key.RELEASE_BACK, on_click=session.put, args=(Key.RELEASE_STEP, order[place - 1]))
        if step is not ReleaseStep.SHARE and not (step is ReleaseStep.RELEASE and why):
            st.button(
                "Continue",
                type="primary",
                disabled=bool(why),
                key=Key.RELEASE_NEXT,
                on_click=session.put,
                args=(Key.RELEASE_STEP, order[place + 1]),
            )
            st.markdown(f":small[{literal(why)}]")
