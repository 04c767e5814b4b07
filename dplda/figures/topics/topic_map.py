"""A map of topics: area is share, distance is unlikeness; private topics beside the noiseless ones, which stay put."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.evaluation.divergence import jensen_shannon
from dplda.evaluation.scaling import TopicMap, classical_scaling
from dplda.figures import theme
from dplda.figures.drawing import Drawing, scatter
from dplda.figures.figure import Figure
from dplda.figures.topics.lanes import Lane, Slot

HEIGHT = 430  # pixels
LARGEST = 110  # pixels across, of a circle with all words
SMALLEST = 17  # pixels across, so that a number fits
EDGE = 0.14  # of the map's sides, beside the outermost topics


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """The filled places of a lane on the map."""

    slots: tuple[Slot, ...]
    points: Matrix


def topic_map(
    lanes: Sequence[Lane],
    names: Mapping[int, str],
    vocabulary: Sequence[str],
    *,
    watermark: str = "",
) -> Figure:
    """Circles in the plane of the noiseless topics, whose places do not depend on the noise.

    Args:
        lanes: private, and noiseless where there is one; others are not drawn.

    Returns:
        A figure: filled circles with numbers are private topics, rings noiseless ones, lines join equal numbers.
    """
    base, placed = _placed(lanes)
    drawing = Drawing()
    if len(placed) > 1:
        _joined(drawing, placed)
        _rings(drawing, placed, lanes[1].title, theme.INK)
    _circles(drawing, placed[0], names, vocabulary, lanes[0].title, theme.INK)
    low, high = base.points.min(axis=0), base.points.max(axis=0)
    reach = (high - low) * (0.5 + EDGE) + 0.02
    x, y = np.stack([(low + high) / 2 - reach, (low + high) / 2 + reach], axis=1)
    drawing.x(dict(range=x, visible=False, fixedrange=True))
    drawing.y(dict(range=y, visible=False, fixedrange=True))
    drawing.y(dict(scaleanchor="x", scaleratio=1))
    drawing.set(dict(legend={"y": -0.02, "itemclick": False, "itemdoubleclick": False}))
    return Figure(_finding(lanes), _in_words(lanes, names), HEIGHT, drawing, watermark)


def _finding(lanes: Sequence[Lane]) -> str:
    """What to see: which topic the noise moved furthest, or which two are most alike."""
    moved = _moved(lanes)
    if moved:
        number = max(moved, key=lambda number: moved[number])
        return f"Noise moved topic {number} furthest: distance {moved[number]:.2f} of 1"
    slots = [slot for slot in lanes[0].slots if slot.words is not None and slot.readable]
    if len(slots) < 2:
        return f"{len(slots) or 'No'} topic stands out from the words of all documents"
    rows = _rows(slots)
    distances = jensen_shannon(rows, rows) + 2 * np.eye(len(rows))
    i, j = np.unravel_index(int(np.argmin(distances)), distances.shape)
    first, second = sorted((slots[int(i)].number, slots[int(j)].number))
    return f"Topics {first} and {second} are most alike: distance {distances[i, j]:.2f} of 1"


def _in_words(lanes: Sequence[Lane], names: Mapping[int, str]) -> str:
    """Each topic's share and how far it is from its noiseless twin."""
    moved = _moved(lanes)
    said = ["Map of topics."]
    for slot in lanes[0].slots:
        if slot.words is None:
            said.append(f"Topic {slot.number}: below the noise.")
            continue
        far = f", {moved[slot.number]:.2f} of 1 from its place without noise" if slot.number in moved else ""
        said.append(f"Topic {slot.number}, {names.get(slot.number, 'unnamed')}: {_share(slot)} of all words{far}.")
    return " ".join(said)


def topic_map_shown(lanes: Sequence[Lane]) -> float:
    """Which share of the squared distances between the topics that span the map it shows, in [0, 1]."""
    return _placed(lanes)[0].shown


def _placed(lanes: Sequence[Lane]) -> tuple[TopicMap, list[_Placed]]:
    """The map, and where the private topics and, where there are enough, the noiseless ones are on it."""
    filled = [tuple(slot for slot in lane.slots if slot.words is not None) for lane in lanes[:2]]
    spanning = filled[1] if len(filled) > 1 and len(filled[1]) > 1 else filled[0]
    reference = _rows(spanning) if spanning else np.ones((1, 1))
    base = classical_scaling(jensen_shannon(reference, reference))
    places = [base.place(jensen_shannon(_rows(slots), reference)) if slots else np.empty((0, 2)) for slots in filled]
    return base, [_Placed(slots, points) for slots, points in zip(filled, places, strict=True)]


def _rows(slots: Sequence[Slot]) -> Matrix:
    return np.array([slot.words for slot in slots])


def _moved(lanes: Sequence[Lane]) -> dict[int, float]:
    """Distance of each readable private topic from the noiseless one of its number."""
    if len(lanes) < 2:
        return {}
    pairs = [(ours, theirs) for ours, theirs in zip(lanes[0].slots, lanes[1].slots, strict=True) if ours.readable]
    both = [(ours.number, ours.words, theirs.words) for ours, theirs in pairs]
    return {
        number: float(jensen_shannon(ours[None], theirs[None])[0, 0])
        for number, ours, theirs in both
        if ours is not None and theirs is not None
    }


def _share(slot: Slot) -> str:
    return "an unknown part" if slot.share is None else f"{100 * slot.share:.0f} %"


def _sizes(slots: Sequence[Slot]) -> Vector:
    shares = np.array([1 / 10 if slot.share is None else slot.share for slot in slots])
    result: Vector = np.maximum(LARGEST * np.sqrt(shares), SMALLEST)
    return result


def _circles(
    drawing: Drawing, placed: _Placed, names: Mapping[int, str], vocabulary: Sequence[str], title: str, ink: str
) -> None:
    colours = [theme.topic_colour(slot.number) if slot.readable else theme.UNREADABLE for slot in placed.slots]
    faint = [theme.faint(colour, 0.42) for colour in colours]  # so that a number, and a circle behind, are seen
    hovers = [_hover(slot, names, vocabulary) for slot in placed.slots]
    circles = scatter(
        x=placed.points[:, 0],
        y=placed.points[:, 1],
        mode="markers+text",
        marker={"size": _sizes(placed.slots), "color": faint, "opacity": 1, "line": {"width": 1.5}},
        marker_line_color=colours,
        text=[str(slot.number) for slot in placed.slots],
        textfont={"color": ink, "size": 13},
        textposition="middle center",
        customdata=hovers,
        hovertemplate="%{customdata}<extra></extra>",
        name=theme.plain(title),
        cliponaxis=False,
    )
    drawing.add(circles)


def _hover(slot: Slot, names: Mapping[int, str], vocabulary: Sequence[str]) -> str:
    assert slot.words is not None
    top = ", ".join(theme.plain(vocabulary[i]) for i in np.argsort(-slot.words, kind="stable")[:5])
    name = theme.plain(names.get(slot.number, ""))
    return f"topic {slot.number}: {name}<br>{_share(slot)} of all words<br>{top}"


def _rings(drawing: Drawing, both: Sequence[_Placed], title: str, ink: str) -> None:
    """Noiseless topics; those that have no private twin carry their number."""
    private, placed = both
    found = {slot.number for slot in private.slots}
    rings = scatter(
        x=placed.points[:, 0],
        y=placed.points[:, 1],
        mode="markers+text",
        text=["" if slot.number in found else str(slot.number) for slot in placed.slots],
        textfont={"color": ink, "size": 11},
        marker={"size": _sizes(placed.slots), "symbol": "circle-open", "line": {"width": 1.5}},
        marker_color=[theme.topic_colour(slot.number) for slot in placed.slots],
        customdata=[f"topic {slot.number} without noise<br>{_share(slot)} of all words" for slot in placed.slots],
        hovertemplate="%{customdata}<extra></extra>",
        name=theme.plain(title),
    )
    drawing.add(rings)


def _joined(drawing: Drawing, placed: Sequence[_Placed]) -> None:
    there = {slot.number: point for slot, point in zip(placed[1].slots, placed[1].points, strict=True)}
    x: list[float | None] = []
    y: list[float | None] = []
    for slot, point in zip(placed[0].slots, placed[0].points, strict=True):
        if slot.number in there:
            x += [float(point[0]), float(there[slot.number][0]), None]
            y += [float(point[1]), float(there[slot.number][1]), None]
    line = {"color": theme.WHISKER, "width": 1.2, "dash": "dot"}
    drawing.add(scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False))
