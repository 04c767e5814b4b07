"""Places of names beside circles, so that no name covers another name or a circle."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dplda.core.types import Matrix, Vector

LETTER_WIDTH = 7.6  # of a name, in units of the map, like all that follow
LINE_HEIGHT = 18.0
GAP = 5.0  # between a circle and its name
EDGE = 4.0  # between a name and the edge of the map


@dataclass(frozen=True, slots=True)
class NamePlace:
    """A place for a name on the map.

    Attributes:
        x: its middle from the left.
        y: its baseline from the top.
        width: of the name.
    """

    x: float
    y: float
    width: float

    def overlap_with(self, other: "NamePlace") -> float:
        """Area that this name and another one share."""
        return _overlap(self.x, self.width, other.x, other.width) * _overlap(
            self.y, LINE_HEIGHT, other.y, LINE_HEIGHT
        )

    def overlap_with_circle(self, x: float, y: float, radius: float) -> float:
        """Area that this name shares with the square around a circle.

        Args:
            x: the circle's middle from the left.
            y: the circle's middle from the top.
            radius: of the circle.
        """
        middle = self.y - LINE_HEIGHT / 4
        return _overlap(self.x, self.width, x, 2 * radius) * _overlap(
            middle, LINE_HEIGHT, y, 2 * radius
        )


def place_names(
    names: Sequence[str], positions: Matrix, radii: Vector, *, width: float, height: float
) -> list[NamePlace]:
    """A place for each name: below its circle, or above, right or left where that is freer.

    Names are placed in their order: each avoids all circles and the names before it.

    Args:
        names: of the circles.
        positions: middles of the circles, shape (n, 2).
        radii: of the circles, shape (n,).
        width: of the map.
        height: of the map.
    """
    places: list[NamePlace] = []
    for circle_index, name in enumerate(names):
        candidates = list(
            _candidates(name, positions[circle_index], float(radii[circle_index]), width, height)
        )
        costs = [_cost(candidate, places, positions, radii) for candidate in candidates]
        places.append(candidates[costs.index(min(costs))])
    return places


def _candidates(
    name: str, position: Vector, radius: float, width: float, height: float
) -> Iterator[NamePlace]:
    """Yield places for a name below, above, right and left of a circle, moved inside the map."""
    x = float(position[0])
    y = float(position[1])
    name_width = LETTER_WIDTH * len(name)
    sideways_distance = radius + GAP + name_width / 2
    half_line_offset = LINE_HEIGHT / 4
    for name_x, name_y in (
        (x, y + radius + LINE_HEIGHT),
        (x, y - radius - GAP),
        (x + sideways_distance, y + half_line_offset),
        (x - sideways_distance, y + half_line_offset),
    ):
        yield NamePlace(
            _inside(name_x, name_width / 2, width),
            _inside(name_y, LINE_HEIGHT, height),
            name_width,
        )


def _cost(
    candidate: NamePlace, places: Sequence[NamePlace], positions: Matrix, radii: Vector
) -> float:
    """Area of names and circles that a name would cover."""
    circles = sum(
        candidate.overlap_with_circle(float(x), float(y), float(radius))
        for (x, y), radius in zip(positions, radii, strict=True)
    )
    return circles + sum(candidate.overlap_with(place) for place in places)


def _inside(middle: float, reach: float, length: float) -> float:
    """A middle moved so that what reaches so far on both sides stays on the map."""
    farthest = max(length - reach - EDGE, length / 2)
    nearest = min(reach + EDGE, length / 2)
    return min(max(middle, nearest), farthest)


def _overlap(first: float, first_size: float, second: float, second_size: float) -> float:
    """Length that two segments share, given by their middles and sizes."""
    return max(0.0, (first_size + second_size) / 2 - abs(first - second))
