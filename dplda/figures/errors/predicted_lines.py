"""Predicted errors as thin lines in bands of nine in ten runs, and the method that they recommend."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from dplda.core.formatting import digits
from dplda.figures import theme
from dplda.figures.drawing import Part, curve, scatter
from dplda.figures.line_ends import LineEnd
from dplda.methods.registry import parse_method
from dplda.privacy.release import Status
from dplda.theory.prediction.curves import ErrorCurve
from dplda.theory.prediction.regimes import ranked

DASHES = {Status.PROVEN: "solid", Status.AS_PUBLISHED: "7px,4px", Status.NOT_PRIVATE: "2px,3px"}
THIN, CHOSEN = 1.6, 3.5  # pixels: of lines, and of the chosen method's
FAINT_BAND, CHOSEN_BAND = 0.07, 0.2  # opacity: of bands, and of the chosen method's


def predicted_bands(
    prediction: ErrorCurve, *, scale: float = 1.0, is_chosen: bool = False
) -> Iterator[Part]:
    """The ranges of nine in ten runs as closed shapes, one for each stretch of ε with predictions."""
    method = parse_method(prediction.configuration)
    rows = zip(prediction.epsilons, prediction.low, prediction.high, strict=True)
    ranges = list(rows) if prediction.low else []
    for is_drawn, stretch in groupby(ranges, key=lambda row: math.isfinite(row[1])):
        points = list(stretch)
        if not is_drawn or len(points) < 2:
            continue
        epsilons = [epsilon for epsilon, _, _ in points]
        lower_ends = [scale * low for _, low, _ in points]
        upper_ends = [scale * high for _, _, high in points]
        yield scatter(
            x=epsilons + epsilons[::-1],
            y=lower_ends + upper_ends[::-1],
            fill="toself",
            fillcolor=theme.faint(method.style.colour, CHOSEN_BAND if is_chosen else FAINT_BAND),
            mode="none",
            hoverinfo="skip",
            legendgroup=method.key,
            showlegend=False,
            name=method.title,
        )


def predicted_line(prediction: ErrorCurve, *, scale: float = 1.0, is_chosen: bool = False) -> Part:
    """A method's predicted errors against ε; ``scale`` turns mean L1 errors into the errors drawn."""
    method = parse_method(prediction.configuration)
    drawn = curve(
        method.title,
        prediction.epsilons,
        [scale * total for total in prediction.totals],
        method.style.colour,
        "predicted error %{y:.3f} at ε = %{x:g}%{customdata}",
        dash=DASHES[method.status],
        width=CHOSEN if is_chosen else THIN,
        symbol=f"{method.style.marker}-open",
        size=8 if is_chosen else 6,
    )
    told = [
        f"<br>9 of 10 runs: {digits(scale * low, 2)} to {digits(scale * high, 2)}"
        if math.isfinite(low)
        else ""
        for low, high in zip(prediction.low, prediction.high, strict=True)
    ]
    if not told:
        told = [""] * len(prediction.epsilons)
    return drawn | {"customdata": told, "legendgroup": method.key, "showlegend": False}


def predicted_end(prediction: ErrorCurve, *, scale: float = 1.0) -> Iterator[LineEnd]:
    """The name at a predicted line's right end, if the line is drawn."""
    method = parse_method(prediction.configuration)
    for total in [total for total in prediction.totals if math.isfinite(total)][-1:]:
        yield LineEnd(method.title, method.style.colour, True, math.log10(scale * total))


def recommendation(predictions: Sequence[ErrorCurve]) -> str:
    """The method to choose at most ε, as the map of regimes chooses it; independent of the current ε.

    Only methods in their recommended calibration are chosen from.
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
    ((best_method, number),) = counts.most_common(1)
    where = "at every ε"
    if number < len(rankings):
        where = f"at {number} of {len(rankings)} values of ε"
    return f"Predictions recommend {parse_method(best_method).title} {where}"
