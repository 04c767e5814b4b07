"""A flow from left to right as a small SVG: boxes with symbols, and what noise does to its edges."""

import base64
import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dplda.figures import theme
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.figures.flows.flow_lines import BOX, arrow_line, box_centers, marker_place
from dplda.flow import Arrow, Flow

STEP = 46.0  # pixels from one step to the next
ROW = 42.0  # pixels from one row of steps to the next
PAD = 8.0  # pixels around the boxes
THIN, THICK = 3.0, 12.0  # pixels: a noised edge without a share, and one with the whole budget
HEAD = 4.5  # pixels: half the width of an arrow's head
TURNED_FROM = 3  # letters from which a symbol stands upright in its narrow box
CHIP = (20.0, 14.0)  # pixels: label of a noised edge
DROWNED = (Standing.BELOW, Standing.NO_FINITE)
CLEAR_COLOUR = theme.PRIVATE
DROWNED_COLOUR = theme.PALETTE[1]


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
    """A small flow as an HTML image; arguments as for ``small_flow``."""
    picture = small_flow(flow, edges, numbers, dark=dark)
    alt = html.escape(picture.alt, quote=True)
    return f'<img class="small-flow" alt="{alt}" title="{alt}" src="{picture.data_uri}">'


def small_flow(
    flow: Flow, edges: Sequence[str], numbers: Sequence[EdgeNumbers] = (), *, dark: bool = False
) -> SmallFlow:
    """Draw a flow small enough for a card.

    Args:
        flow: its steps and arrows.
        edges: those that carry noise.
        numbers: of the noise, where known: an edge is as wide as its share of the budget, and
            orange where its noise exceeds its signal.
        dark: whether the page is dark.
    """
    known = {one.edge: one for one in numbers if one.edge in edges}
    picture = _Picture(flow, dark=dark)
    for arrow in sorted(flow.arrows, key=lambda arrow: arrow.edge in edges):
        picture.draw_arrow(arrow, *_stroke(arrow, edges, known, dark=dark))
    picture.draw_boxes()
    for arrow in flow.arrows:
        if arrow.edge in edges:
            picture.draw_label(arrow, _colour(known.get(arrow.edge)))
    alt = _describe(flow, edges, known)
    return SmallFlow(picture.finish(alt), alt)


def is_drowned(numbers: EdgeNumbers) -> bool:
    """Whether the noise on an edge exceeds its signal."""
    return numbers.standing in DROWNED


def _colour(numbers: EdgeNumbers | None) -> str:
    if numbers is not None and is_drowned(numbers):
        return DROWNED_COLOUR
    return CLEAR_COLOUR


def _stroke(
    arrow: Arrow, edges: Sequence[str], known: Mapping[str, EdgeNumbers], *, dark: bool
) -> tuple[str, float]:
    """Color and width of an arrow."""
    if arrow.edge not in edges:
        return theme.QUIET.on(dark=dark), 1.2
    numbers = known.get(arrow.edge)
    share = 0.0 if numbers is None else numbers.share
    return _colour(numbers), THIN + (THICK - THIN) * share


def _describe(flow: Flow, edges: Sequence[str], known: Mapping[str, EdgeNumbers]) -> str:
    """The picture in words: each noised edge, its share, and whether the noise wins."""
    parts = []
    for edge in flow.in_order(edges):
        arrow = flow.arrow(edge)
        words = f"{arrow.label} ({arrow.carries}"
        numbers = known.get(edge)
        if numbers is not None and numbers.share:
            words += f", {numbers.share:.0%} of the budget"
        if numbers is not None and is_drowned(numbers):
            words += ", noise above signal"
        parts.append(f"{words})")
    return f"Flow from documents to topics. Noise on {'; '.join(parts) or 'no edge'}."


class _Picture:
    """An SVG under way; a flow's own drawing is turned so that it runs to the right.

    Args:
        flow: what is drawn.
        dark: whether the page is dark.
    """

    def __init__(self, flow: Flow, *, dark: bool) -> None:
        self._flow = flow
        self._ink = theme.INK.on(dark=dark)
        self._ground = theme.GROUND.on(dark=dark)
        self._frame = theme.QUIET.on(dark=dark)
        self._parts: list[str] = []
        lines = [arrow_line(flow, arrow)[0] for arrow in flow.arrows]
        boxes = [across for across, _ in box_centers(flow).values()]
        self._top = max(max(boxes) + BOX[0], max(float(one.max()) for one in lines))
        bottom = min(min(boxes) - BOX[0], min(float(one.min()) for one in lines))
        n_steps = max(step.x for step in flow.steps)
        self._width = (n_steps + 2 * BOX[1]) * STEP + 2 * PAD
        self._height = (self._top - bottom) * ROW + 2 * PAD

    def _to_pixels(self, across: float, down: float) -> tuple[float, float]:
        """Place in the picture of a place in the flow's own drawing, which runs downward."""
        return (-down + BOX[1]) * STEP + PAD, (self._top - across) * ROW + PAD

    def draw_arrow(self, arrow: Arrow, colour: str, width: float) -> None:
        """Draw an arrow with its head."""
        across, down = arrow_line(self._flow, arrow)
        points = [self._to_pixels(*point) for point in zip(across, down, strict=True)]
        tip = points[-1]
        head = HEAD + width / 2
        before = _point_before(points, 1.4 * head)
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in (*points[:-1], before))
        dash = ' stroke-dasharray="2 3"' if arrow.optional else ""
        self._parts.append(
            f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:.1f}"{dash}/>'
        )
        self._parts.append(f'<polygon points="{_head(before, tip, head)}" fill="{colour}"/>')

    def draw_boxes(self) -> None:
        """Draw every step as a box with its symbol."""
        half_width, half_height = BOX[1] * STEP, BOX[0] * ROW
        for step, place in zip(self._flow.steps, box_centers(self._flow).values(), strict=True):
            x, y = self._to_pixels(*place)
            turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"'
            is_turned = len(step.symbol) >= TURNED_FROM
            self._parts.append(
                f'<rect x="{x - half_width:.1f}" y="{y - half_height:.1f}" rx="3"'
                f' width="{2 * half_width:.1f}" height="{2 * half_height:.1f}"'
                f' fill="{self._ground}" stroke="{self._frame}"/>'
                f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" font-size="12"'
                f' fill="{self._ink}"{turn if is_turned else ""}>{html.escape(step.symbol)}</text>'
            )

    def draw_label(self, arrow: Arrow, colour: str) -> None:
        """Draw the name of a noised edge on its arrow, or above one too short to hold it."""
        x, y = self._to_pixels(*marker_place(self._flow, arrow))
        width, height = CHIP
        across, down = arrow_line(self._flow, arrow)
        length = float(np.ptp(down)) * STEP
        is_level = float(np.ptp(across)) < 0.2
        if is_level and length < 2 * width:
            y -= height + 2
        self._parts.append(
            f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" rx="4" width="{width:.1f}"'
            f' height="{height:.1f}" fill="{colour}" stroke="{self._ground}"/>'
            f'<text x="{x:.1f}" y="{y + 3.5:.1f}" text-anchor="middle" font-size="10"'
            f' font-weight="bold" fill="{theme.ink_on(colour)}">{html.escape(arrow.label)}</text>'
        )

    def finish(self, alt: str) -> str:
        """The whole picture, with its words for readers that show no image."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width:.0f}'
            f' {self._height:.0f}" width="{self._width:.0f}" height="{self._height:.0f}"'
            f' font-family="system-ui, sans-serif"><title>{html.escape(alt)}</title>'
            f"{''.join(self._parts)}</svg>"
        )


Point = tuple[float, float]


def _point_before(points: Sequence[Point], distance: float) -> Point:
    """The point that lies this many pixels before the end of a line, on its last straight part."""
    (x1, y1) = points[-1]
    (x0, y0) = points[-2]
    for x0, y0 in reversed(points[:-1]):
        if (x1 - x0) ** 2 + (y1 - y0) ** 2 >= distance**2:
            break
    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-9)
    part = min(1.0, distance / length)
    return x1 + (x0 - x1) * part, y1 + (y0 - y1) * part


def _head(base: Point, tip: Point, half_width: float) -> str:
    """Corners of an arrow's head."""
    along = (tip[0] - base[0], tip[1] - base[1])
    length = max((along[0] ** 2 + along[1] ** 2) ** 0.5, 1e-9)
    side = (-along[1] / length * half_width, along[0] / length * half_width)
    corners = (
        tip,
        (base[0] + side[0], base[1] + side[1]),
        (base[0] - side[0], base[1] - side[1]),
    )
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
