"""Predicted error of every private method, from public numbers alone.

Each method was run on simulated documents at random settings, and a Gaussian process fits the
logarithm of its errors. A second surface fits the leave-one-out residuals: how much single runs
differ. ``python -m benchmarks prediction`` repeats the runs and fits.
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
from dplda.theory.prediction.coordinates import (
    coordinates,
    coordinates_from,
    inverse_noise_multiplier,
)
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
MEAN_LENGTH = 100.0
"""Words in a document, assumed where their number is not public."""
MAX_RUN_SPREAD = 0.5
"""No prediction where nine of ten runs spread wider than this fraction of the error."""


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
        answer: the kind of answer.
        error: mean over topics of the L1 distance from the truth, in [0, 2]. It is set also for one
            list of words, and the middle of the range where single runs differ too much for a
            prediction; else NaN.
        low: lower end of the range of nine of ten runs; NaN like ``error``.
        high: upper end of that range.
    """

    answer: Answer
    error: float = math.nan
    low: float = math.nan
    high: float = math.nan


class FittedMethod:
    """Surfaces fitted to the runs of one method: its errors, and how far single runs deviate.

    Args:
        places: coordinates of its runs, shape (n, p).
        errors: shape (n,), NaN where a run was refused.
        is_one_list: shape (n,), whether the answer was one word list.
        laws: priors of the surfaces by name; an answer that never varies has none.
        spread: shape (2, n): variance of a run, as ``Surface`` takes it, and logarithm of its range
            of nine in ten.
    """

    def __init__(
        self,
        places: Matrix,
        errors: Vector,
        is_one_list: NDArray[np.bool_],
        laws: dict[str, Law],
        spread: Matrix,
    ) -> None:
        """Fit the surface of refusals to all runs, and the others to answered ones.

        Answers that are one word list count among errors.
        Without the law "errors" there is no surface of errors, nor of deviations.
        With it the law "off" must be there, for deviations.
        Without "refused" or "words" the more frequent kind of answer stands everywhere.
        """
        is_answered = np.isfinite(errors)
        answered_places = places[is_answered]
        self._refusals = _AnswerKind(places, ~is_answered, laws.get("refused"))
        self._word_lists = _AnswerKind(answered_places, is_one_list[is_answered], laws.get("words"))
        self._log_errors: Surface | None = None
        self._log_deviations: Surface | None = None
        if "errors" in laws:
            log_errors = np.log(errors[is_answered])
            error_variances, log_deviations = spread[:, is_answered]
            self._log_errors = Surface(answered_places, log_errors, laws["errors"], error_variances)
            self._log_deviations = Surface(answered_places, log_deviations, laws["off"])

    def at(self, places: Matrix) -> Iterator[Expected]:
        """The prediction at each place, shape (m, p), in their order.

        A place is either refused, and has no error then, or has an error and its range. Where the
        range is too wide, the answer is unknown, with error and range. Without a surface of errors
        a place that is not refused is unknown, with neither.
        """
        is_refused = self._refusals.at(places)
        is_one_list = self._word_lists.at(places)
        if self._log_errors is None or self._log_deviations is None:
            for refused in is_refused:
                yield Expected(Answer.REFUSED if refused else Answer.UNKNOWN)
            return
        log_errors = self._log_errors.at(places).tolist()
        deviations = np.exp(self._log_deviations.at(places)).tolist()
        for i in range(len(places)):
            if is_refused[i]:
                yield Expected(Answer.REFUSED)
                continue
            answer = Answer.WORDS if is_one_list[i] else Answer.TOPICS
            yield _expect(answer, log_errors[i], deviations[i])


def _expect(answer: Answer, log_error: float, deviation: float) -> Expected:
    """An error, at most 2, with its range by ``deviation``; marked unknown if that is too wide.

    Error and range are set even then. Both ends of the range are at most 2.

    Args:
        answer: the kind of answer; replaced if the range is too wide.
        log_error: natural logarithm of the error.
        deviation: of the logarithm, to either side; e^deviation − 1 above ``MAX_RUN_SPREAD`` is too
            wide.
    """
    if math.expm1(deviation) > MAX_RUN_SPREAD:
        answer = Answer.UNKNOWN
    return Expected(
        answer,
        error=min(2.0, math.exp(log_error)),
        low=min(2.0, math.exp(log_error - deviation)),
        high=min(2.0, math.exp(log_error + deviation)),
    )


class _AnswerKind:
    """Where answers were of one kind: the sign of a surface through ±1.

    Without a law it is the majority everywhere.

    Args:
        places: coordinates of the runs, shape (n, p).
        is_kind: shape (n,), whether a run's answer was of the kind.
        law: prior of the surface; None where the kind never varies.
    """

    def __init__(self, places: Matrix, is_kind: NDArray[np.bool_], law: Law | None) -> None:
        """Fit a surface of ±1 to places; without a law keep only whether most are of the kind.

        A tie counts as not of the kind, and so does a fit without runs.
        """
        self._surface: Surface | None = None
        if law is not None:
            signs = np.where(is_kind, 1.0, -1.0)
            self._surface = Surface(places, signs, law)
        has_runs = len(is_kind) > 0
        self._is_usual = has_runs and bool(np.mean(is_kind) > 0.5)

    def at(self, places: Matrix) -> NDArray[np.bool_]:
        """Whether each place is of the kind, (m,); without a surface, whether most runs were."""
        if self._surface is None:
            return np.full(len(places), self._is_usual)
        return np.asarray(self._surface.at(places) > 0)


def expected(points: Sequence[Point], text: str) -> tuple[Expected, ...]:
    """The predictions of one method at points, in their order.

    ``Answer.UNKNOWN`` stands at points outside ``RANGES``, where single runs differ too much, and
    at all points for a method that was not run. Only where runs differ has it an error and a range.

    Args:
        points: settings.
        text: of the method.
    """
    fitted_method = known().get(text)
    parsed_method = parse_method(text)
    unknown_prediction = Expected(Answer.UNKNOWN)
    covered_points = [point for point in points if covered(point)]
    if fitted_method is None or not covered_points:
        return (unknown_prediction,) * len(points)
    inverse_noise = np.array(
        [inverse_noise_multiplier(point, parsed_method) for point in covered_points]
    )
    places = coordinates(covered_points, inverse_noise)
    predictions = fitted_method.at(places)
    return tuple(next(predictions) if covered(point) else unknown_prediction for point in points)


def predicted_methods() -> tuple[str, ...]:
    """Names of the private methods with predictions, in the order of the registry."""
    methods_run = known()
    return tuple(method.key for method in private_methods() if method.key in methods_run)


def covered(point: Point) -> bool:
    """Whether the point lies within the settings that were run.

    One with more topics than words does not. Any δ does.
    """
    if not point.possible:
        return False
    return all(low <= point.at(axis) <= high for axis, (low, high) in RANGES.items())


@lru_cache(maxsize=1)
def known() -> dict[str, FittedMethod]:
    """Surfaces fitted to the runs of every method, by the method's text; read and fitted once.

    The runs are those of ``assets/prediction``.
    """
    path = assets.folder() / "prediction" / "runs.json"
    file_content = json.loads(path.read_text("utf-8"))
    settings = np.array(file_content["settings"], dtype=float)
    fitted_methods = {}
    for method, runs in file_content["methods"].items():
        settings_of_runs = settings[runs["at"]]
        inverse_noise = np.array(runs["loud"])
        places = coordinates_from(*settings_of_runs.T, inverse_noise=inverse_noise)
        fitted_methods[method] = FittedMethod(
            places=places,
            errors=np.array(runs["l1"], dtype=float),
            is_one_list=np.array(runs["alone"], dtype=bool),
            laws={name: Law(**law) for name, law in runs["laws"].items()},
            spread=np.array(runs["spread"], dtype=float),
        )
    return fitted_methods
