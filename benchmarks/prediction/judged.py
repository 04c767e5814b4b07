"""Predictions beside what was measured, at settings that nothing was fitted on."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.prediction.fitted import COLUMNS, loud_of
from benchmarks.prediction.runs import Row
from dplda.methods.registry import parse_method
from dplda.theory.prediction.coordinates import places_of
from dplda.theory.prediction.expected import Answer, Expected, known
from dplda.theory.prediction.regimes import Outcome, winner_of

WITHIN = 0.25
NEAR = 1.1  # of the least error measured, within which a winner named counts as right


def judged(rows: Sequence[Row], of: Callable[[], dict[str, Any]] = known) -> Iterator[Row]:
    """Each row with what was expected of it."""
    for text in dict.fromkeys(str(row["method"]) for row in rows):
        own = [row for row in rows if row["method"] == text]
        places = places_of(
            *(np.array([row[name] for row in own], dtype=float) for name in COLUMNS),
            loud=np.array([loud_of(row, parse_method(text)) for row in own]),
        )
        for row, one in zip(own, of()[text].at(places), strict=True):
            yield row | {"answer": str(one.answer), "expected": one.error, "low": one.low, "high": one.high}


def right(row: Row) -> bool | None:
    """Whether a prediction was right: within a quarter of the error measured; None where nothing was predicted."""
    if row["answer"] == Answer.UNKNOWN:
        return None
    if row["answer"] == Answer.REFUSED or row["l1"] is None:
        return row["answer"] == Answer.REFUSED and row["l1"] is None
    return bool(abs(row["l1"] / row["expected"] - 1) <= WITHIN)


def shares(rows: Sequence[Row]) -> Row:
    """How many of the rows were predicted, and how many of these rightly."""
    verdicts = [right(row) for row in rows]
    given = [one for one in verdicts if one is not None]
    return {"rows": len(rows), "predicted": len(given) / len(rows), "right": sum(given) / max(1, len(given))}


def winners(rows: Sequence[Row]) -> Iterator[Row]:
    """At every setting: which method was named, and whether it was right."""
    for number in dict.fromkeys(row["number"] for row in rows):
        there = [row for row in rows if row["number"] == number]
        methods = tuple(str(row["method"]) for row in there)
        cell = [Expected(Answer(row["answer"]), row["expected"], row["low"], row["high"]) for row in there]
        found = winner_of(cell, methods)
        measured = sorted(row["l1"] for row in there if row["l1"] is not None)
        named = "too close to call" if found == Outcome.UNDECIDED else methods[found]
        if found == Outcome.UNDECIDED:
            well = measured[1] <= NEAR * measured[0]
        else:
            well = there[found]["l1"] is not None and there[found]["l1"] <= NEAR * measured[0]
        best = min((row for row in there if row["l1"] is not None), key=lambda row: row["l1"])["method"]
        yield {"number": number, "named": named, "measured": best, "right": well}
