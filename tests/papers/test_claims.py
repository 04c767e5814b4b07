import math

import pandas as pd
import pytest

from dplda.papers.claims import Claim, Verdict, judge, outcome

ONE, TWO, THREE, VI = "config-1/as published", "config-2/as published", "config-3/as published", "dp-vi/as published"
NAN = math.nan


def frame(numbers: dict[str, list[float]]) -> pd.DataFrame:
    rows = [
        {"method": method, "status": "as published", "epsilon": epsilon, "l1_sum": value}
        for method, values in numbers.items()
        for epsilon, value in zip((0.5, 1.0, 2.0), values, strict=True)
    ]
    return pd.DataFrame(rows)


def verdict(claim: Claim, numbers: dict[str, list[float]]) -> Verdict:
    return judge([claim], frame(numbers), "l1_sum")[0].verdict


TWO_BEST = Claim("two is best", (TWO,), (ONE,))


@pytest.mark.parametrize(
    ("two", "said"),
    [
        ([1, 1, 1], Verdict.HOLDS),
        ([3, 3, 3], Verdict.FAILS),
        ([2, 2, 2], Verdict.FAILS),
        ([1, 3, 3], Verdict.HOLDS_IN_PART),
        ([NAN, 1, 1], Verdict.HOLDS),
        ([NAN, NAN, NAN], Verdict.OPEN),
    ],
)
def test_an_ordering_is_put_to_the_test(two, said) -> None:
    assert verdict(TWO_BEST, {ONE: [2, 2, 2], TWO: two}) is said


def test_the_ends_of_the_grid_can_be_meant() -> None:
    numbers = {ONE: [2, 2, 0.5], TWO: [1, 1, 1]}
    assert verdict(Claim("", (TWO,), (ONE,), "first"), numbers) is Verdict.HOLDS
    assert verdict(Claim("", (TWO,), (ONE,), "last"), numbers) is Verdict.FAILS
    assert verdict(Claim("", (ONE,), (TWO,), "last"), numbers) is Verdict.HOLDS


def test_a_missing_number_cannot_mend_what_the_others_contradict() -> None:
    every = Claim("all beat", (ONE, TWO, THREE), (VI,))
    assert verdict(every, {ONE: [5, 5, 5], TWO: [NAN] * 3, THREE: [NAN] * 3, VI: [4, 4, 4]}) is Verdict.FAILS
    found = judge([every], frame({ONE: [3, 3, 3], TWO: [NAN] * 3, VI: [4, 4, 4]}), "l1_sum")[0]
    assert found.verdict is Verdict.OPEN
    assert found.missing == ("Configuration 2, as published", "Configuration 3")


def test_medians_decide_and_not_one_lucky_draw() -> None:
    rows = [(ONE, 2.0)] * 3 + [(TWO, 9.0), (TWO, 1.0), (TWO, 1.5)]
    table = pd.DataFrame([{"method": m, "status": "s", "epsilon": 1.0, "l1_sum": v} for m, v in rows])
    assert judge([TWO_BEST], table, "l1_sum")[0].verdict is Verdict.HOLDS


def test_every_number_said_is_in_the_frame() -> None:
    table = pd.concat(
        [
            frame({ONE: [4, 3, 1.25], TWO: [4, 3, 2.5]}),
            pd.DataFrame(
                [
                    {"method": "unigram", "status": "not private", "epsilon": NAN, "l1_sum": 3.375},
                    {"method": "vi", "status": "not private", "epsilon": NAN, "l1_sum": NAN},
                ]
            ),
        ]
    )
    said = outcome(table, "l1_sum", unit="at most 6")
    assert said == (
        "At ε = 2 (at most 6): 1.25 is the least of the methods as published, by Configuration 1, as published."
        " Without privacy: unigram 3.38."
    )
    assert outcome(table.iloc[:0], "l1_sum") == "Nothing has come out yet."
