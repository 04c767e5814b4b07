"""Positions of a flow's boxes and paths of its arrows, from the first step down."""

from functools import cache

import numpy as np

from dplda.core.types import Vector
from dplda.flow import Arrow, Flow, Side

BOX = (0.46, 0.22)
"""Half width and half height of a box."""
CORNER = 0.28
"""Radius where an arrow turns."""
POINTS = 24
"""Points of an arrow without corners, and of each rounded corner."""
TURNS = {
    Side.LEFT: (-1.0, 0.0),
    Side.RIGHT: (1.0, 0.0),
    Side.BELOW: (0.0, -1.0),
    Side.ABOVE: (0.0, 1.0),
}
"""Unit vector (x, y) out of a box, by the side on which an arrow leaves it."""


def box_centers(flow: Flow) -> dict[str, tuple[float, float]]:
    """Center (x, y) of every box, by the name of its step; y falls along the flow."""
    centers = {}
    for step in flow.steps:
        centers[step.name] = (2 - step.y, -step.x)
    return centers


@cache
def arrow_line(flow: Flow, arrow: Arrow, n_points: int = POINTS) -> tuple[Vector, Vector]:
    """Points (x, y) of an arrow that leaves and enters its boxes straight.

    From the bottom of one box to the top of another it is a smooth S. Else it has rounded corners:
    two, at the arrow's lane, where it leaves and enters on the same side, and one otherwise.

    Args:
        flow: the flow whose arrow it is.
        arrow: the arrow, from its start to its end.
        n_points: number of points of the S, or of each rounded corner.
    """
    place = arrow.place
    centers = box_centers(flow)
    start = _port(centers[arrow.start], place.out, place.leaves)
    end = _port(centers[arrow.end], place.into, place.enters)
    if (place.out, place.into) == (Side.BELOW, Side.ABOVE):
        return _smooth_line(start, end, n_points)
    start_x, start_y = start
    end_x, end_y = end
    if place.out is place.into:
        corners = [(place.lane, start_y), (place.lane, end_y)]
    elif place.out in (Side.LEFT, Side.RIGHT):
        corners = [(end_x, start_y)]
    else:
        corners = [(start_x, end_y)]
    return _round_corners([start, *corners, end], n_points)


def _smooth_line(
    start: tuple[float, float], end: tuple[float, float], n_points: int
) -> tuple[Vector, Vector]:
    """Points (x, y) of a smooth S from one place down to another."""
    start_x, start_y = start
    end_x, end_y = end
    share_down = np.linspace(0, 1, n_points)
    share_across = share_down**2 * (3 - 2 * share_down)
    xs = start_x + (end_x - start_x) * share_across
    ys = start_y + (end_y - start_y) * share_down
    return xs, ys


def _port(center: tuple[float, float], side: Side, offset: float) -> tuple[float, float]:
    """Place where an arrow ends: the middle of a box's side, moved along it by an offset."""
    to_right, upward = TURNS[side]
    x = center[0] + to_right * BOX[0]
    y = center[1] + upward * BOX[1]
    if upward:
        x += offset
    if to_right:
        y += offset
    return x, y


def _round_corners(spots: list[tuple[float, float]], n_points: int) -> tuple[Vector, Vector]:
    """Points of a line through spots: straight, with a quadratic curve at each corner."""
    line_spots = np.array(spots)
    line_parts = [line_spots[:1]]
    curve_share = np.linspace(0, 1, n_points)[:, None]
    remaining_share = 1 - curve_share
    corners = line_spots[1:-1]
    for spot_before, corner, spot_after in zip(
        line_spots[:-2], corners, line_spots[2:], strict=True
    ):
        curve_start = corner + _rounding_offset(corner, spot_before)
        curve_end = corner + _rounding_offset(corner, spot_after)
        start_part = remaining_share**2 * curve_start
        corner_part = 2 * curve_share * remaining_share * corner
        end_part = curve_share**2 * curve_end
        line_parts.append(start_part + corner_part + end_part)
    line_parts.append(line_spots[-1:])
    xs, ys = np.concatenate(line_parts).T
    return xs, ys


def _rounding_offset(corner: Vector, neighbor: Vector) -> Vector:
    """Offset from a corner toward the next spot, to where its rounding starts.

    ``CORNER`` long, or half the way to that spot if this is shorter.
    """
    to_neighbor = neighbor - corner
    distance = float(np.linalg.norm(to_neighbor))
    rounding_length = min(CORNER, distance / 2)
    return np.asarray(to_neighbor * rounding_length / distance)


@cache
def marker_place(flow: Flow, arrow: Arrow) -> tuple[float, float]:
    """Position (x, y) of an arrow's marker, at ``arrow.place.marker`` of its length."""
    x, y = arrow_line(flow, arrow, 2 * POINTS)
    step_lengths = np.hypot(np.diff(x), np.diff(y))
    lengths_so_far = np.concatenate([[0.0], np.cumsum(step_lengths)])
    marker_length = arrow.place.marker * lengths_so_far[-1]
    marker_x = float(np.interp(marker_length, lengths_so_far, x))
    marker_y = float(np.interp(marker_length, lengths_so_far, y))
    return marker_x, marker_y
