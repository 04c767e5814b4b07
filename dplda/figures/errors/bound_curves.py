"""The theorems' bounds against the number of documents."""

import math
from collections.abc import Sequence
from operator import itemgetter

from dplda.core.formatting import digits
from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, curve
from dplda.figures.errors.predicted_lines import CHOSEN, DASHES, THIN
from dplda.figures.figure import Figure
from dplda.figures.marks import label_line, log_ticks, mark_current
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method import Method
from dplda.methods.registry import parse_method
from dplda.theory.theorems.bounds import THEOREMS
from dplda.theory.theorems.by_documents import BoundByDocuments
from dplda.theory.theorems.readings import TRIVIAL

HEIGHT = 320
"""Pixels of the figure."""
LABEL_PITCH = 15
"""Pixels between labels at the line √2."""
LEAST_HIGH = 30.0
"""The vertical axis ends at this bound or above."""
HIGHEST_SHOWN = 1e5
"""The vertical axis ends at this bound or below."""
MOST_DECADES = 9.0
"""Powers of ten on the horizontal axis that are all written."""
LEAST_LOW = 1e-3
"""The vertical axis begins at this bound or above."""


def bounds_against_documents(
    curves: Sequence[BoundByDocuments],
    *,
    n_documents: int,
    chosen: str = "",
    watermark: str = "",
) -> Figure:
    """Each theorem's bound against the number of documents, and where it begins to say something.

    The legend is hidden where every bound begins somewhere, since a label names its line there.

    Args:
        curves: one for each configuration, over the same numbers of documents.
        n_documents: ``N`` of the experiment, marked by a vertical line.
        chosen: configuration whose line is thick; empty for none.
        watermark: written across the figure; empty for none.
    """
    drawing = Drawing()
    for curve_of_method in curves:
        method = _published_method(curve_of_method.configuration)
        is_chosen = curve_of_method.configuration == chosen
        drawing.add(
            _bound_line(curve_of_method, method, is_chosen=is_chosen),
            _mark_here(curve_of_method, method, n_documents),
        )
    drawing.hline(TRIVIAL, dict(color=theme.FLOOR, dash="dash", width=2))
    label_line(drawing, math.log10(TRIVIAL), "√2: below it, a bound says something")
    _label_beginnings(drawing, curves)
    mark_current(drawing, n_documents, f"here: N = {n_documents:,}", log=True)
    _set_axes(drawing, curves)
    is_every_line_named = all(curve_of_bound.enough is not None for curve_of_bound in curves)
    drawing.set(
        dict(
            showlegend=not is_every_line_named,
            legend=dict(orientation="h", y=-0.3, font_size=theme.SMALL_LETTERS),
        )
    )
    finding = _finding(curves, n_documents, chosen)
    spoken_sentences = " ".join(_describe(curve_of_method) for curve_of_method in curves)
    return Figure(finding, f"{finding}. {spoken_sentences}", HEIGHT, drawing, watermark)


def _set_axes(drawing: Drawing, curves: Sequence[BoundByDocuments]) -> None:
    """Set both axes, which are logarithmic.

    From ``MOST_DECADES`` powers of ten on, only every third is written on the horizontal axis.
    """
    fewest, *_, most = curves[0].documents
    n_decades = math.log10(most / fewest)
    decades_between_ticks = 1 if n_decades < MOST_DECADES else 3
    drawing.x(
        dict(
            type="log",
            title_text="documents N, all else as it is",
            range=[math.log10(fewest), math.log10(most)],
            showgrid=False,
            dtick=decades_between_ticks,
            exponentformat="B",  # 10k, 100k, 1M: powers of ten would be in smaller letters
        )
    )
    lowest_bound, highest_bound = _range_of_bounds(curves)
    drawing.y(
        dict(
            type="log",
            title_text="bound on a topic's L2 error",
            range=[math.log10(lowest_bound), math.log10(highest_bound)],
            **log_ticks(lowest_bound, highest_bound, most=6),
        )
    )


def _range_of_bounds(curves: Sequence[BoundByDocuments]) -> tuple[float, float]:
    """Lower and upper end of the vertical axis: a factor of 3 beyond all finite bounds at N.

    The upper end is from ``LEAST_HIGH`` to ``HIGHEST_SHOWN``, the lower one from ``LEAST_LOW`` to
    √2 / 10. Bounds outside these limits are outside the axis.
    """
    finite_bounds = [curve.here for curve in curves if math.isfinite(curve.here)]
    wanted_highs = [3 * bound for bound in finite_bounds]
    wanted_lows = [bound / 3 for bound in finite_bounds]
    highest = min(HIGHEST_SHOWN, max([LEAST_HIGH, *wanted_highs]))
    lowest = max(LEAST_LOW, min([TRIVIAL / 10, *wanted_lows]))
    return lowest, highest


def _bound_line(curve_of_method: BoundByDocuments, method: Method, *, is_chosen: bool) -> Part:
    """One bound as a line, left out where it is infinite."""
    trace = curve(
        method.short_title,
        curve_of_method.documents,
        curve_of_method.totals,
        method.style.colour,
        "bound %{y:.3g} at N = %{x:,.3~s}",
        dash=DASHES[method.status],
        width=CHOSEN if is_chosen else THIN,
    )
    return trace | {"mode": "lines", "legendgroup": method.key}


def _mark_here(curve_of_method: BoundByDocuments, method: Method, n_documents: int) -> Part:
    """A mark at the experiment's own number of documents, none where the bound is infinite."""
    trace = curve(
        method.short_title,
        [n_documents],
        [curve_of_method.here],
        method.style.colour,
        "bound %{y:.3g} here",
        symbol=method.style.marker,
        size=9,
    )
    return trace | {"mode": "markers", "legendgroup": method.key, "showlegend": False}


def _label_beginnings(drawing: Drawing, curves: Sequence[BoundByDocuments]) -> None:
    """Write at each line's crossing of √2 from which number of documents on it says something.

    Labels hang below the crossings, each a line lower than the one before it, and point to the
    middle of the axis. A line without a crossing gets none.
    """
    axis_start = math.log10(curves[0].documents[0])
    axis_end = math.log10(curves[0].documents[-1])
    crossings = sorted(
        (
            (curve_of_bound.enough, curve_of_bound)
            for curve_of_bound in curves
            if curve_of_bound.enough is not None
        ),
        key=itemgetter(0),
    )
    for level, (n_documents_enough, curve_of_method) in enumerate(crossings):
        method = _published_method(curve_of_method.configuration)
        crossing_x = math.log10(n_documents_enough)
        anchor = "right"
        pixels_to_label = -24
        if crossing_x < (axis_start + axis_end) / 2:
            anchor = "left"
            pixels_to_label = 24
        drawing.annotate(
            dict(
                x=crossing_x,
                y=math.log10(TRIVIAL),
                ax=pixels_to_label,
                ay=LABEL_PITCH * (level + 1),
                xanchor=anchor,
                showarrow=True,
                arrowhead=0,
                arrowwidth=1,
                arrowcolor=method.style.colour,
                bgcolor=theme.GROUND,
                borderpad=0,
                font={"size": theme.SMALL_LETTERS, "color": theme.INK},
                text=f"{method.family.short_title}: N ≈ {rounded_up(n_documents_enough)}",
                name="beginning",
            )
        )


def _finding(curves: Sequence[BoundByDocuments], n_documents: int, chosen: str) -> str:
    """Title: the theorems whose bounds say something at N; else where the chosen one begins to.

    If that one never does, or none is chosen, the one that begins earliest stands in its place; if
    none ever does, the title says so.
    """
    useful_theorems = [
        THEOREMS[bound_curve.configuration] for bound_curve in curves if bound_curve.is_useful
    ]
    if len(useful_theorems) == len(curves):
        return f"Every theorem helps at N = {n_documents:,}"
    if useful_theorems:
        verb = "helps" if len(useful_theorems) == 1 else "help"
        return f"Only {' and '.join(useful_theorems)} {verb} at N = {n_documents:,}"
    curves_that_begin = {
        bound_curve.configuration: bound_curve
        for bound_curve in curves
        if bound_curve.enough is not None
    }
    if not curves_that_begin:
        return "No theorem helps at any number of documents"
    earliest = min(
        curves_that_begin.values(), key=lambda bound_curve: bound_curve.enough or math.inf
    )
    curve_of_title = curves_that_begin.get(chosen, earliest)
    assert curve_of_title.enough is not None
    theorem_name = THEOREMS[curve_of_title.configuration]
    return f"{theorem_name} helps from N ≈ {rounded_up(curve_of_title.enough)} on"


def _theorem_title(curve_of_method: BoundByDocuments) -> str:
    """The theorem and the configuration that it bounds."""
    family = _published_method(curve_of_method.configuration).family
    return f"{THEOREMS[curve_of_method.configuration]} ({family.short_title})"


def _describe(curve_of_method: BoundByDocuments) -> str:
    """A sentence on one bound: its value here, and where it begins to say something."""
    value = digits(curve_of_method.here)
    if curve_of_method.enough is None:
        return f"{_theorem_title(curve_of_method)}: {value} here, and no N is enough."
    beginning = rounded_up(curve_of_method.enough)
    return f"{_theorem_title(curve_of_method)}: {value} here, below √2 from N ≈ {beginning}."


def rounded_up(number: int) -> str:
    """A number of documents, rounded up to two digits: ``1,300,000``, or ``2.5e12`` if large."""
    unit = 10 ** max(0, len(str(number)) - 2)
    rounded_number = -(-number // unit) * unit
    if number >= 10**9:
        return digits(float(rounded_number), 2)
    return f"{rounded_number:,}"


def _published_method(configuration: str) -> Method:
    """A configuration with the noise that the theorems are about."""
    return parse_method(f"{configuration}/{Calibration.PUBLISHED}")
