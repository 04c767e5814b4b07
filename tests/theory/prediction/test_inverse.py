import math

import numpy as np
import pytest
from scipy.optimize import brentq

from dplda.core.errors import InputError
from dplda.theory.prediction.expected import RANGES, UNIGRAM, Answer, expected, predicted_methods
from dplda.theory.prediction.inverse import smallest
from dplda.theory.prediction.regime_axes import Axis, Point

HERE = Point(n_documents=20_000, n_topics=3, n_words=80, alpha0=0.5, mean_length=60, epsilon=2.0)
STEP = 1.07  # from one value tried to the next


def error(method: str, axis: Axis, value: float, field: str = "error") -> float:
    (prediction,) = expected([HERE.moved(axis, value)], method)
    return getattr(prediction, field)


@pytest.mark.parametrize(
    "method", ["refined", "adaptive/corrected", "shared-moment/corrected", "dp-vi/corrected"]
)
@pytest.mark.parametrize("axis", [Axis.EPSILON, Axis.DOCUMENTS])
def test_smallest_value_for_an_error_inverts_the_predicted_error(method, axis) -> None:
    value = {Axis.EPSILON: 2.0, Axis.DOCUMENTS: 30_000}[axis]
    answer = smallest(axis, error(method, axis, value), HERE, method)
    assert answer.low <= answer.middle <= answer.high
    assert error(method, axis, answer.middle) <= error(method, axis, value)
    assert answer.middle <= value * STEP


def test_inverse_question_by_another_route_agrees() -> None:
    answer = smallest(Axis.EPSILON, 0.08, HERE, "refined")
    for end_name, found_value in (
        ("error", answer.middle),
        ("low", answer.low),
        ("high", answer.high),
    ):
        root = brentq(
            lambda e, of=end_name: error("refined", Axis.EPSILON, e, of) - 0.08, 0.1, 10.0
        )
        assert root <= found_value <= root * STEP


def test_target_that_one_list_of_words_reaches_is_refused() -> None:
    least_error = min(
        error(UNIGRAM, Axis.EPSILON, value) for value in np.geomspace(*RANGES[Axis.EPSILON], 30)
    )
    with pytest.raises(InputError, match="one private list of words"):
        smallest(Axis.EPSILON, least_error * 1.01, HERE, "refined")


def test_target_that_is_not_reached_names_what_is_left() -> None:
    with pytest.raises(InputError, match="predicted up to ε = 10"):
        smallest(Axis.EPSILON, 1e-4, HERE, "refined")
    with pytest.raises(InputError, match="this method refuses"):
        smallest(
            Axis.EPSILON,
            0.3,
            HERE.moved(Axis.DOCUMENTS, 1_000).moved(Axis.WORDS, 2_000),
            "config-3/as published",
        )


@pytest.mark.parametrize("method", predicted_methods())
def test_inverse_question_is_answered_where_the_error_is_small_enough(method) -> None:
    values = np.geomspace(*RANGES[Axis.EPSILON], 30)
    predictions = expected([HERE.moved(Axis.EPSILON, value) for value in values], method)
    least_error = min(
        (
            prediction.error
            for prediction in predictions
            if prediction.answer in (Answer.TOPICS, Answer.UNKNOWN)
        ),
        default=2.0,
    )
    if least_error < 0.3:
        answer = smallest(Axis.EPSILON, 0.3, HERE, method)
        assert RANGES[Axis.EPSILON][0] <= answer.low <= answer.middle <= answer.high
    else:
        with pytest.raises(InputError, match="target error must be"):
            smallest(Axis.EPSILON, 0.2, HERE, method)


@pytest.mark.parametrize(
    ("axis", "target"), [(Axis.WORDS, 0.1), (Axis.EPSILON, 0.0), (Axis.EPSILON, math.nan)]
)
def test_inverse_question_with_wrong_values_is_refused(axis, target) -> None:
    with pytest.raises(InputError):
        smallest(axis, target, HERE, "refined")
