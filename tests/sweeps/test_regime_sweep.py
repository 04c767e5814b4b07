import math

import numpy as np
import pandas as pd
import pytest

from dplda.errors import InputError
from dplda.methods import parse_method, predictors
from dplda.prediction.regime_axes import Axis, Grid, Point
from dplda.prediction.regimes import predicted
from dplda.prediction.unigram import UNIGRAM
from dplda.sweeps import Store, Sweep, run
from dplda.sweeps.regime_sweep import MapSweep, agreement, map_from, map_sweep

HERE = Point(n_documents=2000, n_topics=3, n_words=40, alpha0=0.5, mean_length=30, epsilon=2.0)
GRID = Grid(HERE, Axis.DOCUMENTS, Axis.EPSILON, (300.0, 3000.0, 30_000.0), (0.1, 1.0, 10.0))
COMPARED = ("adaptive", "shared-moment", "config-1", UNIGRAM)
METHODS = tuple(map(parse_method, COMPARED))
PREDICTORS = {one.configuration: one for one in predictors().values()}


@pytest.fixture(scope="module")
def plan() -> MapSweep:
    return map_sweep(GRID, METHODS)


@pytest.fixture(scope="module")
def frame(plan, tmp_path_factory) -> pd.DataFrame:
    store = Store(plan.sweep, tmp_path_factory.mktemp("map"))
    run(plan.sweep, store)
    return store.frame()


def test_every_point_is_simulated_once_with_its_own_numbers(plan) -> None:
    points = [point for _, members in plan.points for point in members]
    assert sorted(map(hash, points)) == sorted(hash(point) for *_, point in GRID.points())
    by_name = {setting.name: setting for setting in plan.sweep.settings}
    for name, members in plan.points:
        setting = by_name[name]
        assert setting.epsilons == tuple(point.epsilon for point in members)
        for point in members:
            simulation = setting.source
            assert (simulation.n_documents, simulation.n_words) == (point.n_documents, point.n_words)
            assert (simulation.n_topics, simulation.mean_length) == (point.n_topics, point.mean_length)
            assert (simulation.alpha0, setting.delta) == (point.alpha0, point.delta)
    assert Sweep.from_toml(plan.sweep.to_toml()) == plan.sweep


def test_corners_come_first_and_among_them_the_cheap_ones(plan) -> None:
    first = [point for _, members in plan.points[:2] for point in members]
    assert {(point.n_documents, point.epsilon) for point in first} == {
        (n, epsilon) for n in (300, 30_000) for epsilon in (0.1, 10.0)
    }
    assert [members[0].n_documents for _, members in plan.points[:2]] == [300, 30_000]


def test_documents_are_drawn_once_for_all_that_come_together(plan) -> None:
    assert len(plan.sweep.settings) == 2 + 3  # corners of two columns, then what is left of three


def test_what_is_too_large_is_left_out() -> None:
    large = Grid(HERE, Axis.DOCUMENTS, Axis.LENGTH, (1000.0, 1e6, 1e7), (10.0, 100.0))
    found = map_sweep(large, METHODS)
    assert {(point.n_documents, point.mean_length) for point in found.left_out} == {
        (10**6, 100),
        (10**7, 10),
        (10**7, 100),
    }
    assert map_from(_empty(found), found).n_wanted == 3
    with pytest.raises(InputError, match="small enough"):
        map_sweep(Grid(HERE, Axis.DOCUMENTS, Axis.LENGTH, (1e7, 1e8), (10.0, 100.0)), METHODS)
    with pytest.raises(InputError, match="methods"):
        map_sweep(GRID, [parse_method("unnoised")])


def test_a_cell_counts_once_all_its_methods_are_there(plan, frame) -> None:
    done = [map_from(frame[:rows], plan).n_done for rows in range(0, len(frame) + 1)]
    assert done[0] == 0
    assert done == sorted(done)
    assert done[-1] == 9
    assert done[1 + 2 * 4 - 1] < 2  # a reference, then four methods at each of two ε
    assert done[1 + 2 * 4] == 2
    failed = frame.copy()
    failed.loc[failed["method"] == "unnoised", "failed"] = "MemoryError"
    assert map_from(failed, plan).n_done == 0


def test_the_map_says_what_the_frame_says(plan, frame) -> None:
    found = map_from(frame, plan)
    for row, column, point in GRID.points():
        rows = frame[(frame["n_documents"] == point.n_documents)]
        for number, text in enumerate(found.methods):
            here = rows[(rows["method"] == text) & (rows["epsilon"] == point.epsilon)]
            topics = here.loc[here["resolved"] > 0, "l1_mean"]
            np.testing.assert_equal(found.errors[number, row, column], topics.median())
        unnoised = rows.loc[rows["method"] == "unnoised", "l1_mean"].iloc[0]
        assert found.unnoised[row, column] == unnoised


def test_who_resolves_no_topic_is_not_on_the_map(plan, frame) -> None:
    """Its list of words may be as good as the private unigram's, which is simpler."""
    found = map_from(frame, plan)
    (lost,) = frame.index[
        (frame["n_documents"] == 300) & (frame["epsilon"] == 0.1) & (frame["method"] == METHODS[0].text)
    ]
    assert frame.loc[lost, "resolved"] == 0
    assert math.isnan(found.errors[0, 0, 0])
    better = frame.copy()
    better.loc[lost, ["resolved", "l1_mean"]] = 1, 0.1
    assert map_from(better, plan).winners[0, 0] == 0 != found.winners[0, 0]


def test_simulation_and_prediction_mostly_agree(plan, frame) -> None:
    found, foretold = map_from(frame, plan), predicted(GRID, [PREDICTORS[name] for name in COMPARED[:-1]])
    compared = agreement(foretold, found)
    assert compared.compared >= 6
    assert compared.same == compared.compared
    assert {COMPARED[code] for code in foretold.winners.ravel() if code >= 0} == {"adaptive", UNIGRAM}
    useful = foretold.worth & (found.least < 0.5)
    assert np.sum(useful) >= 4
    ratio = foretold.least[useful] / found.least[useful]
    assert np.all((ratio > 0.5) & (ratio < 2))


def test_agreement_counts_equal_winners_only(plan, frame) -> None:
    found = map_from(frame, plan)
    assert agreement(found, found).same == 9
    assert agreement(found, map_from(frame[:0], plan)).compared == 0
    others = predicted(GRID, [PREDICTORS["shared-moment"]])
    unigram = int(np.sum((found.winners == 3) & (others.winners == 1)))
    assert agreement(others, found).same == unigram
    with pytest.raises(InputError, match="same grid"):
        agreement(found, predicted(GRID.thinned(2), [PREDICTORS["adaptive"]]))


def _empty(plan: MapSweep) -> pd.DataFrame:
    columns = ("setting", "method", "epsilon", "failed", "l1_mean", "resolved")
    return pd.DataFrame({name: pd.Series(dtype="float64" if name[0] in "elr" else "str") for name in columns})
