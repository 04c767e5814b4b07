"""Topics as tables: CSV and JSON."""

import csv
import io
import json
from collections.abc import Sequence

import numpy as np

from dplda.figures.lanes import Lane
from dplda.spreadsheet import harmless


def topics_csv(lane: Lane, vocabulary: Sequence[str]) -> str:
    """Topics as a table, one row for each topic and word, most probable first.

    Columns ``topic, alpha, signal_share, rank, word, probability``. Words that a spreadsheet would take for a
    formula get an apostrophe in front; places below the noise have no rows. Where nothing is known of the share of
    signal its column is empty.
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["topic", "alpha", "signal_share", "rank", "word", "probability"])
    for slot in lane.slots:
        if slot.words is None:
            continue
        for rank, index in enumerate(np.argsort(-slot.words, kind="stable"), start=1):
            probability = float(slot.words[index])
            if probability > 0:
                word = harmless(vocabulary[index])
                share = repr(slot.overlap) if lane.shows_overlap else ""
                writer.writerow([slot.number, repr(slot.alpha), share, rank, word, repr(probability)])
    return table.getvalue()


def topics_json(lane: Lane, vocabulary: Sequence[str]) -> str:
    """Topics as JSON: for each place its number, α, signal share and words with probabilities, or ``null``."""
    topics = []
    for slot in lane.slots:
        words = None
        if slot.words is not None:
            order = np.argsort(-slot.words, kind="stable")
            words = {vocabulary[i]: float(slot.words[i]) for i in order if slot.words[i] > 0}
        share = slot.overlap if lane.shows_overlap else None
        topics.append({"topic": slot.number, "alpha": slot.alpha, "signal_share": share, "words": words})
    return json.dumps({"topics": topics}, indent=1, ensure_ascii=False, allow_nan=False)
