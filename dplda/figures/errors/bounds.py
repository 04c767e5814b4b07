"""Errors against ε: what the theorems bound, and what the predictor expects."""

import math
from collections.abc import Sequence

from dplda.figures import theme
from dplda.figures.drawing import Drawing, scatter
from dplda.figures.figure import Figure
from dplda.figures.marks import mark_epsilon, say_trivial
from dplda.methods.registry import may_be_better, parse_method
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
    say_trivial(drawing, math.log10(TRIVIAL), "√2: vacuous above", anchor="top")
    values = [value for curve in curves for value in curve.totals if math.isfinite(value)]
    low, high = math.log10(min([0.5, *values])), math.log10(max([3.0, *values]))
    drawing.y(
        dict(
            type="log",
            title_text="bound on a topic's L2 error",
            range=[low - 0.25, high + 0.15],
            exponentformat="power",
            nticks=6,
        )
    )
    return _finished(drawing, _bounds_finding(curves, epsilon), curves, epsilon, watermark)


def _bounds_finding(curves: Sequence[ErrorCurve], epsilon: float) -> str:
    """What the bounds say at the current ε, a sentence."""
    there = [curve for curve in curves if math.isfinite(curve.at(epsilon))]
    useful = [parse_method(curve.configuration).title for curve in there if curve.at(epsilon) < TRIVIAL]
    if not there:
        return f"At ε = {epsilon:g} no theorem gives a finite bound"
    if not useful:
        return f"At ε = {epsilon:g} every bound is vacuous: above √2"
    return f"At ε = {epsilon:g} below √2: {', '.join(useful)}"


def predictions(curves: Sequence[ErrorCurve], *, epsilon: float, chosen: str = "", watermark: str = "") -> Figure:
    """The error to expect of the proven configurations; arguments as for ``bounds``."""
    drawing = _curves(curves, epsilon, chosen, "predicted error %{y:.3f} at ε = %{x:g}")
    values = [value for curve in curves for value in curve.totals if math.isfinite(value) and value > 0]
    low = math.log10(min([0.5, *values]))
    drawing.y(
        dict(
            type="log",
            title_text="predicted mean L1 error (at most 2)",
            range=[low - 0.1, math.log10(2)],
            tickvals=[0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 2],
            ticktext=["0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1", "2"],
        )
    )
    return _finished(drawing, _predictions_finding(curves, epsilon), curves, epsilon, watermark)


def _predictions_finding(curves: Sequence[ErrorCurve], epsilon: float) -> str:
    """Which method has the smallest predicted error at the current ε, and which is not predicted."""
    there = [curve for curve in curves if math.isfinite(curve.at(epsilon))]
    if not there:
        return f"At ε = {epsilon:g} there is no prediction"
    best = min(there, key=lambda curve: curve.at(epsilon))
    title = parse_method(best.configuration).title
    said = f"Among the methods that can be predicted, {title} has the smallest error ({best.at(epsilon):.2g})."
    return f"{said} {may_be_better([curve.configuration for curve in curves])}".rstrip(". ")


def _finished(drawing: Drawing, finding: str, curves: Sequence[ErrorCurve], epsilon: float, watermark: str) -> Figure:
    said = [f"{finding}."]
    for curve in curves:
        value = curve.at(epsilon)
        number = f"{value:.3g}" if math.isfinite(value) else "none"
        said.append(f"{parse_method(curve.configuration).title}: {number}.")
    return Figure(finding, " ".join(said), 420, drawing, watermark)


def _curves(curves: Sequence[ErrorCurve], epsilon: float, chosen: str, hover: str) -> Drawing:
    drawing = Drawing()
    for number, curve in enumerate(curves):
        if not curve.drawn:
            continue
        method = parse_method(curve.configuration)
        look, title = method.look, method.title
        drawing.add(
            scatter(
                x=curve.epsilons,
                y=[value if math.isfinite(value) else None for value in curve.totals],
                name=title,
                mode="lines+markers",
                line={
                    "color": look.colour,
                    "dash": DASHES[number % len(DASHES)],
                    "width": 3.5 if curve.configuration == chosen else 1.8,
                },
                marker={"symbol": look.marker, "size": 8 if curve.configuration == chosen else 6},
                hovertemplate=f"{hover}<extra>{title}</extra>",
            )
        )
    mark_epsilon(drawing, epsilon, log=True)
    _epsilon_axis(drawing, curves[0].epsilons if curves else (0.1, 10.0))
    drawing.set(dict(showlegend=True))
    return drawing


def _epsilon_axis(drawing: Drawing, epsilons: Sequence[float]) -> None:
    low, high = math.log10(epsilons[0]), math.log10(epsilons[-1])
    drawing.x(
        dict(
            type="log",
            title_text="privacy loss ε",
            range=[low - 0.05, high + 0.05],
            tickvals=[0.1, 0.2, 0.5, 1, 2, 5, 10],
            ticktext=["0.1", "0.2", "0.5", "1", "2", "5", "10"],
            showgrid=False,
        )
    )
