"""A flow from corpus to output, top to bottom: steps as boxes, edges as clickable arrows."""

import html
import textwrap
from collections.abc import Sequence

import numpy as np

from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, scatter
from dplda.figures.figure import Figure
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.figures.flows.flow_lines import BOX, TURNS, arrow_line, box_centers, marker_place
from dplda.flow import Arrow, Flow, Side
from dplda.methods.configurations.verdict import EdgeVerdict

ROW = 80  # pixels per row: three lines fit between two boxes, seven rows on a screen
MARGINS = (0.08, 0.16)  # beside the outermost boxes, left and right
RADIUS, NOTE = 0.18, 0.75  # of a marker, and how far its note goes, in columns of a phone
LEAK = theme.PALETTE[3]
COLOURS = {
    Standing.CLEAR: theme.PRIVATE,
    Standing.ABOVE: theme.PALETTE[4],
    Standing.BELOW: theme.PALETTE[1],
    Standing.NO_FINITE: theme.PALETTE[11],
    Standing.AFTER_RUN: theme.PALETTE[7],
    Standing.REFUSED: "#6B6B6B",
}
PALE = (Standing.ABOVE, Standing.BELOW)  # fills with dark ink
THIN, THICK = 3.0, 12.0  # pixels: an edge without a share, and one with the whole budget
LEGEND = 34  # pixels
TOP = 0.24  # rows above the middle of the first box
HOVER_LINE, NOTE_LINE, SHARE = 46, 9, 5  # letters
HEADS = {Side.ABOVE: "down", Side.BELOW: "up", Side.LEFT: "right", Side.RIGHT: "left"}


def flow_graph(
    verdict: EdgeVerdict, numbers: Sequence[EdgeNumbers] = (), *, watermark: str = ""
) -> Figure:
    """The flow, with its noise and any path that carries data without noise.

    Args:
        verdict: on the edges with noise; its finding is the title.
        numbers: of the noise, where known: width shows an edge's share of the budget, color its signal to noise.

    Returns:
        A figure whose last trace has one marker per edge, in the flow's order, with its name in ``customdata``.
    """
    flow = verdict.flow
    known = {one.edge: one for one in numbers if one.edge in verdict.edges}
    drawing = Drawing()
    for arrow in flow.arrows:
        _draw_arrow(drawing, flow, arrow, *_stroke(verdict, arrow, known.get(arrow.edge)))
    _draw_boxes(drawing, flow)
    found = {one.standing for one in known.values()}
    named = [one for one in Standing if one in found and found != {Standing.AFTER_RUN}]
    drawing.add(*map(_key, named))
    _draw_markers(drawing, verdict, known)
    lines = np.concatenate([arrow_line(flow, arrow)[0] for arrow in flow.arrows])
    boxes = [across for across, _ in box_centers(flow).values()]
    rows = max(step.x for step in flow.steps) + BOX[1] + 0.11
    low = min(min(boxes) - BOX[0] - MARGINS[0], float(np.min(lines)) - RADIUS)
    notes = [
        marker_place(flow, arrow)[0] + NOTE
        for arrow in flow.arrows
        if arrow.note or arrow.edge in known
    ]
    high = max(max(boxes) + BOX[0] + MARGINS[1], float(np.max(lines)) + RADIUS, *notes)
    drawing.x(dict(range=[low, high], visible=False, fixedrange=True))
    drawing.y(dict(range=[-rows, TOP], visible=False, fixedrange=True))
    drawing.set(
        dict(
            showlegend=bool(named),
            hovermode="closest",
            dragmode=False,
            hoverlabel_font_color=theme.INK,
        )
    )
    drawing.set(dict(legend={"y": 0, "itemclick": False, "itemdoubleclick": False}))
    height = round((rows + TOP) * ROW) + 50 + LEGEND * bool(named)
    return Figure(verdict.finding, _in_words(verdict, numbers), height, drawing, watermark)


def _in_words(verdict: EdgeVerdict, numbers: Sequence[EdgeNumbers]) -> str:
    flow = verdict.flow
    named = {step.name: step.title for step in flow.steps}
    arrows = (
        f"{arrow.label} from {named[arrow.start]} to {named[arrow.end]}{f', {arrow.note}' if arrow.note else ''}"
        for arrow in flow.arrows
    )
    carrying = ", ".join(flow.arrow(edge).label for edge in verdict.edges) or "no edge"
    said = f"Flow graph from the documents to the output. Arrows: {'; '.join(arrows)}. Noise enters on {carrying}."
    path = (
        f": {' → '.join(flow.arrow(edge).label for edge in verdict.leak)}" if verdict.leak else ""
    )
    told = [
        f" On {flow.arrow(one.edge).label}: {' '.join(one.sentences)}"
        for one in numbers
        if one.edge in verdict.edges
    ]
    return f"{said} {verdict.finding}{path}.{''.join(told)}"


def _stroke(
    verdict: EdgeVerdict, arrow: Arrow, known: EdgeNumbers | None
) -> tuple[str, float, str]:
    if arrow.edge in verdict.leak:
        return LEAK, 4.0, "6px,5px"
    dash = "1px,4px" if arrow.optional else "solid"
    if arrow.edge not in verdict.edges:
        return theme.MUTED, 2.0, dash
    if known is None:
        return theme.PRIVATE, THIN, dash
    width = round(THIN + (THICK - THIN) * known.share, 2)
    return COLOURS[known.standing], width, f"{width}px,4px" if arrow.optional else dash


def _key(standing: Standing) -> Part:
    marker = {"symbol": "square", "size": 12, "color": COLOURS[standing], "opacity": 1}
    return scatter(
        x=[None], y=[None], mode="markers", marker=marker, name=standing, showlegend=True
    )


def _draw_arrow(
    drawing: Drawing, flow: Flow, arrow: Arrow, colour: str, width: float, dash: str
) -> None:
    x, y = arrow_line(flow, arrow)
    stroke = {"color": colour, "width": width, "dash": dash}
    drawing.add(scatter(x=x, y=y, mode="lines", line=stroke, hoverinfo="skip", showlegend=False))
    into = arrow.place.into
    head = {
        "symbol": f"triangle-{HEADS[into]}",
        "size": max(14.0, 9 + 1.3 * width),
        "color": colour,
        "opacity": 1,
    }
    back = 0.07 if into in (Side.ABOVE, Side.BELOW) else 0.06
    tip = [x[-1] + back * TURNS[into][0]], [y[-1] + back * TURNS[into][1]]
    drawing.add(
        scatter(x=tip[0], y=tip[1], mode="markers", marker=head, hoverinfo="skip", showlegend=False)
    )


def _draw_boxes(drawing: Drawing, flow: Flow) -> None:
    for step, (x, y) in zip(flow.steps, box_centers(flow).values(), strict=True):
        box = {"x0": x - BOX[0], "x1": x + BOX[0], "y0": y - BOX[1], "y1": y + BOX[1]}
        line = {"color": theme.MUTED, "width": 1.5, "dash": "dot" if step.optional else "solid"}
        drawing.shape(dict(type="rect", line=line, fillcolor=theme.GROUND, **box))
        text = "<br>".join(textwrap.wrap(step.title, 12))
        drawing.annotate(
            dict(x=x, y=y, text=text, font={"size": 13, "color": theme.INK}, name="step")
        )


def _draw_markers(drawing: Drawing, verdict: EdgeVerdict, known: dict[str, EdgeNumbers]) -> None:
    arrows = verdict.flow.arrows
    spots = [marker_place(verdict.flow, arrow) for arrow in arrows]
    noised = [arrow.edge in verdict.edges for arrow in arrows]
    rims = [_stroke(verdict, arrow, known.get(arrow.edge))[0] for arrow in arrows]
    on_noise = {
        edge: str(theme.INK) if one.standing in PALE else "#ffffff" for edge, one in known.items()
    }
    inks = [
        on_noise.get(one.edge, "#ffffff") if one.edge in verdict.edges else theme.INK
        for one in arrows
    ]
    for arrow, (x, y) in zip(arrows, spots, strict=True):
        words = ["<b>noise</b>"] * (arrow.edge in verdict.edges) + ["<b>leak</b>"] * (
            arrow.edge in verdict.leak
        )
        beside = known[arrow.edge].label_lines if arrow.edge in known else ()
        if words and beside and len(beside[0]) <= SHARE:
            words, beside = [f"{words[0]} {beside[0]}"], beside[1:]
        words += beside
        if said := "<br>".join([*words, *textwrap.wrap(arrow.note, NOTE_LINE)]):
            look = {
                "font": {"size": 11, "color": theme.INK},
                "bgcolor": theme.GROUND,
                "borderpad": 0,
                "name": "said",
            }
            xs, ys = arrow_line(verdict.flow, arrow)
            right = ys[
                (xs > x + 2 * RADIUS) & (xs < x + NOTE)
            ]  # where the arrow is behind the note, that gives way
            gives = (
                {}
                if not len(right)
                else {"yanchor": "top"}
                if right.mean() > y
                else {"yanchor": "bottom"}
            )
            drawing.annotate(
                dict(x=x, y=y, text=said, align="left", xanchor="left", xshift=18) | look | gives
            )
    fills = [rim if noise else theme.GROUND for rim, noise in zip(rims, noised, strict=True)]
    symbols = ["square" if noise else "circle" for noise in noised]
    drawing.add(
        scatter(
            x=[x for x, _ in spots],
            y=[y for _, y in spots],
            mode="markers+text",
            text=[arrow.label for arrow in arrows],
            textfont={"size": 13, "color": inks},
            marker={
                "size": 30,
                "symbol": symbols,
                "color": fills,
                "line": {"color": rims, "width": 3},
                "opacity": 1,
            },
            customdata=[[str(arrow.edge)] for arrow in arrows],
            hovertext=[_hover(arrow, verdict, known.get(arrow.edge)) for arrow in arrows],
            hovertemplate="%{hovertext}<extra></extra>",
            unselected={"marker": {"opacity": 1}},
            selected={"marker": {"opacity": 1}},
            name="edges",
            showlegend=False,
        )
    )


def _hover(arrow: Arrow, verdict: EdgeVerdict, numbers: EdgeNumbers | None) -> str:
    leaking = "leaks: no noise on this path" if arrow.edge in verdict.leak else "no noise here"
    state = "carries noise" if arrow.edge in verdict.edges else leaking
    rows = (
        [f"<i>{state}</i>"]
        if numbers is None
        else [f"• {_wrapped(row)}" for row in numbers.sentences]
    )
    said = [
        f"<b>{arrow.label}: {html.escape(arrow.carries)}</b>",
        _wrapped(arrow.meaning),
        _wrapped(arrow.equation),
    ]
    return "<br>".join(said + rows)


def _wrapped(text: str) -> str:
    return "<br>".join(map(html.escape, textwrap.wrap(text, HOVER_LINE)))
