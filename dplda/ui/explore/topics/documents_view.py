"""Documents of a topic, their words colored by topic; of simulated and public corpora only."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from dplda.evaluation.typical import LOOKED_AT, Typical, typical
from dplda.figures import Slot, theme
from dplda.ui.explore.topics.cards_view import badge
from dplda.ui.explore.topics.comparison import Comparison
from dplda.ui.literal import literal
from dplda.ui.shell.frame import Experiment
from dplda.ui.state.keys import Key

DOCUMENTS, WORDS = 5, 60  # shown, of a topic and of a document


def draw(experiment: Experiment, found: Comparison, names: Mapping[int, str]) -> None:
    """A topic to choose, and a handful of documents that contain most of it."""
    if experiment.sensitive:
        st.info("Documents of a sensitive corpus are never shown.", icon=":material/visibility_lock:")
        return
    filled = [slot for slot in found.lanes[0].slots if slot.words is not None]
    numbers = [slot.number for slot in filled]
    number = st.selectbox(
        "Topic",
        numbers,
        format_func=lambda number: f"{number} · {names[number]}",
        key=Key.TYPICAL,
        help="Shows the documents that contain most of this topic.",
        width=420,
    )
    topics = np.array([slot.words for slot in filled])
    parts = np.array([slot.share if slot.share is not None else 1 / len(filled) for slot in filled])
    shown = typical(experiment.corpus.counts, topics, parts, topic=numbers.index(int(number)), n_documents=DOCUMENTS)
    for one in shown:
        _document(experiment, one, filled)
    st.caption(
        "A word has the color of the private topic that most likely said it. The order of words is not kept."
        + (f" Searched: the first {LOOKED_AT:,} documents." if experiment.corpus.n_documents > LOOKED_AT else "")
    )


def _document(experiment: Experiment, one: Typical, filled: list[Slot]) -> None:
    vocabulary = experiment.corpus.vocabulary
    said = []
    for told in one.words[:WORDS]:
        times = f" ×{told.times}" if told.times > 1 else ""
        word = literal(theme.shortened(vocabulary[told.word])) + times
        colour = "" if told.topic is None else theme.topic_colour(filled[told.topic].number)
        said.append(f':color[{word}]{{background="{colour}6b"}}' if colour else word)
    more = f" … and {len(one.words) - WORDS:,} more words" if len(one.words) > WORDS else ""
    topics = sorted({told.topic for told in one.words if told.topic is not None})
    with st.container(border=True):
        legend = " ".join(badge(filled[topic].number) for topic in topics)
        st.markdown(f"**Document {one.document + 1:,}** · {one.share:.0%} from this topic · topics {legend}")
        st.markdown(" ".join(said) + more)
