"""Topics of a rehearsal beside the themes that are known."""

import numpy as np

from dplda import figures
from dplda.figures.topics.lanes import Lane, Slot

VOCABULARY = ("rain", "wind", "goal", "<i>match</i>")
THEME_WORDS = (("rain", "wind"), ("goal", "match"))


def table_of(lane: Lane, *, is_found: tuple[bool, bool] = (True, False)) -> str:
    return figures.theme_table(
        [lane],
        VOCABULARY,
        THEME_WORDS,
        titles=("Weather", "Football & more"),
        is_found=is_found,
        n_shown=2,
    )


def lane_of(*slots: Slot) -> Lane:
    return Lane("ε = 1", slots)


def test_theme_table_marks_themes_that_are_found() -> None:
    empty = Slot(1, None), Slot(2, None)
    table = table_of(lane_of(*empty))
    assert "✓ Weather" in table
    assert "✗ Football &amp; more" in table


def test_theme_table_sets_only_words_of_the_theme_in_bold() -> None:
    weather = Slot(1, np.array([0.6, 0.0, 0.4, 0.0]))
    table = table_of(lane_of(weather, Slot(2, None)))
    assert ">rain</b>" in table
    assert ">goal</i>" in table
    assert "wind" not in table


def test_theme_table_orders_words_with_the_largest_scores_by_probability() -> None:
    scores = np.array([2.0, 3.0, 1.0, -np.inf])
    weather = Slot(1, np.array([0.3, 0.1, 0.6, 0.0]), scores=scores)
    table = table_of(lane_of(weather, Slot(2, None)))
    assert table.index(">rain<") < table.index(">wind<")
    assert "goal" not in table


def test_theme_table_escapes_words_of_documents() -> None:
    football = Slot(2, np.array([0.0, 0.0, 0.0, 1.0]))
    assert "&lt;i&gt;match" in table_of(lane_of(Slot(1, None), football))


def test_theme_table_says_where_a_topic_is_missing_or_has_no_evidence() -> None:
    weather = Slot(1, np.array([0.6, 0.4, 0.0, 0.0]), supported=False)
    table = table_of(lane_of(weather, Slot(2, None)))
    assert "✗ no evidence" in table
    assert "below the noise" in table
