"""Predicted errors as lines in bands of nine in ten runs, and the method they recommend."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from dplda.core.formatting import digits
from dplda.figures import theme
from dplda.figures.drawing import Part, curve
from dplda.figures.errors.bands import band_shapes
from dplda.figures.line_ends import LineEnd
from dplda.methods.registry import parse_method
from dplda.privacy.release import Status
from dplda.theory.prediction.curves import ErrorCurve
from dplda.theory.prediction.regimes import ranked

DASHES = {Status.PROVEN: "solid", Status.AS_PUBLISHED: "7px,4px", Status.NOT_PRIVATE: "2px,3px"}
THIN = 1.6  # pixels of a line
CHOSEN = 3.5  # pixels of the chosen method's line
FAINT_BAND = 0.07  # opacity of a band
CHOSEN_BAND = 0.2  # opacity of the chosen method's band


def predicted_bands(prediction: ErrorCurve, *, is_chosen: bool = False) -> Iterator[Part]:
    """The ranges of nine in ten runs as closed shapes, one for each stretch of ε with predictions.

    Nothing for a stretch of one ε, or without ranges. The chosen method's band is stronger.
    """
    if not prediction.low:
        return
    method = parse_method(prediction.configuration)
    band_strength = CHOSEN_BAND if is_chosen else FAINT_BAND
    yield from band_shapes(
        prediction.epsilons,
        prediction.low,
        prediction.high,
        [math.isfinite(low) for low in prediction.low],
        colour=theme.faint(method.style.colour, band_strength),
        legend_group=method.key,
        title=method.title,
    )


def predicted_line(prediction: ErrorCurve, *, is_chosen: bool = False) -> Part:
    """A method's predicted errors against ε, with their ranges in hover texts where known.

    The chosen method's line is thicker, with larger markers. It is not in the legend.
    """
    method = parse_method(prediction.configuration)
    line_width = THIN
    marker_size = 6
    if is_chosen:
        line_width = CHOSEN
        marker_size = 8
    trace = curve(
        method.title,
        prediction.epsilons,
        prediction.totals,
        method.style.colour,
        "predicted error %{y:.3f} at ε = %{x:g}%{customdata}",
        dash=DASHES[method.status],
        width=line_width,
        symbol=f"{method.style.marker}-open",
        size=marker_size,
    )
    ranges = zip(prediction.low, prediction.high, strict=True)
    range_texts = [_range_text(low, high) for low, high in ranges]
    if not range_texts:
        range_texts = [""] * len(prediction.epsilons)
    return trace | {"customdata": range_texts, "legendgroup": method.key, "showlegend": False}


def _range_text(low: float, high: float) -> str:
    """A line of a hover text with the range of nine in ten runs; empty where none is predicted."""
    if not math.isfinite(low):
        return ""
    return f"<br>9 of 10 runs: {digits(low, 2)} to {digits(high, 2)}"


def predicted_end(prediction: ErrorCurve) -> Iterator[LineEnd]:
    """The name at the last finite error of a predicted line, if it has any."""
    method = parse_method(prediction.configuration)
    finite_errors = [error for error in prediction.totals if math.isfinite(error)]
    if finite_errors:
        height = math.log10(finite_errors[-1])
        yield LineEnd(method.title, method.style.colour, True, height)


def recommendation(predictions: Sequence[ErrorCurve]) -> str:
    """Say in a title which method to choose at most values of ε, as the map of regimes chooses it.

    It does not depend on the current ε. Only methods in their recommended calibration are chosen
    from; where none has a prediction at any ε, the title says so.

    Args:
        predictions: at least one, all over the ε of the first.
    """
    choices = [
        prediction
        for prediction in predictions
        if parse_method(prediction.configuration).is_recommended
    ]
    errors_at_each_epsilon = [
        {prediction.configuration: prediction.at(epsilon) for prediction in choices}
        for epsilon in predictions[0].epsilons
    ]
    rankings = [ranked(errors) for errors in errors_at_each_epsilon]
    counts = Counter(ranking[0] for ranking in rankings if ranking)
    if not counts:
        return "No error is predicted at these numbers"
    ((best_method, n_wins),) = counts.most_common(1)
    where_text = "at every ε"
    if n_wins < len(rankings):
        where_text = f"at {n_wins} of {len(rankings)} values of ε"
    return f"Predictions recommend {parse_method(best_method).title} {where_text}"
