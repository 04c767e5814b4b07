"""Topics as tables: CSV and JSON."""

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence

import numpy as np

from dplda.core.formatting import harmless
from dplda.core.types import Vector
from dplda.figures.topics.lanes import Lane, Slot

COLUMNS = (
    "topic",
    "alpha",
    "signal_share",
    "evidence",
    "rank",
    "word",
    "probability",
    "lower",
    "upper",
)


def topics_csv(lane: Lane, vocabulary: Sequence[str]) -> str:
    """Write topics as CSV: one row per topic and word of positive probability, the likeliest first.

    ``evidence`` is the topic's part in a document's gain, in nats, ``lower`` and ``upper`` an
    interval (``formatting.COVERAGE``); empty if unknown. Words that look like formulas get an
    apostrophe. A topic below the noise has no row.

    Args:
        lane: the topics, with empty slots for those below the noise.
        vocabulary: the ``d`` words.
    """
    csv_file = io.StringIO()
    writer = csv.writer(csv_file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for slot in lane.slots:
        for rank, word_id in enumerate(_likely_words(slot.words), start=1):
            assert slot.words is not None
            writer.writerow(
                (
                    slot.number,
                    slot.alpha,
                    _signal_share(lane, slot),
                    _if_known(slot.evidence),
                    rank,
                    harmless(vocabulary[word_id]),
                    float(slot.words[word_id]),
                    _cell(slot.lower, word_id),
                    _cell(slot.upper, word_id),
                )
            )
    return csv_file.getvalue()


def topics_json(lane: Lane, vocabulary: Sequence[str], guarantee: str = "") -> str:
    """Topics as JSON, with the guarantee if given.

    ``words`` holds probabilities and ``intervals`` lower and upper ends (``formatting.COVERAGE``),
    by word; ``null`` for a topic below the noise or an unknown value.

    Args:
        lane: the topics, with empty slots for those below the noise.
        vocabulary: the ``d`` words.
        guarantee: a sentence; empty to leave it out.
    """
    content: dict[str, object] = {}
    if guarantee:
        content["guarantee"] = guarantee
    content["topics"] = [
        {
            "topic": slot.number,
            "alpha": slot.alpha,
            "signal_share": _signal_share(lane, slot),
            "evidence": _if_known(slot.evidence),
            "words": _words_of(slot, vocabulary),
            "intervals": _intervals_of(slot, vocabulary),
        }
        for slot in lane.slots
    ]
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)


def _likely_words(probabilities: Vector | None) -> Iterator[int]:
    """Columns of a topic's words, the most probable first; none for a topic below the noise."""
    if probabilities is None:
        return
    for word in np.argsort(-probabilities, kind="stable"):
        if probabilities[word] > 0:
            yield int(word)


def _words_of(slot: Slot, vocabulary: Sequence[str]) -> dict[str, float] | None:
    """Probabilities by word, the largest first; None for a topic below the noise."""
    probabilities = slot.words
    if probabilities is None:
        return None
    return {vocabulary[word]: float(probabilities[word]) for word in _likely_words(probabilities)}


def _intervals_of(slot: Slot, vocabulary: Sequence[str]) -> dict[str, list[float]] | None:
    """Lower and upper ends by word of positive probability, the most probable word first.

    None if the topic or its intervals are unknown.
    """
    lower = slot.lower
    upper = slot.upper
    if slot.words is None or lower is None or upper is None:
        return None
    return {
        vocabulary[word_id]: [float(lower[word_id]), float(upper[word_id])]
        for word_id in _likely_words(slot.words)
    }


def _signal_share(lane: Lane, slot: Slot) -> float | None:
    return _if_known(slot.overlap) if lane.shows_overlap else None


def _cell(values: Vector | None, word: int) -> str:
    return "" if values is None else repr(float(values[word]))


def _if_known(number: float | None) -> float | None:
    return None if number is None or math.isnan(number) else number
