"""Bars of the budget's shares, by the edges of a flow that use it."""

import html
from collections.abc import Sequence

from dplda.figures import theme
from dplda.figures.figure import Figure
from dplda.figures.flows.edge_marks import COLOURS
from dplda.figures.flows.edge_numbers import EdgeNumbers
from dplda.figures.marks import bars
from dplda.flow import Flow

ROW = 32
"""Pixels of a bar with the space around it."""
ROOM_FOR_TEXT = 1.45
"""Length of the axis, in longest bars: their texts stand behind them."""
RANGE = "–"
"""Mark of a share that only a run decides, between its smallest and its largest value."""
AXIS = 12
"""Pixels below the last bar."""


def budget_bars(
    flow: Flow, numbers: Sequence[EdgeNumbers], *, watermark: str = ""
) -> Figure | None:
    """Each edge's share of the budget, in the flow's order.

    Args:
        flow: its edges.
        numbers: of its noised edges; those without a known share are left out.
        watermark: written across the figure; empty for none.

    Returns:
        A figure whose title names the largest share, unless any share is a range. None if fewer
        than two shares are known, since there is nothing to compare.
    """
    known_numbers = [
        edge_numbers
        for edge_numbers in numbers
        if edge_numbers.share > 0 and edge_numbers.label_lines
    ]
    if len(known_numbers) < 2:
        return None
    by_edge = {edge_numbers.edge: edge_numbers for edge_numbers in known_numbers}
    ordered_numbers = [by_edge[edge] for edge in flow.in_order(list(by_edge))]
    edge_labels = [flow.arrow(edge_numbers.edge).label for edge_numbers in ordered_numbers]
    share_texts = [html.escape(edge_numbers.label_lines[0]) for edge_numbers in ordered_numbers]
    shares = [edge_numbers.share for edge_numbers in ordered_numbers]
    drawing = bars(
        dict(zip(edge_labels, shares, strict=True)),
        share_texts,
        [COLOURS[edge_numbers.standing] for edge_numbers in ordered_numbers],
        "%{y}: %{text} of the budget",
    )
    drawing.x(dict(range=[0, max(shares) * ROOM_FOR_TEXT], visible=False, fixedrange=True))
    drawing.y(dict(fixedrange=True, ticksuffix=" "))
    title = f"{edge_labels[shares.index(max(shares))]} uses the most of the budget"
    if any(RANGE in share_text for share_text in share_texts):
        title = "Budget shares: middle of ranges"
    shares_in_words = "; ".join(
        f"{edge_label}: {share_text}"
        for edge_label, share_text in zip(edge_labels, share_texts, strict=True)
    )
    height = theme.above(title) + ROW * len(edge_labels) + AXIS
    return Figure(title, f"{title}. Shares: {shares_in_words}.", height, drawing, watermark)
