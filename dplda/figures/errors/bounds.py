"""Predicted errors against ε."""

import math
from collections.abc import Sequence

from dplda.figures import theme
from dplda.figures.drawing import Drawing
from dplda.figures.errors.predicted_lines import (
    predicted_bands,
    predicted_end,
    predicted_line,
    recommendation,
)
from dplda.figures.figure import Figure
from dplda.figures.line_ends import name_lines
from dplda.figures.marks import epsilon_axis, log_ticks, mark_epsilon
from dplda.methods.registry import parse_method
from dplda.theory.prediction.curves import ErrorCurve

HEIGHT, BELOW = 420, 56  # pixels: the figure, and the space below its axes


def predictions(curves: Sequence[ErrorCurve], *, epsilon: float, chosen: str = "") -> Figure:
    """The predicted error of every method against ε, and at the current one in the alt text."""
    drawing, finding = Drawing(), recommendation(curves)
    errors = [value for curve in curves for value in (*curve.totals, *curve.low)]
    low = min([0.5, *(value for value in errors if value > 0)])  # NaN is not
    axis = (math.log10(low) - 0.1, math.log10(2))
    said = [f"{finding}. At ε = {epsilon:g}:"]
    for curve in curves:
        value = curve.at(epsilon)
        title = parse_method(curve.configuration).title
        said.append(f"{title} {f'{value:.3g}' if math.isfinite(value) else 'none'}.")
        if curve.drawn:
            is_chosen = curve.configuration == chosen
            drawing.add(*predicted_bands(curve, is_chosen=is_chosen))
            drawing.add(predicted_line(curve, is_chosen=is_chosen))
    mark_epsilon(drawing, epsilon, log=True)
    epsilon_axis(drawing, curves[0].epsilons[0], curves[0].epsilons[-1], log=True)
    drawing.y(
        dict(type="log", title_text="predicted L1 error", range=list(axis), **log_ticks(low, 2))
    )
    ends = [end for curve in curves for end in predicted_end(curve)]
    name_lines(drawing, ends, axis=axis, pixels=HEIGHT - theme.above(finding) - BELOW)
    return Figure(finding, " ".join(said), HEIGHT, drawing)
