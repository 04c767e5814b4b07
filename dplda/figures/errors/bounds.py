"""Terms of the theorems' bounds at an ε, and predicted errors against ε."""

import math
from collections.abc import Mapping, Sequence

from dplda.core.formatting import digits
from dplda.figures import theme
from dplda.figures.drawing import Drawing, scatter
from dplda.figures.errors.predicted_lines import (
    predicted_bands,
    predicted_end,
    predicted_line,
    recommendation,
)
from dplda.figures.figure import Figure
from dplda.figures.line_ends import name_lines
from dplda.figures.marks import epsilon_axis, log_ticks, mark_epsilon
from dplda.methods.base.calibration import Calibration
from dplda.methods.registry import parse_method
from dplda.theory.prediction.curves import ErrorCurve
from dplda.theory.theorems.readings import TRIVIAL, Bound

HEIGHT, BELOW = 420, 56  # pixels: the figure, and the space below its axes
SYMBOLS = ("circle-open", "diamond", "square", "star")  # of terms, two of which may coincide


def bound_terms(
    bounds: Mapping[str, Bound | None], *, epsilon: float, chosen: str = "", watermark: str = ""
) -> Figure:
    """Terms and sum of each theorem's bound, with a line at the largest informative value.

    Args:
        bounds: by configuration; None where no finite noise protects the release.
    """
    said = {
        name: f"<br>{bound.source}" if bound else "<br>no finite bound"
        for name, bound in bounds.items()
    }
    rows = {name: _published_title(name) + words for name, words in said.items()}
    rows |= {name: f"<b>{row}</b>" for name, row in rows.items() if name == chosen}
    found = {rows[name]: bound for name, bound in bounds.items() if bound}
    parts: dict[str, dict[str, float]] = {
        term.name: {} for bound in found.values() for term in bound.terms
    }
    for row, known in found.items():
        for term in known.terms:
            parts[term.name][row] = term.value
    parts["sum"] = {row: bound.total for row, bound in found.items()}
    drawing = Drawing()
    drawing.vline(TRIVIAL, dict(color=theme.FLOOR, dash="dash", width=2))
    drawing.annotate(
        dict(
            x=math.log10(TRIVIAL),
            y=1,
            yref="paper",
            yanchor="bottom",
            text="√2: above it, bounds are useless",
        )
    )
    for number, (name, values) in enumerate(parts.items()):
        whole = name == "sum"
        look = {
            "symbol": "line-ns-open" if whole else SYMBOLS[number],
            "size": 22 if whole else 16 - 4 * (number > 0),
            "opacity": 1,
        }
        colour = theme.INK if whole else theme.PALETTE[number]
        drawn = scatter(
            x=list(values.values()),
            y=list(values),
            mode="markers+text" if whole else "markers",
            name=name,
        )
        drawn |= {
            "marker": look
            | {
                "color": colour,
                "line": {"width": 2.5 if whole or not number else 0, "color": colour},
            }
        }
        text = {
            "text": [digits(value, 2) for value in values.values()],
            "textposition": "middle right",
        }
        drawing.add(
            drawn
            | (text if whole else {})
            | {"hovertemplate": f"{name}: %{{x:.3g}}<extra></extra>"}
        )
    shown = [value for part in parts.values() for value in part.values() if value > 0]
    first, last = math.log10(min([0.5, *shown])), math.log10(max([3.0, *shown]))
    ends = [first - 0.2, last + 0.3 * (last - first)]  # room for the sum's number, on a phone too
    drawing.x(
        dict(
            type="log",
            title_text="bound on a topic's L2 error",
            range=ends,
            exponentformat="power",
            nticks=6,
        )
    )
    drawing.y(dict(categoryorder="array", categoryarray=list(rows.values())[::-1], automargin=True))
    drawing.y(dict(range=[-0.6, len(rows) - 0.4], showgrid=True))
    useful = [
        _published_title(name) for name, bound in bounds.items() if bound and not bound.vacuous
    ]
    finding = f"At ε = {epsilon:g} there is no useful bound" + (
        ": all are above √2" if found else ""
    )
    if useful:
        finding = f"At ε = {epsilon:g} only {' and '.join(useful)} {'has' if len(useful) == 1 else 'have'} a useful bound"
    told = [f"{finding}."]
    for name, bound in bounds.items():
        terms = bound and "; ".join(f"{term.name} {term.value:.3g}" for term in bound.terms)
        told.append(
            f"{_published_title(name)}: "
            + (f"{bound.total:.3g} ({terms})." if bound else "no finite bound.")
        )
    return Figure(finding, " ".join(told), HEIGHT, drawing, watermark)


def _published_title(configuration: str) -> str:
    """Title of a configuration with the noise that the theorems are about."""
    return parse_method(f"{configuration}/{Calibration.PUBLISHED}").title


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
