import time

import numpy as np
import pytest

from dplda.theory.prediction.expected import (
    RANGES,
    UNIGRAM,
    Answer,
    Expected,
    expected,
    predicted_methods,
)
from dplda.theory.prediction.regime_axes import Axis, Grid, Point
from dplda.theory.prediction.regimes import CLOSE, Outcome, errors_of, predicted, winner_of
from tests.yardstick import slowness

HERE = Point(n_documents=20_000, n_topics=3, n_words=80, alpha0=0.5, mean_length=60, epsilon=2.0)
METHODS = ("refined", "adaptive/corrected", UNIGRAM)


def grid(x: Axis, y: Axis, n: int = 5, base: Point = HERE) -> Grid:
    return Grid(base, x, y, x.values(*RANGES[x], n), y.values(*RANGES[y], n))


def cell(*errors: float | None, words: int | None = None) -> tuple[Expected, ...]:
    """Of three methods: None for a refusal; ``words`` counts the one that answers with one list."""
    cell_predictions = [
        Expected(Answer.REFUSED)
        if error_of_method is None
        else Expected(Answer.TOPICS, error_of_method, error_of_method, error_of_method)
        for error_of_method in errors
    ]
    if words is not None:
        cell_predictions[words] = Expected(Answer.WORDS, cell_predictions[words].error)
    return tuple(cell_predictions)


def test_map_holds_what_is_expected_at_each_point() -> None:
    grid_of_axes = grid(Axis.DOCUMENTS, Axis.EPSILON, 4)
    regime_map = predicted(grid_of_axes, METHODS)
    for row, column, point in grid_of_axes.points():
        for number, text in enumerate(METHODS):
            (prediction,) = expected([point], text)
            assert regime_map.at(row, column)[number].answer == prediction.answer
            assert regime_map.at(row, column)[number].error == pytest.approx(
                prediction.error, rel=1e-9, nan_ok=True
            )
        assert regime_map.winners[row, column] == winner_of(regime_map.at(row, column), METHODS)


@pytest.mark.parametrize(
    ("cell_given", "winner"),
    [
        (cell(0.2, 0.4, 1.0), 0),
        (cell(0.4, 0.38, 1.0), 0),
        (cell(0.4, 0.35, 1.0), 1),
        (cell(0.98, 1.5, 0.97), 2),
        (cell(0.98, 1.5, 0.98 * (1 + CLOSE / 2)), 2),
        (cell(None, None, 1.0), 2),
        (cell(0.2, 0.4, 1.0, words=0), 1),
        (cell(1.3, 1.2, 1.0), 2),
        (cell(None, None, None), Outcome.LEFT_OUT),
    ],
)
def test_winner_has_the_least_error_of_its_own(cell_given, winner) -> None:
    assert winner_of(cell_given, METHODS) == winner


def test_errors_near_each_other_are_too_close_to_call() -> None:
    methods = ("adaptive/corrected", "dp-vi/corrected", UNIGRAM)
    assert winner_of(cell(0.4, 0.4 * (1 + CLOSE / 2), 1.0), methods) == Outcome.UNDECIDED
    assert winner_of(cell(0.4, 0.4 * (1 + 2 * CLOSE), 1.0), methods) == 0


def test_list_of_words_of_another_method_does_not_compete() -> None:
    assert np.isnan(errors_of(cell(0.2, 0.4, 1.0, words=0), METHODS)[0])
    assert errors_of(cell(0.2, 0.4, 1.0, words=2), METHODS) == [0.2, 0.4, 1.0]


def test_regime_with_little_data_leaves_the_private_unigram_best() -> None:
    base = HERE.moved(Axis.WORDS, 2_000).moved(Axis.TOPICS, 10)
    regime_map = predicted(grid(Axis.DOCUMENTS, Axis.EPSILON, base=base), predicted_methods())
    assert not regime_map.worth[0, 0]
    assert regime_map.worth[-1, -1]
    assert np.nanmin(regime_map.errors[:, -1, -1]) < 0.5 * np.nanmin(regime_map.errors[:, 0, 0])


def test_points_with_more_topics_than_words_are_left_out() -> None:
    few_words = HERE.moved(Axis.WORDS, 50)
    regime_map = predicted(
        Grid(few_words, Axis.EPSILON, Axis.TOPICS, (1.0, 2.0), (2.0, 50.0, 60.0)), METHODS
    )
    assert regime_map.winners[2].tolist() == [Outcome.LEFT_OUT] * 2
    assert regime_map.left_out[2].all()
    assert not regime_map.left_out[:2].any()


@pytest.mark.timing
def test_map_takes_little_time() -> None:
    wide_grid = grid(Axis.DOCUMENTS, Axis.EPSILON, 11)
    predicted(wide_grid, predicted_methods())
    start = time.perf_counter()
    predicted(wide_grid, predicted_methods())
    assert time.perf_counter() - start < 0.5 * slowness()  # 0.1 are usual
