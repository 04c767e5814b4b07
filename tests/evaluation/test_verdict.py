"""The verdict on made-up numbers: all three answers, the quantile of the table, and how often it is wrong."""

import math

import numpy as np
import pytest

from dplda.evaluation.verdict import Conclusion, judge_mean

FOUR = (
    -0.1,
    -0.2,
    -0.3,
    -0.2,
)  # mean -0.2, standard error 0.1/√6; t at 99 % with 3 degrees of freedom: 4.541
HIGH = -0.2 + 4.541 * 0.1 / math.sqrt(6)


def test_verdict_answers_rest_on_the_tabled_quantile() -> None:
    negated_values = [-value for value in FOUR]
    for past, answer, answer_of_negated in (
        (1e-4, Conclusion.HOLDS, Conclusion.FAILS),
        (-1e-4, *[Conclusion.UNDECIDED] * 2),
    ):
        assert judge_mean(FOUR, most=HIGH + past).answer is answer
        assert judge_mean(FOUR, least=HIGH + past).answer is answer_of_negated
        assert judge_mean(negated_values, most=-HIGH - past).answer is answer_of_negated
        assert judge_mean(negated_values, least=-HIGH - past).answer is answer
    judged_mean = judge_mean(FOUR)
    assert (judged_mean.mean, judged_mean.error, judged_mean.n) == (
        pytest.approx(-0.2),
        pytest.approx(0.1 / math.sqrt(6)),
        4,
    )


def test_mean_of_one_value_or_none_is_undecided() -> None:
    assert judge_mean([-5.0], most=0.0).answer is Conclusion.UNDECIDED
    assert judge_mean([], most=0.0).answer is Conclusion.UNDECIDED


def test_mean_of_equal_values_is_decided() -> None:
    assert judge_mean([0.0, 0.0], most=0.0).answer is Conclusion.HOLDS
    assert judge_mean([0.1, 0.1], most=0.0).answer is Conclusion.FAILS


def test_verdict_on_the_limit_is_wrong_one_time_in_a_hundred() -> None:
    """Of 2,000 cells 20 are expected, standard deviation 4.4; at half or twice the chance the limits would not do."""
    cells = np.random.default_rng(0).normal(size=(2000, 5))
    answers = [judge_mean(cell, most=0.0).answer for cell in cells]
    assert 11 <= answers.count(Conclusion.HOLDS) <= 31
    assert 11 <= answers.count(Conclusion.FAILS) <= 31
