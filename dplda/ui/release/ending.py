"""The last two steps of a release: the button, with what it will use, and the result."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError, NotReleasable
from dplda.core.formatting import counted
from dplda.evaluation.evidence import describe_topics_above_noise
from dplda.figures.topics.lanes import lane_as_found
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.release.artefact.arrangement import arrange, describe_arrangement
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import SUFFIX, write_release
from dplda.release.ledger.folder import Folder, FolderError, UnwrittenError
from dplda.release.ledger.ledger import LedgerError
from dplda.release.report.outlook import predict_outlooks
from dplda.release.report.page import render_report as report
from dplda.release.report.released import contents_of_release
from dplda.release.workflow import checks
from dplda.release.workflow.continuation import check_continuation
from dplda.release.workflow.draft import Draft
from dplda.release.workflow.journal.progress import Progress
from dplda.release.workflow.receipt_text import receipt_lines
from dplda.release.workflow.release_job import ReleaseJob
from dplda.ui.literal import literal
from dplda.ui.release import arranging
from dplda.ui.release.deciding import UNITS, key_of
from dplda.ui.shell import downloads, figure_view, word_bars
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key

EVERY = 0.2  # seconds between two looks at a release
WORDS = 8  # shown of a topic
LABELS: dict[Progress | None, str] = {
    Progress.UNFINISHED: "Finish the release",
    Progress.WITHOUT_TOPICS: "Ask again",
}
"""Of the button, where the request was charged before."""


def release(draft: Draft) -> None:
    """Draw what the release uses and states, and the button."""
    if draft.receipt() is not None:
        _follow(draft)  # a release that ended while this page was closed
        st.success(
            "This request is already released. Releasing it again costs nothing and gives the same topics."
        )
        return
    first, *others = draft.price()
    st.markdown("\n".join((f"**{literal(first)}**\n", *(f"- {literal(said)}" for said in others))))
    with st.expander("What is released, and what it promises"):
        st.markdown("\n".join(f"- {literal(said)}" for said in draft.terms()))
    _use(LABELS.get(draft.progress, "Use the budget and release"), Key.RELEASE_NOW, draft)


def _use(label: str, key: Key, draft: Draft) -> None:
    st.button(
        label,
        type="primary",
        key=key,
        disabled=not draft.is_affordable,
        on_click=_begin,
        args=(draft,),
    )
    _follow(draft)


def _follow(draft: Draft) -> None:
    job: ReleaseJob | None = st.session_state.get(Key.RELEASE_JOB)
    if job is None or job.request_text != draft.request.canonical_text():
        return
    place = st.empty()
    try:
        while not job.future.done():
            done, step = job.last_report
            place.progress(done, text=f"Releasing: {step}. Leaving this page does not stop it.")
            time.sleep(EVERY)
        place.empty()  # an error is not said below the progress that it ended
        receipt = job.future.result()
        st.session_state.pop(Key.RELEASE_JOB)
        session.put(Key.RELEASE_OPENED, receipt.artefact.receipt_number)
        st.rerun()
    except UnwrittenError as lost:
        st.error(literal(str(lost)))
        _file(partial(bytes, lost.content))
    except (NotReleasable, LedgerError, FolderError):
        raise  # before anything was charged
    except DpldaError as error:
        st.error(literal(f"{error} The budget is used anyway."))


def _begin(draft: Draft) -> None:
    try:
        session.put(Key.RELEASE_JOB, ReleaseJob(draft))
    except DpldaError as error:
        return session.notice(str(error))
    chosen, owner = (key_of(key, draft.corpus) for key in (Key.RELEASE_DATASET, Key.RELEASE_OWNER))
    for unit in UNITS:  # the other one's is looked for anew
        session.put(f"{chosen}.{unit}", draft.request.dataset if unit == draft.unit else None)
    session.put(f"{owner}.{draft.unit}", draft.request.dataset)


def share(draft: Draft) -> None:
    """Draw the topics from the released file alone, downloads, names, and the budget left."""
    receipt = draft.opened
    assert receipt is not None  # else this step is not reached
    one, shown = receipt.artefact, arrange(receipt.artefact)
    with st.container(horizontal=True, vertical_alignment="center"):
        downloads.draw_report_button(lambda: report(contents_of_release(one)))
        _file(lambda: write_release(one))
        left = receipt.balance.describe_remaining()
        st.markdown(literal(f"Left of “{draft.request.dataset}” for one more release: {left}."))
    st.header(f"{counted(len(shown.topics), 'topic')} of {literal(one.documents)}", anchor=False)
    with st.container():  # however much is said, what is below stays in its place, and open
        if one.evidence is not None:
            st.markdown(
                f"**{one.evidence.describe_gain()}** {describe_topics_above_noise(one.evidence)}"
            )
        if not one.supported_topics:
            st.info(
                "No topic rises above the noise. Rehearse with a larger ε or fewer topics before releasing again."
            )
        elif left_out := len(shown.topics) - len(shown.supported_topics):
            st.markdown(f"The report leaves out {counted(left_out, 'topic')} without evidence.")
        if one.prior_use is not None:
            st.markdown(literal(one.prior_use.in_words()))
        elif one.evidence is not None and one.lower is None:
            st.markdown(
                "The topics have no error bars: the program was stopped before these were worked out."
            )
        if changed := describe_arrangement(one):
            st.markdown(changed)
    said, ends = (
        f"released, ε = {format_rounded_up(one.guarantee.epsilon, 3)}",
        (shown.lower, shown.upper),
    )
    places, leans_on = (
        [group[0] for group in one.groups],
        None if shown.prior_topics is None else shown.word_frequencies,
    )
    lane = lane_as_found(
        said,
        shown.topics,
        *ends,
        evidence=shown.evidence,
        names=shown.names,
        places=places,
        leans_on=leans_on,
    )
    word_bars.draw_topic_bars([lane], one.vocabulary, n_shown=WORDS, key="release.topics")
    captions = (
        word_bars.cut_bar_caption([lane], WORDS),
        word_bars.error_bar_caption(lane, WORDS),
    )
    if any(captions):
        help_text = word_bars.WHISKER_HELP if lane.knows_uncertainty else None
        st.caption(" ".join(filter(None, captions)), help=help_text)
    if shown.prior_topics is not None:
        with st.expander("What public knowledge brought", icon=":material/menu_book:"):
            word_bars.draw_prior_words(
                lane, shown.prior_topics, shown.word_frequencies, one.vocabulary
            )
    is_known = (one.prior_use is None) == (
        draft.request.settings.method.prior is None
    )  # else its table was not kept
    if is_known and one.evidence is not None and one.lower is not None:
        with st.expander("What would more budget buy?", icon=":material/trending_up:"):
            _outlook(draft, one)
    with st.expander("Add to this release", icon=":material/add:"):
        _add(draft, one)
    with st.expander("Name, merge or hide topics", icon=":material/edit:"):
        arranging.draw(receipt)
    with st.expander("Receipt", icon=":material/receipt_long:"):
        st.markdown(
            "\n".join(
                f"- {literal(said)}" for said in receipt_lines(replace(receipt, charged=True))
            )
        )


def _outlook(draft: Draft, one: Artefact) -> None:
    """Draw what more budget would buy, predicted on request from the released file alone."""
    asked, settings = f"{Key.RELEASE_OUTLOOK}.{one.receipt_number[:12]}", draft.request.settings
    if not st.session_state.get(asked):
        st.markdown(
            "Predicted from the released topics alone, at no cost. Takes 8 to 24 fits, more with fewer topics."
        )
        st.button(
            "Predict", key=f"{Key.RELEASE_OUTLOOK}.start", on_click=session.put, args=(asked, True)
        )
        return
    file = write_release(one.without_additions)
    budget = settings.budget
    found = cache.made_of_settings(
        "outlook", predict_outlooks, file, settings.method, budget.epsilon, budget.delta
    )
    if found is None:
        return
    (*_, twice, _), k = found, len(one.topics)
    st.markdown(f"**{twice.in_words(k)}**")
    if widths := {each.epsilon: each.width_ratio for each in found if each.width_ratio is not None}:
        parts = {each.epsilon: each.n_supported for each in found}
        figure_view.draw(figures.narrower(widths, parts, k), Key.RELEASE_OUTLOOK)
        st.caption(
            "In simulations, half of all releases came within 10% of this and three in four within 17%."
        )


def _add(draft: Draft, one: Artefact) -> None:
    """Draw the choice of a total ε, what the missing part costs, and the button that continues the release."""
    st.markdown(
        "You can continue from these topics with the same documents: numbers, colors and names stay."
    )
    key = f"{Key.RELEASE_TOTAL}.{one.receipt_number[:12]}"
    try:
        check_continuation(
            draft.corpus, draft.continued(one, one.guarantee.claimed_epsilon).request, Folder()
        )
        least, offered = draft.total_epsilon_options(one)
        said = f"Total ε wanted, at δ = {format_rounded_up(one.guarantee.claimed_delta, 3)}"
        total = st.number_input(
            said, least, max(100.0, offered), offered, format="%.3g", key=key, width=240
        )
        wider = draft.continued(one, total)
        checks.check_request(wider.rows, wider.request)
    except DpldaError as why:  # the rest of the page stays
        st.info(literal(str(why)))
        return
    first, *more = map(literal, wider.price())
    st.markdown("\n".join((f"**{first}**\n", *(f"- {said}" for said in more))))
    _use(LABELS.get(wider.progress, "Use the budget and add"), Key.RELEASE_ADD, wider)


def _file(content: Callable[[], bytes]) -> None:
    said = "Everything that was released. Keep it: dplda can make the report from it again."
    downloads.draw_save_button(
        "The released file", content, f"release{SUFFIX}", icon="download", help=said
    )
