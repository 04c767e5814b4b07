"""How a method is drawn: its letter, and its place in a palette that does not end."""

from dataclasses import dataclass

from dplda.evaluation.colours import colour

MARKERS = (
    *("circle", "square", "diamond", "triangle-up", "triangle-down", "star", "hexagon", "cross", "x", "pentagon"),
    *("triangle-right", "triangle-left", "hourglass", "bowtie", "hexagram", "star-square", "star-diamond", "octagon"),
    *("diamond-tall", "diamond-wide", "star-triangle-up", "star-triangle-down", "triangle-ne", "triangle-sw"),
)


@dataclass(frozen=True, slots=True)
class Style:
    """How a method is drawn, whatever its calibration.

    Attributes:
        marker: Plotly's name of a shape; after all of them they come round again, in other colours.
    """

    letter: str
    colour: str
    marker: str

    @classmethod
    def at(cls, place: int, letter: str) -> "Style":
        """The look of a place in the palette, counted from 0: an added method takes the next one."""
        return cls(letter, colour(place), MARKERS[place % len(MARKERS)])
