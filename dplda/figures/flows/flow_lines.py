"""Positions of a flow's boxes and paths of its arrows, from the first step down."""

from functools import cache

import numpy as np

from dplda.core.types import Vector
from dplda.flow import Arrow, Flow, Side

BOX = (0.46, 0.22)  # half width and half height of a box
CORNER = 0.28  # radius where an arrow turns
POINTS = 24  # of a line
TURNS = {
    Side.LEFT: (-1.0, 0.0),
    Side.RIGHT: (1.0, 0.0),
    Side.BELOW: (0.0, -1.0),
    Side.ABOVE: (0.0, 1.0),
}


def box_centers(flow: Flow) -> dict[str, tuple[float, float]]:
    """Center of every box (x, y)."""
    return {step.name: (2 - step.y, -step.x) for step in flow.steps}


@cache
def arrow_line(flow: Flow, arrow: Arrow, n: int = POINTS) -> tuple[Vector, Vector]:
    """Points of an arrow that leaves and enters its boxes straight, with rounded corners."""
    place, boxes = arrow.place, box_centers(flow)
    (x0, y0), (x1, y1) = (
        _port(boxes[arrow.start], place.out, place.leaves),
        _port(boxes[arrow.end], place.into, place.enters),
    )
    if (place.out, place.into) == (Side.BELOW, Side.ABOVE):
        along = np.linspace(0, 1, n)
        turn = along**2 * (3 - 2 * along)
        return x0 + (x1 - x0) * turn, y0 + (y1 - y0) * along
    if place.out is place.into:
        corners = [(place.lane, y0), (place.lane, y1)]
    else:
        corners = [(x1, y0) if place.out in (Side.LEFT, Side.RIGHT) else (x0, y1)]
    return _rounded([(x0, y0), *corners, (x1, y1)], n)


def _port(middle: tuple[float, float], side: Side, off: float) -> tuple[float, float]:
    right, up = TURNS[side]
    return middle[0] + right * BOX[0] + (off if up else 0.0), middle[1] + up * BOX[1] + (
        off if right else 0.0
    )


def _rounded(corners: list[tuple[float, float]], n: int) -> tuple[Vector, Vector]:
    spots = np.array(corners)
    found = [spots[:1]]
    bow = np.linspace(0, 1, n)[:, None]
    for before, corner, after in zip(spots[:-2], spots[1:-1], spots[2:], strict=True):
        start, end = (corner + _towards(corner, other) for other in (before, after))
        found.append((1 - bow) ** 2 * start + 2 * bow * (1 - bow) * corner + bow**2 * end)
    line = np.concatenate([*found, spots[-1:]])
    return line[:, 0], line[:, 1]


def _towards(corner: Vector, other: Vector) -> Vector:
    """Offset from a corner to the start of its rounding."""
    apart = other - corner
    length = float(np.linalg.norm(apart))
    return np.asarray(apart * min(CORNER, length / 2) / length)


@cache
def marker_place(flow: Flow, arrow: Arrow) -> tuple[float, float]:
    """Position of an arrow's marker, at a share of its length."""
    x, y = arrow_line(flow, arrow, 2 * POINTS)
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    at = arrow.place.marker * lengths[-1]
    return float(np.interp(at, lengths, x)), float(np.interp(at, lengths, y))
