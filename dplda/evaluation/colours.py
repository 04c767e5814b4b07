"""Colors and markers of topics and methods: the same everywhere, from an unlimited palette."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from dplda.core.types import Matrix, Vector

# Okabe and Ito's colors, distinct for color-blind readers, then more for later topics.
PALETTE = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#56B4E9",
    "#CC79A7",
    "#B8A500",
    "#8C6BB1",
    "#999999",
    "#A6553A",
    "#44AA99",
    "#AC3578",
    "#2D00FF",
)
UNREADABLE = "#999999"  # of unreadable topics


def topic_colour(number: int) -> str:
    """Color of topic ``number``, counted from 1; skips the color of unreadable topics and repeats after twelve."""
    colours = [colour for colour in PALETTE if colour != UNREADABLE]
    return colours[(number - 1) % len(colours)]


_EYES = (
    np.eye(3),
    np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]),
    np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]),
)
"""Vision with all cones, without red ones and without green ones (Viénot and others, 1999)."""
_CONES = np.array(
    [
        [0.41222147, 0.53633254, 0.05144599],
        [0.2119035, 0.68069955, 0.10739696],
        [0.08830246, 0.28171884, 0.6299787],
    ]
)
_LAB = np.array(
    [
        [0.21045426, 0.7936178, -0.00407205],
        [1.9779985, -2.4285922, 0.45059371],
        [0.02590404, 0.78277177, -0.80867577],
    ]
)
_LIGHT = np.array([0.2126, 0.7152, 0.0722])
_DARKEST, _LIGHTEST = 0.045, 0.55  # luminance of colors visible on white and on dark


@cache
def colour(number: int) -> str:
    """Color ``number`` of the palette, counted from 0; past its end, the one farthest from all before it.

    Distance is the smallest over vision with all cones, without red ones, and without green ones.
    """
    if number < len(PALETTE):
        return PALETTE[number]
    taken = np.array([_light_of(colour(one)) for one in range(number)])
    steps = np.linspace(0, 255, 9).round()
    codes = [
        f"#{int(red):02X}{int(green):02X}{int(blue):02X}"
        for red in steps
        for green in steps
        for blue in steps
    ]
    offered = {code: _light_of(code) for code in codes if _DARKEST < _luminance(code) < _LIGHTEST}
    light = np.array(list(offered.values()))
    apart = np.min([_nearest(light @ eyes.T, taken @ eyes.T) for eyes in _EYES], axis=0)
    return list(offered)[int(np.argmax(apart))]


def contrast(one: str, other: str) -> float:
    """Contrast of two hexadecimal colors, from 1 to 21 (WCAG 2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(code: str) -> float:
    return float(_light_of(code) @ _LIGHT)


def _light_of(code: str) -> Vector:
    """Linear light, shape (3,), of a hexadecimal color."""
    levels = np.array([int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)


def _nearest(offered: Matrix, taken: Matrix) -> Vector:
    """Distance in Oklab of every color offered to the nearest one taken; both linear light, shape (n, 3)."""
    one, other = (
        np.cbrt(np.clip(light @ _CONES.T, 0, None)) @ _LAB.T for light in (offered, taken)
    )
    return np.asarray(np.linalg.norm(one[:, None] - other, axis=-1).min(axis=1))


MARKERS = (
    *(
        "circle",
        "square",
        "diamond",
        "triangle-up",
        "triangle-down",
        "star",
        "hexagon",
        "cross",
        "x",
        "pentagon",
    ),
    *(
        "triangle-right",
        "triangle-left",
        "hourglass",
        "bowtie",
        "hexagram",
        "star-square",
        "star-diamond",
        "octagon",
    ),
    *(
        "diamond-tall",
        "diamond-wide",
        "star-triangle-up",
        "star-triangle-down",
        "triangle-ne",
        "triangle-sw",
    ),
)


@dataclass(frozen=True, slots=True)
class Style:
    """Letter, color and Plotly marker of a method, whatever its calibration."""

    letter: str
    colour: str
    marker: str

    @classmethod
    def at(cls, place: int, letter: str) -> "Style":
        """The style at a place in the palette, counted from 0; an added method takes the next one."""
        return cls(letter, colour(place), MARKERS[place % len(MARKERS)])
