"""A figure of lines or horizontal bars as an SVG without scripts, in the ink of its page."""

import html
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dplda.figures.figure import Figure

WIDTH = 420.0
HEIGHT = 230.0
LEFT = 44.0  # room for numbers at the axis of lines
LABELS = 150.0  # room for names of bars
BOTTOM = 42.0
RIGHT = 36.0
N_STEPS = 4  # of an axis without given ticks
LETTERS = 13


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
        low, high, at = self.low, self.high, value
        if self.is_log:
            low, high, at = math.log(low), math.log(high), math.log(value)
        return self.begin + (self.end - self.begin) * (at - low) / (high - low)


def svg(figure: Figure) -> str:
    """The figure as an SVG element as wide as its container, without its title.

    Raises:
        ValueError: it has something other than lines, or than horizontal bars.
    """
    spec = json.loads(json.dumps(figure.spec()))
    kinds = {trace["type"] + trace.get("mode", "")[:5] for trace in spec["data"]}
    if kinds == {"bar"} and spec["data"][0].get("orientation") == "h":
        parts = _bars(spec["data"][0], spec["layout"])
    elif kinds == {"scatterlines"}:
        parts = _lines(spec["data"], spec["layout"])
    else:
        raise ValueError(f"lines or horizontal bars are drawn, not {', '.join(sorted(kinds))}")
    label = html.escape(figure.alt)
    look = f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" font-size="{LETTERS}" fill="currentColor"'
    return f'<svg class="chart" role="img" aria-label="{label}" {look}>{"".join(parts)}</svg>'


def _bars(trace: dict[str, list[float]], layout: dict[str, dict[str, object]]) -> Iterator[str]:
    """Bars from above, each with its name before it and its number behind it."""
    axis = _Axis(0.0, max(trace["x"]), LABELS, WIDTH - RIGHT)
    row_height = (HEIGHT - BOTTOM) / len(trace["x"])
    colors: Sequence[str] = trace["marker"]["color"]  # type: ignore[call-overload]  # of JSON
    rows = zip(trace["y"], trace["x"], trace["text"], colors, strict=True)
    for number, (name, value, text, color) in enumerate(rows):
        middle = row_height * (number + 0.5)
        bar_end = axis.place(value)
        yield _text(str(name), LABELS - 8, middle, "end")
        yield (
            f'<rect x="{LABELS:g}" y="{middle - row_height * 0.3:.1f}" fill="{color}"'
            f' width="{bar_end - LABELS:.1f}" height="{row_height * 0.6:.1f}" rx="3"/>'
        )
        yield _text(str(text), bar_end + 5, middle, "start")
    yield _text(_title(layout, "xaxis"), (LABELS + WIDTH) / 2, HEIGHT - 12, "middle")


def _lines(
    traces: Sequence[dict[str, list[float]]], layout: dict[str, dict[str, object]]
) -> Iterator[str]:
    """Lines with their names, over ticks of both axes."""
    bottom = HEIGHT - BOTTOM
    xs = [x for trace in traces for x in trace["x"]]
    ys = [y for trace in traces for y in trace["y"]]
    is_log = layout["xaxis"].get("type") == "log"
    across = _Axis(min(xs), max(xs), LEFT, WIDTH - RIGHT, is_log)
    is_percent = "%" in str(layout["yaxis"].get("tickformat", ""))
    up = _Axis(0.0, 1.0 if is_percent else max(ys) * 1.1, bottom, 24.0)
    yield f'<path d="M{LEFT:g} 24V{bottom:g}H{WIDTH - RIGHT:g}" fill="none" stroke="currentColor"/>'
    ticks = zip(_strings(layout, "tickvals"), _strings(layout, "ticktext"), strict=True)
    for tick, text in ticks:
        yield _text(text, across.place(float(tick)), bottom + 12, "middle")
    for step in range(N_STEPS + 1):
        value = up.high * step / N_STEPS
        number = f"{value:.0%}" if is_percent else f"{value:.3g}"
        yield _text(number, LEFT - 6, up.place(value), "end")
    yield _text(_title(layout, "xaxis"), (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "middle")
    yield _text(_title(layout, "yaxis"), 2, 8, "start")
    for trace in traces:
        points = zip(trace["x"], trace["y"], strict=True)
        path = " ".join(f"{across.place(x):.1f},{up.place(y):.1f}" for x, y in points)
        line: dict[str, str] = trace["line"]  # type: ignore[assignment]  # of JSON
        dashes = "" if line["dash"] == "solid" else ' stroke-dasharray="7 4"'
        color = line["color"]
        yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2.5"{dashes}/>'
        name_height = up.place(trace["y"][-1]) - 12
        yield _text(str(trace["name"]), WIDTH - RIGHT, name_height, "end")


def _strings(layout: dict[str, dict[str, object]], name: str) -> list[str]:
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
