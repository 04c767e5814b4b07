"""The best method at a point, in one sentence, and what helps where every method fails."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dplda.core.formatting import digits
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import RANGES, UNIGRAM, Answer, Expected, predicted_methods
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.regimes import cells_at, errors_of, ranked, too_close

READABLE = 0.5
"""Mean L1 error up to which topics are readable: a quarter of the weight is wrong."""
FAILS = 0.8
"""Mean L1 error above which a method fails."""
HELPS = {
    Axis.TOPICS: -1,
    Axis.WORDS: -1,
    Axis.DOCUMENTS: 1,
    Axis.EPSILON: 1,
}
"""Whether a smaller (−1) or a larger (1) value helps, by axis."""
SCAN = 40  # values tried along each axis


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Methods compared at a point.

    Attributes:
        predictions: of every method that competes, by its text.
        errors: finite errors by method, measured where they were, else predicted.
        measured: the measured ones among ``errors``.
        order: methods with an error, as recommended: see ``ranked``.
    """

    predictions: Mapping[str, Expected]
    errors: Mapping[str, float]
    measured: Mapping[str, float]
    order: Sequence[str]

    @property
    def kind(self) -> str:
        """Whether the first method's error is "measured" or "predicted"."""
        return "measured" if self.order[0] in self.measured else "predicted"

    @property
    def is_tie(self) -> bool:
        """Whether there are two methods or more, and the first two are too close to call."""
        if len(self.order) < 2:
            return False
        first, second = self.order[:2]
        return too_close(self.errors, first, second, self.measured)

    @property
    def ranges_overlap(self) -> bool:
        """Whether the ranges of the first two methods overlap, both errors being predicted."""
        if len(self.order) < 2:
            return False
        first, second = self.order[:2]
        if first in self.measured or second in self.measured:
            return False
        return self.predictions[first].high > self.predictions[second].low

    def error_text(self, method: str) -> str:
        """A method's error, with its range if predicted.

        It is marked as measured or predicted if the first method's error is of the other kind.
        Where single runs differ too much for one number, the range stands alone.
        """
        if method in self.measured:
            measured_text = digits(self.measured[method], 2)
            return f"{measured_text} (measured)" if self.kind == "predicted" else measured_text
        prediction = self.predictions[method]
        range_text = f"{digits(prediction.low, 2)} to {digits(prediction.high, 2)}"
        is_marked = self.kind == "measured"
        if prediction.answer is Answer.UNKNOWN:
            return f"{range_text} (predicted)" if is_marked else range_text
        error_text = digits(prediction.error, 2)
        if is_marked:
            return f"{error_text} (predicted {range_text})"
        return f"{error_text} ({range_text})"


def advice(
    point: Point,
    measured: Mapping[str, float] | None = None,
    methods: Sequence[str] | None = None,
) -> str:
    """Sentence naming the recommended method, its error and range, and the second best.

    It says so instead where no error is predicted, where the best two are too close to call, and
    where no method beats the private unigram.
    A measured error has no range. Where only one method has an error, no second best is named.

    Args:
        point: the seven public numbers.
        measured: mean L1 errors of methods that were run at the point; finite ones of methods that
            compete replace predictions.
        methods: texts of those to choose from; all with predictions by default.
    """
    competing_methods = predicted_methods() if methods is None else tuple(methods)
    comparison = _compare(point, measured or {}, competing_methods)
    if not comparison.order:
        return _say_nothing_is_predicted()
    if comparison.is_tie:
        return _say_tie(comparison)
    if comparison.order[0] == UNIGRAM:
        no_method = "no method" if methods is None else "none of these"
        return (
            f"{no_method} beats the {_bold_title(UNIGRAM)}, one list of words for every topic:"
            f" {comparison.kind} error {comparison.error_text(UNIGRAM)}."
        )
    return _say_best(comparison)


def _compare(point: Point, measured: Mapping[str, float], methods: Sequence[str]) -> _Comparison:
    """Compare methods at a point.

    Measured errors that are not finite, or of other methods, do not count.
    """
    (predictions,) = cells_at([point], methods)
    prediction_by_method = dict(zip(methods, predictions, strict=True))
    predicted_errors = dict(zip(methods, errors_of(predictions, methods), strict=True))
    measured_of_methods = {method: error for method, error in measured.items() if method in methods}
    measured_errors = _finite_only(measured_of_methods)
    errors = _finite_only(predicted_errors) | measured_errors
    return _Comparison(
        predictions=prediction_by_method,
        errors=errors,
        measured=measured_errors,
        order=ranked(errors, measured_errors),
    )


def _finite_only(errors: Mapping[str, float]) -> dict[str, float]:
    return {text: error for text, error in errors.items() if math.isfinite(error)}


def _bold_title(method: str) -> str:
    return f"**{parse_method(method).title}**"


def _say_nothing_is_predicted() -> str:
    """Say that no error is predicted, and the range of every number that predictions cover."""
    range_texts = []
    for axis, (low, high) in RANGES.items():
        range_texts.append(f"{axis.symbol} {axis.text(low)} to {axis.text(high)}")
    ranges = ", ".join(range_texts)
    return f"no error is predicted: predictions cover {ranges}."


def _say_tie(comparison: _Comparison) -> str:
    """Say that the best two methods are too close to call, with both errors."""
    first, second = comparison.order[:2]
    both_error_texts = f"{comparison.error_text(first)} and {comparison.error_text(second)}"
    return (
        f"{_bold_title(first)} and {_bold_title(second)} are too close to call:"
        f" {comparison.kind} error {both_error_texts}."
    )


def _say_best(comparison: _Comparison) -> str:
    """Say which method is best, the second best, and whether their ranges overlap.

    A first method without the smallest error owes its place to the head start, and the sentence
    says so instead. The comparison must have at least one method in its order.
    """
    best_method, *other_methods = comparison.order[:2]
    title = _bold_title(best_method)
    error_text = comparison.error_text(best_method)
    if not other_methods:
        return f"{title} has the smallest {comparison.kind} error: {error_text}."
    second_method = other_methods[0]
    second_title = _bold_title(second_method)
    second_error_text = comparison.error_text(second_method)
    if comparison.errors[second_method] < comparison.errors[best_method]:
        return (
            f"choose {title}: predicted error {error_text}. {second_title} has {second_error_text},"
            f" but runs this close favor {title}."
        )
    caveat_sentence = ""
    if comparison.ranges_overlap:
        caveat_sentence = " The two are too close to call."
    return (
        f"{title} has the smallest {comparison.kind} error: {error_text};"
        f" {second_title} {second_error_text}.{caveat_sentence}"
    )


def least_errors(points: list[Point]) -> list[float]:
    """The smallest error with which any method competes at each point; see ``errors_of``.

    The private unigram competes too.
    NaN where no method competes: none is predicted, or all are refused or return one word list.
    """
    methods = predicted_methods()
    least_by_point = []
    for cell in cells_at(points, methods):
        errors = errors_of(cell, methods)
        least_error = math.nan
        if np.any(np.isfinite(errors)):
            least_error = float(np.nanmin(errors))
        least_by_point.append(least_error)
    return least_by_point


@lru_cache(maxsize=256)
def remedies(point: Point) -> dict[Axis, float] | None:
    """For each number, the nearest value at which a method finds readable topics, if all fail now.

    A method fails with an error above ``FAILS``; topics are readable up to ``READABLE``.

    Returns:
        Fewer topics or words, more documents or ε, each alone, within ``RANGES``. Values are
        tried on a logarithmic grid. A number that helps at no value is left out, so the result
        may be empty. None where some method does not fail, or no method competes.
    """
    (least_error,) = least_errors([point])
    if not least_error > FAILS:
        return None
    nearest_values = {}
    for axis, direction in HELPS.items():
        low, high = RANGES[axis]
        far_end = low if direction < 0 else high
        axis_values = [
            axis.rounded(float(axis_value))
            for axis_value in np.geomspace(point.at(axis), far_end, SCAN)[1:]
        ]
        errors = least_errors([point.moved(axis, axis_value) for axis_value in axis_values])
        readable_values = [
            axis_value
            for axis_value, error in zip(axis_values, errors, strict=True)
            if error <= READABLE
        ]
        if readable_values:
            nearest_values[axis] = readable_values[0]
    return nearest_values
