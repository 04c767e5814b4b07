"""The map and the heat map against the topics they show."""

import numpy as np
import pytest

from dplda import figures
from dplda.evaluation.distance import jensen_shannon
from dplda.figures import Lane, Slot, theme
from tests.figures.checked import checked

ROWS = np.random.default_rng(3).dirichlet(np.full(20, 0.2), 5)
WORDS = (*(f"w{i}" for i in range(19)), "<b>$x$</b>")


def lane(title: str, rows=ROWS, *, empty: tuple[int, ...] = (), is_supported=True) -> Lane:
    slots = [
        Slot(i + 1, None)
        if i in empty
        else Slot(i + 1, row, share=(i + 1) / 15, row=i, supported=is_supported)
        for i, row in enumerate(rows)
    ]
    return Lane(title, tuple(slots))


def trace(figure, name: str):
    return next(trace for trace in figure.data if trace.name == name)


def test_noiseless_topics_stay_where_they_are_whatever_the_noise_does() -> None:
    exact, noisy = lane("exact"), 0.7 * ROWS + 0.3 * ROWS.mean(axis=0)
    maps = [
        checked(figures.topic_map([lane("p", rows), exact], {}, WORDS)) for rows in (ROWS, noisy)
    ]
    first_exact, second = (trace(figure_of_map, "exact") for figure_of_map in maps)
    assert list(first_exact.x) == list(second.x)
    assert maps[0].layout.xaxis.range == maps[1].layout.xaxis.range
    trace_before = trace(maps[0], "p")
    np.testing.assert_allclose(
        [trace_before.x, trace_before.y], [first_exact.x, first_exact.y], atol=1e-9
    )
    trace_after = trace(maps[1], "p")
    assert np.abs(np.array(trace_after.x)).max() < np.abs(np.array(first_exact.x)).max()


def test_topic_map_circle_has_the_area_of_its_share() -> None:
    circles = trace(
        checked(figures.topic_map([lane("p", empty=(1,)), lane("exact")], {}, WORDS)), "p"
    )
    sizes = np.array(circles.marker.size)
    np.testing.assert_allclose((sizes[-1] / sizes[1]) ** 2, 5 / 3)


def test_topic_map_number_has_the_color_of_its_topic() -> None:
    circles = trace(
        checked(figures.topic_map([lane("p", empty=(1,)), lane("exact")], {}, WORDS)), "p"
    )
    assert list(circles.text) == ["1", "3", "4", "5"]
    assert list(circles.marker.line.color) == [
        theme.topic_colour(number) for number in (1, 3, 4, 5)
    ]
    rings = trace(
        checked(figures.topic_map([lane("p", empty=(1,)), lane("exact")], {}, WORDS)), "exact"
    )
    assert list(rings.text) == ["", "2", "", "", ""]


def test_topic_map_without_readable_topics_is_gray() -> None:
    doubtful = lane("p", 0.5 * ROWS + 0.5 * ROWS.mean(axis=0), is_supported=False)
    figure = checked(figures.topic_map([doubtful, lane("exact")], {}, WORDS))
    assert set(trace(figure, "p").marker.line.color) == {theme.UNREADABLE}
    assert "No topic has evidence" in figures.topic_map([doubtful, lane("exact")], {}, WORDS).title


def test_map_finding_is_the_topic_that_moved_furthest() -> None:
    rows = ROWS.copy()
    rows[2] = 0.5 * rows[2] + 0.5 * rows[4]
    far = jensen_shannon(rows[2:3], ROWS[2:3])[0, 0]
    map_figure = figures.topic_map([lane("p", rows), lane("exact")], {3: "tea"}, WORDS)
    assert map_figure.title == f"Noise moved topic 3 furthest: distance {far:.2f} of 1"
    assert f"Topic 3, tea: 20% of all words, {far:.2f} of 1" in map_figure.alt


def test_topic_map_with_markup_in_words_shows_text() -> None:
    rows = ROWS[:, ::-1].copy()
    rows[:, -1] += 1
    figure = checked(
        figures.topic_map(
            [lane("p", rows / rows.sum(axis=1, keepdims=True))], {1: "<i>tea</i>"}, WORDS
        )
    )
    hovers = " ".join(figure.data[-1].customdata)
    assert "<b>" not in hovers
    assert "<i>" not in hovers
    assert "&lt;b&gt;&#36;x&#36;" in hovers


@pytest.mark.parametrize("n", [0, 1, 2])
def test_topic_map_of_few_topics_is_drawn(n) -> None:
    lane_of_few = lane("p", ROWS[:2], empty=tuple(range(n, 2)))
    figure = checked(figures.topic_map([lane_of_few, lane_of_few], {}, WORDS))
    assert len(trace(figure, "p").x) == n
    assert figure.layout.title.text


def test_topic_map_name_stands_below_its_circle() -> None:
    circles = trace(checked(figures.topic_map([lane("p")], {}, WORDS, given={2: "Rain"})), "p")
    assert [circles.text[1], circles.textposition[1]] == ["2 Rain", "bottom center"]
    assert circles.textposition[0] == "middle center"
