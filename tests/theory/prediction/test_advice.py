import math
import re

import pytest

from dplda.theory.prediction.advice import FAILS, HELPS, READABLE, advice, least_errors, remedies
from dplda.theory.prediction.expected import RANGES
from dplda.theory.prediction.regime_axes import Axis, Point

EASY = Point(n_documents=100_000, n_topics=5, n_words=300, alpha0=0.5, mean_length=100, epsilon=3.0)
MANY = Point(
    n_documents=100_000, n_topics=50, n_words=5_000, alpha0=0.1, mean_length=100, epsilon=1.0
)


def test_advice_names_the_best_method_with_its_predicted_range() -> None:
    advice_text, number = advice(EASY), r"[\d.]+ \([\d.]+ to [\d.]+\)"
    both_methods = (
        rf"\*\*Refined\*\* has the smallest predicted error: {number}; \*\*\w+\*\* {number}\."
    )
    assert re.fullmatch(both_methods + " The two are too close to call.", advice_text)


def test_advice_takes_a_measured_error_before_a_predicted_one() -> None:
    advice_text = advice(EASY, {"config-1/corrected": 0.001, "adaptive/corrected": 0.05})
    assert advice_text.startswith("**Configuration 1** has the smallest measured error: 0.001; ")
    assert re.search(r"\(predicted.*\)\.$", advice_text)
    for text, title in (
        ("config-1/corrected", "Configuration 1"),
        ("refined", "Refined"),
    ):  # measured: no head start
        assert advice(EASY, {text: 0.001005, "adaptive/corrected": 0.001}) == (
            f"**Adaptive** and **{title}** are too close to call: measured error 0.001 and 0.001."
        )
    assert advice(EASY, {"unnoised": 0.0001, "adaptive/corrected": math.nan}) == advice(EASY)


def test_beyond_all_runs_it_says_so() -> None:
    advice_text = advice(EASY.moved(Axis.DOCUMENTS, 10**8))
    assert advice_text.startswith("no error is predicted: predictions cover N 1,000 to 1,000,000")


def test_advice_where_topics_fail_names_what_would_help() -> None:
    (least_error,) = least_errors([MANY])
    assert least_error > FAILS
    helps = remedies(MANY)
    assert helps
    for axis, value in helps.items():
        assert (value < MANY.at(axis)) == (HELPS[axis] < 0)
        low, high = RANGES[axis]
        assert low <= value <= high
        assert least_errors([MANY.moved(axis, value)])[0] <= READABLE
    assert {Axis.TOPICS, Axis.WORDS} & set(helps)


@pytest.mark.parametrize("point", [EASY, EASY.moved(Axis.DOCUMENTS, 10**8)])
def test_advice_where_nothing_fails_is_empty(point) -> None:
    assert remedies(point) is None
