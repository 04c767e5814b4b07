"""A flow from corpus to output, top to bottom: steps as boxes, edges as clickable arrows."""

import textwrap
from collections.abc import Mapping, Sequence

import numpy as np

from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, scatter
from dplda.figures.figure import Figure
from dplda.figures.flows.edge_marks import (
    COLOURS,
    NOTE_WIDTH,
    RADIUS,
    Stroke,
    draw_markers,
    draw_note,
    stroke_of,
)
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.figures.flows.flow_lines import BOX, TURNS, arrow_line, box_centers, marker_place
from dplda.flow import Arrow, Flow, Side
from dplda.methods.configurations.verdict import EdgeVerdict

ROW = 85
"""Pixels per row: three lines fit between two boxes, and seven rows on a screen."""
MARGINS = (0.08, 0.16)
"""Room beside the outermost boxes, left and right, in columns."""
LEGEND = 34
"""Pixels of the legend."""
TOP = 0.24
"""Rows above the middle of the first box."""
HEADS = {Side.ABOVE: "down", Side.BELOW: "up", Side.LEFT: "right", Side.RIGHT: "left"}
"""Direction of an arrow's head, by the side at which it enters a box."""


def flow_graph(
    verdict: EdgeVerdict, numbers: Sequence[EdgeNumbers] = (), *, watermark: str = ""
) -> Figure:
    """The flow, with its noise and any path that carries data without noise.

    A legend explains the colors of edges, unless every known edge has its signal after a run only.

    Args:
        verdict: on the edges with noise; its finding is the title.
        numbers: of the noise, where known: width shows an edge's share of the budget, color its
            signal to noise. Those of edges without noise are left out.
        watermark: written across the figure; empty for none.

    Returns:
        A figure whose last trace has one marker per edge, in the flow's order, with its name in
        ``customdata``.
    """
    flow = verdict.flow
    numbers_by_edge = {
        edge_numbers.edge: edge_numbers
        for edge_numbers in numbers
        if edge_numbers.edge in verdict.edges
    }
    drawing = Drawing()
    for arrow in flow.arrows:
        stroke = stroke_of(verdict, arrow, numbers_by_edge.get(arrow.edge))
        _draw_arrow(drawing, flow, arrow, stroke)
    _draw_boxes(drawing, flow)
    explained_standings = _standings_in_legend(numbers_by_edge)
    drawing.add(*(_legend_entry(standing) for standing in explained_standings))
    for arrow in flow.arrows:
        draw_note(drawing, verdict, arrow, numbers_by_edge.get(arrow.edge))
    draw_markers(drawing, verdict, numbers_by_edge)
    n_rows = _set_axes(drawing, flow, numbers_by_edge)
    drawing.set(
        dict(
            showlegend=bool(explained_standings),
            hovermode="closest",
            dragmode=False,
            hoverlabel_font_color=theme.INK,
            legend={"y": 0, "itemclick": False, "itemdoubleclick": False},
        )
    )
    height = round((n_rows + TOP) * ROW) + 50 + LEGEND * bool(explained_standings)
    return Figure(verdict.finding, _describe(verdict, numbers), height, drawing, watermark)


def _standings_in_legend(numbers_by_edge: Mapping[str, EdgeNumbers]) -> list[Standing]:
    """Standings whose colors need an explanation: none if there is only *known after a run*."""
    standings = {numbers.standing for numbers in numbers_by_edge.values()}
    if standings == {Standing.AFTER_RUN}:
        return []
    return [standing for standing in Standing if standing in standings]


def _set_axes(drawing: Drawing, flow: Flow, numbers_by_edge: Mapping[str, EdgeNumbers]) -> float:
    """Set both axes so that boxes, arrows, markers and notes fit, and return the number of rows.

    That is the depth of the last step, half a box and a small margin. The axes are hidden and
    cannot be moved.
    """
    lines = [arrow_line(flow, arrow) for arrow in flow.arrows]
    line_xs = np.concatenate([xs for xs, _ in lines])
    box_xs = [x for x, _ in box_centers(flow).values()]
    note_ends = []
    for arrow in flow.arrows:
        if arrow.note or arrow.edge in numbers_by_edge:
            marker_x, _ = marker_place(flow, arrow)
            note_ends.append(marker_x + NOTE_WIDTH)
    half_box_width, half_box_height = BOX
    left_margin, right_margin = MARGINS
    left_of_boxes = min(box_xs) - half_box_width - left_margin
    right_of_boxes = max(box_xs) + half_box_width + right_margin
    left_of_lines = float(np.min(line_xs)) - RADIUS
    right_of_lines = float(np.max(line_xs)) + RADIUS
    left_end = min(left_of_boxes, left_of_lines)
    right_end = max(right_of_boxes, right_of_lines, *note_ends)
    n_rows = max(step.x for step in flow.steps) + half_box_height + 0.11
    drawing.x(dict(range=[left_end, right_end], visible=False, fixedrange=True))
    drawing.y(dict(range=[-n_rows, TOP], visible=False, fixedrange=True))
    return n_rows


def _describe(verdict: EdgeVerdict, numbers: Sequence[EdgeNumbers]) -> str:
    """The graph in words: arrows, edges with noise, the finding with any leak, numbers.

    Numbers of an edge without noise are left out.
    """
    flow = verdict.flow
    step_titles = {step.name: step.title for step in flow.steps}
    arrow_phrases = []
    for arrow in flow.arrows:
        phrase = f"{arrow.label} from {step_titles[arrow.start]} to {step_titles[arrow.end]}"
        if arrow.note:
            phrase += f", {arrow.note}"
        arrow_phrases.append(phrase)
    noised_labels = [flow.arrow(edge).label for edge in verdict.edges]
    leak_labels = [flow.arrow(edge).label for edge in verdict.leak]
    leak_path = ""
    if leak_labels:
        leak_path = f": {' → '.join(leak_labels)}"
    number_sentences = [
        f" On {flow.arrow(edge_numbers.edge).label}: {' '.join(edge_numbers.sentences)}"
        for edge_numbers in numbers
        if edge_numbers.edge in verdict.edges
    ]
    return (
        f"Flow graph from the documents to the output. Arrows: {'; '.join(arrow_phrases)}."
        f" Noise enters on {', '.join(noised_labels) or 'no edge'}."
        f" {verdict.finding}{leak_path}.{''.join(number_sentences)}"
    )


def _legend_entry(standing: Standing) -> Part:
    """A trace without points, whose entry in the legend names the color of a standing."""
    marker = {"symbol": "square", "size": 12, "color": COLOURS[standing], "opacity": 1}
    return scatter(
        x=[None], y=[None], mode="markers", marker=marker, name=standing, showlegend=True
    )


def _draw_arrow(drawing: Drawing, flow: Flow, arrow: Arrow, stroke: Stroke) -> None:
    """Draw an arrow's line, and its head just outside the box that it enters."""
    xs, ys = arrow_line(flow, arrow)
    line_style = {"color": stroke.colour, "width": stroke.width, "dash": stroke.dash}
    drawing.add(
        scatter(x=xs, y=ys, mode="lines", line=line_style, hoverinfo="skip", showlegend=False)
    )
    entered_side = arrow.place.into
    is_vertical = entered_side in (Side.ABOVE, Side.BELOW)
    distance_to_box = 0.07 if is_vertical else 0.06
    to_right, upward = TURNS[entered_side]
    head_marker = {
        "symbol": f"triangle-{HEADS[entered_side]}",
        "size": max(14.0, 9 + 1.3 * stroke.width),
        "color": stroke.colour,
        "opacity": 1,
    }
    drawing.add(
        scatter(
            x=[xs[-1] + distance_to_box * to_right],
            y=[ys[-1] + distance_to_box * upward],
            mode="markers",
            marker=head_marker,
            hoverinfo="skip",
            showlegend=False,
        )
    )


def _draw_boxes(drawing: Drawing, flow: Flow) -> None:
    """Draw every step as a box with its title; an optional one has a dotted frame."""
    half_width, half_height = BOX
    centers = box_centers(flow).values()
    for step, (x, y) in zip(flow.steps, centers, strict=True):
        corners = {
            "x0": x - half_width,
            "x1": x + half_width,
            "y0": y - half_height,
            "y1": y + half_height,
        }
        dash = "dot" if step.optional else "solid"
        frame_style = {"color": theme.MUTED, "width": 1.5, "dash": dash}
        drawing.shape(dict(type="rect", line=frame_style, fillcolor=theme.GROUND, **corners))
        title = "<br>".join(textwrap.wrap(step.title, 12))
        font = {"size": theme.LETTERS, "color": theme.INK}
        drawing.annotate(dict(x=x, y=y, text=title, font=font, name="step"))
