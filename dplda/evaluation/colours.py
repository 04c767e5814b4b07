"""Colors and markers of topics and methods: the same everywhere, from a palette without end."""

from dataclasses import dataclass
from functools import cache
from itertools import product

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
UNREADABLE = "#999999"  # color of unreadable topics


def topic_colour(number: int) -> str:
    """Color of topic ``number``, counted from 1; repeats after twelve topics.

    The color of unreadable topics is left out.
    """
    colours = [colour for colour in PALETTE if colour != UNREADABLE]
    return colours[(number - 1) % len(colours)]


_CONE_VISION = (
    np.eye(3),
    np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]),
    np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]),
)
"""Vision with all cones, without red ones and without green ones (Viénot and others, 1999)."""
_LIGHT_TO_CONES = np.array(
    [
        [0.41222147, 0.53633254, 0.05144599],
        [0.2119035, 0.68069955, 0.10739696],
        [0.08830246, 0.28171884, 0.6299787],
    ]
)
_CONES_TO_LAB = np.array(
    [
        [0.21045426, 0.7936178, -0.00407205],
        [1.9779985, -2.4285922, 0.45059371],
        [0.02590404, 0.78277177, -0.80867577],
    ]
)
_LUMINANCE_WEIGHTS = np.array([0.2126, 0.7152, 0.0722])  # of red, green and blue light
_MIN_LUMINANCE = 0.045  # of colors that are visible on dark ground
_MAX_LUMINANCE = 0.55  # of colors that are visible on white


@cache
def colour(number: int) -> str:
    """Color ``number`` of the palette, counted from 0.

    Past its end, the color farthest from all before. Distance is the smallest over vision with all
    cones, without red ones, and without green ones.
    """
    if number < len(PALETTE):
        return PALETTE[number]
    earlier_light = np.array([_linear_light(colour(earlier)) for earlier in range(number)])
    candidates = _candidate_colours()
    candidate_light = np.array([_linear_light(code) for code in candidates])
    distances_by_vision = []
    for vision in _CONE_VISION:
        seen_candidates = candidate_light @ vision.T
        seen_earlier = earlier_light @ vision.T
        distances_by_vision.append(_distance_to_nearest(seen_candidates, seen_earlier))
    smallest_distances = np.min(distances_by_vision, axis=0)
    farthest_candidate = int(np.argmax(smallest_distances))
    return candidates[farthest_candidate]


def _candidate_colours() -> list[str]:
    """Colors of nine levels a channel that are visible on white and on dark ground."""
    levels = np.linspace(0, 255, 9).round().astype(int).tolist()
    codes = [f"#{red:02X}{green:02X}{blue:02X}" for red, green, blue in product(levels, repeat=3)]
    return [code for code in codes if _MIN_LUMINANCE < _luminance(code) < _MAX_LUMINANCE]


def contrast(first: str, second: str) -> float:
    """Contrast of two hexadecimal colors in any order, from 1 to 21 (WCAG 2).

    Args:
        first: a color, such as ``#0072B2``.
        second: another one.
    """
    luminances = (_luminance(first), _luminance(second))
    darker, lighter = sorted(luminances)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(code: str) -> float:
    """Relative luminance of a hexadecimal color, in [0, 1]."""
    light = _linear_light(code)
    return float(light @ _LUMINANCE_WEIGHTS)


def _linear_light(code: str) -> Vector:
    """Linear light of a hexadecimal color, shape (3,), each in [0, 1]."""
    channels = [code[1:3], code[3:5], code[5:7]]
    levels = np.array([int(channel, 16) / 255 for channel in channels])
    linear_part = levels / 12.92
    curved_part = ((levels + 0.055) / 1.055) ** 2.4
    return np.where(levels <= 0.04045, linear_part, curved_part)


def _oklab(light: Matrix) -> Matrix:
    """Oklab coordinates of linear light, shape (n, 3)."""
    cones = np.clip(light @ _LIGHT_TO_CONES.T, 0, None)
    return np.asarray(np.cbrt(cones) @ _CONES_TO_LAB.T)


def _distance_to_nearest(candidates: Matrix, others: Matrix) -> Vector:
    """Distance in Oklab of every candidate to the nearest other color.

    Args:
        candidates: linear light, shape (n, 3).
        others: linear light, shape (m, 3).
    """
    candidate_lab = _oklab(candidates)
    other_lab = _oklab(others)
    differences = candidate_lab[:, None] - other_lab
    distances = np.linalg.norm(differences, axis=-1)
    return np.asarray(distances.min(axis=1))


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
    """Look of a method on charts, whatever its calibration.

    Attributes:
        letter: drawn in its markers.
        colour: hexadecimal color.
        marker: name of Plotly's marker.
    """

    letter: str
    colour: str
    marker: str

    @classmethod
    def at(cls, place: int, letter: str) -> "Style":
        """Style at a place in the palette, from 0; each added method takes the next place.

        Args:
            place: colors never repeat; markers do, after the last one.
            letter: of the method.
        """
        return cls(letter, colour(place), MARKERS[place % len(MARKERS)])
