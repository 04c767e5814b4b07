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

HEIGHT = 360  # pixels of the figure
BELOW = 56  # pixels below its axes


def predictions(curves: Sequence[ErrorCurve], *, epsilon: float, chosen: str = "") -> Figure:
    """The predicted error of every method against ε, with its band and its name at the right.

    The title is the recommendation. A method without any finite prediction is not drawn, but the
    alt text, which lists errors at the current ε, says *none* of it.

    Args:
        curves: one for each method, at least one, all at the same values of ε.
        epsilon: the current ε, marked.
        chosen: method whose line and band are stronger; empty for none.
    """
    drawing = Drawing()
    finding = recommendation(curves)
    errors = [error for curve in curves for error in (*curve.totals, *curve.low)]
    positive_errors = [error for error in errors if error > 0]  # NaN is not
    lowest = min([0.5, *positive_errors])
    error_axis = (math.log10(lowest) - 0.1, math.log10(2))
    sentences = [f"{finding}. At ε = {epsilon:g}:"]
    for curve in curves:
        sentences.append(_describe_error(curve, epsilon))
        if curve.drawn:
            is_chosen = curve.configuration == chosen
            drawing.add(*predicted_bands(curve, is_chosen=is_chosen))
            drawing.add(predicted_line(curve, is_chosen=is_chosen))
    epsilons = curves[0].epsilons
    mark_epsilon(drawing, epsilon, log=True)
    epsilon_axis(drawing, epsilons[0], epsilons[-1], log=True)
    y_axis = dict(type="log", title_text="predicted L1 error", range=list(error_axis))
    drawing.y(y_axis | log_ticks(lowest, 2))
    line_ends = [end for curve in curves for end in predicted_end(curve)]
    plot_height = HEIGHT - theme.above(finding) - BELOW
    name_lines(drawing, line_ends, axis=error_axis, pixels=plot_height)
    return Figure(finding, " ".join(sentences), HEIGHT, drawing)


def _describe_error(curve: ErrorCurve, epsilon: float) -> str:
    """One method's predicted error at ε, or *none*, in a sentence of the alt text."""
    title = parse_method(curve.configuration).title
    error = curve.at(epsilon)
    error_text = f"{error:.3g}" if math.isfinite(error) else "none"
    return f"{title} {error_text}."
