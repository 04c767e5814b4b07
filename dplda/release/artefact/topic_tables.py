"""Topics as tables: CSV and JSON."""

import csv
import io
import json
import math
from collections.abc import Sequence

import numpy as np

from dplda.core.formatting import harmless
from dplda.figures.topics.lanes import Lane


def topics_csv(lane: Lane, vocabulary: Sequence[str]) -> str:
    """Topics as CSV, one row per topic and word, the most probable first.

    ``evidence`` is what a document loses without the topic, in nats, ``lower`` and ``upper`` an interval
    (``formatting.COVERAGE``); empty if unknown. Words that look like formulas get an apostrophe.
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(
        [
            "topic",
            "alpha",
            "signal_share",
            "evidence",
            "rank",
            "word",
            "probability",
            "lower",
            "upper",
        ]
    )
    for slot in lane.slots:
        if slot.words is None:
            continue
        for rank, index in enumerate(np.argsort(-slot.words, kind="stable"), start=1):
            probability = float(slot.words[index])
            if probability > 0:
                known = (
                    _known(slot.overlap if lane.shows_overlap else None),
                    _known(slot.evidence),
                )
                ends = (
                    "" if end is None else repr(float(end[index]))
                    for end in (slot.lower, slot.upper)
                )
                row = (
                    slot.number,
                    slot.alpha,
                    *known,
                    rank,
                    harmless(vocabulary[index]),
                    probability,
                    *ends,
                )
                writer.writerow(row)
    return table.getvalue()


def topics_json(lane: Lane, vocabulary: Sequence[str], guarantee: str = "") -> str:
    """Topics as JSON, with the guarantee if given.

    ``words`` holds probabilities and ``intervals`` lower and upper ends (``formatting.COVERAGE``), by word; ``null``
    for a topic below the noise or an unknown value.
    """
    topics = []
    for slot in lane.slots:
        words, intervals = None, None
        if slot.words is not None:
            order = [i for i in np.argsort(-slot.words, kind="stable") if slot.words[i] > 0]
            words = {vocabulary[i]: float(slot.words[i]) for i in order}
            if slot.lower is not None and slot.upper is not None:
                intervals = {
                    vocabulary[i]: [float(slot.lower[i]), float(slot.upper[i])] for i in order
                }
        topics.append(
            {
                "topic": slot.number,
                "alpha": slot.alpha,
                "signal_share": _known(slot.overlap if lane.shows_overlap else None),
                "evidence": _known(slot.evidence),
                "words": words,
                "intervals": intervals,
            }
        )
    said = {"guarantee": guarantee} if guarantee else {}
    return json.dumps({**said, "topics": topics}, indent=1, ensure_ascii=False, allow_nan=False)


def _known(number: float | None) -> float | None:
    return None if number is None or math.isnan(number) else number
