"""Predicted against measured errors as a picture: one mark a method and setting, on logarithmic axes."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.prediction.runs import Row
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import Answer

SIDE, EDGE, LOW, HIGH = 620, 60, 0.004, 2.2
TICKS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)
BAND = 1.25


def draw(rows: Sequence[Row], path: Path) -> None:
    """Writes the picture; hollow marks are of methods that are said not to be predicted there."""
    path.write_text("\n".join(_lines(rows)) + "\n", "utf-8")


def _at(value: float) -> float:
    return EDGE + (SIDE - 2 * EDGE) * math.log(value / LOW) / math.log(HIGH / LOW)


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE + 180} {SIDE}" font-family="sans-serif">'
    yield f'<rect width="{SIDE + 180}" height="{SIDE}" fill="white"/>'
    for factor in (1 / BAND, 1.0, BAND):
        ends = (LOW, LOW * factor), (HIGH / max(1, factor), HIGH * min(1, factor))
        (x1, y1), (x2, y2) = ((_at(x), SIDE - _at(y)) for x, y in ends)
        dash = "" if factor == 1 else ' stroke-dasharray="5,4"'
        yield f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#888"{dash}/>'
    for tick in TICKS:
        yield f'<text x="{_at(tick):.1f}" y="{SIDE - EDGE + 18}" font-size="11" text-anchor="middle">{tick:g}</text>'
        yield f'<text x="{EDGE - 8}" y="{SIDE - _at(tick) + 4:.1f}" font-size="11" text-anchor="end">{tick:g}</text>'
    middle = SIDE / 2
    yield f'<text x="{middle}" y="{SIDE - 14}" font-size="13" text-anchor="middle">predicted mean L1 error</text>'
    turned = f'transform="rotate(-90 16 {middle})"'
    yield f'<text x="16" y="{middle}" font-size="13" text-anchor="middle" {turned}>measured</text>'
    for number, text in enumerate(dict.fromkeys(str(row["method"]) for row in rows)):
        method = parse_method(text)
        yield f'<circle cx="{SIDE}" cy="{EDGE + 22 * number}" r="5" fill="{method.style.colour}"/>'
        yield f'<text x="{SIDE + 12}" y="{EDGE + 22 * number + 4}" font-size="12">{method.title}</text>'
        for row in rows:
            measured, expected = row["l1"], row["expected"]
            if (
                row["method"] == text
                and isinstance(measured, float)
                and isinstance(expected, float)
            ):
                fill = "none" if row["answer"] == Answer.UNKNOWN else method.style.colour
                place = (
                    f'cx="{_at(max(expected, LOW)):.1f}" cy="{SIDE - _at(max(measured, LOW)):.1f}"'
                )
                yield f'<circle {place} r="3.5" fill="{fill}" stroke="{method.style.colour}"/>'
    yield "</svg>"
