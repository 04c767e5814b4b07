"""How alike the topics of two fits are: a heat map."""

import numpy as np

from dplda.evaluation.distance import jensen_shannon
from dplda.figures import theme
from dplda.figures.drawing import Drawing, heatmap
from dplda.figures.figure import Figure
from dplda.figures.topics.lanes import Lane

CELL = 30  # pixels
WRITTEN = 12  # topics, at most, for distances to be written into cells


def distances(rows: Lane, columns: Lane, *, watermark: str = "") -> Figure:
    """A heat map of the distance between any topic of one fit and any of another; places without a topic stay empty."""
    values = _table(rows, columns)
    few = max(len(rows.slots), len(columns.slots)) <= WRITTEN
    drawing = Drawing(
        heatmap(
            z=values,
            x=[str(slot.number) for slot in columns.slots],
            y=[str(slot.number) for slot in rows.slots],
            zmin=0,
            zmax=1,
            colorscale=[[0, theme.PRIVATE], [1, theme.GROUND]],
            texttemplate="%{z:.2f}" if few else None,
            hovertemplate=f"{theme.plain(rows.title)} %{{y}}, {theme.plain(columns.title)} %{{x}}: distance %{{z:.3f}}"
            "<extra></extra>",
            hoverongaps=False,
            xgap=1,
            ygap=1,
            showscale=not few,
            colorbar={"title": "distance", "thickness": 12, "len": 0.9},
        )
    )
    drawing.x(dict(title_text=theme.plain(columns.title), type="category", showgrid=False, fixedrange=True))
    drawing.y(dict(title_text=theme.plain(rows.title), type="category", showgrid=False, fixedrange=True))
    drawing.y(dict(autorange="reversed"))
    height = 130 + CELL * len(rows.slots)
    title, said = "No topic rises above the noise", [f"Distances between topics, {rows.title} against {columns.title}."]
    near = {
        slot.number: min((far, other.number) for far, other in zip(line, columns.slots, strict=True) if far is not None)
        for slot, line in zip(rows.slots, values, strict=True)
        if any(far is not None for far in line)
    }
    if near:
        own = sum(number == nearest for number, (_, nearest) in near.items())
        title = f"{own} of {len(near)} topics are nearest to their own number"
    said += [f"Topic {number}: nearest is {nearest}, at {far:.2f}." for number, (far, nearest) in near.items()]
    return Figure(title, " ".join(said), height, drawing, watermark)


def _table(rows: Lane, columns: Lane) -> list[list[float | None]]:
    """Distances, None where either place is empty."""
    values = jensen_shannon(rows.rows, columns.rows) if rows.filled and columns.filled else np.empty((0, 0))
    pairs = ((ours.number, theirs.number) for ours in rows.filled for theirs in columns.filled)
    found = dict(zip(pairs, values.ravel().tolist(), strict=False))
    return [[found.get((slot.number, other.number)) for other in columns.slots] for slot in rows.slots]
