"""A figure of lines or horizontal bars as an SVG without scripts, in the ink of its page."""

import html
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.figure import Figure

WIDTH = 420.0
HEIGHT = 230.0
LEFT = 44.0  # room for numbers at the axis of lines
LABELS = 150.0  # room for names of bars
TOP = 24.0  # room for the title of the vertical axis
BOTTOM = 42.0
RIGHT = 36.0
N_STEPS = 4  # of an axis without given ticks


@dataclass(frozen=True, slots=True)
class _Axis:
    """Places of values along an axis.

    Attributes:
        low: value at the axis's begin.
        high: value at its end.
        begin: place of ``low`` in pixels.
        end: place of ``high``.
        is_log: whether equal distances are equal factors.
    """

    low: float
    high: float
    begin: float
    end: float
    is_log: bool = False

    def place(self, value: float) -> float:
        """Place of a value in pixels."""
        share = (value - self.low) / (self.high - self.low)
        if self.is_log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        length = self.end - self.begin
        return self.begin + length * share


def svg(figure: Figure) -> str:
    """The figure as an SVG element as wide as its container, on a light page, without its title.

    Of bars only the first trace is drawn, and lines have no markers.

    Raises:
        ValueError: it has something other than lines, or than horizontal bars.
    """
    spec = json.loads(json.dumps(figure.spec()))
    traces = spec["data"]
    layout = spec["layout"]
    trace_kinds = {trace["type"] + trace.get("mode", "")[:5] for trace in traces}
    if trace_kinds == {"bar"} and traces[0].get("orientation") == "h":
        elements = _bars(traces[0], layout)
    elif trace_kinds == {"scatterlines"}:
        elements = _lines(traces, layout)
    else:
        kinds_in_words = ", ".join(sorted(trace_kinds))
        raise ValueError(f"lines or horizontal bars are drawn, not {kinds_in_words}")
    label = html.escape(figure.alt)
    size = f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" font-size="{theme.LETTERS}" fill="currentColor"'
    return f'<svg class="chart" role="img" aria-label="{label}" {size}>{"".join(elements)}</svg>'


def _bars(trace: dict[str, list[float]], layout: dict[str, dict[str, object]]) -> Iterator[str]:
    """Elements of bars from above, each with its name before it and its number behind it.

    The longest bar fills the axis. The axis' title follows, but neither ticks nor a limit.
    """
    bar_values = trace["x"]
    axis = _Axis(0.0, max(bar_values), LABELS, WIDTH - RIGHT)
    row_height = (HEIGHT - BOTTOM) / len(bar_values)
    bar_height = row_height * 0.6
    colors: Sequence[str] = trace["marker"]["color"]  # type: ignore[call-overload]  # of JSON
    rows = zip(trace["y"], bar_values, trace["text"], colors, strict=True)
    for row_number, (name, value, text, color) in enumerate(rows):
        middle_y = row_height * (row_number + 0.5)
        bar_top = middle_y - row_height * 0.3
        bar_end = axis.place(value)
        yield _text(str(name), LABELS - 8, middle_y, "end")
        yield (
            f'<rect x="{LABELS:g}" y="{bar_top:.1f}" fill="{color}"'
            f' width="{bar_end - LABELS:.1f}" height="{bar_height:.1f}" rx="3"/>'
        )
        yield _text(str(text), bar_end + 5, middle_y, "start")
    middle_x = (LABELS + WIDTH) / 2
    yield _text(_title(layout, "xaxis"), middle_x, HEIGHT - 12, "middle")


def _lines(
    traces: Sequence[dict[str, list[float]]], layout: dict[str, dict[str, object]]
) -> Iterator[str]:
    """Elements of both axes, and of lines with their names.

    The vertical axis goes from 0 to 1 for percentages, else to a tenth above the highest value. It
    is linear, even where the figure's is logarithmic.
    """
    xs = [x for trace in traces for x in trace["x"]]
    ys = [y for trace in traces for y in trace["y"]]
    is_log = layout["xaxis"].get("type") == "log"
    tick_format = str(layout["yaxis"].get("tickformat", ""))
    is_percent = "%" in tick_format
    y_end = 1.0 if is_percent else max(ys) * 1.1
    x_axis = _Axis(min(xs), max(xs), LEFT, WIDTH - RIGHT, is_log)
    y_axis = _Axis(0.0, y_end, HEIGHT - BOTTOM, TOP)
    yield from _axis_elements(layout, x_axis, y_axis, is_percent=is_percent)
    for trace in traces:
        yield from _line_elements(trace, x_axis, y_axis)


def _axis_elements(
    layout: dict[str, dict[str, object]], x_axis: _Axis, y_axis: _Axis, *, is_percent: bool
) -> Iterator[str]:
    """Both axes with their titles; the figure's own ticks below, and five even ones at the left."""
    bottom = y_axis.begin
    right = WIDTH - RIGHT
    axes_path = f"M{LEFT:g} {TOP:g}V{bottom:g}H{right:g}"
    yield f'<path d="{axes_path}" fill="none" stroke="currentColor"/>'
    tick_values = _x_axis_texts(layout, "tickvals")
    tick_texts = _x_axis_texts(layout, "ticktext")
    for tick, text in zip(tick_values, tick_texts, strict=True):
        tick_x = x_axis.place(float(tick))
        yield _text(text, tick_x, bottom + 12, "middle")
    for step in range(N_STEPS + 1):
        value = y_axis.high * step / N_STEPS
        number_text = f"{value:.0%}" if is_percent else f"{value:.3g}"
        yield _text(number_text, LEFT - 6, y_axis.place(value), "end")
    middle_x = (LEFT + WIDTH - RIGHT) / 2
    yield _text(_title(layout, "xaxis"), middle_x, HEIGHT - 8, "middle")
    yield _text(_title(layout, "yaxis"), 2, 8, "start")


def _line_elements(trace: dict[str, list[float]], x_axis: _Axis, y_axis: _Axis) -> Iterator[str]:
    """A line, dashed in one pattern unless it is solid, and its name above its right end."""
    points = zip(trace["x"], trace["y"], strict=True)
    points_text = " ".join(f"{x_axis.place(x):.1f},{y_axis.place(y):.1f}" for x, y in points)
    line_style: dict[str, str] = trace["line"]  # type: ignore[assignment]  # of JSON
    dash_attribute = "" if line_style["dash"] == "solid" else ' stroke-dasharray="7 4"'
    color = line_style["color"]
    yield (
        f'<polyline points="{points_text}" fill="none" stroke="{color}" '
        f'stroke-width="2.5"{dash_attribute}/>'
    )
    name_height = y_axis.place(trace["y"][-1]) - 12
    yield _text(str(trace["name"]), WIDTH - RIGHT, name_height, "end")


def _x_axis_texts(layout: dict[str, dict[str, object]], name: str) -> list[str]:
    """A list of the horizontal axis as texts, such as its ticks; empty if it is not given."""
    values = layout["xaxis"].get(name, [])
    assert isinstance(values, list)
    return [str(value) for value in values]


def _title(layout: dict[str, dict[str, object]], axis: str) -> str:
    title = layout[axis]["title"]
    assert isinstance(title, dict)
    return str(title["text"])


def _text(words: str, x: float, y: float, anchor: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" dominant-baseline="central"'
    return f"<text {place}>{html.escape(words)}</text>"
