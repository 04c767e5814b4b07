"""The topics, in one view at a time: only the chosen one is computed."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from typing import TypeAlias

import numpy as np
import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.core.types import Matrix
from dplda.corpus import Label
from dplda.evaluation.relevance import default_names, find_leading_words
from dplda.figures import theme
from dplda.figures.topics.across_epsilon import RightTopic
from dplda.ui.explore import closer_views, finding, topic_details, words_view
from dplda.ui.explore.comparison import Comparison, compare
from dplda.ui.explore.configurations import across_view, card, cells
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary, predictions, topic_names, views
from dplda.ui.shell.frame import Header, LoadedExperiment, describe_method
from dplda.ui.state import cache, null_runs, session
from dplda.ui.state.keys import Key

MAX_NAMED_ON_MAP = 6  # topics whose words a map has room for
TERMS = (
    "topic gain above_noise twin unreadable interval l1 spectrum release sensitivity noise_scale"
    " signal_to_noise"
)
NOT_CONVERGED = (
    " The decomposition **did not converge**: do not trust these topics. Try a larger ε."
)
NOISELESS_HELP = "A request to release topics of these documents will say that you looked."
FOLDED = "folded-topics"
ALL_DOCUMENTS = "All documents"  # first words of the progress after a first look
NONE_ABOVE_NOISE = "No topic is above the noise. Choose a larger ε."
MAP_CAPTION = (
    "Topics close together are similar. A larger disk has more of all words. A dotted line leads to"
    " the topic without noise."
)


class TopicView(StrEnum):
    """Parts of the view, of which one is shown."""

    WORDS = "Words"
    ACROSS = "Across ε"
    MAP = "Map"
    CARDS = "Cards and names"
    SEARCH = "Find a word"
    DOCUMENTS = "Documents"
    TABLE = "Public knowledge"


def header(loaded: LoadedExperiment) -> Header:
    """The method's header; it puts the open view in the address before the link is drawn."""
    views.open_title("topics", list(TopicView), Key.LOOK)
    return describe_method(loaded)


def draw(loaded: LoadedExperiment) -> None:
    """Draw the finding, the topics in the chosen view, and expanders of numbers and downloads.

    If a fit was refused or canceled, draws at most the reason and a warning. A method with evidence
    has a panel of null runs, once all documents are fitted. Error bars are worked out last, if the
    chosen view or the open downloads need them.
    """
    comparison = compare(loaded, may_look_first=True)
    if comparison is None:
        _warn_if_unreadable(loaded)
        return
    _draw_finding(loaded, comparison)
    open_view = _choose_view(comparison)
    _draw_view(loaded, comparison, open_view)
    progress_place = st.container()  # filled once all else is drawn
    is_downloading = _draw_expanders(loaded, comparison)
    _warn_if_unreadable(loaded)
    with progress_place:
        needs_error_bars = is_downloading or open_view in _views_with_error_bars(comparison)
        _complete(loaded, comparison, needs_error_bars=needs_error_bars)


def _draw_view(loaded: LoadedExperiment, comparison: Comparison, open_view: TopicView) -> None:
    """Draw the topics in the open view.

    For sensitive documents a switch above asks for the topics without noise. If no topic is above
    the noise, a message stands in place of any view but the words.
    """
    if loaded.is_sensitive:
        st.toggle("Show the topics without noise", key=Key.UNNOISED, help=NOISELESS_HELP)
    if comparison.lanes[0].filled or open_view is TopicView.WORDS:
        DRAW_VIEW[open_view](loaded, comparison, names_by_number(loaded, comparison))
    else:
        st.info(NONE_ABOVE_NOISE, icon=":material/waves:")


def _draw_expanders(loaded: LoadedExperiment, comparison: Comparison) -> bool:
    """Draw null runs and expanders of numbers and of downloads; return if the latter is open.

    Null runs need evidence, and a fit of all documents.
    """
    folded_place = st.container(key=FOLDED, gap="small")
    evidence = comparison.private.evidence
    if evidence is not None and comparison.n_looked_at is None:
        with folded_place.container():
            null_runs.panel(loaded.corpus, loaded.experiment, evidence)
    with folded_place.expander("Numbers", icon=":material/tag:"):
        topic_details.draw_errors(loaded, comparison)
        topic_details.draw_spectrum(loaded, comparison)
    download_place = folded_place.expander(
        "Download", icon=":material/download:", key=f"{Key.SAVE}.topics", on_change="rerun"
    )
    with download_place:
        topic_details.draw_downloads(loaded, comparison)
    return bool(download_place.open)


def _complete(loaded: LoadedExperiment, comparison: Comparison, *, needs_error_bars: bool) -> None:
    """Fit all documents after a first look at some, or else work out error bars if needed.

    Either draws the page again. Error bars that the fit has already are left alone.
    """
    if comparison.n_looked_at is not None:
        _fit_all_documents(loaded)
    elif comparison.error_bars_pending and needs_error_bars:
        _work_out_error_bars(loaded, comparison)


def _draw_finding(loaded: LoadedExperiment, comparison: Comparison) -> None:
    """Draw how many topics survive the noise as a heading, and what that is worth as a caption.

    The caption also says if a decomposition did not converge, and what became of public knowledge.
    Names of a loaded run card are given to the topics first.
    """
    private_lane = comparison.lanes[0]
    if comparison.n_looked_at is None:
        topic_names.apply_card_names(loaded.corpus, loaded.experiment, private_lane)
    finding_texts = finding.summarize(comparison)
    glossary.draw_heading(finding_texts.title, TERMS)
    tensor_decomposition = comparison.private.curator.components
    has_diverged = tensor_decomposition is not None and not tensor_decomposition.converged
    convergence_note = NOT_CONVERGED if has_diverged else ""
    prior_test = comparison.private.prior
    prior_sentence = prior_test.in_words() if prior_test else ""
    first_look_note = _describe_first_look(loaded, comparison)
    st.caption(f"{first_look_note}{finding_texts.worth}{convergence_note} {prior_sentence}")


def _describe_first_look(loaded: LoadedExperiment, comparison: Comparison) -> str:
    """A sentence on the documents of a first look, with a space after it; empty without one."""
    if comparison.n_looked_at is None:
        return ""
    return (
        f"First look: {comparison.n_looked_at:,} of the {loaded.corpus.n_documents:,} documents,"
        " with the noise of all. "
    )


def _choose_view(comparison: Comparison) -> TopicView:
    has_prior = comparison.private.prior_topics is not None
    titles = [view for view in TopicView if has_prior or view is not TopicView.TABLE]
    return TopicView(views.choose("topics", titles, Key.LOOK, VIEW_CONTROL))


def _views_with_error_bars(comparison: Comparison) -> set[TopicView]:
    """Views that show error bars; on cards, words from public knowledge turn gray by them."""
    if comparison.private.prior_topics is None:
        return {TopicView.WORDS, TopicView.SEARCH}
    return {TopicView.WORDS, TopicView.SEARCH, TopicView.CARDS}


def _work_out_error_bars(loaded: LoadedExperiment, comparison: Comparison) -> None:
    """Work out error bars with progress, and draw the page again with them and the same notices."""
    ranges = cache.ranges(loaded.corpus, loaded.experiment, comparison.private)
    if ranges is not None:
        _draw_again()


def _fit_all_documents(loaded: LoadedExperiment) -> None:
    """Fit all documents with progress, and draw the page again with their topics.

    A refusal is drawn as an error; nothing follows if the fit was canceled.
    """
    try:
        whole_fit = cache.fit(
            loaded.corpus,
            loaded.experiment,
            is_urgent=False,
            progress_prefix=f"{ALL_DOCUMENTS}: ",
        )
    except DpldaError as error:
        st.error(literal(str(error)))
        return
    if whole_fit is not None:
        _draw_again()


def _draw_again() -> None:
    """Run the page again with the same notices."""
    session_state = st.session_state
    session.put(Key.NOTICES, (*session_state[Key.SAID], *session_state.get(Key.NOTICES, ())))
    st.rerun()


def _warn_if_unreadable(loaded: LoadedExperiment) -> None:
    """Warn where no method can do better; only documents drawn from the model are predicted."""
    if loaded.corpus.label is Label.SIMULATED:
        predictions.warn_if_unreadable(predictions.own_point(loaded))


def names_by_number(loaded: LoadedExperiment, comparison: Comparison) -> dict[int, str]:
    """Name each private topic, by number: its own name, or its most relevant words.

    Topics below the noise are left out.
    """
    topics = comparison.private.topics
    default_names_by_row = default_names(
        topics.words, topics.mean_words, loaded.corpus.vocabulary, comparison.private.evidence
    )
    own_names = topic_names.names_by_number(loaded.corpus, loaded.experiment)
    return {
        slot.number: own_names.get(slot.number) or default_names_by_row[slot.row]
        for slot in comparison.lanes[0].slots
        if slot.row is not None
    }


def _draw_map(
    loaded: LoadedExperiment, comparison: Comparison, name_by_number: Mapping[int, str]
) -> None:
    """Draw topics as disks on a plane, with and without noise if both are shown, and a caption.

    Lanes after the second are left out. Of more than ``MAX_NAMED_ON_MAP`` topics only own names
    are written. The caption's help says what part of the squared distances the plane shows.
    """
    lanes = comparison.lanes[:2]
    corpus = loaded.corpus
    shown_names = name_by_number
    if len(name_by_number) > MAX_NAMED_ON_MAP:
        shown_names = topic_names.names_by_number(corpus, loaded.experiment)
    figure = figures.topic_map(
        lanes,
        name_by_number,
        corpus.vocabulary,
        given=shown_names,
        watermark=loaded.watermark,
    )
    figure_view.draw(figure, "topics.map", smallest_letters=theme.ROOM_LETTERS)
    share_of_distances = figures.topic_map_shown(lanes)
    help_text = (
        f"The plane shows {share_of_distances:.0%} of the squared distances (Jensen–Shannon)."
    )
    st.caption(MAP_CAPTION, help=help_text)


def _draw_words(
    loaded: LoadedExperiment, comparison: Comparison, name_by_number: Mapping[int, str]
) -> None:
    words_view.draw(loaded, comparison)


def _draw_across(
    loaded: LoadedExperiment, comparison: Comparison, name_by_number: Mapping[int, str]
) -> None:
    """Draw every topic at several ε; if methods are not run unasked, only a switch that starts it.

    Places are those of the topics without noise, or of the private ones without such a fit.
    """
    if not cells.is_run(loaded):
        cells.offer_run(loaded)
        return
    noiseless_fit = comparison.noiseless
    reference_topics = (noiseless_fit or comparison.private).topics.words
    topic_titles = []
    for topic_number in range(1, len(reference_topics) + 1):
        topic_title = f"Topic {topic_number}"
        if topic_number in name_by_number:
            topic_title = f"{topic_number} · {name_by_number[topic_number]}"
        topic_titles.append(topic_title)
    across_view.draw_topics_across(
        loaded,
        topic_titles,
        reference_topics=reference_topics,
        right_topics=_list_right_topics(comparison, reference_topics),
        has_noiseless=noiseless_fit is not None,
    )


def _list_right_topics(comparison: Comparison, reference_topics: Matrix) -> list[RightTopic]:
    """The topic from which errors are measured in each place.

    It is that of the last lane: the true one, else the one without noise, else the private one. A
    place that has none there takes its reference topic.
    """
    right_topics = []
    for place_index, slot in enumerate(comparison.lanes[-1].slots):
        if slot.words is None or slot.scores is None:
            mean_of_topics = np.mean(reference_topics, axis=0)
            right_topics.append(
                card.describe_right_topic(reference_topics, mean_of_topics, place_index)
            )
            continue
        leading_word_ids = find_leading_words(slot.scores, card.N_RIGHT_WORDS)
        right_topics.append(RightTopic(slot.words, frozenset(leading_word_ids)))
    return right_topics


def _draw_prior(
    loaded: LoadedExperiment, comparison: Comparison, name_by_number: Mapping[int, str]
) -> None:
    words_view.draw_prior(loaded, comparison)


VIEW_CONTROL = partial(st.segmented_control, "Look at", required=True, label_visibility="collapsed")
DrawView: TypeAlias = Callable[[LoadedExperiment, Comparison, Mapping[int, str]], None]
DRAW_VIEW: dict[TopicView, DrawView] = {
    TopicView.WORDS: _draw_words,
    TopicView.ACROSS: _draw_across,
    TopicView.MAP: _draw_map,
    TopicView.CARDS: closer_views.draw_cards,
    TopicView.SEARCH: closer_views.draw_word,
    TopicView.DOCUMENTS: closer_views.draw_documents,
    TopicView.TABLE: _draw_prior,
}
"""The function that draws each view, of an experiment, its topics and their names by number."""
