"""Topics of a rehearsal beside the themes that are known: a row a theme, its words in a line."""

from collections.abc import Collection, Sequence

from dplda.evaluation.relevance import find_leading_words, most_probable
from dplda.figures.topics.across_epsilon import (
    FOUND,
    NOT_FOUND,
    AcrossCell,
    AcrossRow,
    RightTopic,
    across_epsilon,
    shown_words,
)
from dplda.figures.topics.lanes import Lane, Slot

NO_EVIDENCE = "no evidence"


def theme_table(
    lanes: Sequence[Lane],
    vocabulary: Sequence[str],
    theme_words: Sequence[Collection[str]],
    *,
    titles: Sequence[str],
    is_found: Sequence[bool],
    n_shown: int,
) -> str:
    """Themes as an HTML table, each with the words of its topic in every lane.

    A word is bold if it is one of the theme's own, else italic. Bold and italic words have grounds
    of different color. A topic without evidence is marked.

    Args:
        lanes: fits or truths that are compared, a column each, with a place for each theme.
        vocabulary: the d words.
        theme_words: own words of every theme, in the order of places; those that are not in the
            vocabulary are ignored.
        titles: of the themes.
        is_found: whether a topic finds the theme; a mark before the title says it.
        n_shown: most words of a topic.
    """
    word_ids = {word: word_id for word_id, word in enumerate(vocabulary)}
    rows = []
    for place, own_words in enumerate(theme_words):
        own_ids = frozenset(word_ids[word] for word in own_words if word in word_ids)
        cells = tuple(_make_cell(lane, place, vocabulary, own_ids, n_shown) for lane in lanes)
        mark = FOUND if is_found[place] else NOT_FOUND
        rows.append(AcrossRow(f"{mark} {titles[place]}", cells))
    columns = [lane.title for lane in lanes]
    return across_epsilon(rows, columns, label="Themes and their words", in_lines=True)


def _make_cell(
    lane: Lane,
    place: int,
    vocabulary: Sequence[str],
    own_ids: frozenset[int],
    n_shown: int,
) -> AcrossCell:
    """The leading words of a lane's topic, or what the lane says of a place without one.

    A topic without evidence has a note that says so. Right are the theme's own words.
    """
    slot = lane.slots[place]
    if slot.words is None:
        return AcrossCell((), lane.empty)
    right_topic = RightTopic(slot.words, own_ids)
    words = shown_words(slot.words, _leading_words(slot, n_shown), right_topic, vocabulary)
    note = "" if slot.supported else NO_EVIDENCE
    return AcrossCell(words, note)


def _leading_words(slot: Slot, n_shown: int) -> list[int]:
    """Ids of the words with the largest scores, or the most probable ones without scores.

    They descend by probability. The slot must have a topic.
    """
    probabilities = slot.words
    assert probabilities is not None  # a place without a topic has no words
    if slot.scores is None:
        return most_probable(probabilities, n_shown)
    by_score = find_leading_words(slot.scores, n_shown)
    return sorted(by_score, key=lambda word_id: -float(probabilities[word_id]))
