import json
import math
import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks.prediction.runs import PUBLISHED_TOO, predicted
from dplda.methods.dpvi.accounting import SamplingSchedule, epsilon_of_schedule
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.methods.registry import METHODS, parse_method
from dplda.theory.prediction.coordinates import inverse_noise_multiplier
from dplda.theory.prediction.expected import (
    RANGES,
    UNIGRAM,
    Answer,
    covered,
    expected,
    predicted_methods,
)
from dplda.theory.prediction.regime_axes import Axis, Point
from tests.yardstick import slowness

RESULTS = Path(__file__).resolve().parents[3] / "benchmarks" / "results"
HERE = Point(
    n_documents=20_000, n_topics=10, n_words=1_000, alpha0=1.0, mean_length=100, epsilon=1.0
)


def drawn(count: int) -> list[Point]:
    """Settings at random over all ranges."""
    rng, points = np.random.default_rng(0), []
    while len(points) < count:
        values = {
            axis: math.exp(rng.uniform(*np.log(range_ends))) for axis, range_ends in RANGES.items()
        }
        point = Point(
            **{axis.value: round(value) if axis.whole else value for axis, value in values.items()}
        )
        points += [point] if point.possible else []
    return points


def test_predicted_methods_keep_the_order_of_the_registry() -> None:
    texts = (*predicted_methods(), *PUBLISHED_TOO)
    in_order = tuple(method.key for method in predicted() if method.key in texts)
    assert texts == in_order
    for text in texts:
        assert any(
            prediction.answer is not Answer.UNKNOWN for prediction in expected(drawn(50), text)
        )
    assert "unnoised" in METHODS
    assert expected([HERE], "unnoised")[0].answer is Answer.UNKNOWN


def test_shipped_predictions_cover_every_method_that_was_run() -> None:
    shipped = {
        "refined",
        "adaptive/corrected",
        "shared-moment/corrected",
        "config-1/corrected",
        "config-2/corrected",
        "config-3/as published",
        "config-4/as published",
        "dp-vi/corrected",
        "private-unigram",
    }
    assert shipped <= set(predicted_methods())  # a new method may have none yet


@pytest.mark.parametrize("text", predicted_methods())
def test_prediction_is_an_error_within_its_range_or_there_is_none(text) -> None:
    for prediction in expected(drawn(60), text):
        assert prediction.answer in Answer
        if prediction.answer is Answer.REFUSED:
            assert math.isnan(prediction.error)
        elif math.isfinite(prediction.error):
            assert 0 < prediction.low <= prediction.error <= prediction.high <= 2
        else:
            assert prediction.answer is Answer.UNKNOWN


@pytest.mark.parametrize("axis", RANGES)
def test_prediction_outside_the_ranges_is_none(axis) -> None:
    low, high = RANGES[axis]
    for value in (low, high):
        assert covered(HERE.moved(axis, value))
    for value in (low * 0.9 if axis is not Axis.TOPICS else 60, high * 1.1):
        outside = HERE.moved(axis, value)
        assert not covered(outside)
        assert all(
            expected([outside, HERE], text)[0].answer is Answer.UNKNOWN
            for text in predicted_methods()
        )
    assert not covered(HERE.moved(Axis.WORDS, 50).moved(Axis.TOPICS, 50).moved(Axis.WORDS, 49))


def test_prediction_of_one_point_is_that_among_many() -> None:
    points = drawn(9)
    for text in ("refined", "config-2/corrected"):
        together = expected(points, text)
        for point, prediction in zip(points, together, strict=True):
            (single_prediction,) = expected([point], text)
            assert single_prediction.answer == prediction.answer
            assert single_prediction.error == pytest.approx(prediction.error, rel=1e-9, nan_ok=True)


def test_expected_unigram_error_is_that_of_the_mean_distribution() -> None:
    plenty = HERE.moved(Axis.EPSILON, 10).moved(Axis.DOCUMENTS, 10**6)
    (prediction,) = expected([plenty], UNIGRAM)
    assert prediction.answer is Answer.WORDS
    rng = np.random.default_rng(0)
    topics = rng.dirichlet(np.full(1_000, 0.1), size=10)
    assert prediction.error == pytest.approx(
        np.mean(np.abs(topics - topics.mean(axis=0)).sum(axis=1)), rel=0.05
    )


def test_prediction_where_noise_is_all_is_one_list_or_a_refusal() -> None:
    lost_point = Point(
        n_documents=1_000, n_topics=10, n_words=1_000, alpha0=1.0, mean_length=50, epsilon=0.1
    )
    assert expected([lost_point], "adaptive/corrected")[0].answer is Answer.WORDS
    for text in ("config-3/as published", "config-4/as published"):
        assert expected([lost_point], text)[0].answer is Answer.REFUSED


@pytest.mark.parametrize("text", ["refined", "adaptive/corrected", UNIGRAM])
def test_expected_error_falls_with_documents_or_epsilon(text) -> None:
    errors = {
        (n, epsilon): expected([HERE.moved(Axis.DOCUMENTS, n).moved(Axis.EPSILON, epsilon)], text)[
            0
        ].error
        for n in (2_000, 20_000, 200_000)
        for epsilon in (0.1, 1.0, 10.0)
    }
    for (n, epsilon), error in errors.items():
        for more_documents, more_epsilon in errors:
            if (more_documents >= 10 * n and more_epsilon >= epsilon) or (
                more_documents >= n and more_epsilon >= 10 * epsilon
            ):
                assert errors[more_documents, more_epsilon] < 1.1 * error


def test_noise_of_minibatches_is_the_accountants() -> None:
    """To five percent: with so much more it costs no more than ε, with so much less no less."""
    method, usual = parse_method("dp-vi/corrected"), VariationalSettings()
    for epsilon, delta in ((0.1, 1e-7), (1.0, 1e-7), (10.0, 1e-7), (5.0, 1e-9), (2.0, 1e-4)):
        noise = 1 / inverse_noise_multiplier(
            HERE.moved(Axis.EPSILON, epsilon).moved(Axis.DELTA, delta), method
        )
        schedule_of_more_noise, schedule_of_less_noise = (
            SamplingSchedule(part * noise, usual.sampling_rate, usual.steps)
            for part in (1.05, 0.95)
        )
        assert (
            epsilon_of_schedule(schedule_of_more_noise, delta=delta)
            <= epsilon
            <= epsilon_of_schedule(schedule_of_less_noise, delta=delta)
        )


@pytest.mark.timing
def test_cell_takes_five_milliseconds_at_most() -> None:
    points = drawn(50)
    for text in predicted_methods():
        expected(points[:1], text)
    start = time.perf_counter()
    for point in points:
        for text in predicted_methods():
            expected([point], text)
    assert (time.perf_counter() - start) / len(points) < 0.005 * max(1.0, slowness())


def test_predictions_hold_where_nothing_was_fitted() -> None:
    """Of the settings kept aside, as the benchmark found them: what is claimed, method by method and of all."""
    rows = json.loads((RESULTS / "prediction-shares.json").read_text("utf-8"))["rows"]
    (of_all,) = (row for row in rows if row["method"] == "all")
    assert of_all["predicted"] >= 0.8
    assert of_all["right"] >= 0.9
    assert {row["method"] for row in rows} == {*predicted_methods(), *PUBLISHED_TOO, "all"}
