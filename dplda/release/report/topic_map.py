"""The map of a report: one circle per topic, near each other where they use similar words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix
from dplda.evaluation.distance import jensen_shannon
from dplda.evaluation.scaling import classical_scaling
from dplda.figures.theme import shortened
from dplda.release.report.name_places import place_names
from dplda.release.report.released import ReportContents
from dplda.release.report.topic_cards import TopicCard

WIDTH = 640  # of the map, in its own units, like all that follow
HEIGHT = 400
MARGIN = 20  # around the outermost circles
LARGEST_RADIUS = 62  # of a topic with all words
SMALLEST_RADIUS = 5.0
LONGEST_NAME = 26  # letters of a name beside a circle


@dataclass(frozen=True, slots=True)
class TopicCircle:
    """A topic on the map.

    Attributes:
        topic: its card.
        x: place of its middle from the left, as text.
        y: place of its middle from the top, as text.
        radius: as text; its area is the topic's share of all words.
        name: beside the circle, shortened.
        name_x: place of the name's middle from the left, as text.
        name_y: place of the name's line from the top, as text.
    """

    topic: TopicCard
    x: str
    y: str
    radius: str
    name: str
    name_x: str
    name_y: str


@dataclass(frozen=True, slots=True)
class MapOfCircles:
    """One circle per topic with its share as area, large ones behind small ones.

    Attributes:
        circles: the largest first.
        extremes: a sentence on the most and the least similar topics.
        shown: share of the topics' distances that a flat map shows, written in percent.
        width: of the map.
        height: of the map.
    """

    circles: tuple[TopicCircle, ...]
    extremes: str
    shown: str
    width: int = WIDTH
    height: int = HEIGHT


def draw_topic_map(run: ReportContents, cards: Sequence[TopicCard]) -> MapOfCircles:
    """Lay out the map of the topics with evidence: near circles are similar topics, areas shares.

    Circles are ordered from the largest, and their radius is at least ``SMALLEST_RADIUS``. With
    them come a sentence on the extremes and the percentage of distances that two dimensions show.

    Args:
        run: contents of the report.
        cards: of these topics, at least two, in the same order.
    """
    supported_topics = list(run.supported_topics)
    distances = jensen_shannon(run.topics[supported_topics], run.topics[supported_topics])
    plane_layout = classical_scaling(distances)
    supported_shares = run.topic_shares[supported_topics]
    radii = LARGEST_RADIUS * supported_shares**0.5
    positions = _fit_into_map(plane_layout.points, largest_radius=float(radii.max()))
    largest_first = sorted(
        range(len(supported_topics)), key=lambda card_index: -supported_shares[card_index]
    )
    radii = np.maximum(radii, SMALLEST_RADIUS)
    shown_names = [shortened(card.title, LONGEST_NAME) for card in cards]
    name_places = place_names(shown_names, positions, radii, width=WIDTH, height=HEIGHT)
    circles = tuple(
        TopicCircle(
            topic=cards[card_index],
            x=f"{positions[card_index, 0]:.1f}",
            y=f"{positions[card_index, 1]:.1f}",
            radius=f"{radii[card_index]:.1f}",
            name=shown_names[card_index],
            name_x=f"{name_places[card_index].x:.1f}",
            name_y=f"{name_places[card_index].y:.1f}",
        )
        for card_index in largest_first
    )
    return MapOfCircles(circles, _describe_extremes(distances, cards), f"{plane_layout.shown:.0%}")


def _fit_into_map(points: Matrix, *, largest_radius: float) -> Matrix:
    """Scale points to the map, centered, with room for circles around the outermost ones.

    Both axes get the same scale, and the second one points upward. Points that all coincide lie in
    the center.
    """
    spans = np.ptp(points, axis=0)
    border = MARGIN + largest_radius
    inner_sides = (WIDTH - 2 * border, HEIGHT - 2 * border)
    scale_by_axis = [
        inner_side / span for inner_side, span in zip(inner_sides, spans, strict=True) if span > 0
    ]
    center = (points.max(axis=0) + points.min(axis=0)) / 2
    upward = (1, -1)
    return np.asarray(
        (WIDTH / 2, HEIGHT / 2) + min(scale_by_axis, default=0.0) * (points - center) * upward
    )


def _describe_extremes(distances: Matrix, cards: Sequence[TopicCard]) -> str:
    """Name the most similar topics in a sentence, and of three or more the least similar, too.

    Topics are named by the numbers and titles of their cards, of which there are at least two.
    """
    first_cards_of_pairs, second_cards_of_pairs = np.triu_indices(len(cards), 1)
    distances_of_pairs = distances[first_cards_of_pairs, second_cards_of_pairs]

    def name_pair(pair_index: int) -> str:
        one_card = cards[int(first_cards_of_pairs[pair_index])]
        other_card = cards[int(second_cards_of_pairs[pair_index])]
        return f"{one_card.number} ({one_card.title}) and {other_card.number} ({other_card.title})"

    most_similar_phrase = name_pair(int(np.argmin(distances_of_pairs)))
    if len(cards) == 2:
        return f"The most similar topics are {most_similar_phrase}."
    least_similar_phrase = name_pair(int(np.argmax(distances_of_pairs)))
    return (
        f"The most similar topics are {most_similar_phrase};"
        f" the least similar are {least_similar_phrase}."
    )
