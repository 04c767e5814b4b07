"""Lines against one number, with an optional mark."""

from collections.abc import Mapping, Sequence

from dplda.figures import theme
from dplda.figures.drawing import Drawing, curve
from dplda.figures.figure import Figure
from dplda.figures.marks import log_ticks

LOOKS = (
    ("solid", "circle"),
    ("7px,4px", "square"),
    ("2px,3px", "diamond"),
    ("8px,3px,2px,3px", "x"),
)


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
    """Lines against a logarithmic axis.

    Args:
        xs: ascending, above 0.
        curves: at most four, by name.
        mark: position of a vertical line; None for none.
    """
    drawing = Drawing()
    hover = "%{y:.1%}" if percent else "%{y:.3g}"
    for i, (name, ys) in enumerate(curves.items()):
        colour, (dash, symbol) = theme.PALETTE[i if i < 2 else i + 1], LOOKS[i]
        drawing.add(
            curve(
                theme.plain(name),
                xs,
                ys,
                colour,
                hover,
                dash=dash,
                width=2.5,
                symbol=symbol,
                size=6,
            )
        )
    if mark is not None:
        drawing.vline(mark, dict(color=theme.INK, width=1.5, dash="dot"))
    drawing.x(dict(title_text=x_title, type="log", showgrid=False, **log_ticks(min(xs), max(xs))))
    drawing.y(dict(title_text=y_title, tickformat=".0%" if percent else ""))
    if log_y:
        every = [y for ys in curves.values() for y in ys if y > 0]
        drawing.y(dict(type="log", **log_ticks(min(every), max(every))))
    else:
        drawing.y(dict(rangemode="tozero"))
    said = "; ".join(f"{name} from {ys[0]:.3g} to {ys[-1]:.3g}" for name, ys in curves.items())
    alt = f"{title}. {y_title[:1].upper()}{y_title[1:]} over {x_title} from {xs[0]:g} to {xs[-1]:g}: {said}."
    return Figure(title, alt, 360, drawing)
