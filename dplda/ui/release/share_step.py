"""The last step of a release: its topics, downloads, and what can be added."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.core.formatting import counted
from dplda.evaluation.evidence import HOW_MEASURED
from dplda.figures.topics.lanes import Lane, lane_as_found
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.release.artefact.arrangement import arrange, describe_arrangement
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import write_release
from dplda.release.ledger.folder import Folder
from dplda.release.report.outlook import Outlook, predict_outlooks
from dplda.release.report.page import render_release
from dplda.release.report.texts import describe_left_out
from dplda.release.shares.together import describe_risk_together
from dplda.release.verdict.outcome import judge_release
from dplda.release.workflow import checks
from dplda.release.workflow.continuation import check_continuation
from dplda.release.workflow.draft import Draft
from dplda.release.workflow.receipt import Receipt, receipt_lines
from dplda.ui.literal import literal
from dplda.ui.release import arranging, handouts, release_step, shares_form
from dplda.ui.shell import downloads, figure_view, word_bars
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key

WORDS_SHOWN = 8  # of a topic
TOPICS_IN_A_ROW = 6  # on a wide screen; three and two on smaller ones
FOLDED = "folded-release"
MAX_TOTAL_EPSILON = 100.0
NO_ERROR_BARS = (
    "The topics have no error bars: the program was stopped before these were worked out."
)
OUTLOOK = (
    "Predicted from the released topics alone, at no cost. Takes 8 to 24 fits, more with fewer"
    " topics."
)
OUTLOOK_CAPTION = (
    "In simulations, half of all releases came within 10% of this and three in four within 17%."
)
CONTINUATION = (
    "You can continue from these topics with the same documents: numbers, colors and names stay."
)


def draw(draft: Draft) -> None:
    """Draw the release that a draft has opened: its verdict, downloads, topics, and expanders.

    The header counts the topics with evidence, as the owner arranged them.
    The expanders hold handouts, groups and times, what more budget would buy if that can be
    predicted, a continuation, and the receipt.
    If there are topics to show, another one lets the owner name, merge or hide them.
    """
    receipt = draft.opened
    assert receipt is not None  # else this step is not reached
    artefact = receipt.artefact
    arranged = arrange(artefact)
    n_shown = len(arranged.supported_topics)
    topic_count_text = counted(n_shown, "topic") if n_shown else "No topic"
    st.header(f"{topic_count_text} of {literal(artefact.documents)}", anchor=False)
    with st.container():  # however much it holds, what is below stays in its place, and open
        _describe_topics(artefact, arranged)
    _draw_downloads(receipt, draft.request.dataset)
    _draw_topics(artefact, arranged)
    with st.container(key=FOLDED, gap="small"):
        with st.expander("To hand out", icon=":material/ios_share:"):
            handouts.draw(artefact, shares_form.released_tables(artefact))
        with st.expander("By group and over time", icon=":material/groups:"):
            request = draft.request
            shares_form.draw(draft.corpus, artefact, request.dataset, request.caveats)
        if n_shown:
            with st.expander("Name, merge or hide topics", icon=":material/edit:"):
                arranging.draw(receipt)
        if _has_outlook(draft, artefact):
            with st.expander("What would more budget buy?", icon=":material/trending_up:"):
                _draw_outlook(draft, artefact)
        with st.expander("Add to this release", icon=":material/add:"):
            _draw_continuation(draft, artefact)
        with st.expander("Receipt", icon=":material/receipt_long:"):
            receipt_texts = receipt_lines(replace(receipt, charged=True))
            st.markdown("\n".join(f"- {literal(line)}" for line in receipt_texts))


def _draw_downloads(receipt: Receipt, dataset: str) -> None:
    """Draw buttons that save the report and the file, and what is left of the budget."""
    artefact = receipt.artefact
    with st.container(horizontal=True, vertical_alignment="center"):
        downloads.draw_report_button(
            lambda: render_release(artefact, shares_form.released_tables(artefact))
        )
        release_step.draw_file_button(lambda: write_release(artefact))
        percent = receipt.balance.percent_left
        st.markdown(literal(f"{percent}% of the budget of “{dataset}” is left."))


def _describe_topics(artefact: Artefact, arranged: Artefact) -> None:
    """Draw the verdict on the topics, the risk that is left, and what public knowledge did.

    The verdict counts topics that are left out. The risk is that of the release with its tables of
    shares, and those of releases that it continues. Without public knowledge, a sentence says why
    error bars are missing, if they are. Last comes what the owner changed, if anything.

    Args:
        artefact: the release.
        arranged: the same with the owner's changes.
    """
    evidence = artefact.evidence
    verdict = judge_release(artefact)
    n_shown = len(arranged.supported_topics)
    left_out_sentence = describe_left_out(n_hidden=len(arranged.topics) - n_shown, n_shown=n_shown)
    st.markdown(
        f"**{verdict.word}.** {verdict.reason} {left_out_sentence}".strip(),
        help=None if evidence is None else HOW_MEASURED,
    )
    risk_sentence = describe_risk_together(artefact, shares_form.tables_of_chain(artefact))
    st.markdown(f":material/shield_person: {literal(risk_sentence)}")
    if artefact.prior_use is not None:
        st.markdown(literal(artefact.prior_use.in_words()))
    elif evidence is not None and artefact.lower is None:
        st.markdown(NO_ERROR_BARS)
    changes_sentence = describe_arrangement(artefact)
    if changes_sentence:
        st.markdown(changes_sentence)


def _draw_topics(artefact: Artefact, arranged: Artefact) -> None:
    """Draw the topics with evidence as the owner arranged them, with captions on bars and whiskers.

    Words of several topics are named above them. If public knowledge was used, an expander shows
    what it brought. Without a topic to show, nothing is drawn.
    """
    released_lane = _make_supported_lane(artefact, arranged)
    if not released_lane.slots:
        return
    vocabulary = artefact.vocabulary
    word_bars.draw_shared_words([released_lane], vocabulary)
    caption_place = word_bars.draw_topic_bars(
        [released_lane],
        vocabulary,
        n_shown=WORDS_SHOWN,
        key="release.topics",
        in_a_row=max(2, min(TOPICS_IN_A_ROW, len(released_lane.slots))),
        has_titles=False,
    )
    caption_sentences = (
        word_bars.cut_bar_caption([released_lane], WORDS_SHOWN),
        word_bars.error_bar_caption(released_lane, WORDS_SHOWN),
    )
    if any(caption_sentences):
        help_text = word_bars.POSSIBLE_TOPICS_HELP if released_lane.knows_uncertainty else None
        caption_place.caption(" ".join(filter(None, caption_sentences)), help=help_text)
    prior_topics = arranged.prior_topics
    if prior_topics is not None:
        with st.expander("What public knowledge brought", icon=":material/menu_book:"):
            word_frequencies = arranged.word_frequencies
            word_bars.draw_prior_words(released_lane, prior_topics, word_frequencies, vocabulary)


def _make_supported_lane(artefact: Artefact, arranged: Artefact) -> Lane:
    """Make the lane of the topics that have evidence, as the owner arranged and named them.

    Args:
        artefact: the release as it was drawn, for its ε and for the colors of merged topics, which
            are those of their first parts.
        arranged: the same after the arrangement, for its topics, names and evidence.
    """
    lane_of_all_topics = lane_as_found(
        f"released, ε = {format_rounded_up(artefact.guarantee.epsilon, 3)}",
        arranged.topics,
        arranged.lower,
        arranged.upper,
        word_frequencies=arranged.word_frequencies,
        evidence=arranged.evidence,
        names=arranged.names,
        places=[group[0] for group in artefact.groups],
        has_prior=arranged.prior_topics is not None,
    )
    supported_slots = tuple(slot for slot in lane_of_all_topics.slots if slot.supported)
    return replace(lane_of_all_topics, slots=supported_slots)


def _has_outlook(draft: Draft, artefact: Artefact) -> bool:
    """Whether more budget can be predicted: errors, and the table if there was one, are known."""
    used_prior = artefact.prior_use is not None
    has_prior = draft.request.experiment.method.prior is not None
    has_errors = artefact.evidence is not None and artefact.lower is not None
    return has_errors and used_prior == has_prior


def _draw_outlook(draft: Draft, artefact: Artefact) -> None:
    """Draw what more budget would buy, predicted from the released file alone.

    At first only a button that asks for it; nothing if the prediction was canceled.
    """
    request_key = f"{Key.RELEASE_OUTLOOK}.{artefact.receipt_number[:12]}"
    if not st.session_state.get(request_key):
        st.markdown(OUTLOOK)
        button_key = f"{Key.RELEASE_OUTLOOK}.start"
        st.button("Predict", key=button_key, on_click=session.put, args=(request_key, True))
        return
    experiment = draft.request.experiment
    outlooks = cache.made_of_settings(
        "outlook",
        predict_outlooks,
        write_release(artefact.without_additions),
        experiment.method,
        experiment.budget.epsilon,
        experiment.budget.delta,
    )
    if outlooks is not None:
        _draw_outlooks(outlooks, n_topics=len(artefact.topics))


def _draw_outlooks(outlooks: Sequence[Outlook], *, n_topics: int) -> None:
    """Draw a sentence on twice the budget, and a figure of intervals and topics over the budget.

    The figure is left out if no intervals are predicted.

    Args:
        outlooks: one for each budget, in rising order; the last but one is twice the present one.
        n_topics: number of released topics.
    """
    at_twice_the_budget = outlooks[-2]
    st.markdown(f"**{at_twice_the_budget.in_words(n_topics)}**")
    width_ratio_by_epsilon = {
        outlook.epsilon: outlook.width_ratio
        for outlook in outlooks
        if outlook.width_ratio is not None
    }
    if width_ratio_by_epsilon:
        n_supported_by_epsilon = {outlook.epsilon: outlook.n_supported for outlook in outlooks}
        figure = figures.narrower(width_ratio_by_epsilon, n_supported_by_epsilon, n_topics)
        figure_view.draw(figure, Key.RELEASE_OUTLOOK)
        st.caption(OUTLOOK_CAPTION)


def _draw_continuation(draft: Draft, artefact: Artefact) -> None:
    """Draw the choice of a total ε, what the missing part costs, and the button that adds it.

    If the release cannot be continued, only the reason.
    """
    st.markdown(CONTINUATION)
    try:
        continued_draft = _choose_continuation(draft, artefact)
    except DpldaError as error:  # the rest of the page stays
        st.info(literal(str(error)))
        return
    release_step.draw_price(continued_draft)
    button_label = release_step.LABELS.get(continued_draft.progress, "Use the budget and add")
    release_step.draw_button(button_label, Key.RELEASE_ADD, continued_draft)


def _choose_continuation(draft: Draft, artefact: Artefact) -> Draft:
    """Draw the choice of a total ε, and return the draft continued up to it, checked.

    First the release itself is checked at the ε that it has. The largest total that the budget
    offers is suggested.

    Raises:
        DpldaError: the release cannot be continued, or not up to this ε.
    """
    guarantee = artefact.guarantee
    draft_at_same_total = draft.continued(artefact, guarantee.claimed_epsilon)
    check_continuation(draft.corpus, draft_at_same_total.request, Folder())
    smallest_total, largest_total = draft.total_epsilon_options(artefact)
    total_epsilon = st.number_input(
        f"Total ε wanted, at δ = {format_rounded_up(guarantee.claimed_delta, 3)}",
        smallest_total,
        max(MAX_TOTAL_EPSILON, largest_total),
        largest_total,
        format="%.3g",
        key=f"{Key.RELEASE_TOTAL}.{artefact.receipt_number[:12]}",
        width=240,
    )
    continued_draft = draft.continued(artefact, total_epsilon)
    checks.check_request(continued_draft.rows, continued_draft.request)
    return continued_draft
