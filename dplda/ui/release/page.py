"""The Release page: six steps, the one reached, and the way between them."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dplda.core import demo
from dplda.core.errors import DpldaError
from dplda.corpus import Corpus
from dplda.experiments.experiment import CorpusKind, Experiment
from dplda.release.workflow.draft import Draft, ReleaseStep
from dplda.ui.literal import literal
from dplda.ui.release import (
    decision_steps,
    rehearsal,
    release_step,
    share_step,
    steps_ahead,
    verdict_view,
)
from dplda.ui.release.drafting import read_draft
from dplda.ui.shell import frame, glossary, sidebar
from dplda.ui.state import cache, link, session
from dplda.ui.state.keys import Key
from dplda.ui.upload import form

QUESTION = "How do I get topics out of documents that I must protect?"
FIRST_RELEASE_EPSILON = 1
UNREAD_FILE = "First read the file that you chose."
TITLES = {
    ReleaseStep.FILE: "File",
    ReleaseStep.WHOM: "Whom to protect",
    ReleaseStep.BUDGET: "Budget",
    ReleaseStep.REHEARSAL: "Rehearse",
    ReleaseStep.RELEASE: "Release",
    ReleaseStep.SHARE: "Share",
}
DRAW_STEP: dict[ReleaseStep, Callable[[Draft], None]] = {
    ReleaseStep.FILE: decision_steps.choose_file,
    ReleaseStep.WHOM: decision_steps.choose_unit,
    ReleaseStep.BUDGET: decision_steps.choose_budget,
    ReleaseStep.REHEARSAL: rehearsal.rehearse,
    ReleaseStep.RELEASE: release_step.draw,
    ReleaseStep.SHARE: share_step.draw,
}


@dataclass(frozen=True, slots=True, eq=False)
class _Position:
    """Where a visitor is on the way to a release.

    Attributes:
        draft: the decisions so far.
        step: the step that is open.
        missing: why the next step cannot be opened; empty if it can.
    """

    draft: Draft
    step: ReleaseStep
    missing: str = ""


def draw() -> None:
    """Draw the page Release: decisions so far, the steps, the open one, and Back and Continue.

    The first two steps show those to come, unless a chosen file is still to be read. A demo draws a
    refusal instead. Nothing follows the title if there are no documents, nor the error if the
    decisions cannot be read; an error in the open step leaves the way to other steps. The address
    keeps the decisions.
    """
    help_text = glossary.with_terms(QUESTION, "release budget topic")
    st.container(horizontal=True).title("Release", anchor=False, help=help_text)
    session.say_notices()
    if demo.is_on():
        st.info(demo.REFUSAL, icon=":material/public:")
        return
    _set_first_values()
    experiment = sidebar.read_experiment()
    try:
        corpus = cache.corpus()
        if corpus is None:
            return
        position = _find_position(corpus, experiment)
        session.write_link(experiment)
        _draw_steps(position)
    except DpldaError as error:
        st.error(literal(str(error)))
        return
    try:
        DRAW_STEP[position.step](position.draft)
    except DpldaError as error:
        st.error(literal(str(error)))
    _draw_way(position)
    if position.step <= ReleaseStep.WHOM and not form.is_waiting_to_be_read():
        steps_ahead.draw(TITLES, position.step)


def _set_first_values() -> None:
    """Set ε to what a release should start from, once, unless an address or a visitor chose one."""
    session_state = st.session_state
    if session_state.get(Key.RELEASE_DEFAULTS):
        return
    session_state[Key.RELEASE_DEFAULTS] = True
    is_untouched = session_state[Key.EPSILON] == link.DEFAULTS[Key.EPSILON]
    if link.VERSION_KEY not in st.query_params and is_untouched:
        session.put(Key.EPSILON, FIRST_RELEASE_EPSILON)


def _draw_steps(position: _Position) -> None:
    """Draw the decisions in one line, and the steps with the open one.

    The address keeps the open step, but for the first, and the open release.
    """
    step = position.step
    decisions = position.draft.summary(step)
    if decisions:
        frame.draw_line(tuple(map(literal, decisions)))
    session_state = st.session_state
    session_state[Key.RELEASE_STEPS] = session_state[Key.RELEASE_STEP] = step
    st.segmented_control(
        "Steps of a release",
        list(ReleaseStep),
        format_func=lambda step: f"{step} {TITLES[step]}",
        required=True,
        key=Key.RELEASE_STEPS,
        on_change=lambda: _go(st.session_state[Key.RELEASE_STEPS]),
        label_visibility="collapsed",
    )
    step_name = None if step is ReleaseStep.FILE else step.name.lower()
    session.write(
        {Key.RELEASE_STEP: step_name, Key.RELEASE_OPENED: session_state[Key.RELEASE_OPENED]}
    )


def _go(step: ReleaseStep) -> None:
    """Open a step, and close a release that was opened."""
    st.session_state[Key.RELEASE_STEP] = step
    st.session_state[Key.RELEASE_OPENED] = None


def _find_position(corpus: Corpus, experiment: Experiment) -> _Position:
    """Find the step to open, and what it still lacks, in words.

    A changed address is read first. An opened release opens the last step, and a chosen file that
    is not read the first. If the last step is requested, and these decisions were released already,
    that release is opened, and noted in the session.
    """
    if session.address_changed() or Key.RELEASE_STEP not in st.session_state:
        _read_address()
    draft = read_draft(corpus, experiment)
    if draft.opened is not None:
        return _Position(draft, ReleaseStep.SHARE)
    if form.is_waiting_to_be_read():
        return _Position(draft, ReleaseStep.FILE, UNREAD_FILE)
    position = _find_step(draft)
    receipt = None
    if position.step is ReleaseStep.SHARE and not position.missing:
        receipt = draft.receipt()
    if receipt is None:
        return position
    session.put(Key.RELEASE_OPENED, receipt.artefact.receipt_number)
    return _Position(read_draft(corpus, experiment), position.step)


def _find_step(draft: Draft) -> _Position:
    """Find the requested step, or the first one up to it that is incomplete, and what it lacks."""
    for step in ReleaseStep:
        try:
            draft.check_step(step)
        except DpldaError as error:
            return _Position(draft, step, str(error))
        if step == st.session_state[Key.RELEASE_STEP]:
            break
    return _Position(draft, step)


def _read_address() -> None:
    """Open the step and the release that the address names; the first step if its file is gone."""
    step_name = st.query_params.get(Key.RELEASE_STEP, "").upper()
    step = ReleaseStep.__members__.get(step_name, ReleaseStep.FILE)
    names_upload = st.query_params.get(link.CORPUS_KEY, "") == CorpusKind.UPLOADED
    if names_upload and session.uploaded() is None:
        step = ReleaseStep.FILE
    _go(step)
    st.session_state[Key.RELEASE_OPENED] = st.query_params.get(Key.RELEASE_OPENED)


def _draw_way(position: _Position) -> None:
    """Draw Back and Continue; the last step is offered only once the release is made.

    From the last step, Back leads to the first one.
    """
    step = position.step
    with st.container(horizontal=True, vertical_alignment="center"):
        if step > ReleaseStep.FILE:
            # Another release is opened in the first step.
            is_last = step is ReleaseStep.SHARE
            previous_step = ReleaseStep.FILE if is_last else ReleaseStep(step - 1)
            st.button("Back", key=Key.RELEASE_BACK, on_click=_go, args=(previous_step,))
        is_released = step is ReleaseStep.RELEASE and not position.missing
        if step < ReleaseStep.RELEASE or is_released:
            _draw_continue(position)


def _draw_continue(position: _Position) -> None:
    """Draw Continue, disabled if something is missing, and in small letters what that is.

    It is *Practice* if no file was uploaded in the first step. It is no main button for practice,
    or where the verdict expects no topics.
    """
    step = position.step
    is_practice = step is ReleaseStep.FILE and session.uploaded() is None
    is_against_verdict = step >= ReleaseStep.BUDGET and verdict_view.expects_nothing(position.draft)
    st.button(
        "Practice" if is_practice else "Continue",
        type="secondary" if is_practice or is_against_verdict else "primary",
        disabled=bool(position.missing),
        key=Key.RELEASE_NEXT,
        on_click=_go,
        args=(ReleaseStep(step + 1),),
    )
    st.markdown(f":small[{literal(position.missing)}]")
