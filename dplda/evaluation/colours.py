"""Colors and markers of topics and methods: the same everywhere, from one palette."""

from dataclasses import dataclass

import numpy as np

from dplda.core.types import Vector

PALETTE = (
    # Okabe and Ito's colors, distinct for color-blind readers, then more for later topics
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#B8A500", "#8C6BB1", "#999999"),
    *("#A6553A", "#44AA99", "#AC3578", "#2D00FF"),
    # each the farthest in Oklab from all before it, for eyes without red or green cones too (Viénot and others, 1999)
    *("#800000", "#40209F", "#4060FF", "#800060", "#00DF80", "#8080FF", "#804040", "#9FBFBF", "#4040DF", "#60409F"),
    "#9F2000",
)
UNREADABLE = "#999999"  # of unreadable topics


def topic_colour(number: int) -> str:
    """Color of topic ``number``, counted from 1; skips the color of unreadable topics and repeats after twelve."""
    colours = [colour for colour in PALETTE[:13] if colour != UNREADABLE]
    return colours[(number - 1) % len(colours)]


_LIGHT = np.array([0.2126, 0.7152, 0.0722])


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


MARKERS = (
    *("circle", "square", "diamond", "triangle-up", "triangle-down", "star", "hexagon", "cross", "x", "pentagon"),
    *("triangle-right", "triangle-left", "hourglass", "bowtie", "hexagram", "star-square", "star-diamond", "octagon"),
    *("diamond-tall", "diamond-wide", "star-triangle-up", "star-triangle-down", "triangle-ne", "triangle-sw"),
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
        return cls(letter, PALETTE[place % len(PALETTE)], MARKERS[place % len(MARKERS)])
