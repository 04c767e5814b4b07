"""How alike topics are: a heat map between two fits, and a tree of one."""

from collections.abc import Mapping, Sequence

import numpy as np

from dplda.explore.divergence import jensen_shannon
from dplda.explore.hierarchy import hierarchy
from dplda.figures import theme
from dplda.figures.lanes import Lane, Slot
from dplda.figures.plain import Figure, heatmap, scatter

CELL = 30  # pixels
WRITTEN = 12  # topics, at most, for distances to be written into cells
ROW = 26  # pixels for a topic of the tree
NAME = 28  # letters shown of a topic's name


def distances(rows: Lane, columns: Lane, *, watermark: str = "", dark: bool = False) -> Figure:
    """A heat map of the distance between any topic of one fit and any of another; places without a topic stay empty.

    Args:
        rows: topics from top to bottom.
        columns: topics from left to right.
        watermark: for figures that may not leave the curator's hands.
        dark: whether the page's ground is dark.

    Example:
        >>> from dplda.figures import distances, made_up
        >>> distances(made_up.LANE, made_up.LANE).data[0].z
        ([0.0, None], [None, None])
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
    """How many topics of the rows have the one of their own number nearest among the columns.

    Example:
        >>> import numpy as np
        >>> from dplda import figures
        >>> figures.distances_finding(figures.Lane("private", (figures.Slot(1, None),)), figures.Lane("truth", ()))
        'No topic rises above the noise'
    """
    values = np.array(_table(rows, columns), dtype=float).reshape(len(rows.slots), len(columns.slots))
    filled = [i for i, row in enumerate(values) if np.any(np.isfinite(row))]
    if not filled:
        return "No topic rises above the noise"
    nearest = [columns.slots[int(np.nanargmin(values[i]))].number == rows.slots[i].number for i in filled]
    return f"{sum(nearest)} of {len(filled)} topics are nearest to their own number"


def distances_alt(rows: Lane, columns: Lane) -> str:
    """The heat map in words: for each topic the nearest of the others.

    Example:
        >>> from dplda.figures import distances_alt, made_up
        >>> print(distances_alt(made_up.LANE, made_up.LANE))
        Distances between topics, private against private. Topic 1: nearest is 1, at 0.00.
    """
    values = np.array(_table(rows, columns), dtype=float).reshape(len(rows.slots), len(columns.slots))
    said = [f"Distances between topics, {rows.title} against {columns.title}."]
    for slot, row in zip(rows.slots, values, strict=True):
        if np.any(np.isfinite(row)):
            near = int(np.nanargmin(row))
            said.append(f"Topic {slot.number}: nearest is {columns.slots[near].number}, at {row[near]:.2f}.")
    return " ".join(said)


def family(lane: Lane, names: Mapping[int, str], *, watermark: str = "", dark: bool = False) -> Figure:
    """A tree: topics, and groups of them, joined at the mean distance between them.

    Args:
        lane: with at least two topics.
        names: of topics, by number.
        watermark: for figures that may not leave the curator's hands.
        dark: whether the page's ground is dark.

    Example:
        >>> import numpy as np
        >>> from dplda import figures
        >>> slots = tuple(figures.Slot(i + 1, row) for i, row in enumerate(np.eye(3)))
        >>> figures.family(figures.Lane("private", slots), {1: "tea"}).data[0].x[:5]
        (0.0, 1.0, 1.0, 0.0, None)
    """
    slots = _filled(lane)
    tree = hierarchy(_between(slots))
    place: dict[tuple[int, ...], tuple[float, float]] = {}
    for row, topic in enumerate(tree.order):
        place[topic,] = (0.0, float(row))
    x: list[float | None] = []
    y: list[float | None] = []
    for join in tree.joins:
        (x0, y0), (x1, y1) = place[join.left], place[join.right]
        x += [x0, join.height, join.height, x1, None]
        y += [y0, y0, y1, y1, None]
        place[join.left + join.right] = join.height, (y0 + y1) / 2
    lines = scatter(x=x, y=y, mode="lines", line={"color": theme.WHISKER, "width": 1.5}, hoverinfo="skip")
    dots = scatter(
        x=[0.0] * len(slots),
        y=list(range(len(slots))),
        mode="markers",
        marker={"size": 11, "color": [theme.topic_colour(slots[topic].number) for topic in tree.order]},
        customdata=[f"topic {slots[topic].number}" for topic in tree.order],
        hovertemplate="%{customdata}<extra></extra>",
        cliponaxis=False,
    )
    figure = Figure(lines, dots)
    labels = [_label(slots[topic], names) for topic in tree.order]
    ink = theme.ink(dark=dark)
    figure.update_yaxes(dict(tickvals=list(range(len(slots))), ticktext=labels, showgrid=False, zeroline=False))
    figure.update_yaxes(dict(autorange="reversed", fixedrange=True, tickfont_color=ink))
    figure.update_xaxes(dict(title_text="mean distance at which they join", rangemode="tozero", fixedrange=True))
    figure.update_layout(dict(showlegend=False))
    return theme.finish(figure, title=_alike(slots), height=120 + ROW * len(slots), watermark=watermark)


def family_alt(lane: Lane, names: Mapping[int, str]) -> str:
    """The tree in words, join by join; arguments as for ``family``.

    Example:
        >>> import numpy as np
        >>> from dplda import figures
        >>> slots = tuple(figures.Slot(i + 1, row) for i, row in enumerate(np.eye(2)))
        >>> print(figures.family_alt(figures.Lane("private", slots), {1: "tea", 2: "milk"}))
        Tree of topics, private. Topic 1, tea. Topic 2, milk. 1 joins 2 at 1.00.
    """
    slots = _filled(lane)
    tree = hierarchy(_between(slots))
    called = [f"Topic {slot.number}, {names.get(slot.number, 'unnamed')}." for slot in slots]
    joined = [
        f"{' and '.join(str(slots[i].number) for i in join.left)} joins"
        f" {' and '.join(str(slots[i].number) for i in join.right)} at {join.height:.2f}."
        for join in tree.joins
    ]
    return " ".join([f"Tree of topics, {lane.title}.", *called, *joined])


def _filled(lane: Lane) -> list[Slot]:
    return [slot for slot in lane.slots if slot.words is not None]


def _between(slots: Sequence[Slot]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rows = np.array([slot.words for slot in slots])
    return jensen_shannon(rows, rows)


def _alike(slots: Sequence[Slot]) -> str:
    first = hierarchy(_between(slots)).joins[0]
    one, other = sorted((slots[first.left[0]].number, slots[first.right[0]].number))
    return f"Topics {one} and {other} are most alike: distance {first.height:.2f} of 1"


def _label(slot: Slot, names: Mapping[int, str]) -> str:
    name = names.get(slot.number, "")
    shown = name if len(name) <= NAME else name[: NAME - 1] + "…"
    words = theme.plain(shown)
    return f"{slot.number} · {words}" + ("" if slot.readable else " (not readable)")


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
