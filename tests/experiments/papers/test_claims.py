import math

import numpy as np
import pandas as pd
import pytest

from dplda.experiments.papers.claims import Claim, ClaimVerdict, judge_claims

ONE, TWO, THREE, VI = (
    "config-1/as published",
    "config-2/as published",
    "config-3/as published",
    "dp-vi/as published",
)
NAN = math.nan
COLUMNS = ["method", "status", "epsilon", "corpus", "repeat", "l1_sum"]


def frame(
    numbers: dict[str, list[float]], *, spread: float = 0.01, repeats: int = 5
) -> pd.DataFrame:
    """Every number is the middle of so many draws, which scatter by this part of it, each method's in its own order."""
    steps = np.linspace(-1, 1, repeats)
    rows = [
        (
            method,
            "as published",
            epsilon,
            0,
            repeat,
            value * (1 + spread * steps[(repeat * (2 + number)) % repeats]),
        )
        for number, (method, values) in enumerate(numbers.items())
        for epsilon, value in zip((0.5, 1.0, 2.0), values, strict=True)
        for repeat in range(repeats)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def verdict(claim: Claim, numbers: dict[str, list[float]]) -> ClaimVerdict:
    return judge_claims([claim], frame(numbers), "l1_sum")[0].verdict


TWO_BEST = Claim("two is best", (TWO,), (ONE,))


@pytest.mark.parametrize(
    ("two", "said"),
    [
        ([1, 1, 1], ClaimVerdict.HOLDS),
        ([3, 3, 3], ClaimVerdict.FAILS),
        ([2, 2, 2], ClaimVerdict.UNDECIDED),
        ([1, 1, 2], ClaimVerdict.UNDECIDED),
        ([2, 2, 3], ClaimVerdict.FAILS),
        ([1, 3, 3], ClaimVerdict.HOLDS_IN_PART),
        ([NAN, 1, 1], ClaimVerdict.HOLDS),
        ([NAN, NAN, NAN], ClaimVerdict.OPEN),
    ],
)
def test_an_ordering_is_put_to_the_test(two, said) -> None:
    assert verdict(TWO_BEST, {ONE: [2, 2, 2], TWO: two}) is said


def test_the_ends_of_the_grid_can_be_meant() -> None:
    numbers = {ONE: [2, 2, 0.5], TWO: [1, 1, 1]}
    assert verdict(Claim("", (TWO,), (ONE,), "first"), numbers) is ClaimVerdict.HOLDS
    assert verdict(Claim("", (TWO,), (ONE,), "last"), numbers) is ClaimVerdict.FAILS
    assert verdict(Claim("", (ONE,), (TWO,), "last"), numbers) is ClaimVerdict.HOLDS


def test_a_missing_number_cannot_mend_what_the_others_contradict() -> None:
    every = Claim("all beat", (ONE, TWO, THREE), (VI,))
    assert (
        verdict(every, {ONE: [5, 5, 5], TWO: [NAN] * 3, THREE: [NAN] * 3, VI: [4, 4, 4]})
        is ClaimVerdict.FAILS
    )
    found = judge_claims([every], frame({ONE: [3, 3, 3], TWO: [NAN] * 3, VI: [4, 4, 4]}), "l1_sum")[
        0
    ]
    assert found.verdict is ClaimVerdict.OPEN
    assert found.missing == ("Configuration 2, as published", "Configuration 3")


def test_draws_that_overlap_decide_nothing_and_pairs_see_through_what_both_share() -> None:
    rows = [(ONE, 1.87, 3.48, 2.61, 2.9, 2.2), (TWO, 2.25, 2.98, 2.84, 2.3, 2.6)]
    assert verdict_of(rows) is ClaimVerdict.UNDECIDED
    assert (
        verdict_of([rows[0], (TWO, *(0.9 * value for value in rows[0][1:]))]) is ClaimVerdict.HOLDS
    )
    two_runs = [(ONE, *rows[0][1:3]), (TWO, 1.0, 1.1)]  # tell next to nothing
    assert verdict_of(two_runs) is ClaimVerdict.UNDECIDED


def verdict_of(rows: list[tuple]) -> ClaimVerdict:
    cells = [
        (name, "s", 1.0, 0, repeat, value)
        for name, *values in rows
        for repeat, value in enumerate(values)
    ]
    table = pd.DataFrame(cells, columns=COLUMNS)
    return judge_claims([TWO_BEST], table, "l1_sum")[0].verdict


def test_of_methods_alike_a_claim_is_called_false_once_in_a_hundred_times() -> None:
    """200 claims on three ε and two rivals: 2 calls are expected at most; 10 or more happen once in 20,000 times."""
    rng = np.random.default_rng(0)
    claim, called = Claim("", (ONE,), (TWO, THREE)), []
    table = frame({ONE: [1, 1, 1], TWO: [1, 1, 1], THREE: [1, 1, 1]}, spread=0)
    for _ in range(200):
        table["l1_sum"] = np.exp(rng.normal(size=len(table)))
        called.append(judge_claims([claim], table, "l1_sum")[0].verdict)
    assert sum(each in {ClaimVerdict.FAILS, ClaimVerdict.HOLDS_IN_PART} for each in called) < 10
    assert called.count(ClaimVerdict.HOLDS) == 0
