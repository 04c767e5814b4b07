"""Lines against one number, with an optional mark."""

from collections.abc import Mapping, Sequence

from dplda.figures import theme
from dplda.figures.drawing import Drawing, curve
from dplda.figures.figure import Figure
from dplda.figures.marks import log_ticks

COLOURS = theme.PALETTE[:2] + theme.PALETTE[3:5]
"""Colors of the lines, in order."""
STYLES = (
    ("solid", "circle"),
    ("7px,4px", "square"),
    ("2px,3px", "diamond"),
    ("8px,3px,2px,3px", "x"),
)
"""Dash and marker of the lines, in order."""


def lines(
    xs: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    *,
    title: str,
    x_title: str,
    y_title: str,
    mark: float | None = None,
    log_y: bool = False,
    percent: bool = False,
) -> Figure:
    """Lines against a logarithmic horizontal axis, with a legend if there are several.

    Args:
        xs: ascending, above 0.
        curves: a value for each of ``xs``, by name; at most four curves.
        title: the finding.
        x_title: of the horizontal axis.
        y_title: of the vertical axis.
        mark: x of a vertical line; None for none.
        log_y: whether the vertical axis is logarithmic, with ticks from the smallest value above 0
            to the largest one; then a value must be above 0. Else it begins at 0.
        percent: whether values are written in percent.
    """
    drawing = Drawing()
    tick_format = ""
    hover_template = "%{y:.3g}"
    if percent:
        tick_format = ".0%"
        hover_template = "%{y:.1%}"
    for curve_number, (name, ys) in enumerate(curves.items()):
        dash, symbol = STYLES[curve_number]
        drawing.add(
            curve(
                theme.plain(name),
                xs,
                ys,
                COLOURS[curve_number],
                hover_template,
                dash=dash,
                width=2.5,
                symbol=symbol,
                size=6,
            )
        )
    if mark is not None:
        drawing.vline(mark, dict(color=theme.INK, width=1.5, dash="dot"))
    x_ticks = log_ticks(min(xs), max(xs))
    drawing.x(dict(title_text=x_title, type="log", showgrid=False, **x_ticks))
    drawing.y(dict(title_text=y_title, tickformat=tick_format))
    if log_y:
        positive_values = [y for ys in curves.values() for y in ys if y > 0]
        ticks = log_ticks(min(positive_values), max(positive_values))
        drawing.y(dict(type="log", **ticks))
    else:
        drawing.y(dict(rangemode="tozero"))
    curve_ends = "; ".join(
        f"{name} from {ys[0]:.3g} to {ys[-1]:.3g}" for name, ys in curves.items()
    )
    axes_in_words = f"{y_title[:1].upper()}{y_title[1:]} over {x_title}"
    alt = f"{title}. {axes_in_words} from {xs[0]:g} to {xs[-1]:g}: {curve_ends}."
    return Figure(title, alt, 360, drawing)
