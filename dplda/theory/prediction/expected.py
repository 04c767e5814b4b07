"""Predicted error of every private method, from public numbers alone.

Each method was run on simulated documents at random settings, and a Gaussian process fits the logarithm of its errors.
A second surface fits the leave-one-out residuals: how much single runs differ.
``python -m benchmarks prediction`` repeats the runs and fits.
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dplda.core import assets
from dplda.core.types import Matrix, Vector
from dplda.methods.registry import parse_method, private_methods
from dplda.theory.prediction.coordinates import coordinates, loudness, places_of
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.surface import Law, Surface

RANGES = {
    Axis.DOCUMENTS: (1e3, 1e6),
    Axis.WORDS: (50, 5_000),
    Axis.TOPICS: (2, 50),
    Axis.ALPHA0: (0.05, 10),
    Axis.LENGTH: (10, 300),
    Axis.EPSILON: (0.1, 10),
}
UNIGRAM = "private-unigram"
MEAN_LENGTH = 100.0  # words in a document, assumed where it is not public
SURE = 0.5  # no prediction where nine of ten runs spread wider than this around the error


class Answer(StrEnum):
    """The kind of answer expected from a method."""

    TOPICS = "topics"
    WORDS = "one list of words"
    REFUSED = "refused"
    UNKNOWN = "not predicted"


@dataclass(frozen=True, slots=True)
class Expected:
    """The error predicted for a method at a point.

    Attributes:
        error: mean over topics of the L1 distance from the truth, in [0, 2]; NaN without topics. Where single runs
            differ too much for a prediction, the middle of their range.
        low, high: range of nine of ten runs.
    """

    answer: Answer
    error: float = math.nan
    low: float = math.nan
    high: float = math.nan


class Known:
    """Surfaces fitted to the runs of one method: its errors, and how far single runs deviate.

    Args:
        places: coordinates of its runs, shape (n, p).
        errors: shape (n,), NaN where a run was refused.
        alone: shape (n,), whether the answer was one word list.
        laws: priors of the surfaces by name; an answer that never varies has none.
        spread: shape (2, n): variance of a run, as ``Surface`` takes it, and logarithm of its range of nine in ten.
    """

    def __init__(
        self,
        places: Matrix,
        errors: Vector,
        alone: NDArray[np.bool_],
        laws: dict[str, Law],
        spread: Matrix,
    ) -> None:
        there = np.isfinite(errors)
        places_there = places[there]
        self._answers = {
            Answer.REFUSED: _Class(places, ~there, laws.get("refused")),
            Answer.WORDS: _Class(places_there, alone[there], laws.get("words")),
        }
        self._errors = self._off = None
        if "errors" in laws:
            self._errors = Surface(
                places_there, np.log(errors[there]), laws["errors"], spread[0, there]
            )
            self._off = Surface(places_there, spread[1, there], laws["off"])

    def at(self, places: Matrix) -> Iterator[Expected]:
        """The prediction at each place, shape (m, p)."""
        is_of = {answer: one.at(places) for answer, one in self._answers.items()}
        if self._errors is None or self._off is None:
            for refused in is_of[Answer.REFUSED]:
                yield Expected(Answer.REFUSED if refused else Answer.UNKNOWN)
            return
        logs, off = self._errors.at(places), np.exp(self._off.at(places))
        for i, (log, by) in enumerate(zip(logs.tolist(), off.tolist(), strict=True)):
            if is_of[Answer.REFUSED][i]:
                yield Expected(Answer.REFUSED)
                continue
            answer = Answer.WORDS if is_of[Answer.WORDS][i] else Answer.TOPICS
            if math.expm1(by) > SURE:
                answer = Answer.UNKNOWN
            yield Expected(answer, *(min(2.0, math.exp(log + step)) for step in (0.0, -by, by)))


class _Class:
    """Where runs were of one kind: the sign of a surface through ±1, or a constant."""

    def __init__(self, places: Matrix, kind: NDArray[np.bool_], law: Law | None) -> None:
        self._surface = None if law is None else Surface(places, np.where(kind, 1.0, -1.0), law)
        self._always = bool(np.mean(kind) > 0.5) if len(kind) else False

    def at(self, places: Matrix) -> NDArray[np.bool_]:
        if self._surface is None:
            return np.full(len(places), self._always)
        return np.asarray(self._surface.at(places) > 0)


def expected(points: Sequence[Point], text: str) -> tuple[Expected, ...]:
    """The predictions of one method at points; unknown outside ``RANGES`` and where single runs differ too much."""
    of, method = known().get(text), parse_method(text)
    inside = [point for point in points if covered(point)]
    if of is None or not inside:
        return (Expected(Answer.UNKNOWN),) * len(points)
    found = of.at(coordinates(inside, np.array([loudness(point, method) for point in inside])))
    return tuple(next(found) if covered(point) else Expected(Answer.UNKNOWN) for point in points)


def predicted_methods() -> tuple[str, ...]:
    """Names of the private methods with predictions, in the order of the registry."""
    return tuple(method.key for method in private_methods() if method.key in known())


def covered(point: Point) -> bool:
    """Whether the point lies within the settings that were run."""
    return point.possible and all(
        low <= point.at(axis) <= high for axis, (low, high) in RANGES.items()
    )


@lru_cache(maxsize=1)
def known() -> dict[str, Known]:
    """The fitted surfaces of every method that was run, by its name."""
    held = json.loads((assets.folder() / "prediction" / "runs.json").read_text("utf-8"))
    settings = np.array(held["settings"], dtype=float)
    found = {}
    for text, runs in held["methods"].items():
        places = places_of(*settings[runs["at"]].T, loud=np.array(runs["loud"]))
        errors, alone = np.array(runs["l1"], dtype=float), np.array(runs["alone"], dtype=bool)
        laws = {name: Law(**law) for name, law in runs["laws"].items()}
        found[text] = Known(places, errors, alone, laws, np.array(runs["spread"], dtype=float))
    return found
