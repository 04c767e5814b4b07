"""Map of topics: area is share, distance is dissimilarity; topics without noise keep their places."""

from collections.abc import Mapping, Sequence

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.evaluation.distance import jensen_shannon
from dplda.evaluation.relevance import leading
from dplda.evaluation.scaling import TopicMap, classical_scaling
from dplda.figures import theme
from dplda.figures.drawing import Drawing, scatter
from dplda.figures.figure import Figure
from dplda.figures.topics.lanes import Lane, Slot

HEIGHT = 430  # pixels
LARGEST = 110  # pixels, diameter of a topic with all words
SMALLEST = 17  # pixels, diameter that fits a number
LONGEST = 28  # letters of a topic's name
EDGE = 0.14  # margin beside the outermost topics, as a share of the map


def topic_map(
    lanes: Sequence[Lane],
    names: Mapping[int, str],
    vocabulary: Sequence[str],
    *,
    given: Mapping[int, str] = {},
    watermark: str = "",
) -> Figure:
    """Circles in the plane of the topics without noise, whose places do not depend on the noise.

    Args:
        lanes: private, then without noise if available; others are not drawn.
        given: names to write in the circles.

    Returns:
        A figure: filled circles are private topics, rings those without noise, lines join equal numbers.
    """
    base, points = _placed(lanes)
    drawing = Drawing()
    if len(lanes) > 1:
        _joined(drawing, lanes, points)
        _rings(drawing, lanes[1], points[1], {slot.number for slot in lanes[0].filled})
    _circles(
        drawing,
        lanes[0],
        points[0],
        given,
        [_hover(slot, names, vocabulary) for slot in lanes[0].filled],
    )
    low, high = base.points.min(axis=0), base.points.max(axis=0)
    reach = (high - low) * (0.5 + EDGE) + 0.02
    x, y = np.stack([(low + high) / 2 - reach, (low + high) / 2 + reach], axis=1)
    drawing.x(dict(range=x, visible=False, fixedrange=True))
    drawing.y(dict(range=y, visible=False, fixedrange=True))
    drawing.y(dict(scaleanchor="x", scaleratio=1))
    drawing.set(dict(legend={"y": -0.02, "itemclick": False, "itemdoubleclick": False}))
    return Figure(_finding(lanes), _in_words(lanes, names), HEIGHT, drawing, watermark)


def _finding(lanes: Sequence[Lane]) -> str:
    """Title: the topic that noise moved furthest, or the two most similar topics."""
    moved = _moved(lanes)
    if moved:
        number = max(moved, key=lambda number: moved[number])
        return f"Noise moved topic {number} furthest: distance {moved[number]:.2f} of 1"
    slots = [slot for slot in lanes[0].filled if slot.supported]
    if len(slots) < 2:
        return f"{len(slots) or 'No'} topic has evidence"
    rows = np.array([slot.words for slot in slots])
    distances = jensen_shannon(rows, rows) + 2 * np.eye(len(rows))
    i, j = np.unravel_index(int(np.argmin(distances)), distances.shape)
    first, second = sorted((slots[int(i)].number, slots[int(j)].number))
    return f"Topics {first} and {second} are most alike: distance {distances[i, j]:.2f} of 1"


def _in_words(lanes: Sequence[Lane], names: Mapping[int, str]) -> str:
    """Each topic's share and its distance from the topic without noise."""
    moved = _moved(lanes)
    said = ["Map of topics."]
    for slot in lanes[0].slots:
        if slot.words is None:
            said.append(f"Topic {slot.number}: below the noise.")
            continue
        far = (
            f", {moved[slot.number]:.2f} of 1 from its place without noise"
            if slot.number in moved
            else ""
        )
        said.append(
            f"Topic {slot.number}, {names.get(slot.number, 'unnamed')}: {_share(slot)} of all words{far}."
        )
    return " ".join(said)


def topic_map_shown(lanes: Sequence[Lane]) -> float:
    """Share of the squared distances between the topics that the map shows, in [0, 1]."""
    return _placed(lanes)[0].shown


def _placed(lanes: Sequence[Lane]) -> tuple[TopicMap, list[Matrix]]:
    """The map, and the places on it of the private topics and those without noise."""
    spanning = lanes[1] if len(lanes) > 1 and len(lanes[1].filled) > 1 else lanes[0]
    reference = spanning.rows if spanning.filled else np.ones((1, 1))
    base = classical_scaling(jensen_shannon(reference, reference))
    distances = (
        jensen_shannon(lane.rows, reference) if lane.filled else None for lane in lanes[:2]
    )
    return base, [np.empty((0, 2)) if far is None else base.place(far) for far in distances]


def _moved(lanes: Sequence[Lane]) -> dict[int, float]:
    """Distance of each supported private topic from the topic without noise of its number."""
    there = {slot.number: slot.words for slot in lanes[1].filled} if len(lanes) > 1 else {}
    pairs = {
        slot.number: (slot.words, there.get(slot.number))
        for slot in lanes[0].filled
        if slot.supported
    }
    return {
        number: float(jensen_shannon(ours[None], theirs[None])[0, 0])
        for number, (ours, theirs) in pairs.items()
        if ours is not None and theirs is not None
    }


def _share(slot: Slot) -> str:
    return "an unknown part" if slot.share is None else f"{100 * slot.share:.0f}%"


def _sizes(slots: Sequence[Slot]) -> Vector:
    shares = np.array([1 / 10 if slot.share is None else slot.share for slot in slots])
    return np.asarray(np.maximum(LARGEST * np.sqrt(shares), SMALLEST))


def _circles(
    drawing: Drawing, lane: Lane, points: Matrix, given: Mapping[int, str], hover: Sequence[str]
) -> None:
    colours = [
        theme.topic_colour(slot.number) if slot.supported else theme.UNREADABLE
        for slot in lane.filled
    ]
    faint = [
        theme.faint(colour, 0.42) for colour in colours
    ]  # numbers and circles behind stay visible
    circles = scatter(
        x=points[:, 0],
        y=points[:, 1],
        mode="markers+text",
        marker={"size": _sizes(lane.filled), "color": faint, "opacity": 1, "line": {"width": 1.5}},
        marker_line_color=colours,
        text=[
            theme.plain(f"{slot.number} {given.get(slot.number, '')}".rstrip(), LONGEST)
            for slot in lane.filled
        ],
        textfont={"color": theme.INK, "size": 13},
        textposition="middle center",
        customdata=hover,
        hovertemplate="%{customdata}<extra></extra>",
        name=theme.plain(lane.title),
        cliponaxis=False,
    )
    drawing.add(circles)


def _hover(slot: Slot, names: Mapping[int, str], vocabulary: Sequence[str]) -> str:
    assert slot.words is not None
    scores = slot.words if slot.scores is None else slot.scores
    top = ", ".join(theme.plain(vocabulary[word]) for word in leading(scores, 5))
    name = theme.plain(names.get(slot.number, ""))
    return f"topic {slot.number}: {name}<br>{_share(slot)} of all words<br>{top}"


def _rings(drawing: Drawing, lane: Lane, points: Matrix, found: set[int]) -> None:
    """Topics without noise; those without a private counterpart show their number."""
    rings = scatter(
        x=points[:, 0],
        y=points[:, 1],
        mode="markers+text",
        text=["" if slot.number in found else str(slot.number) for slot in lane.filled],
        textfont={"color": theme.INK, "size": 11},
        marker={"size": _sizes(lane.filled), "symbol": "circle-open", "line": {"width": 1.5}},
        marker_color=[theme.topic_colour(slot.number) for slot in lane.filled],
        customdata=[
            f"topic {slot.number} without noise<br>{_share(slot)} of all words"
            for slot in lane.filled
        ],
        hovertemplate="%{customdata}<extra></extra>",
        name=theme.plain(lane.title),
    )
    drawing.add(rings)


def _joined(drawing: Drawing, lanes: Sequence[Lane], points: Sequence[Matrix]) -> None:
    there = {
        slot.number: point for slot, point in zip(lanes[1].filled, points[1].tolist(), strict=True)
    }
    pairs = zip(lanes[0].filled, points[0].tolist(), strict=True)
    ends = [
        end
        for slot, point in pairs
        if slot.number in there
        for end in (point, there[slot.number], (None, None))
    ]
    line = {"color": theme.WHISKER, "width": 1.2, "dash": "dot"}
    x, y = [end[0] for end in ends], [end[1] for end in ends]
    drawing.add(scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False))
