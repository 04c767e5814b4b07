"""Map of topics: area is share, distance is dissimilarity.

Topics without noise keep their places.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.evaluation.distance import jensen_shannon
from dplda.evaluation.relevance import find_leading_words
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
BELOW = 0.14  # more margin below, for the name under the lowest topic


def topic_map(
    lanes: Sequence[Lane],
    names: Mapping[int, str],
    vocabulary: Sequence[str],
    *,
    given: Mapping[int, str] = {},
    watermark: str = "",
) -> Figure:
    """Circles in the plane of the topics without noise, whose places do not depend on the noise.

    With fewer than two topics without noise, the plane is that of the private topics.

    Args:
        lanes: private, then without noise if available; others are not drawn.
        names: of the topics by number, for hovering and the alt text.
        vocabulary: the d words.
        given: names to write in the circles, by number of the topic.
        watermark: written across the figure; empty for none.

    Returns:
        A figure: filled circles are private topics, rings those without noise, lines join equal
            numbers.
    """
    plane, points = _place_topics(lanes)
    private_lane = lanes[0]
    drawing = Drawing()
    if len(lanes) > 1:
        _draw_links(drawing, lanes, points)
        private_numbers = {slot.number for slot in private_lane.filled}
        _draw_rings(drawing, lanes[1], points[1], private_numbers)
    hover_texts = [_hover_text(slot, names, vocabulary) for slot in private_lane.filled]
    _draw_circles(drawing, private_lane, points[0], given, hover_texts)
    _set_axes(drawing, plane)
    drawing.set(dict(legend={"y": -0.02, "itemclick": False, "itemdoubleclick": False}))
    return Figure(_finding(lanes), _describe(lanes, names), HEIGHT, drawing, watermark)


def _set_axes(drawing: Drawing, plane: TopicMap) -> None:
    """Set axes of equal scale around the plane's points, with more room below for names.

    The axes are hidden and cannot be moved.
    """
    low = plane.points.min(axis=0)
    high = plane.points.max(axis=0)
    lengths = high - low
    half_lengths = lengths * (0.5 + EDGE) + 0.02
    center = (low + high) / 2
    x_range, y_range = np.stack([center - half_lengths, center + half_lengths], axis=1)
    room_below = BELOW * lengths[1]
    y_range[0] -= room_below
    drawing.x(dict(range=x_range, visible=False, fixedrange=True))
    drawing.y(dict(range=y_range, visible=False, fixedrange=True))
    drawing.y(dict(scaleanchor="x", scaleratio=1))


def _finding(lanes: Sequence[Lane]) -> str:
    """Title: the topic that noise moved furthest, else the two most similar topics with evidence.

    With fewer than two topics of evidence, it says that.
    """
    distances_moved = _distances_moved(lanes)
    if distances_moved:
        number = max(distances_moved, key=lambda number: distances_moved[number])
        return f"Noise moved topic {number} furthest: distance {distances_moved[number]:.2f} of 1"
    supported_slots = [slot for slot in lanes[0].filled if slot.supported]
    if len(supported_slots) < 2:
        return f"{len(supported_slots) or 'No'} topic has evidence"
    topics = np.array([slot.words for slot in supported_slots])
    distances = jensen_shannon(topics, topics) + 2 * np.eye(len(topics))
    first_row, second_row = np.unravel_index(int(np.argmin(distances)), distances.shape)
    smaller_number, larger_number = sorted(
        (supported_slots[int(first_row)].number, supported_slots[int(second_row)].number)
    )
    distance = distances[first_row, second_row]
    return (
        f"Topics {smaller_number} and {larger_number} are most alike: distance {distance:.2f} of 1"
    )


def _describe(lanes: Sequence[Lane], names: Mapping[int, str]) -> str:
    """Each private topic's name, share, and distance from the one without noise if known.

    The topic of an empty place is below the noise, it says.
    """
    distances_moved = _distances_moved(lanes)
    sentences = ["Map of topics."]
    for slot in lanes[0].slots:
        if slot.words is None:
            sentences.append(f"Topic {slot.number}: below the noise.")
            continue
        name = names.get(slot.number, "unnamed")
        sentence = f"Topic {slot.number}, {name}: {_share_in_words(slot)} of all words"
        if slot.number in distances_moved:
            distance = distances_moved[slot.number]
            sentence += f", {distance:.2f} of 1 from its place without noise"
        sentences.append(f"{sentence}.")
    return " ".join(sentences)


def topic_map_shown(lanes: Sequence[Lane]) -> float:
    """Share of the squared distances between the topics that the map shows, in [0, 1]."""
    plane, _ = _place_topics(lanes)
    return plane.shown


def _place_topics(lanes: Sequence[Lane]) -> tuple[TopicMap, list[Matrix]]:
    """The map, and the places on it of the topics of the first two lanes, shape (m, 2) each.

    The map is spanned by the topics without noise if there are at least two, else by the private
    ones; without topics to span it, it is a single point.

    Args:
        lanes: private, then without noise if available; others are ignored.
    """
    has_noiseless_plane = len(lanes) > 1 and len(lanes[1].filled) > 1
    spanning_lane = lanes[1] if has_noiseless_plane else lanes[0]
    spanning_topics: Matrix = np.ones((1, 1))
    if spanning_lane.filled:
        spanning_topics = spanning_lane.rows
    plane = classical_scaling(jensen_shannon(spanning_topics, spanning_topics))
    points = [_place_lane(plane, lane, spanning_topics) for lane in lanes[:2]]
    return plane, points


def _place_lane(plane: TopicMap, lane: Lane, spanning_topics: Matrix) -> Matrix:
    """Places of a lane's topics on the map, shape (m, 2)."""
    if not lane.filled:
        return np.empty((0, 2))
    distances = jensen_shannon(lane.rows, spanning_topics)
    return plane.place(distances)


def _distances_moved(lanes: Sequence[Lane]) -> dict[int, float]:
    """Jensen-Shannon distance of supported private topics from those without noise, by number.

    The first lane is the private one, the second the one without noise. Topics without a
    counterpart of their number are left out; empty if there is no second lane.
    """
    if len(lanes) < 2:
        return {}
    noiseless_topics = {slot.number: slot.words for slot in lanes[1].filled}
    distances = {}
    for slot in lanes[0].filled:
        noiseless_topic = noiseless_topics.get(slot.number)
        if slot.supported and slot.words is not None and noiseless_topic is not None:
            distance = jensen_shannon(slot.words[None], noiseless_topic[None])[0, 0]
            distances[slot.number] = float(distance)
    return distances


def _share_in_words(slot: Slot) -> str:
    if slot.share is None:
        return "an unknown part"
    return f"{100 * slot.share:.0f}%"


def _diameters(slots: Sequence[Slot]) -> Vector:
    """Diameter of each circle, whose area is the topic's share, but never less than ``SMALLEST``.

    A topic of unknown share is as large as one with a tenth of all words.
    """
    shares = np.array([_share_or_tenth(slot) for slot in slots])
    return np.asarray(np.maximum(LARGEST * np.sqrt(shares), SMALLEST))


def _share_or_tenth(slot: Slot) -> float:
    if slot.share is None:
        return 1 / 10
    return slot.share


def _draw_circles(
    drawing: Drawing,
    lane: Lane,
    points: Matrix,
    given: Mapping[int, str],
    hover_texts: Sequence[str],
) -> None:
    """Draw private topics as circles with number and given name; gray ones have no evidence.

    A name stands below its circle, where no edge crosses its letters; a number alone stands in it.
    Long names are cut.
    """
    colours = [_circle_colour(slot) for slot in lane.filled]
    # Numbers and circles behind stay visible.
    transparent_colours = [theme.faint(colour, 0.42) for colour in colours]
    labels = [f"{slot.number} {given.get(slot.number, '')}".rstrip() for slot in lane.filled]
    drawing.add(
        scatter(
            x=points[:, 0],
            y=points[:, 1],
            mode="markers+text",
            marker={
                "size": _diameters(lane.filled),
                "color": transparent_colours,
                "opacity": 1,
                "line": {"width": 1.5},
            },
            marker_line_color=colours,
            text=[theme.plain(label, LONGEST) for label in labels],
            textfont={"color": theme.INK, "size": theme.LETTERS},
            textposition=[_label_position(slot, given) for slot in lane.filled],
            customdata=hover_texts,
            hovertemplate="%{customdata}<extra></extra>",
            name=theme.plain(lane.title),
            cliponaxis=False,
        )
    )


def _circle_colour(slot: Slot) -> str:
    """The topic's color; gray for a topic without evidence."""
    if not slot.supported:
        return theme.UNREADABLE
    return theme.topic_colour(slot.number)


def _label_position(slot: Slot, given: Mapping[int, str]) -> str:
    """Plotly's place of a label: below the circle for a topic with a given name, else in it."""
    if slot.number in given:
        return "bottom center"
    return "middle center"


def _hover_text(slot: Slot, names: Mapping[int, str], vocabulary: Sequence[str]) -> str:
    """A topic's number and name, its share, and its five leading words, in a line each.

    Words lead by score, or by probability without scores. The topic must have words.
    """
    assert slot.words is not None
    scores = slot.words if slot.scores is None else slot.scores
    leading_words_text = ", ".join(
        theme.plain(vocabulary[word]) for word in find_leading_words(scores, 5)
    )
    name = theme.plain(names.get(slot.number, ""))
    share_text = _share_in_words(slot)
    return f"topic {slot.number}: {name}<br>{share_text} of all words<br>{leading_words_text}"


def _draw_rings(
    drawing: Drawing, noiseless_lane: Lane, points: Matrix, private_numbers: set[int]
) -> None:
    """Draw topics without noise as rings; those without a private counterpart show their number."""
    slots = noiseless_lane.filled
    drawing.add(
        scatter(
            x=points[:, 0],
            y=points[:, 1],
            mode="markers+text",
            text=[_ring_label(slot, private_numbers) for slot in slots],
            textfont={"color": theme.INK, "size": theme.SMALL_LETTERS},
            marker={
                "size": _diameters(slots),
                "symbol": "circle-open",
                "line": {"width": 1.5},
            },
            marker_color=[theme.topic_colour(slot.number) for slot in slots],
            customdata=[
                f"topic {slot.number} without noise<br>{_share_in_words(slot)} of all words"
                for slot in slots
            ],
            hovertemplate="%{customdata}<extra></extra>",
            name=theme.plain(noiseless_lane.title),
        )
    )


def _ring_label(slot: Slot, private_numbers: set[int]) -> str:
    """The topic's number, unless its private counterpart shows it."""
    if slot.number in private_numbers:
        return ""
    return str(slot.number)


def _draw_links(drawing: Drawing, lanes: Sequence[Lane], points: Sequence[Matrix]) -> None:
    """Draw a dotted line from each private topic to any noiseless one of its number.

    The first lane is the private one, the second the one without noise; both must be there.
    """
    private_lane, noiseless_lane = lanes[:2]
    private_points, noiseless_points = (lane_points.tolist() for lane_points in points)
    noiseless_numbers = [slot.number for slot in noiseless_lane.filled]
    noiseless_place = dict(zip(noiseless_numbers, noiseless_points, strict=True))
    xs: list[float | None] = []
    ys: list[float | None] = []
    for slot, (x, y) in zip(private_lane.filled, private_points, strict=True):
        if slot.number not in noiseless_place:
            continue
        noiseless_x, noiseless_y = noiseless_place[slot.number]
        xs += [x, noiseless_x, None]
        ys += [y, noiseless_y, None]
    line_style = {"color": theme.WHISKER, "width": 1.2, "dash": "dot"}
    drawing.add(
        scatter(x=xs, y=ys, mode="lines", line=line_style, hoverinfo="skip", showlegend=False)
    )
