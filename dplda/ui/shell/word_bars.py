"""Bars of topics' words, in rows of topics that a narrow screen stacks in their order."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda import figures
from dplda.core.formatting import STAYS_MEASURED
from dplda.core.types import Matrix, Vector
from dplda.evaluation.relevance import find_leading_words
from dplda.figures import Lane, theme
from dplda.figures.bar_axis import CUT_MARK
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view

TOPICS_IN_A_ROW = 2
WORDS_BESIDE_PRIOR = 5  # of a topic, where those of public knowledge are shown beside
POSSIBLE_TOPICS = (
    "*Paler words* lead in fewer of twenty topics that the noise leaves possible; *7/20*: in 7."
)
POSSIBLE_TOPICS_HELP = f"{STAYS_MEASURED} On real text there are further errors."
PUBLIC_WORDS = (
    "*Gray words* may come from public knowledge alone: the documents do not confirm each of them."
)
NO_ERROR_BARS = "There are no error bars, because the errors of these topics are unknown."
PRIOR_CAPTION = (
    "Left: the words that public knowledge raises most."
    " Right: those that your documents raised most."
)
SCALE_HELP = f"All bars share one scale. One that is far longer than the rest is cut ({CUT_MARK})."


def draw_topic_bars(
    lanes: Sequence[Lane],
    vocabulary: Sequence[str],
    *,
    n_shown: int,
    key: str,
    n_places: int | None = None,
    watermark: str = "",
    in_a_row: int = TOPICS_IN_A_ROW,
    has_titles: bool = True,
) -> DeltaGenerator:
    """Draw a figure of words for each topic, side by side in rows.

    The titles of the lanes stand above each figure of the first row, unless left out.

    Args:
        lanes: what is compared, side by side within each figure.
        vocabulary: the d words.
        n_shown: most words of a topic.
        key: of the figures; the number of its place, from 1, follows.
        n_places: number of places drawn, from the first; None for all.
        watermark: written across each figure; empty for none.
        in_a_row: number of topics in a row.
        has_titles: whether the titles of the lanes are drawn.

    Returns:
        The place for a caption: beside the last figure if its row has room, else below.
    """
    topic_figures = figures.topic_bars(
        lanes, vocabulary, n_shown=n_shown, n_places=n_places, watermark=watermark
    )
    with st.container(gap=None, key=f"word-bars.{key}"):
        for n_topics_above in range(0, len(topic_figures), in_a_row):
            figures_in_row = topic_figures[n_topics_above : n_topics_above + in_a_row]
            layout_columns = st.columns(in_a_row, gap="medium", vertical_alignment="center")
            caption_place = layout_columns[-1]
            for topic_number, (layout_column, figure) in enumerate(
                zip(layout_columns, figures_in_row, strict=False), n_topics_above + 1
            ):
                with layout_column, st.container(gap=None):
                    # A phone, where columns are stacked, hides all titles but the first.
                    if has_titles and n_topics_above == 0:
                        with st.container(key=f"lane-titles.{topic_number}.{key}"):
                            figure_view.draw_still(figures.lane_titles(lanes))
                    figure_view.draw(
                        figure,
                        f"{key}.{topic_number}",
                        smallest_letters=theme.ROOM_LETTERS,
                    )
    is_last_row_full = len(topic_figures) % in_a_row == 0
    return st.container() if is_last_row_full else caption_place.container()


def draw_shared_words(lanes: Sequence[Lane], vocabulary: Sequence[str]) -> None:
    """Draw, for each lane, a line on the words that lead several of its topics; none if none do.

    Args:
        lanes: what is compared; lines of all but the first are smaller and begin with its title.
        vocabulary: the d words.
    """

    def shorten_and_escape(word: str) -> str:
        return literal(theme.shortened(word))

    for lane in lanes:
        shared_words_line = lane.describe_shared_words(vocabulary, shorten_and_escape)
        if not shared_words_line:
            continue
        if lane is lanes[0]:
            st.markdown(f"{shared_words_line}.")
            continue
        compared_line = f"{shared_words_line[:1].lower()}{shared_words_line[1:]}"
        st.caption(f"{lane.title[:1].upper()}{lane.title[1:]}: {compared_line}.")


def error_bar_caption(lane: Lane, n_shown: int) -> str:
    """Write the caption on pale words, gray words and missing error bars; empty if none applies.

    Pale words are explained if a topic with evidence has error bars.
    Gray words are explained if public knowledge brought one of the words that are shown.
    Topics with public knowledge get a sentence on missing error bars if no topic has any.

    Args:
        lane: the topics.
        n_shown: most words of a topic.
    """
    support_of_topics_with_bars = [slot.supported for slot in lane.filled if slot.lower is not None]
    public_words_and_scores = [
        (slot.public, slot.scores)
        for slot in lane.filled
        if slot.public is not None and slot.scores is not None
    ]
    sentences = []
    if any(support_of_topics_with_bars):
        sentences.append(POSSIBLE_TOPICS)
    if any(
        is_public[find_leading_words(scores, n_shown)].any()
        for is_public, scores in public_words_and_scores
    ):
        sentences.append(PUBLIC_WORDS)
    if public_words_and_scores and not support_of_topics_with_bars:
        sentences.append(NO_ERROR_BARS)
    return " ".join(sentences)


def cut_bar_caption(lanes: Sequence[Lane], n_shown: int, n_places: int | None = None) -> str:
    """Explain the mark of bars that are cut; empty where none is.

    Args:
        lanes: what is compared.
        n_shown: most words of a topic.
        n_places: number of places drawn, from the first; None for all.
    """
    if not figures.has_cut_bars(lanes, n_shown=n_shown, n_places=n_places):
        return ""
    return f"{CUT_MARK} goes on beyond the axis; the number is the word's probability."


def draw_prior_words(
    lane: Lane,
    prior_topics: Matrix,
    word_frequencies: Vector,
    vocabulary: Sequence[str],
    watermark: str = "",
) -> None:
    """Draw what public knowledge brought to each topic, beside what the documents added.

    A caption says how to read it.

    Args:
        lane: topics that use a table of public knowledge.
        prior_topics: shape (k, d), what the table brought to each of them.
        word_frequencies: shape (d,), of all documents.
        vocabulary: the d words.
        watermark: written across each figure; empty for none.
    """
    lanes = figures.beside_table(lane, prior_topics, word_frequencies)
    caption_place = draw_topic_bars(
        lanes,
        vocabulary,
        n_shown=WORDS_BESIDE_PRIOR,
        key="topics.table",
        watermark=watermark,
    )
    cut_caption = cut_bar_caption(lanes, WORDS_BESIDE_PRIOR)
    caption_place.caption(f"{PRIOR_CAPTION} {cut_caption}".strip())
