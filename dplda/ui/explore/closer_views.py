"""A closer look at topics: cards, the topics of a word, and the documents of a topic."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import streamlit as st

from dplda.core.formatting import COVERAGE
from dplda.core.types import Vector
from dplda.evaluation.relevance import (
    MAX_NAME_CHARACTERS,
    count_common_words,
    find_leading_words,
)
from dplda.evaluation.typical import (
    N_LOOKED_AT,
    ExplainedWord,
    TypicalDocument,
    find_typical_documents,
)
from dplda.figures import Slot, theme
from dplda.ui.explore.comparison import Comparison
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, topic_names, word_bars
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state.keys import Key

CARDS_IN_A_ROW = 2
WORDS_ON_A_CARD = 10  # also compared with the noiseless twin's
DOCUMENTS_SHOWN = 5  # of a topic
WORDS_OF_A_DOCUMENT = 60
CARD_CAPTION = "These words are likely here and rarer in other topics."
NAMES_CAPTION = "Your names go into the report and the link."
USES_CAPTION = "*Part of its uses*: how much of the use of this word is in the topic."
DOCUMENT_CAPTION = (
    "Each word has the color of the private topic it most likely came from. Word order is not kept."
)


def draw_cards(
    loaded: LoadedExperiment, comparison: Comparison, name_by_number: Mapping[int, str]
) -> None:
    """Draw a line on words that topics share, a card for each topic in rows, and one caption below.

    The caption explains words from public knowledge if there are any. Topics below the noise have
    cards, too.

    Args:
        loaded: documents and experiment.
        comparison: its topics.
        name_by_number: name of each topic by its number.
    """
    word_bars.draw_shared_words(comparison.lanes[:1], loaded.corpus.vocabulary)
    topic_slots = comparison.lanes[0].slots
    for first_place in range(0, len(topic_slots), CARDS_IN_A_ROW):
        slots_in_row = topic_slots[first_place : first_place + CARDS_IN_A_ROW]
        layout_columns = st.columns(CARDS_IN_A_ROW, gap="medium")
        for layout_column, topic_slot in zip(layout_columns, slots_in_row, strict=False):
            with layout_column.container(border=True):
                _draw_card(loaded, comparison, topic_slot, name_by_number)
    caption_parts = [CARD_CAPTION]
    if comparison.private.prior_topics is not None:
        caption_parts.append(word_bars.PUBLIC_WORDS)
    caption_parts.append(NAMES_CAPTION)
    st.caption(" ".join(caption_parts))


def number_badge(number: int, *, supported: bool = True) -> str:
    """A topic's number on its color, in Markdown; gray for a topic without evidence.

    Args:
        number: of the topic, from 1.
        supported: whether the topic has evidence.
    """
    colour = theme.topic_colour(number) if supported else theme.UNREADABLE
    return f':color[ **{number}** ]{{background="{colour}6b"}}'


def _draw_card(
    loaded: LoadedExperiment,
    comparison: Comparison,
    slot: Slot,
    name_by_number: Mapping[int, str],
) -> None:
    """Draw a topic's number, name and share of all words, its name field, and its leading words.

    The share is left out if it is unknown; words lead by their score, and stand without numbers.
    Below comes its likeness to its noiseless twin, if there is a noiseless fit. A heading says if
    the topic has no evidence. A topic below the noise gets only a sentence that says so.

    Args:
        loaded: documents and settings.
        comparison: its topics.
        slot: the topic.
        name_by_number: name of each topic by its number.
    """
    if slot.words is None or slot.scores is None:
        st.markdown(f"**Topic {slot.number}** is below the noise.")
        return
    topic_badge = number_badge(slot.number, supported=slot.supported)
    topic_name = literal(name_by_number[slot.number])
    heading_parts = [f"{topic_badge} **{topic_name}**"]
    if slot.share is not None:
        heading_parts.append(f"{slot.share:.0%} of all words")
    if not slot.supported:
        heading_parts.append("no evidence at this ε")
    st.markdown(" · ".join(heading_parts))
    _draw_name_field(loaded, slot.number)
    leading_word_ids = find_leading_words(slot.scores, WORDS_ON_A_CARD)
    st.markdown(_write_words(leading_word_ids, slot, loaded.corpus.vocabulary))
    if comparison.noiseless is not None:
        _compare_with_twin(slot, comparison.lanes[1].slots[slot.number - 1])


def _write_words(word_ids: Iterable[int], slot: Slot, vocabulary: Sequence[str]) -> str:
    """Words of a topic as Markdown, separated by commas; those from public knowledge are gray."""
    public_word_ids: set[int] = set()
    if slot.public is not None:
        public_word_ids = set(np.flatnonzero(slot.public).tolist())
    word_texts = []
    for word_id in word_ids:
        word_text = literal(vocabulary[word_id])
        if word_id in public_word_ids:
            word_text = f":gray[{word_text}]"
        word_texts.append(word_text)
    return ", ".join(word_texts)


def _draw_name_field(loaded: LoadedExperiment, number: int) -> None:
    """Draw the field for a topic's own name, filled with the present one; a change renames it."""
    corpus, experiment = loaded.corpus, loaded.experiment
    field_key = f"{Key.TOPIC_NAME}.{corpus.digest[:12]}.{experiment.problem.n_topics}.{number}"
    st.session_state[field_key] = topic_names.names_by_number(corpus, experiment).get(number, "")
    st.text_input(
        f"Name of topic {number}",
        max_chars=MAX_NAME_CHARACTERS,
        placeholder="Give it a name",
        key=field_key,
        on_change=topic_names.rename_from_widget,
        args=(corpus, experiment, number, field_key),
        label_visibility="collapsed",
    )


def _compare_with_twin(slot: Slot, twin: Slot) -> None:
    """Say how many leading words a topic shares with the same topic without noise.

    The topic must have words. If its twin has none, says that there is no such topic.
    """
    assert slot.scores is not None  # empty places have no card
    if twin.scores is None:
        st.caption("Without noise there is no such topic.")
        return
    n_common = count_common_words(slot.scores, twin.scores, WORDS_ON_A_CARD)
    n_leading = len(find_leading_words(slot.scores, WORDS_ON_A_CARD))
    st.caption(f"Without noise: {n_common} of {n_leading} leading words are the same.")


def draw_word(
    loaded: LoadedExperiment, comparison: Comparison, name_by_number: Mapping[int, str]
) -> None:
    """Draw the choice of a word, and a table of its probability and part of its uses by topic.

    At first the most probable word of the first topic is chosen. A caption explains intervals if
    they are known.
    """
    corpus = loaded.corpus
    private_lane = comparison.lanes[0]
    widget_key = f"{Key.SEARCH}.{corpus.digest[:12]}"
    st.session_state.setdefault(widget_key, int(private_lane.rows[0].argmax()))
    word_id = st.selectbox(
        "Word",
        range(corpus.n_words),
        format_func=corpus.vocabulary.__getitem__,
        key=widget_key,
        persist_state="session",
        help="Shows which topics use it. Type some of its letters to find it.",
        filter_mode="contains",
        width=320,
    )
    figure_view.draw_table(_word_rows(comparison, word_id, name_by_number), "topic")
    caption = USES_CAPTION
    if private_lane.knows_uncertainty:
        caption += f" The *interval* {COVERAGE}."
    st.caption(caption)


def _word_rows(
    comparison: Comparison, word_id: int, name_by_number: Mapping[int, str]
) -> list[dict[str, str]]:
    """Make a table row for each topic, the one with the largest part of the word's uses first.

    Topics below the noise are left out. A topic whose share of all words is unknown counts as 0.
    The part is a dash if all topics count as 0 or none uses the word.
    """
    slots = comparison.lanes[0].filled
    probabilities = comparison.lanes[0].rows[:, word_id].tolist()
    use_weights = [
        (slot.share or 0.0) * probability
        for slot, probability in zip(slots, probabilities, strict=True)
    ]
    total_weight = sum(use_weights)
    slot_indices_by_weight = sorted(
        range(len(slots)), key=lambda slot_index: -use_weights[slot_index]
    )
    table_rows = []
    for slot_index in slot_indices_by_weight:
        table_row = _word_row(comparison, slots[slot_index], word_id, name_by_number)
        part_text = "–"
        if total_weight > 0:
            part_text = f"{use_weights[slot_index] / total_weight:.0%}"
        table_rows.append(table_row | {"part of its uses": part_text})
    return table_rows


def _word_row(
    comparison: Comparison, slot: Slot, word_id: int, name_by_number: Mapping[int, str]
) -> dict[str, str]:
    """Make the cells of a topic: name and probability of a word, its interval, and without noise.

    The topic must have words, and says if it has no evidence. Interval and noiseless probability
    are left out where unknown; the latter is a dash if the twin has no such topic.
    """
    assert slot.words is not None  # of filled places
    evidence_note = "" if slot.supported else " (no evidence)"
    table_row = {
        "topic": f"{slot.number} · {name_by_number[slot.number]}{evidence_note}",
        "probability": f"{slot.words[word_id]:.4f}",
    }
    if slot.lower is not None and slot.upper is not None:
        table_row["interval"] = f"{slot.lower[word_id]:.4f} to {slot.upper[word_id]:.4f}"
    if comparison.noiseless is not None:
        twin_words = comparison.lanes[1].slots[slot.number - 1].words
        table_row["without noise"] = "–" if twin_words is None else f"{twin_words[word_id]:.4f}"
    return table_row


def draw_documents(
    loaded: LoadedExperiment, comparison: Comparison, name_by_number: Mapping[int, str]
) -> None:
    """Draw the choice of a topic of the first method, and the documents that contain most of it.

    For a sensitive corpus draws only a refusal. Of a large corpus only the first documents are
    searched, as a caption says.
    """
    if loaded.is_sensitive:
        refusal = "Documents of a sensitive corpus are never shown."
        st.info(refusal, icon=":material/visibility_lock:")
        return
    topic_slots = comparison.lanes[0].filled
    topic_index = _choose_topic(topic_slots, name_by_number)
    typical_documents = find_typical_documents(
        loaded.corpus.counts,
        comparison.lanes[0].rows,
        _list_shares(topic_slots),
        topic=topic_index,
        n_documents=DOCUMENTS_SHOWN,
    )
    for document in typical_documents:
        _draw_document(loaded, document, topic_slots)
    search_note = ""
    if loaded.corpus.n_documents > N_LOOKED_AT:
        search_note = f" Searched: the first {N_LOOKED_AT:,} documents."
    st.caption(DOCUMENT_CAPTION + search_note)


def _choose_topic(topic_slots: Sequence[Slot], name_by_number: Mapping[int, str]) -> int:
    """Draw the choice of a topic by number and name, and return its index among the slots."""
    topic_numbers = [topic_slot.number for topic_slot in topic_slots]
    topic_number = st.selectbox(
        "Topic",
        topic_numbers,
        format_func=lambda topic_number: f"{topic_number} · {name_by_number[topic_number]}",
        key=Key.TYPICAL,
        help="Shows the documents that contain most of this topic.",
        width=420,
    )
    return topic_numbers.index(int(topic_number))


def _list_shares(topic_slots: Sequence[Slot]) -> Vector:
    """Each topic's share of all words; topics without a known one count as equally large."""
    equal_share = 1 / len(topic_slots)
    return np.array(
        [
            equal_share if topic_slot.share is None else topic_slot.share
            for topic_slot in topic_slots
        ]
    )


def _draw_document(
    loaded: LoadedExperiment, document: TypicalDocument, slots: Sequence[Slot]
) -> None:
    """Draw a document's words, each on the color of the topic that it most likely came from.

    Each different word is drawn once, the most frequent first. A heading has the document's number,
    its share of the chosen topic, and badges of its topics. Of a document with many different words
    the first are drawn, and how many others follow.
    """
    word_texts = [
        _color_word(used_word, loaded.corpus.vocabulary, slots)
        for used_word in document.words[:WORDS_OF_A_DOCUMENT]
    ]
    n_left_out = len(document.words) - WORDS_OF_A_DOCUMENT
    ending = f" … and {n_left_out:,} more words" if n_left_out > 0 else ""
    topics_in_document = sorted(
        {used_word.topic for used_word in document.words if used_word.topic is not None}
    )
    badges = " ".join(number_badge(slots[topic_index].number) for topic_index in topics_in_document)
    plural = "" if len(topics_in_document) == 1 else "s"
    with st.container(border=True):
        st.markdown(
            f"**Document {document.document + 1:,}** · {document.share:.0%} from this topic"
            f" · topic{plural} {badges}"
        )
        st.markdown(" ".join(word_texts) + ending)


def _color_word(used_word: ExplainedWord, vocabulary: Sequence[str], slots: Sequence[Slot]) -> str:
    """A word as Markdown, on the color of its topic if that is known.

    A long word is shortened. Its count follows if it occurs more than once.
    """
    count_text = f"\u00a0×{used_word.times}" if used_word.times > 1 else ""
    word_text = literal(theme.shortened(vocabulary[used_word.word])) + count_text
    if used_word.topic is None:
        return word_text
    colour = theme.topic_colour(slots[used_word.topic].number)
    return f':color[{word_text}]{{background="{colour}6b"}}'
