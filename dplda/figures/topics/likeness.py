"""How alike the topics of two fits are: a heat map."""

import numpy as np

from dplda.evaluation.divergence import jensen_shannon
from dplda.figures import theme
from dplda.figures.plain import Figure, heatmap
from dplda.figures.topics.lanes import Lane, Slot

CELL = 30  # pixels
WRITTEN = 12  # topics, at most, for distances to be written into cells


def distances(rows: Lane, columns: Lane, *, watermark: str = "", dark: bool = False) -> Figure:
    """A heat map of the distance between any topic of one fit and any of another; places without a topic stay empty.

    Args:
        watermark: for figures that may not leave the curator's hands.
    """
    values = _table(rows, columns)
    few = max(len(rows.slots), len(columns.slots)) <= WRITTEN
    figure = Figure(
        heatmap(
            z=values,
            x=[str(slot.number) for slot in columns.slots],
            y=[str(slot.number) for slot in rows.slots],
            zmin=0,
            zmax=1,
            colorscale=[[0, theme.PRIVATE], [1, theme.ground(dark=dark)]],
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
    figure.update_xaxes(dict(title_text=theme.plain(columns.title), type="category", showgrid=False, fixedrange=True))
    figure.update_yaxes(
        dict(title_text=theme.plain(rows.title), type="category", autorange="reversed", fixedrange=True)
    )
    figure.update_yaxes(dict(showgrid=False))
    height = 130 + CELL * len(rows.slots)
    return theme.finish(figure, title=distances_finding(rows, columns), height=height, watermark=watermark)


def distances_finding(rows: Lane, columns: Lane) -> str:
    """How many topics of the rows have the one of their own number nearest among the columns."""
    values = np.array(_table(rows, columns), dtype=float).reshape(len(rows.slots), len(columns.slots))
    filled = [i for i, row in enumerate(values) if np.any(np.isfinite(row))]
    if not filled:
        return "No topic rises above the noise"
    nearest = [columns.slots[int(np.nanargmin(values[i]))].number == rows.slots[i].number for i in filled]
    return f"{sum(nearest)} of {len(filled)} topics are nearest to their own number"


def distances_alt(rows: Lane, columns: Lane) -> str:
    """The heat map in words: for each topic the nearest of the others."""
    values = np.array(_table(rows, columns), dtype=float).reshape(len(rows.slots), len(columns.slots))
    said = [f"Distances between topics, {rows.title} against {columns.title}."]
    for slot, row in zip(rows.slots, values, strict=True):
        if np.any(np.isfinite(row)):
            near = int(np.nanargmin(row))
            said.append(f"Topic {slot.number}: nearest is {columns.slots[near].number}, at {row[near]:.2f}.")
    return " ".join(said)


def _filled(lane: Lane) -> list[Slot]:
    return [slot for slot in lane.slots if slot.words is not None]


def _table(rows: Lane, columns: Lane) -> list[list[float | None]]:
    """Distances, None where either place is empty."""
    ours, theirs = _filled(rows), _filled(columns)
    found = {}
    if ours and theirs:
        values = jensen_shannon(*(np.array([slot.words for slot in slots]) for slots in (ours, theirs)))
        for slot, line in zip(ours, values, strict=True):
            for other, value in zip(theirs, line, strict=True):
                found[slot.number, other.number] = float(value)
    return [[found.get((slot.number, other.number)) for other in columns.slots] for slot in rows.slots]
