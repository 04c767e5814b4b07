"""A flow from left to right as a small SVG: boxes with symbols, and noise on its edges."""

import base64
import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dplda.figures import theme
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.figures.flows.flow_lines import BOX, arrow_line, box_centers, marker_place
from dplda.flow import Arrow, Flow

STEP = 29.0  # pixels from one step to the next: seven steps fill a card, 200 pixels wide
ROW = 34.0  # pixels from one row of steps to the next
PAD = 3.0  # pixels around the boxes
HALF_BOX = (9.5, BOX[0] * ROW)  # pixels: half width and half height of a box
PLAIN = 1.2  # pixels: an edge without noise
THIN = 2.5  # pixels: a noised edge without a share of the budget
THICK = 8.0  # pixels: a noised edge with the whole budget
HEAD = 3.0  # pixels: half the width of an arrow's head
TURNED_FROM = 3  # letters from which a symbol stands upright in its narrow box
CHIP = (19.0, 15.0)  # pixels: label of a noised edge
BELOW_NOISE = (Standing.BELOW, Standing.NO_FINITE)
CLEAR_COLOUR = theme.PRIVATE
BELOW_NOISE_COLOUR = theme.PALETTE[1]


@dataclass(frozen=True, slots=True)
class SmallFlow:
    """A small picture of a flow.

    Attributes:
        svg: the picture, with a fixed ratio of width to height and no script.
        alt: the picture in words.
    """

    svg: str
    alt: str

    @property
    def data_uri(self) -> str:
        """The picture as the address of an image."""
        encoded = base64.b64encode(self.svg.encode()).decode()
        return f"data:image/svg+xml;base64,{encoded}"


def small_flow_image(
    flow: Flow, edges: Sequence[str], numbers: Sequence[EdgeNumbers] = (), *, dark: bool = False
) -> str:
    """A small flow as an HTML image, whose words are alternative text and tooltip.

    Arguments as for ``small_flow``.
    """
    picture = small_flow(flow, edges, numbers, dark=dark)
    alt = html.escape(picture.alt, quote=True)
    return f'<img class="small-flow" alt="{alt}" title="{alt}" src="{picture.data_uri}">'


def small_flow(
    flow: Flow, edges: Sequence[str], numbers: Sequence[EdgeNumbers] = (), *, dark: bool = False
) -> SmallFlow:
    """Draw a flow small enough for a card.

    Edges with noise are drawn above the others, and only they have a label.

    Args:
        flow: its steps and arrows.
        edges: those that carry noise.
        numbers: of the noise, where known: an edge is as wide as its share of the budget, and
            orange where its noise exceeds its signal. Those of edges without noise are left out.
        dark: whether the page is dark.
    """
    numbers_by_edge = {
        edge_numbers.edge: edge_numbers for edge_numbers in numbers if edge_numbers.edge in edges
    }
    picture = _Picture(flow, dark=dark)
    plain_colour = theme.QUIET.on(dark=dark)
    plain_arrows = [arrow for arrow in flow.arrows if arrow.edge not in edges]
    noised_arrows = [arrow for arrow in flow.arrows if arrow.edge in edges]
    for arrow in plain_arrows:
        picture.draw_arrow(arrow, colour=plain_colour, width=PLAIN)
    for arrow in noised_arrows:
        known_numbers = numbers_by_edge.get(arrow.edge)
        colour = _noise_colour(known_numbers)
        picture.draw_arrow(arrow, colour=colour, width=_noise_width(known_numbers))
    picture.draw_boxes()
    for arrow in noised_arrows:
        known_numbers = numbers_by_edge.get(arrow.edge)
        picture.draw_label(arrow, _noise_colour(known_numbers))
    alt = _describe(flow, edges, numbers_by_edge)
    return SmallFlow(picture.finish(alt), alt)


def is_noise_above_signal(numbers: EdgeNumbers) -> bool:
    """Whether the noise on an edge exceeds its signal."""
    return numbers.standing in BELOW_NOISE


def _noise_colour(numbers: EdgeNumbers | None) -> str:
    """Color of an edge with noise: orange where the noise exceeds the signal, else blue."""
    if numbers is not None and is_noise_above_signal(numbers):
        return BELOW_NOISE_COLOUR
    return CLEAR_COLOUR


def _noise_width(numbers: EdgeNumbers | None) -> float:
    """Pixels of an edge with noise, by its share of the budget; ``THIN`` where that is unknown."""
    share = 0.0 if numbers is None else numbers.share
    return THIN + (THICK - THIN) * share


def _describe(flow: Flow, edges: Sequence[str], numbers_by_edge: Mapping[str, EdgeNumbers]) -> str:
    """The picture in words: label and content of each edge with noise, in the flow's order.

    Its share follows if it has any, and a remark if the noise exceeds the signal.
    """
    edge_phrases = []
    for edge in flow.in_order(edges):
        arrow = flow.arrow(edge)
        edge_facts = [arrow.carries]
        edge_numbers = numbers_by_edge.get(edge)
        if edge_numbers is not None and edge_numbers.share:
            edge_facts.append(f"{edge_numbers.share:.0%} of the budget")
        if edge_numbers is not None and is_noise_above_signal(edge_numbers):
            edge_facts.append("noise above signal")
        edge_phrases.append(f"{arrow.label} ({', '.join(edge_facts)})")
    return f"Flow from documents to topics. Noise on {'; '.join(edge_phrases) or 'no edge'}."


class _Picture:
    """An SVG under way; a flow's own drawing is turned so that it runs to the right.

    Args:
        flow: what is drawn.
        dark: whether the page is dark.
    """

    def __init__(self, flow: Flow, *, dark: bool) -> None:
        """Begin without any element, large enough for all boxes and arrows.

        The flow runs from left to right, so that offsets across it become heights.
        """
        self._flow = flow
        self._ink = theme.INK.on(dark=dark)
        self._ground = theme.GROUND.on(dark=dark)
        self._frame = theme.QUIET.on(dark=dark)
        self._parts: list[str] = []
        self._upper_end = 0.0
        lines = [arrow_line(flow, arrow) for arrow in flow.arrows]
        line_offsets = np.concatenate([offsets for offsets, _ in lines])
        box_offsets = [offset for offset, _ in box_centers(flow).values()]
        half_box = BOX[0]
        top_of_boxes = max(box_offsets) + half_box
        bottom_of_boxes = min(box_offsets) - half_box
        self._top = max(top_of_boxes, float(line_offsets.max()))
        bottom = min(bottom_of_boxes, float(line_offsets.min()))
        n_steps = max(step.x for step in flow.steps)
        self._width = n_steps * STEP + 2 * (HALF_BOX[0] + PAD)
        self._height = (self._top - bottom) * ROW + 2 * PAD

    def _to_pixels(self, across: float, down: float) -> tuple[float, float]:
        """Place in the picture of a place in the flow's own drawing, which runs downward."""
        x = -down * STEP + HALF_BOX[0] + PAD
        y = (self._top - across) * ROW + PAD
        return x, y

    def draw_arrow(self, arrow: Arrow, colour: str, width: float) -> None:
        """Draw an arrow up to the edge of the box that it enters, where its head has its tip.

        It is dashed if optional; the head grows with the width.
        """
        line_places = zip(*arrow_line(self._flow, arrow), strict=True)
        points = [self._to_pixels(*place) for place in line_places]
        end_place = box_centers(self._flow)[arrow.end]
        points = _cut_at_box(points, self._to_pixels(*end_place))
        tip = points[-1]
        half_head_width = HEAD + width / 2
        head_base = _point_before(points, 1.4 * half_head_width)
        path_points = [f"{x:.1f} {y:.1f}" for x, y in (*points[:-1], head_base)]
        path_commands = "M" + "L".join(path_points)
        dash_attribute = ' stroke-dasharray="2 3"' if arrow.optional else ""
        self._parts.append(
            f'<path d="{path_commands}" fill="none" stroke="{colour}" '
            f'stroke-width="{width:.1f}"{dash_attribute}/>'
        )
        head_corners = _head_corners(head_base, tip, half_head_width)
        self._parts.append(f'<polygon points="{head_corners}" fill="{colour}"/>')

    def draw_boxes(self) -> None:
        """Draw every step as a box with its symbol, which stands upright if it is long.

        An optional step looks like any other.
        """
        half_width, half_height = HALF_BOX
        centers = box_centers(self._flow).values()
        for step, place in zip(self._flow.steps, centers, strict=True):
            x, y = self._to_pixels(*place)
            turn_attribute = ""
            if len(step.symbol) >= TURNED_FROM:
                turn_attribute = f' transform="rotate(-90 {x:.1f} {y:.1f})"'
            self._parts.append(
                f'<rect x="{x - half_width:.1f}" y="{y - half_height:.1f}" rx="3"'
                f' width="{2 * half_width:.1f}" height="{2 * half_height:.1f}"'
                f' fill="{self._ground}" stroke="{self._frame}"/>'
                f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle"'
                f' font-size="{theme.SMALL_LETTERS}" fill="{self._ink}"{turn_attribute}>'
                f"{html.escape(step.symbol)}</text>"
            )

    def draw_label(self, arrow: Arrow, colour: str) -> None:
        """Draw the label of an edge on its arrow, or above a level one shorter than two labels.

        The picture grows upward where the label needs it.
        """
        x, y = self._to_pixels(*marker_place(self._flow, arrow))
        width, height = CHIP
        side_offsets, step_positions = arrow_line(self._flow, arrow)
        arrow_length = float(np.ptp(step_positions)) * STEP
        is_level = float(np.ptp(side_offsets)) < 0.2
        if is_level and arrow_length < 2 * width:
            y -= HALF_BOX[1] + height / 2
        self._upper_end = min(self._upper_end, y - height / 2 - 1)
        self._parts.append(
            f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" rx="4" width="{width:.1f}"'
            f' height="{height:.1f}" fill="{colour}" stroke="{self._ground}"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle"'
            f' font-size="{theme.SMALL_LETTERS}" font-weight="bold"'
            f' fill="{theme.ink_on(colour)}">{html.escape(arrow.label)}</text>'
        )

    def finish(self, alt: str) -> str:
        """The whole picture as SVG, with ``alt`` as its title element."""
        height = self._height - self._upper_end
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {self._upper_end:.0f}'
            f' {self._width:.0f} {height:.0f}" width="{self._width:.0f}" height="{height:.0f}"'
            f' font-family="system-ui, sans-serif"><title>{html.escape(alt)}</title>'
            f"{''.join(self._parts)}</svg>"
        )


Point = tuple[float, float]


def _point_before(points: Sequence[Point], distance: float) -> Point:
    """The point at this straight-line distance, in pixels, from the last of at least two points.

    It lies between the last point and the nearest one before it in the list that is far enough,
    on the straight line through both. It is the first point if none is far enough.
    """
    end_x, end_y = points[-1]
    for x, y in reversed(points[:-1]):
        squared_distance = (end_x - x) ** 2 + (end_y - y) ** 2
        if squared_distance >= distance**2:
            break
    length = max(squared_distance**0.5, 1e-9)
    share = min(1.0, distance / length)
    return end_x + (x - end_x) * share, end_y + (y - end_y) * share


def _cut_at_box(points: Sequence[Point], center: Point) -> list[Point]:
    """A line's points up to the edge of the box that it enters, whose edge point is the last one.

    A line that is all outside or all inside is returned as it is.

    Args:
        points: of a line whose last point lies in the box or on its edge.
        center: of the box.
    """
    outside_points = [point for point in points if _distance_in_boxes(point, center) > 1]
    if not outside_points or len(outside_points) == len(points):
        return list(points)
    n_outside = points.index(outside_points[-1]) + 1
    last_outside = points[n_outside - 1]
    first_inside = points[n_outside]
    outside_distance = _distance_in_boxes(last_outside, center)
    inside_distance = _distance_in_boxes(first_inside, center)
    share = (outside_distance - 1) / (outside_distance - inside_distance)
    edge_x = last_outside[0] + share * (first_inside[0] - last_outside[0])
    edge_y = last_outside[1] + share * (first_inside[1] - last_outside[1])
    return [*points[:n_outside], (edge_x, edge_y)]


def _distance_in_boxes(point: Point, center: Point) -> float:
    """Distance of a point from a box's center in half widths or half heights: 1 on the edge."""
    half_width, half_height = HALF_BOX
    share_of_width = abs(point[0] - center[0]) / half_width
    share_of_height = abs(point[1] - center[1]) / half_height
    return max(share_of_width, share_of_height)


def _head_corners(base: Point, tip: Point, half_width: float) -> str:
    """Corners of an arrow's head, for SVG: its tip, and both ends of its base.

    All three are the tip where base and tip coincide.
    """
    base_x, base_y = base
    x_difference = tip[0] - base_x
    y_difference = tip[1] - base_y
    length = max((x_difference**2 + y_difference**2) ** 0.5, 1e-9)
    to_corner_x = -y_difference / length * half_width
    to_corner_y = x_difference / length * half_width
    corners = (
        tip,
        (base_x + to_corner_x, base_y + to_corner_y),
        (base_x - to_corner_x, base_y - to_corner_y),
    )
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
