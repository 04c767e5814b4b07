"""The button that releases, what it will use, and a release under way."""

import time
from collections.abc import Callable
from functools import partial

import streamlit as st

from dplda.core.errors import DpldaError, NotReleasable
from dplda.release.artefact.released_file import SUFFIX
from dplda.release.ledger.folder import FolderError, UnwrittenError
from dplda.release.ledger.ledger import LedgerError
from dplda.release.workflow.draft import Draft
from dplda.release.workflow.journal.progress import Progress
from dplda.release.workflow.release_job import ReleaseJob
from dplda.ui.literal import literal
from dplda.ui.release import verdict_view
from dplda.ui.release.choices import UNITS, unit_key
from dplda.ui.shell import downloads
from dplda.ui.state import session
from dplda.ui.state.keys import Key

SECONDS_BETWEEN_LOOKS = 0.2  # at a release under way
LABELS: dict[Progress | None, str] = {
    Progress.UNFINISHED: "Finish the release",
    Progress.WITHOUT_TOPICS: "Ask again",
}
"""Labels of the button, where the request was charged before."""
ALREADY_RELEASED = (
    "This request is already released. Releasing it again costs nothing and gives the same topics."
)
EARLIER_ALPHA0 = (
    "These documents were released with these settings before, with α₀ = {before:g}. α₀ of all"
    " documents of a person is {now:g}, so a release now uses the budget again. Opening the earlier"
    " one is free."
)
TABLE_LABEL = "Release the table's own topics"
TABLE_MEANT = (
    "I want the topics of the public table, not of my documents. Use the budget for them. It cannot"
    " be taken back."
)
MEANT = "Use the budget even if no topic is readable. It cannot be taken back."
FILE_HELP = "Everything that was released. Keep it: dplda can make the report from it again."


def draw(draft: Draft) -> None:
    """Draw the verdict, the price, what is released and promised, and the button that releases.

    A release that was made gets only a message, and is opened if its job has just ended.
    If the verdict expects nothing readable, the button needs a check box to be ticked.
    Button and check box have other texts if the topics would be those of a public table alone.
    A release of persons that differs in α0 alone is offered first.
    A request that is charged already needs no check box, and gets no such offer.
    """
    if draft.receipt() is not None:
        follow_job(draft)  # it may have ended while this page was closed
        st.success(ALREADY_RELEASED)
        return
    if draft.progress is None:
        _offer_earlier_release(draft)
    verdict_view.draw(draft)
    draw_price(draft)
    with st.expander("What is released, and what it promises"):
        st.markdown("\n".join(f"- {literal(term)}" for term in draft.terms()))
    button_label = LABELS.get(draft.progress, "Use the budget and release")
    is_meant = True
    if draft.progress is None and verdict_view.expects_nothing(draft):
        is_table_alone = verdict_view.expects_table_alone(draft)
        button_label = TABLE_LABEL if is_table_alone else "Release anyway"
        is_meant = st.checkbox(TABLE_MEANT if is_table_alone else MEANT, key=Key.RELEASE_ANYWAY)
    draw_button(button_label, Key.RELEASE_NOW, draft, is_meant=is_meant)


def _offer_earlier_release(draft: Draft) -> None:
    """Draw a button that opens a release of persons that differs from this draft in α0 alone.

    Draws nothing if there is none.
    """
    earlier = draft.receipt_of_earlier_alpha0()
    if earlier is None:
        return
    alpha0 = draft.request.experiment.problem.alpha0
    st.info(EARLIER_ALPHA0.format(before=draft.document_alpha0, now=alpha0))
    st.button(
        "Open the earlier release",
        key=Key.RELEASE_EARLIER,
        on_click=session.put,
        args=(Key.RELEASE_OPENED, earlier.artefact.receipt_number),
    )


def draw_price(draft: Draft) -> None:
    """Draw what a release uses of the budget, and what its use means, as a list below."""
    price, *notes = map(literal, draft.price())
    st.markdown("\n".join((f"**{price}**\n", *(f"- {note}" for note in notes))))


def draw_button(label: str, key: Key, draft: Draft, *, is_meant: bool = True) -> None:
    """Draw the button that charges and releases, and the progress of the release that it began.

    Disabled if the budget has no room, or the owner did not confirm.

    Args:
        label: of the button.
        key: of the button.
        draft: the release.
        is_meant: whether its owner confirmed a release against the verdict, where that is needed.
    """
    st.button(
        label,
        type="primary",
        key=key,
        disabled=not (draft.is_affordable and is_meant),
        on_click=_begin,
        args=(draft,),
    )
    follow_job(draft)


def draw_file_button(make_file: Callable[[], bytes]) -> None:
    """Draw the button that saves a released file."""
    downloads.draw_save_button(
        "The released file", make_file, f"release{SUFFIX}", icon_name="download", help=FILE_HELP
    )


def follow_job(draft: Draft) -> None:
    """Wait for this draft's release with a progress bar, then open its result on the page.

    Does nothing if the session has no job, or one of another draft. A result runs the page again.
    A release that could not be written is offered to be saved. Any other ``DpldaError`` says that
    the budget is used. A failed job stays in the session, so that its error is drawn again.

    Raises:
        NotReleasable, LedgerError, FolderError: it was refused before anything was charged.
    """
    job: ReleaseJob | None = st.session_state.get(Key.RELEASE_JOB)
    if job is None or job.request_text != draft.request.canonical_text():
        return
    progress_place = st.empty()
    try:
        while not job.future.done():
            share_done, step_name = job.last_report
            progress_text = f"Releasing: {step_name}. Leaving this page does not stop it."
            progress_place.progress(share_done, text=progress_text)
            time.sleep(SECONDS_BETWEEN_LOOKS)
        progress_place.empty()  # an error does not stand below the progress that it ended
        receipt = job.future.result()
        st.session_state.pop(Key.RELEASE_JOB)
        session.put(Key.RELEASE_OPENED, receipt.artefact.receipt_number)
        st.rerun()
    except UnwrittenError as error:
        st.error(literal(str(error)))
        draw_file_button(partial(bytes, error.content))
    except (NotReleasable, LedgerError, FolderError):
        raise  # before anything was charged
    except DpldaError as error:
        st.error(literal(f"{error} The budget is used anyway."))


def _begin(draft: Draft) -> None:
    """Begin the release in the background as the session's job, and note its dataset as the budget.

    A new budget of the draft is declared first. The choice of a budget for the other unit is
    cleared. If the release cannot begin, a notice says why, and the session stays as it was.
    """
    try:
        session.put(Key.RELEASE_JOB, ReleaseJob(draft))
    except DpldaError as error:
        session.notice(str(error))
        return
    dataset = draft.request.dataset
    for any_unit in UNITS:  # the budget of the other unit is looked for again
        dataset_of_unit = dataset if any_unit == draft.unit else None
        session.put(unit_key(Key.RELEASE_DATASET, draft.corpus, any_unit), dataset_of_unit)
    session.put(unit_key(Key.RELEASE_OWNER, draft.corpus, draft.unit), dataset)
