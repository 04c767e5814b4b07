"""The words of all topics as bars, and those that public knowledge brought."""

import streamlit as st

from dplda.ui.explore.comparison import Comparison
from dplda.ui.shell import word_bars
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state.keys import Key

MAX_WORDS = 8  # shown of a topic
MIN_WORDS = 3  # shown of one among many
ROWS_ON_A_SCREEN = 27  # of words: up to ten topics are seen without a scroll
HEADING_ROWS = 2  # that the heading of a topic takes
LENGTH_CAPTION = "Longer bar: a more probable word."
SIGNAL_CAPTION = (
    "*Signal*: the share left after noise on pairs of words; later noise is not included."
)
NUMBERS_HELP = "A topic keeps its number and color when ε moves."


def draw(loaded: LoadedExperiment, comparison: Comparison) -> None:
    """Draw the words of all topics as bars, few enough of each to see all topics at once.

    Above stands a line on words that topics share. If all topics have one word list and no true
    ones are known, it is drawn once. The caption says that error bars follow while they are worked
    out, unless that was canceled.
    """
    lanes = comparison.lanes
    is_drawn_once = comparison.has_one_word_list and comparison.n_true_topics is None
    n_places = 1 if is_drawn_once else len(lanes[0].slots)
    n_figure_rows = (n_places + 1) // word_bars.TOPICS_IN_A_ROW
    n_shown = min(MAX_WORDS, max(MIN_WORDS, ROWS_ON_A_SCREEN // n_figure_rows - HEADING_ROWS))
    word_bars.draw_shared_words(lanes, loaded.corpus.vocabulary)
    caption_place = word_bars.draw_topic_bars(
        lanes,
        loaded.corpus.vocabulary,
        n_shown=n_shown,
        key="topics.words",
        n_places=n_places,
        watermark=loaded.watermark,
    )
    caption_sentences = [LENGTH_CAPTION]
    if lanes[0].shows_overlap and lanes[0].filled:
        caption_sentences.append(SIGNAL_CAPTION)
    caption_sentences.append(word_bars.cut_bar_caption(lanes, n_shown, n_places))
    was_canceled = str(st.session_state.get(Key.CANCELLED)).startswith(("fit", "ranges"))
    if comparison.error_bars_pending and not was_canceled:
        caption_sentences.append("Error bars follow.")
    else:
        caption_sentences.append(word_bars.error_bar_caption(lanes[0], n_shown))
    help_text = f"{word_bars.SCALE_HELP} {NUMBERS_HELP} {word_bars.POSSIBLE_TOPICS_HELP}"
    caption_place.caption(" ".join(filter(None, caption_sentences)), help=help_text)


def draw_prior(loaded: LoadedExperiment, comparison: Comparison) -> None:
    """Draw what public knowledge brought to each topic, beside what the documents added.

    Only for a fit with public knowledge.
    """
    prior_topics = comparison.private.prior_topics
    assert prior_topics is not None  # else this view is not offered
    word_bars.draw_prior_words(
        comparison.lanes[0],
        prior_topics,
        comparison.private.topics.mean_words,
        loaded.corpus.vocabulary,
        loaded.watermark,
    )
