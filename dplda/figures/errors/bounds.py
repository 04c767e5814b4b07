"""Errors against ε: what the theorems bound, and what the predictor expects."""

import math
from collections.abc import Sequence

from dplda.figures import theme
from dplda.figures.drawing import Drawing
from dplda.figures.drawing import curve as line
from dplda.figures.figure import Figure
from dplda.figures.marks import epsilon_axis, log_ticks, mark_epsilon, say_at
from dplda.methods.registry import parse_method
from dplda.theory.prediction.curves import ErrorCurve
from dplda.theory.theorems.readings import TRIVIAL

DASHES = ("solid", "6px,3px", "2px,3px", "10px,4px", "8px,3px,2px,3px", "4px,2px")


def bounds(curves: Sequence[ErrorCurve], *, epsilon: float, chosen: str = "", watermark: str = "") -> Figure:
    """The theorems' expressions, constant 1, with the line above which a bound says nothing.

    Args:
        curves: one for each configuration that has a theorem; those without a point are left out.
    """
    drawing = _curves(curves, epsilon, chosen, "bound %{y:.3g} at ε = %{x:g}")
    drawing.hline(TRIVIAL, dict(color=theme.FLOOR, dash="dash", width=2))
    say_at(drawing, math.log10(TRIVIAL), "√2: vacuous above", anchor="top")
    values = [value for curve in curves for value in curve.totals if math.isfinite(value)]
    ends = [math.log10(min([0.5, *values])) - 0.25, math.log10(max([3.0, *values])) + 0.15]
    title = "bound on a topic's L2 error"
    drawing.y(dict(type="log", title_text=title, range=ends, exponentformat="power", nticks=6))
    there = [curve for curve in curves if math.isfinite(curve.at(epsilon))]
    useful = [parse_method(curve.configuration).title for curve in there if curve.at(epsilon) < TRIVIAL]
    finding = f"At ε = {epsilon:g} below √2: {', '.join(useful)}"
    if not useful:
        finding = f"At ε = {epsilon:g} " + (
            "every bound is vacuous: above √2" if there else "no theorem gives a finite bound"
        )
    return _finished(drawing, finding, curves, epsilon, watermark)


def predictions(curves: Sequence[ErrorCurve], *, epsilon: float, chosen: str = "", watermark: str = "") -> Figure:
    """The error to expect of every method; arguments as for ``bounds``."""
    drawing = _curves(curves, epsilon, chosen, "predicted error %{y:.3f} at ε = %{x:g}")
    low = min([0.5, *(value for curve in curves for value in curve.totals if value > 0)])  # NaN is not
    ends = [math.log10(low) - 0.1, math.log10(2)]
    drawing.y(dict(type="log", title_text="predicted mean L1 error (at most 2)", range=ends, **log_ticks(low, 2)))
    there = [curve for curve in curves if math.isfinite(curve.at(epsilon))]
    finding = f"At ε = {epsilon:g} there is no prediction"
    if there:
        best = min(there, key=lambda curve: curve.at(epsilon))
        title = parse_method(best.configuration).title
        finding = f"At ε = {epsilon:g} {title} has the smallest predicted error ({best.at(epsilon):.2g})"
    return _finished(drawing, finding, curves, epsilon, watermark)


def _curves(curves: Sequence[ErrorCurve], epsilon: float, chosen: str, hover: str) -> Drawing:
    drawing = Drawing()
    for number, curve in enumerate(curves):
        if curve.drawn:
            method, own = parse_method(curve.configuration), curve.configuration == chosen
            look, width, size = method.look, 3.5 if own else 1.8, 8 if own else 6
            dash = DASHES[number % len(DASHES)]
            drawn = line(method.title, curve.epsilons, curve.totals, look.colour, hover, dash=dash, width=width)
            drawing.add(drawn | {"marker": {"symbol": look.marker, "size": size}})
    mark_epsilon(drawing, epsilon, log=True)
    epsilons = curves[0].epsilons if curves else (0.1, 10.0)
    epsilon_axis(drawing, epsilons[0], epsilons[-1], log=True)
    drawing.set(dict(showlegend=True))
    return drawing


def _finished(drawing: Drawing, finding: str, curves: Sequence[ErrorCurve], epsilon: float, watermark: str) -> Figure:
    """With the number of every curve at the current ε."""
    said = [f"{finding}."]
    for curve in curves:
        value = curve.at(epsilon)
        number = f"{value:.3g}" if math.isfinite(value) else "none"
        said.append(f"{parse_method(curve.configuration).title}: {number}.")
    return Figure(finding, " ".join(said), 420, drawing, watermark)
