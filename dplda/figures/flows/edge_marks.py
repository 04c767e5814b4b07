"""Marks of noise on the edges of a flow graph: strokes, markers and notes beside them."""

import html
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, scatter
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.figures.flows.flow_lines import arrow_line, marker_place
from dplda.flow import Arrow, Flow
from dplda.methods.configurations.verdict import EdgeVerdict

RADIUS = 0.18
"""Radius of a marker, in columns of a phone."""
NOTE_WIDTH = 0.8
"""Distance from a marker's middle to the end of its note, in columns of a phone."""
LEAK = theme.PALETTE[3]
"""Color of a path without noise."""
COLOURS = {
    Standing.CLEAR: theme.PRIVATE,
    Standing.ABOVE: theme.PALETTE[4],
    Standing.BELOW: theme.PALETTE[1],
    Standing.NO_FINITE: theme.PALETTE[11],
    Standing.AFTER_RUN: theme.PALETTE[7],
    Standing.REFUSED: "#6B6B6B",
}
"""Color of an edge with noise, by its standing."""
PALE = (Standing.ABOVE, Standing.BELOW)
"""Standings whose color needs dark ink."""
THIN = 3.0
"""Pixels of an edge without a share of the budget."""
THICK = 12.0
"""Pixels of an edge with the whole budget."""
HOVER_LINE = 46
"""Letters in a line of a hover text."""
NOTE_LINE = 9
"""Letters in a line of an arrow's own note."""
LONGEST_SHARE = 5
"""Letters of a share that fits behind the word *noise*."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """Look of an arrow.

    Attributes:
        colour: of the line, its head and the rim of its marker.
        width: of the line, in pixels.
        dash: Plotly's pattern of the line.
    """

    colour: str
    width: float
    dash: str


def stroke_of(verdict: EdgeVerdict, arrow: Arrow, numbers: EdgeNumbers | None) -> Stroke:
    """Look of an arrow: dashed on a leak, thin and gray without noise, else by its numbers.

    Noise without numbers is thin, in the color of private results. An optional arrow that does not
    leak is dotted.
    """
    if arrow.edge in verdict.leak:
        return Stroke(LEAK, 4.0, "6px,5px")
    dash = "1px,4px" if arrow.optional else "solid"
    if arrow.edge not in verdict.edges:
        return Stroke(theme.MUTED, 2.0, dash)
    if numbers is None:
        return Stroke(theme.PRIVATE, THIN, dash)
    width = round(THIN + (THICK - THIN) * numbers.share, 2)
    if arrow.optional:
        dash = f"{width}px,4px"
    return Stroke(COLOURS[numbers.standing], width, dash)


def draw_note(
    drawing: Drawing, verdict: EdgeVerdict, arrow: Arrow, numbers: EdgeNumbers | None
) -> None:
    """Write at a marker's right the arrow's noise or leak, its numbers' label and its own note.

    Nothing is drawn if there is none of them.
    """
    lines = [*_note_lines(verdict, arrow, numbers), *textwrap.wrap(arrow.note, NOTE_LINE)]
    if not lines:
        return
    x, y = marker_place(verdict.flow, arrow)
    note: Part = {
        "x": x,
        "y": y,
        "text": "<br>".join(lines),
        "align": "left",
        "xanchor": "left",
        "xshift": 18,
        "font": {"size": theme.SMALL_LETTERS, "color": theme.INK},
        "bgcolor": theme.GROUND,
        "borderpad": 0,
        "name": "said",
    }
    drawing.annotate(note | _anchor_beside_line(verdict.flow, arrow))


def _note_lines(verdict: EdgeVerdict, arrow: Arrow, numbers: EdgeNumbers | None) -> list[str]:
    """Lines that say in bold whether an arrow has noise or leaks, and the label of its numbers.

    A share of at most ``LONGEST_SHARE`` letters stands behind *noise*, or *leak* without noise. In
    this case *leak* is left out beside *noise*.
    """
    state_lines = []
    if arrow.edge in verdict.edges:
        state_lines.append("<b>noise</b>")
    if arrow.edge in verdict.leak:
        state_lines.append("<b>leak</b>")
    label_lines: list[str] = []
    if numbers is not None:
        label_lines = list(numbers.label_lines)
    if state_lines and label_lines and len(label_lines[0]) <= LONGEST_SHARE:
        return [f"{state_lines[0]} {label_lines[0]}", *label_lines[1:]]
    return state_lines + label_lines


def _anchor_beside_line(flow: Flow, arrow: Arrow) -> Part:
    """The side of a note at its marker's height, so that the arrow does not run through it.

    Returns:
        The note's ``yanchor``: its top where the arrow within the note's width is on average above
        that height, else its bottom. Empty, which centers the note, where it does not pass there.
    """
    x, y = marker_place(flow, arrow)
    line_xs, line_ys = arrow_line(flow, arrow)
    is_behind_note = (line_xs > x + 2 * RADIUS) & (line_xs < x + NOTE_WIDTH)
    heights_behind_note = line_ys[is_behind_note]
    if not len(heights_behind_note):
        return {}
    if heights_behind_note.mean() > y:
        return {"yanchor": "top"}
    return {"yanchor": "bottom"}


def draw_markers(
    drawing: Drawing, verdict: EdgeVerdict, numbers_by_edge: Mapping[str, EdgeNumbers]
) -> None:
    """Draw every edge's marker with its label: a filled square with noise, else an empty circle.

    Hovering over one describes the edge, and a click gives its name.
    """
    arrows = verdict.flow.arrows
    marker_positions = [marker_place(verdict.flow, arrow) for arrow in arrows]
    has_noise = [arrow.edge in verdict.edges for arrow in arrows]
    rim_colours = [
        stroke_of(verdict, arrow, numbers_by_edge.get(arrow.edge)).colour for arrow in arrows
    ]
    fill_colours = [
        _marker_fill(rim_colour, is_noised=is_noised)
        for rim_colour, is_noised in zip(rim_colours, has_noise, strict=True)
    ]
    ink_colours = [_marker_ink(verdict, arrow.edge, numbers_by_edge) for arrow in arrows]
    drawing.add(
        scatter(
            x=[x for x, _ in marker_positions],
            y=[y for _, y in marker_positions],
            mode="markers+text",
            text=[arrow.label for arrow in arrows],
            textfont={"size": theme.LETTERS, "color": ink_colours},
            marker={
                "size": 30,
                "symbol": [_marker_symbol(is_noised=is_noised) for is_noised in has_noise],
                "color": fill_colours,
                "line": {"color": rim_colours, "width": 3},
                "opacity": 1,
            },
            customdata=[[str(arrow.edge)] for arrow in arrows],
            hovertext=[
                _hover_text(arrow, verdict, numbers_by_edge.get(arrow.edge)) for arrow in arrows
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            unselected={"marker": {"opacity": 1}},
            selected={"marker": {"opacity": 1}},
            name="edges",
            showlegend=False,
        )
    )


def _marker_fill(rim_colour: str, *, is_noised: bool) -> str:
    """Color inside a marker: its rim's with noise, else the page's ground."""
    if is_noised:
        return rim_colour
    return theme.GROUND


def _marker_symbol(*, is_noised: bool) -> str:
    """Plotly's name of a marker's shape: a square with noise, else a circle."""
    if is_noised:
        return "square"
    return "circle"


def _marker_ink(verdict: EdgeVerdict, edge: str, numbers_by_edge: Mapping[str, EdgeNumbers]) -> str:
    """Color of a marker's label: the page's ink without noise or on a pale fill, else white.

    The standings in ``PALE`` have a pale fill. With noise but without numbers the label is white.
    """
    if edge not in verdict.edges:
        return theme.INK
    edge_numbers = numbers_by_edge.get(edge)
    if edge_numbers is not None and edge_numbers.standing in PALE:
        return str(theme.INK)
    return "#ffffff"


def _hover_text(arrow: Arrow, verdict: EdgeVerdict, numbers: EdgeNumbers | None) -> str:
    """An arrow's label, quantity, meaning and equation, then its numbers, or else its state.

    The state is noise, a leak, or no noise. The text is HTML.
    """
    if numbers is not None:
        last_lines = [f"• {_wrapped(sentence)}" for sentence in numbers.sentences]
    elif arrow.edge in verdict.edges:
        last_lines = ["<i>carries noise</i>"]
    elif arrow.edge in verdict.leak:
        last_lines = ["<i>leaks: no noise on this path</i>"]
    else:
        last_lines = ["<i>no noise here</i>"]
    first_lines = [
        f"<b>{arrow.label}: {html.escape(arrow.carries)}</b>",
        _wrapped(arrow.meaning),
        _wrapped(arrow.equation),
    ]
    return "<br>".join(first_lines + last_lines)


def _wrapped(text: str) -> str:
    """Escaped text in lines of at most ``HOVER_LINE`` letters."""
    return "<br>".join(html.escape(line) for line in textwrap.wrap(text, HOVER_LINE))
