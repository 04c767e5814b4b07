"""A flow from corpus to output, top to bottom: its steps as boxes, its edges as arrows that can be clicked."""

import html
import textwrap

import numpy as np

from dplda._types import Vector
from dplda.configurations.choice import EdgeVerdict
from dplda.figures import theme
from dplda.figures.plain import Figure, scatter
from dplda.flow import Arrow, Flow, Side

ROW = 96  # pixels between two rows
BOX = (0.46, 0.21)  # half width and half height, in columns and rows
CORNER = 0.28  # radius where an arrow turns, in columns and rows
MARGINS = (0.08, 0.16)  # beside the outermost boxes, more where words stand beside markers
RADIUS, NOTE = 0.18, 0.75  # of a marker, and how far its note goes, in columns of a phone
LEAK = theme.PALETTE[3]
HOVER_LINE, NOTE_LINE = 46, 9  # letters
POINTS = 24  # of a line
TURNS = {Side.LEFT: (-1.0, 0.0), Side.RIGHT: (1.0, 0.0), Side.BELOW: (0.0, -1.0), Side.ABOVE: (0.0, 1.0)}
HEADS = {Side.ABOVE: "down", Side.BELOW: "up", Side.LEFT: "right", Side.RIGHT: "left"}


def flow_graph(verdict: EdgeVerdict, *, dark: bool = False) -> Figure:
    """The flow, with noise where it enters and the path on which data meets none.

    Args:
        verdict: on the edges that carry noise; its finding is the title.
        dark: whether the page's ground is dark.

    Returns:
        A figure whose last trace has one marker for every edge, in the order of the flow's arrows, its name in
        ``customdata``.

    Example:
        >>> from dplda import figures
        >>> from dplda.configurations import REGISTRY
        >>> from dplda.configurations.choice import judge
        >>> figure = figures.flow_graph(judge(["e6"], REGISTRY))
        >>> print(figure.layout.title.text)
        Data leaks along the dashed path
    """
    flow, noised, leak = verdict.flow, verdict.edges, verdict.leak
    figure = Figure()
    for arrow in flow.arrows:
        _draw_arrow(figure, flow, arrow, noised=arrow.edge in noised, leaking=arrow.edge in leak)
    _draw_boxes(figure, flow, dark=dark)
    _draw_markers(figure, verdict, dark=dark)
    lines = np.concatenate([_line(flow, arrow, POINTS)[0] for arrow in flow.arrows])
    boxes = [across for across, _ in _places(flow).values()]
    rows = max(step.x for step in flow.steps) + BOX[1] + 0.11
    low = min(min(boxes) - BOX[0] - MARGINS[0], float(np.min(lines)) - RADIUS)
    notes = [_marked(flow, arrow)[0] + NOTE for arrow in flow.arrows if arrow.note]
    high = max(max(boxes) + BOX[0] + MARGINS[1], float(np.max(lines)) + RADIUS, *notes)
    figure.update_xaxes(dict(range=[low, high], visible=False, fixedrange=True))
    figure.update_yaxes(dict(range=[-rows, 0.32], visible=False, fixedrange=True))
    figure.update_layout(dict(showlegend=False, hovermode="closest", dragmode=False))
    return theme.finish(figure, title=verdict.finding, height=round((rows + 0.32) * ROW) + 50)


def flow_graph_alt(verdict: EdgeVerdict) -> str:
    """The figure in words; argument as for ``flow_graph``.

    Example:
        >>> from dplda import figures
        >>> from dplda.configurations import REGISTRY
        >>> from dplda.configurations.choice import judge
        >>> said = figures.flow_graph_alt(judge(["e2", "e6"], REGISTRY))
        >>> print(said.split(". ")[-2], "|", said.split(". ")[-1])
        Noise enters on e2, e6 | Every path to the output meets noise.
    """
    flow = verdict.flow
    named = {step.name: step.title for step in flow.steps}
    arrows = (
        f"{arrow.label} from {named[arrow.start]} to {named[arrow.end]}{f', {arrow.note}' if arrow.note else ''}"
        for arrow in flow.arrows
    )
    carrying = ", ".join(flow.arrow(edge).label for edge in verdict.edges) or "no edge"
    said = f"Flow graph from the corpus to the output. Arrows: {'; '.join(arrows)}. Noise enters on {carrying}."
    path = f": {' → '.join(flow.arrow(edge).label for edge in verdict.leak)}" if verdict.leak else ""
    return f"{said} {verdict.finding}{path}."


def _places(flow: Flow) -> dict[str, tuple[float, float]]:
    """Middle of every box, across and down."""
    return {step.name: (2 - step.y, -step.x) for step in flow.steps}


def _draw_arrow(figure: Figure, flow: Flow, arrow: Arrow, *, noised: bool, leaking: bool) -> None:
    x, y = _line(flow, arrow, POINTS)
    colour = LEAK if leaking else theme.PRIVATE if noised else theme.MUTED
    dash = "6px,5px" if leaking else "1px,4px" if arrow.optional else "solid"
    line = {"color": colour, "width": 4 if leaking else 3 if noised else 2, "dash": dash}
    figure.add_trace(scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip"))
    into = arrow.place.into
    head = {"symbol": f"triangle-{HEADS[into]}", "size": 14, "color": colour, "opacity": 1}
    back = 0.07 if into in (Side.ABOVE, Side.BELOW) else 0.06
    tip = [x[-1] + back * TURNS[into][0]], [y[-1] + back * TURNS[into][1]]
    figure.add_trace(scatter(x=tip[0], y=tip[1], mode="markers", marker=head, hoverinfo="skip"))


def _line(flow: Flow, arrow: Arrow, n: int) -> tuple[Vector, Vector]:
    """Points of an arrow: straight out of one box and straight into the next, round corners between them."""
    place, places = arrow.place, _places(flow)
    (x0, y0), (x1, y1) = (
        _port(places[arrow.start], place.out, place.leaves),
        _port(places[arrow.end], place.into, place.enters),
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
    """Where an arrow meets a box."""
    right, up = TURNS[side]
    return middle[0] + right * BOX[0] + (off if up else 0.0), middle[1] + up * BOX[1] + (off if right else 0.0)


def _rounded(corners: list[tuple[float, float]], n: int) -> tuple[Vector, Vector]:
    """Points of a line through corners, each of them rounded off."""
    spots = np.array(corners)
    found = [spots[:1]]
    bow = np.linspace(0, 1, n)[:, None]
    for before, corner, after in zip(spots[:-2], spots[1:-1], spots[2:], strict=True):
        start, end = (corner + _towards(corner, other) for other in (before, after))
        found.append((1 - bow) ** 2 * start + 2 * bow * (1 - bow) * corner + bow**2 * end)
    line = np.concatenate([*found, spots[-1:]])
    return line[:, 0], line[:, 1]


def _towards(corner: Vector, other: Vector) -> Vector:
    """From a corner as far towards another as it is rounded."""
    apart = other - corner
    length = float(np.linalg.norm(apart))
    result: Vector = apart * min(CORNER, length / 2) / length
    return result


def _marked(flow: Flow, arrow: Arrow) -> tuple[float, float]:
    """Where the marker of an arrow sits: at a share of its length."""
    x, y = _line(flow, arrow, 2 * POINTS)
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    at = arrow.place.marker * lengths[-1]
    return float(np.interp(at, lengths, x)), float(np.interp(at, lengths, y))


def _draw_boxes(figure: Figure, flow: Flow, *, dark: bool) -> None:
    for step, (x, y) in zip(flow.steps, _places(flow).values(), strict=True):
        figure.add_shape(
            dict(
                type="rect",
                x0=x - BOX[0],
                x1=x + BOX[0],
                y0=y - BOX[1],
                y1=y + BOX[1],
                line={"color": theme.MUTED, "width": 1.5, "dash": "dot" if step.optional else "solid"},
                fillcolor=theme.ground(dark=dark),
            )
        )
        text = "<br>".join(textwrap.wrap(step.title, 13))
        figure.add_annotation(dict(x=x, y=y, text=text, font={"size": 13, "color": theme.ink(dark=dark)}, name="step"))


def _draw_markers(figure: Figure, verdict: EdgeVerdict, *, dark: bool) -> None:
    arrows = verdict.flow.arrows
    ground, ink = theme.ground(dark=dark), theme.ink(dark=dark)
    rims, fills, inks, symbols, hovers = [], [], [], [], []
    across, down = np.array([_marked(verdict.flow, arrow) for arrow in arrows]).T
    for i, arrow in enumerate(arrows):
        has_noise, leaking = arrow.edge in verdict.edges, arrow.edge in verdict.leak
        rims.append(LEAK if leaking else theme.PRIVATE if has_noise else theme.MUTED)
        fills.append(theme.PRIVATE if has_noise else ground)
        inks.append("#ffffff" if has_noise else ink)
        symbols.append("square" if has_noise else "circle")
        hovers.append(_hover(arrow, has_noise, leaking))
        words = [f"<b>{'≈ noise' if has_noise else 'leak'}</b>"] if has_noise or leaking else []
        if said := "<br>".join([*words, *textwrap.wrap(arrow.note, NOTE_LINE)]):
            figure.add_annotation(
                dict(
                    x=across[i],
                    y=down[i],
                    text=said,
                    align="left",
                    xanchor="left",
                    xshift=18,
                    font={"size": 12, "color": ink},
                    bgcolor=ground,
                    borderpad=1,
                    name="said",
                )
            )
    figure.add_trace(
        scatter(
            x=across,
            y=down,
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
            hovertext=hovers,
            hovertemplate="%{hovertext}<extra></extra>",
            unselected={"marker": {"opacity": 1}},
            selected={"marker": {"opacity": 1}},
            name="edges",
        )
    )


def _hover(arrow: Arrow, has_noise: bool, leaking: bool) -> str:
    meaning = "<br>".join(map(html.escape, textwrap.wrap(arrow.meaning, HOVER_LINE)))
    equation = "<br>".join(map(html.escape, textwrap.wrap(arrow.equation, HOVER_LINE)))
    state = "carries noise" if has_noise else "leaks: no noise on this path" if leaking else "no noise here"
    return f"<b>{arrow.label}: {html.escape(arrow.carries)}</b><br>{meaning}<br>{equation}<br><i>{state}</i>"
