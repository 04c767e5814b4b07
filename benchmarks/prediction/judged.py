"""Predictions beside what was measured, at settings that nothing was fitted on."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.prediction.fitted import COLUMNS, PATH, LeftOut, loud_of
from benchmarks.prediction.runs import Row
from dplda.core.types import Matrix, Vector
from dplda.methods.registry import parse_method
from dplda.theory.prediction.coordinates import coordinates_from
from dplda.theory.prediction.expected import UNIGRAM, Answer, Expected, known
from dplda.theory.prediction.regimes import Outcome, winner_of
from dplda.theory.prediction.surface import Law

WITHIN = 0.25
NEAR = 1.1  # of the least mean error measured, within which a winner named counts as right
REFUSED = 2.0  # error that a refusal counts as: the largest there is
RIVALS = (
    "refined",
    "adaptive/corrected",
    "dp-vi/corrected",
    UNIGRAM,
)  # the others are hardly ever best, and not always run
TWENTY = 20


def judged(rows: Sequence[Row], of: Callable[[], dict[str, Any]] = known) -> Iterator[Row]:
    """Each row with what was expected of it."""
    for text in dict.fromkeys(str(row["method"]) for row in rows):
        own = [row for row in rows if row["method"] == text]
        places = coordinates_from(
            *(np.array([row[name] for row in own], dtype=float) for name in COLUMNS),
            inverse_noise=np.array([loud_of(row, parse_method(text)) for row in own]),
        )
        for row, one in zip(own, of()[text].at(places), strict=True):
            yield row | {
                "answer": str(one.answer),
                "expected": one.error,
                "low": one.low,
                "high": one.high,
            }


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
    return {
        "rows": len(rows),
        "predicted": len(given) / len(rows),
        "right": sum(given) / max(1, len(given)),
    }


def winners(rows: Sequence[Row]) -> Iterator[Row]:
    """At every setting: which method was named, and whether it was right, by each method's mean error over draws."""
    for number in dict.fromkeys(row["number"] for row in rows):
        there = [row for row in rows if row["number"] == number]
        of = {str(row["method"]): row for row in there}
        cell = [
            Expected(Answer(row["answer"]), row["expected"], row["low"], row["high"])
            for row in of.values()
        ]
        found = winner_of(cell, tuple(of))
        errors = {text: _mean_error(row for row in there if row["method"] == text) for text in of}
        best, second, *_ = sorted(errors, key=lambda text: errors[text])
        named = tuple(of)[found] if found != Outcome.UNDECIDED else "too close to call"
        times = errors.get(named, errors[second]) / errors[best]
        yield {
            "number": number,
            "named": named,
            "measured": best,
            "times_the_least": times,
            "right": times <= NEAR,
        }


def _mean_error(rows: Iterable[Row]) -> float:
    return float(np.mean([REFUSED if row["l1"] is None else row["l1"] for row in rows]))


def by_twenty(settings: str, rows: Sequence[Row]) -> Row:
    """Winners in blocks of twenty settings, in the order of their numbers; what is left over is a shorter block."""
    found = sorted(winners(rows), key=lambda row: int(row["number"]))
    verdicts = [bool(row["right"]) for row in found]
    blocks = [sum(verdicts[start : start + TWENTY]) for start in range(0, len(verdicts), TWENTY)]
    return {
        "settings": settings,
        "how_many": len(found),
        "right": sum(verdicts),
        "too_close_to_call": sum(row["named"] == "too close to call" for row in found),
        "right_of_each_twenty": ", ".join(map(str, blocks)),
    }


def left_out() -> Iterator[Row]:
    """Every setting that surfaces were fitted to and ``RIVALS`` were run at, predicted from all others; laws stay."""
    held = json.loads(PATH.read_text("utf-8"))
    settings = np.array(held["settings"], dtype=float)
    shared = set.intersection(*(set(held["methods"][text]["at"]) for text in RIVALS))
    for text in RIVALS:
        runs = held["methods"][text]
        places = coordinates_from(*settings[runs["at"]].T, inverse_noise=np.array(runs["loud"]))
        errors, alone = np.array(runs["l1"], dtype=float), np.array(runs["alone"], dtype=bool)
        laws = {name: Law(**law) for name, law in runs["laws"].items()}
        own, ranges = np.array(runs["spread"])
        logs = _from_others(places, np.log(errors), laws["errors"], own)
        by = np.exp(_from_others(places, ranges, laws["off"]))
        kind = np.where(alone, 1.0, -1.0)
        words = _from_others(places, kind, laws["words"]) > 0 if "words" in laws else alone
        for i, number in enumerate(runs["at"]):
            if number in shared:
                ends = (math.exp(logs[i] + step) for step in (0.0, -by[i], by[i]))
                answer = Answer.WORDS if words[i] else Answer.TOPICS
                row: Row = {
                    "number": number,
                    "method": text,
                    "answer": str(answer),
                    "l1": errors[i],
                }
                yield row | dict(zip(("expected", "low", "high"), ends, strict=True))


def _from_others(places: Matrix, values: Vector, law: Law, own: Vector | float = 0.0) -> Vector:
    """What all other values say of each."""
    return values - LeftOut(places, values, law, own).left_out()
