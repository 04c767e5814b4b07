"""A closer look at topics: a card for every topic, the topics of a word, the documents of a topic."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from dplda.core.formatting import COVERAGE
from dplda.evaluation.relevance import (
    BALANCED,
    LONGEST_NAME,
    in_common,
    leading,
    most_probable,
    relevance,
)
from dplda.evaluation.typical import LOOKED_AT, Typical, typical
from dplda.figures import Slot, theme
from dplda.ui.explore.comparison import Comparison
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, topic_names, word_bars
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state.keys import Key

LEADING = 10  # words on a card, and compared with the noiseless twin's


def cards(experiment: LoadedExperiment, found: Comparison, names: Mapping[int, str]) -> None:
    """Draw a card per topic, in two columns that stack on a narrow screen."""
    topics = found.private.topics
    scores = relevance(topics.words[: len(topics.alpha)], topics.mean_words, BALANCED)
    slots = found.lanes[0].slots
    for first in range(0, len(slots), 2):  # in rows, so that they are in order on a phone too
        row = zip(st.columns(2, gap="medium"), slots[first : first + 2], strict=False)
        for column, slot in row:
            with column.container(border=True):
                _card(experiment, found, slot, scores, names)
    public = f" {word_bars.PUBLIC_WORDS}" if found.private.prior_topics is not None else ""
    st.caption(
        f"These words are likely here and rarer in other topics.{public} Your names go into the report and the link."
    )


def badge(number: int, *, supported: bool = True) -> str:
    """A topic's number on its colour, in Markdown."""
    colour = theme.topic_colour(number) if supported else theme.UNREADABLE
    return f':color[ **{number}** ]{{background="{colour}6b"}}'


def _card(
    experiment: LoadedExperiment,
    found: Comparison,
    slot: Slot,
    scores: np.ndarray,
    names: Mapping[int, str],
) -> None:
    if slot.words is None or slot.row is None:
        st.markdown(f"**Topic {slot.number}** is below the noise.")
        return
    corpus, settings = experiment.corpus, experiment.settings
    share = "" if slot.share is None else f" · {slot.share:.0%} of all words"
    doubt = "" if slot.supported else " · no evidence at this ε"
    st.markdown(
        f"{badge(slot.number, supported=slot.supported)} **{literal(names[slot.number])}**{share}{doubt}"
    )
    key = f"{Key.TOPIC_NAME}.{corpus.digest[:12]}.{settings.problem.n_topics}.{slot.number}"
    st.session_state[key] = topic_names.names_by_number(corpus, settings).get(slot.number, "")
    st.text_input(
        f"Name of topic {slot.number}",
        max_chars=LONGEST_NAME,
        placeholder="Give it a name",
        key=key,
        on_change=topic_names.rename_from_widget,
        args=(corpus, settings, slot.number, key),
        label_visibility="collapsed",
    )
    words = {i: literal(corpus.vocabulary[i]) for i in leading(scores[slot.row], LEADING)}
    public = () if slot.public is None else np.flatnonzero(slot.public)
    st.markdown(", ".join(f":gray[{word}]" if i in public else word for i, word in words.items()))
    if found.exact is None:
        return
    twin = found.lanes[1].slots[slot.number - 1].words
    if twin is None:
        st.caption("Without noise there is no such topic.")
    else:
        same, of = in_common(slot.words, twin, LEADING), len(most_probable(slot.words, LEADING))
        st.caption(f"Without noise: {same} of {of} leading words are the same.")


def word(experiment: LoadedExperiment, found: Comparison, names: Mapping[int, str]) -> None:
    """Draw the choice of a word, and its probability in every topic."""
    corpus = experiment.corpus
    key = f"{Key.SEARCH}.{corpus.digest[:12]}"
    st.session_state.setdefault(key, int(found.lanes[0].rows[0].argmax()))
    chosen = st.selectbox(
        "Word",
        range(corpus.n_words),
        format_func=corpus.vocabulary.__getitem__,
        key=key,
        persist_state="session",
        help="Shows which topics use it. Type some of its letters to find it.",
        filter_mode="contains",
        width=320,
    )
    figure_view.draw_table(_word_rows(found, chosen, names), "topic")
    interval = f" The *interval* {COVERAGE}." if found.lanes[0].knows_uncertainty else ""
    st.caption("*Part of its uses*: how much of the use of this word is in the topic." + interval)


def _word_rows(found: Comparison, index: int, names: Mapping[int, str]) -> list[dict[str, str]]:
    private = found.lanes[0]
    found_here = zip(private.filled, private.rows[:, index].tolist(), strict=True)
    weighted = [
        ((slot.share or 0.0) * probability, probability, slot) for slot, probability in found_here
    ]
    total = sum(weight for weight, *_ in weighted)
    rows = []
    for weight, probability, slot in sorted(weighted, key=lambda one: -one[0]):
        row = {
            "topic": f"{slot.number} · {names[slot.number]}"
            + ("" if slot.supported else " (no evidence)"),
            "probability": f"{probability:.4f}",
        }
        if slot.lower is not None and slot.upper is not None:
            row["interval"] = f"{slot.lower[index]:.4f} to {slot.upper[index]:.4f}"
        if found.exact is not None:
            twin = found.lanes[1].slots[slot.number - 1].words
            row["without noise"] = "–" if twin is None else f"{twin[index]:.4f}"
        row["part of its uses"] = f"{weight / total:.0%}" if total > 0 else "–"
        rows.append(row)
    return rows


DOCUMENTS, DOCUMENT_WORDS = 5, 60  # shown, of a topic and of a document


def documents(experiment: LoadedExperiment, found: Comparison, names: Mapping[int, str]) -> None:
    """Draw the choice of a topic, and the few documents that contain most of it."""
    if experiment.is_sensitive:
        st.info(
            "Documents of a sensitive corpus are never shown.", icon=":material/visibility_lock:"
        )
        return
    filled, topics = found.lanes[0].filled, found.lanes[0].rows
    numbers = [slot.number for slot in filled]
    number = st.selectbox(
        "Topic",
        numbers,
        format_func=lambda number: f"{number} · {names[number]}",
        key=Key.TYPICAL,
        help="Shows the documents that contain most of this topic.",
        width=420,
    )
    parts = np.array([slot.share if slot.share is not None else 1 / len(filled) for slot in filled])
    shown = typical(
        experiment.corpus.counts,
        topics,
        parts,
        topic=numbers.index(int(number)),
        n_documents=DOCUMENTS,
    )
    for one in shown:
        _document(experiment, one, filled)
    st.caption(
        "Each word has the color of the private topic it most likely came from. Word order is not kept."
        + (
            f" Searched: the first {LOOKED_AT:,} documents."
            if experiment.corpus.n_documents > LOOKED_AT
            else ""
        )
    )


def _document(experiment: LoadedExperiment, one: Typical, filled: Sequence[Slot]) -> None:
    vocabulary = experiment.corpus.vocabulary
    said = []
    for told in one.words[:DOCUMENT_WORDS]:
        times = f"\u00a0×{told.times}" if told.times > 1 else ""
        word = literal(theme.shortened(vocabulary[told.word])) + times
        colour = "" if told.topic is None else theme.topic_colour(filled[told.topic].number)
        said.append(f':color[{word}]{{background="{colour}6b"}}' if colour else word)
    more = (
        f" … and {len(one.words) - DOCUMENT_WORDS:,} more words"
        if len(one.words) > DOCUMENT_WORDS
        else ""
    )
    topics = sorted({told.topic for told in one.words if told.topic is not None})
    with st.container(border=True):
        named = f"topic{'s' * (len(topics) != 1)} " + " ".join(
            badge(filled[topic].number) for topic in topics
        )
        st.markdown(
            f"**Document {one.document + 1:,}** · {one.share:.0%} from this topic · {named}"
        )
        st.markdown(" ".join(said) + more)
