"""Predictions beside what was measured, at settings that nothing was fitted on."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.prediction.fitted import COLUMNS, PATH, LeftOut, inverse_noise_of
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


def judge_rows(
    rows: Sequence[Row], read_surfaces: Callable[[], dict[str, Any]] = known
) -> Iterator[Row]:
    """Each row with what was expected of it.

    Args:
        rows: runs, of settings that nothing was fitted to.
        read_surfaces: the fitted surfaces by key of their method.
    """
    for key in dict.fromkeys(str(row["method"]) for row in rows):
        method = parse_method(key)
        rows_of_method = [row for row in rows if row["method"] == key]
        coordinates = coordinates_from(
            *(np.array([row[name] for row in rows_of_method], dtype=float) for name in COLUMNS),
            inverse_noise=np.array([inverse_noise_of(row, method) for row in rows_of_method]),
        )
        expected_errors = read_surfaces()[key].at(coordinates)
        for row, expected in zip(rows_of_method, expected_errors, strict=True):
            yield row | {
                "answer": str(expected.answer),
                "expected": expected.error,
                "low": expected.low,
                "high": expected.high,
            }


def right(row: Row) -> bool | None:
    """Whether a prediction was right: within a quarter of the error measured; None where nothing was predicted."""
    if row["answer"] == Answer.UNKNOWN:
        return None
    if row["answer"] == Answer.REFUSED or row["l1"] is None:
        return row["answer"] == Answer.REFUSED and row["l1"] is None
    return bool(abs(row["l1"] / row["expected"] - 1) <= WITHIN)


def shares(rows: Sequence[Row]) -> Row:
    """Share of rows that were predicted, and share of these that were predicted rightly."""
    verdicts = [right(row) for row in rows]
    answers = [verdict for verdict in verdicts if verdict is not None]
    return {
        "rows": len(rows),
        "predicted": len(answers) / len(rows),
        "right": sum(answers) / max(1, len(answers)),
    }


def winners(rows: Sequence[Row]) -> Iterator[Row]:
    """At every setting: which method was named, and whether it was right, by each method's mean error over draws.

    Args:
        rows: judged ones, as ``judge_rows`` yields them.
    """
    for number in dict.fromkeys(row["number"] for row in rows):
        rows_of_setting = [row for row in rows if row["number"] == number]
        row_of_method = {str(row["method"]): row for row in rows_of_setting}
        keys = tuple(row_of_method)
        expected_errors = [
            Expected(Answer(row["answer"]), row["expected"], row["low"], row["high"])
            for row in row_of_method.values()
        ]
        winner = winner_of(expected_errors, keys)
        named_key = "too close to call"
        if winner != Outcome.UNDECIDED:
            named_key = keys[winner]
        mean_errors = {
            key: _mean_error(row for row in rows_of_setting if row["method"] == key) for key in keys
        }
        best_key, second_key, *_ = sorted(keys, key=lambda key: mean_errors[key])
        named_error = mean_errors.get(named_key, mean_errors[second_key])
        times_the_least = named_error / mean_errors[best_key]
        yield {
            "number": number,
            "named": named_key,
            "measured": best_key,
            "times_the_least": times_the_least,
            "right": times_the_least <= NEAR,
        }


def _mean_error(rows: Iterable[Row]) -> float:
    return float(np.mean([REFUSED if row["l1"] is None else row["l1"] for row in rows]))


def by_twenty(settings_title: str, rows: Sequence[Row]) -> Row:
    """Winners in blocks of twenty settings, in the order of their numbers; what is left over is a shorter block."""
    winner_rows = sorted(winners(rows), key=lambda row: int(row["number"]))
    verdicts = [bool(row["right"]) for row in winner_rows]
    blocks = [sum(verdicts[start : start + TWENTY]) for start in range(0, len(verdicts), TWENTY)]
    return {
        "settings": settings_title,
        "how_many": len(winner_rows),
        "right": sum(verdicts),
        "too_close_to_call": sum(row["named"] == "too close to call" for row in winner_rows),
        "right_of_each_twenty": ", ".join(map(str, blocks)),
    }


def left_out() -> Iterator[Row]:
    """Every setting that surfaces were fitted to and ``RIVALS`` were run at, predicted from all others; laws stay."""
    content = json.loads(PATH.read_text("utf-8"))
    settings = np.array(content["settings"], dtype=float)
    shared_settings = set.intersection(*(set(content["methods"][key]["at"]) for key in RIVALS))
    for key in RIVALS:
        runs = content["methods"][key]
        coordinates = coordinates_from(
            *settings[runs["at"]].T, inverse_noise=np.array(runs["loud"])
        )
        errors = np.array(runs["l1"], dtype=float)
        is_one_list = np.array(runs["alone"], dtype=bool)
        laws = {name: Law(**law) for name, law in runs["laws"].items()}
        own_variance, log_ranges = np.array(runs["spread"])
        log_errors = _from_others(coordinates, np.log(errors), laws["errors"], own_variance)
        half_ranges = np.exp(_from_others(coordinates, log_ranges, laws["off"]))
        if "words" in laws:
            signs = np.where(is_one_list, 1.0, -1.0)
            is_one_list = _from_others(coordinates, signs, laws["words"]) > 0
        for i, number in enumerate(runs["at"]):
            if number in shared_settings:
                yield {
                    "number": number,
                    "method": key,
                    "answer": str(Answer.WORDS if is_one_list[i] else Answer.TOPICS),
                    "l1": errors[i],
                    "expected": math.exp(log_errors[i]),
                    "low": math.exp(log_errors[i] - half_ranges[i]),
                    "high": math.exp(log_errors[i] + half_ranges[i]),
                }


def _from_others(
    coordinates: Matrix, values: Vector, law: Law, own_variance: Vector | float = 0.0
) -> Vector:
    """Each value as all others predict it."""
    return values - LeftOut(coordinates, values, law, own_variance).left_out()
