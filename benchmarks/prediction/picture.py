"""Predicted against measured errors as a picture: one mark a method and setting, on logarithmic axes."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.prediction.runs import Row
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import Answer

SIDE = 620
EDGE = 60
LOW = 0.004
HIGH = 2.2
TICKS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)
BAND = 1.25


def draw(rows: Sequence[Row], path: Path) -> None:
    """Write the picture; hollow marks are of methods that are said not to be predicted there."""
    path.write_text("\n".join(_lines(rows)) + "\n", "utf-8")


def _at(value: float) -> float:
    return EDGE + (SIDE - 2 * EDGE) * math.log(value / LOW) / math.log(HIGH / LOW)


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    """The picture as lines of SVG: a band of 25 %, ticks, and a color and marks for each method."""
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE + 180} {SIDE}" font-family="sans-serif">'
    yield f'<rect width="{SIDE + 180}" height="{SIDE}" fill="white"/>'
    for factor in (1 / BAND, 1.0, BAND):
        line_ends = (LOW, LOW * factor), (HIGH / max(1, factor), HIGH * min(1, factor))
        (x1, y1), (x2, y2) = ((_at(x), SIDE - _at(y)) for x, y in line_ends)
        dash = "" if factor == 1 else ' stroke-dasharray="5,4"'
        yield f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#888"{dash}/>'
    for tick in TICKS:
        yield f'<text x="{_at(tick):.1f}" y="{SIDE - EDGE + 18}" font-size="11" text-anchor="middle">{tick:g}</text>'
        yield f'<text x="{EDGE - 8}" y="{SIDE - _at(tick) + 4:.1f}" font-size="11" text-anchor="end">{tick:g}</text>'
    middle = SIDE / 2
    yield f'<text x="{middle}" y="{SIDE - 14}" font-size="13" text-anchor="middle">predicted mean L1 error</text>'
    rotation = f'transform="rotate(-90 16 {middle})"'
    yield f'<text x="16" y="{middle}" font-size="13" text-anchor="middle" {rotation}>measured</text>'
    for number, key in enumerate(dict.fromkeys(str(row["method"]) for row in rows)):
        method = parse_method(key)
        yield f'<circle cx="{SIDE}" cy="{EDGE + 22 * number}" r="5" fill="{method.style.colour}"/>'
        yield f'<text x="{SIDE + 12}" y="{EDGE + 22 * number + 4}" font-size="12">{method.title}</text>'
        yield from _marks([row for row in rows if row["method"] == key], method.style.colour)
    yield "</svg>"


def _marks(rows: Sequence[Row], colour: str) -> Iterator[str]:
    """A mark for each row of one method that has both errors."""
    for row in rows:
        measured_error = row["l1"]
        expected_error = row["expected"]
        if isinstance(measured_error, float) and isinstance(expected_error, float):
            x = _at(max(expected_error, LOW))
            y = SIDE - _at(max(measured_error, LOW))
            fill = "none" if row["answer"] == Answer.UNKNOWN else colour
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{fill}" stroke="{colour}"/>'
