import time

import numpy as np
import pytest

from dplda.core.errors import NoFiniteNoise
from dplda.corpus import simulate
from dplda.methods.plan import Plan
from dplda.methods.registry import predictors
from dplda.theory.prediction.noise_levels import Levels, levels_of
from dplda.theory.prediction.predictor import errors_at, predict, predict_at
from dplda.theory.prediction.reference import simulated_reference
from dplda.theory.prediction.regime_axes import Axis, Grid, Point
from dplda.theory.prediction.regimes import (
    Outcome,
    PredictedCell,
    cells_at,
    map_of,
    predicted,
    reference_of,
    reference_or_none,
)
from dplda.theory.prediction.unigram import UNIGRAM, unigram_errors
from tests.yardstick import slowness

HERE = Point(n_documents=20_000, n_topics=3, n_words=80, alpha0=0.5, mean_length=60, epsilon=2.0)
REFERENCE = reference_of(HERE)
PREDICTORS = {one.configuration: one for one in predictors().values()}
ALL = tuple(PREDICTORS.values())


def grid(x: Axis, y: Axis, n: int = 5, base: Point = HERE) -> Grid:
    return Grid(base, x, y, x.values(*x.usual, n), y.values(*y.usual, n))


def test_the_twin_is_what_documents_are_drawn_from() -> None:
    corpus = simulate(n_documents=3, n_words=80, n_topics=3, alpha0=0.5, mean_length=60, seed=7)
    reference = simulated_reference(n_words=80, n_topics=3, alpha0=0.5, mean_length=60, seed=7)
    assert corpus.truth is not None
    np.testing.assert_array_equal(reference.alpha, corpus.truth.alpha)
    mean = corpus.truth.alpha / 0.5 @ corpus.truth.topics
    np.testing.assert_allclose(reference.unigram, np.abs(corpus.truth.topics - mean).sum(axis=1), rtol=1e-12)


def test_many_at_once_are_as_one_by_one() -> None:
    cases = [(Levels(0.0, 0.0, True, 4.0), 500)]
    for n in (500, 20_000, 2_000_000):
        for epsilon in (0.1, 1.0, 10.0):
            for name in ("adaptive", "shared-moment", "config-1"):
                cases.append((levels_of(Plan(name, epsilon), REFERENCE, n_documents=n), n))
    one_by_one = [predict_at(levels, REFERENCE, n_documents=n).l1 for levels, n in cases]
    np.testing.assert_allclose(errors_at(cases, REFERENCE), one_by_one, rtol=1e-9)
    assert errors_at([], REFERENCE).shape == (0,)


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_a_cell_holds_what_the_predictor_says(epsilon) -> None:
    point = HERE.moved(Axis.EPSILON, epsilon)
    (cell,) = cells_at([point], REFERENCE, ALL)
    for name, error in zip(PREDICTORS, cell.errors[:-1], strict=True):
        try:
            expected = predict(Plan(name, epsilon, point.delta), REFERENCE, n_documents=point.n_documents).l1
        except NoFiniteNoise:
            assert np.isnan(error)
        else:
            lost = expected == pytest.approx(np.mean(REFERENCE.unigram), rel=1e-9)
            assert np.isnan(error) if lost else error == pytest.approx(expected, rel=1e-9)
    assert cell.unnoised == pytest.approx(predict(None, REFERENCE, n_documents=point.n_documents).l1, rel=1e-9)
    assert cell.errors[-1] == unigram_errors([point], REFERENCE)[0]


def test_a_refusal_is_no_error_and_never_wins() -> None:
    point = HERE.moved(Axis.DOCUMENTS, 500)
    with pytest.raises(NoFiniteNoise):
        levels_of(Plan("config-2", point.epsilon), REFERENCE, n_documents=500)
    (cell,) = cells_at([point], REFERENCE, [PREDICTORS["config-2"]])
    assert np.isnan(cell.errors[0])
    there = predicted(Grid(HERE, Axis.DOCUMENTS, Axis.EPSILON, (200.0, 500.0), (0.1, 0.2)), [PREDICTORS["config-2"]])
    assert set(there.winners.ravel()) == {1}
    assert there.methods == ("config-2", UNIGRAM)
    np.testing.assert_array_equal(there.least, there.errors[1])
    assert not np.any(there.worth)


def test_little_privacy_loss_and_few_documents_leave_the_private_unigram() -> None:
    found = predicted(grid(Axis.DOCUMENTS, Axis.EPSILON), ALL)
    assert found.methods[found.winners[0, 0]] == UNIGRAM
    assert np.all(np.isnan(found.errors[:-1, 0, 0]))  # no topic rises above its noise
    assert found.methods[found.winners[-1, 1]] == "adaptive"
    assert found.winners[-1, -1] == Outcome.UNDECIDED  # sampling is all that is left, and the same for several
    assert not np.any(found.left_out)
    falling = np.diff(found.least, axis=0)
    assert np.all(falling <= 1e-12)
    assert np.all(np.diff(found.least, axis=1) <= 1e-12)
    assert np.all(found.least <= found.errors[-1])
    assert np.all(found.unnoised <= found.least)


def test_more_topics_than_words_are_left_out() -> None:
    few = HERE.moved(Axis.WORDS, 20)
    found = predicted(Grid(few, Axis.TOPICS, Axis.EPSILON, (2.0, 20.0, 40.0), (1.0, 2.0)), [PREDICTORS["adaptive"]])
    assert found.winners[:, 2].tolist() == [Outcome.LEFT_OUT] * 2
    assert not np.any(found.left_out[:, :2])
    assert reference_or_none(few.moved(Axis.TOPICS, 40)) is None


@pytest.mark.timing
def test_a_map_is_quick_once_its_twin_is_there() -> None:
    wide = grid(Axis.DOCUMENTS, Axis.EPSILON, 11)
    predicted(wide, ALL, reference=lambda point: REFERENCE)
    start = time.perf_counter()
    predicted(wide, ALL, reference=lambda point: REFERENCE)
    assert time.perf_counter() - start < 1.5 * slowness()  # 0.15 are usual


def test_a_cell_alone_is_judged_as_its_map_is() -> None:
    rng, base = np.random.default_rng(0), Point(1000, 3, 50, 1.0, 50, 1.0)
    grid = Grid(base, Axis.DOCUMENTS, Axis.EPSILON, (1e3, 1e4, 1e5, 1e6), Axis.EPSILON.values(0.1, 10, 9))
    cells = {}
    for _, _, point in grid.points():
        errors = np.where([*(rng.random(2) < 0.3), False], np.nan, rng.random(3))  # the last is the private unigram's
        cells[point] = PredictedCell(tuple(errors), tuple(0.9 * errors), tuple(1.3 * errors), 0.1)
    found = map_of(grid, cells, ("adaptive", "config-1", "private-unigram"))
    for row, column, point in grid.points():
        assert cells[point].winner == found.winners[row, column]
        assert cells[point].of([2, 0]).errors == (cells[point].errors[2], cells[point].errors[0])
    assert {cell.winner for cell in cells.values()} >= {0, 1, 2, Outcome.UNDECIDED}
