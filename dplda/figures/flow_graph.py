"""The flow from corpus to output, top to bottom: its steps as boxes, its edges as arrows that can be clicked."""

import html
import textwrap
from collections.abc import Collection

import numpy as np
import plotly.graph_objects as go

from dplda._types import Vector
from dplda.configurations.choice import EdgeVerdict
from dplda.figures import theme
from dplda.flow import ARROWS, STEPS, Arrow, Edge

ROW = 96  # pixels between two rows
BOX = (0.46, 0.21)  # half width and half height, in columns and rows
LEAK = theme.PALETTE[3]
HOVER_LINE = 46  # letters
# Where several arrows share a box, how far from its middle they leave and enter, in columns.
LEAVES = {Edge.E1: -0.12, Edge.E0: 0.12, Edge.E4: -0.16, Edge.E5: 0.16}
ENTERS = {Edge.E3: -0.16, Edge.E4: 0.16, Edge.E7: -0.12, Edge.E8: 0.12}
MIDDLES = {Edge.E4: 0.42}  # share of the way at which a marker sits, where not half
PLACES = {step.name: (2 - step.y, -step.x) for step in STEPS}


def flow_graph(verdict: EdgeVerdict, *, dark: bool = False) -> go.Figure:
    """The flow, with noise where it enters and the path on which data meets none.

    Args:
        verdict: on the edges that carry noise; its finding is the title.
        dark: whether the page's ground is dark.

    Returns:
        A figure whose last trace has one marker for every edge, in the order of ``ARROWS``, its name in ``customdata``.

    Example:
        >>> from dplda import figures
        >>> from dplda.configurations import REGISTRY
        >>> from dplda.configurations.choice import judge
        >>> figure = figures.flow_graph(judge(["e6"], REGISTRY))
        >>> print(figure.layout.title.text)
        Data leaks along the dashed path
    """
    noised, leak = verdict.edges, verdict.leak
    figure = go.Figure()
    for arrow in ARROWS:
        _draw_arrow(figure, arrow, noised=arrow.edge in noised, leaking=arrow.edge in leak)
    _draw_boxes(figure, dark=dark)
    _draw_markers(figure, noised, leak, dark=dark)
    figure.update_xaxes(range=[-0.62, 2.62], visible=False, fixedrange=True)
    figure.update_yaxes(range=[-6.32, 0.32], visible=False, fixedrange=True)
    figure.update_layout(showlegend=False, hovermode="closest", dragmode=False)
    return theme.finish(figure, title=verdict.finding, height=round(6.64 * ROW) + 50)


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
    named = {step.name: step.title for step in STEPS}
    arrows = (f"{arrow.edge} from {named[arrow.start]} to {named[arrow.end]}" for arrow in ARROWS)
    carrying = ", ".join(verdict.edges) or "no edge"
    said = f"Flow graph from the corpus to the output. Arrows: {'; '.join(arrows)}. Noise enters on {carrying}."
    path = f": {' → '.join(verdict.leak)}" if verdict.leak else ""
    return f"{said} {verdict.finding}{path}."


def _draw_arrow(figure: go.Figure, arrow: Arrow, *, noised: bool, leaking: bool) -> None:
    x, y = _bend(arrow, np.linspace(0, 1, 24))
    colour = LEAK if leaking else theme.PRIVATE if noised else theme.MUTED
    line = {"color": colour, "width": 4 if leaking else 3 if noised else 2, "dash": "6px,5px" if leaking else "solid"}
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip"))
    head = {"symbol": "triangle-down", "size": 14, "color": colour, "opacity": 1}
    tip = go.Scatter(x=[x[-1]], y=[y[-1] + 0.07], mode="markers", marker=head, hoverinfo="skip")
    figure.add_trace(tip)


def _bend(arrow: Arrow, along: Vector) -> tuple[Vector, Vector]:
    """Points at shares of the way: from the lower side of a box straight down, and straight down into the next."""
    (x0, y0), (x1, y1) = PLACES[arrow.start], PLACES[arrow.end]
    x0, x1 = x0 + LEAVES.get(arrow.edge, 0.0), x1 + ENTERS.get(arrow.edge, 0.0)
    y0, y1 = y0 - BOX[1], y1 + BOX[1]
    turn = along**2 * (3 - 2 * along)
    return x0 + (x1 - x0) * turn, y0 + (y1 - y0) * along


def _draw_boxes(figure: go.Figure, *, dark: bool) -> None:
    for step in STEPS:
        x, y = PLACES[step.name]
        figure.add_shape(
            type="rect",
            x0=x - BOX[0],
            x1=x + BOX[0],
            y0=y - BOX[1],
            y1=y + BOX[1],
            line={"color": theme.MUTED, "width": 1.5},
            fillcolor=theme.ground(dark=dark),
        )
        text = "<br>".join(textwrap.wrap(step.title, 13))
        figure.add_annotation(
            x=x, y=y, text=text, showarrow=False, font={"size": 13, "color": theme.ink(dark=dark)}, name="step"
        )


def _draw_markers(figure: go.Figure, noised: Collection[Edge], leak: Collection[Edge], *, dark: bool) -> None:
    ground, ink = theme.ground(dark=dark), theme.ink(dark=dark)
    rims, fills, inks, symbols, hovers = [], [], [], [], []
    across, down = np.empty(len(ARROWS)), np.empty(len(ARROWS))
    for i, arrow in enumerate(ARROWS):
        has_noise, leaking = arrow.edge in noised, arrow.edge in leak
        middle = _bend(arrow, np.array([MIDDLES.get(arrow.edge, 0.5)]))
        across[i], down[i] = middle[0][0], middle[1][0]
        rims.append(LEAK if leaking else theme.PRIVATE if has_noise else theme.MUTED)
        fills.append(theme.PRIVATE if has_noise else ground)
        inks.append("#ffffff" if has_noise else ink)
        symbols.append("square" if has_noise else "circle")
        hovers.append(_hover(arrow, has_noise, leaking))
        if said := "≈ noise" if has_noise else "leak" if leaking else "":
            figure.add_annotation(
                x=across[i],
                y=down[i],
                text=f"<b>{said}</b>",
                showarrow=False,
                xanchor="left",
                xshift=18,
                font={"size": 12, "color": ink},
                bgcolor=ground,
                borderpad=1,
                name="said",
            )
    figure.add_trace(
        go.Scatter(
            x=across,
            y=down,
            mode="markers+text",
            text=[arrow.edge.value for arrow in ARROWS],
            textfont={"size": 13, "color": inks},
            marker={
                "size": 30,
                "symbol": symbols,
                "color": fills,
                "line": {"color": rims, "width": 3},
                "opacity": 1,
            },
            customdata=[[arrow.edge.value] for arrow in ARROWS],
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
    return f"<b>{arrow.edge}: {html.escape(arrow.carries)}</b><br>{meaning}<br>{equation}<br><i>{state}</i>"
