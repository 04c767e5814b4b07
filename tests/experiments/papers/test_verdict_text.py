"""Verdicts in words."""

import math

from dplda.experiments.papers.claims import Claim, ClaimVerdict, Judged, Refusals
from dplda.experiments.papers.comparisons import MOST_RUNS, PairedComparison
from dplda.experiments.papers.verdict_text import (
    describe_refusals,
    describe_verdict,
    verdict_table,
)

CLAIM = Claim("two is best", ("config-2/as published",), ("config-1/as published",))


def comparison(share_below: float, *, n_compared: int = 100) -> PairedComparison:
    return PairedComparison("Two", "One", (20, 4), n_compared, share_below, 0.5, 0.5, {})


def judged(verdict: ClaimVerdict, share_below: float, **facts) -> Judged:
    deciding = comparison(share_below, n_compared=facts.pop("n_compared", 100))
    return Judged(CLAIM, verdict, (deciding,), deciding, **facts)


def test_describe_verdict_that_holds_says_the_claimed_order() -> None:
    text = describe_verdict(judged(ClaimVerdict.HOLDS, 0.96))
    assert text == "**Holds**: “two is best”: Two is below One in 96% of pairs of runs."


def test_describe_verdict_that_fails_says_the_opposite_order() -> None:
    text = describe_verdict(judged(ClaimVerdict.FAILS, 0.0))
    assert text == "**Does not hold**: “two is best”: Two is above One in 100% of pairs of runs."


def test_describe_verdict_undecided_says_how_many_draws_would_decide() -> None:
    text = describe_verdict(judged(ClaimVerdict.UNDECIDED, 0.6, n_runs_needed=350))
    assert text.endswith(
        "Two is below One in 60% of pairs of runs. About 350 draws of each would decide it."
    )
    endless = describe_verdict(judged(ClaimVerdict.UNDECIDED, 0.5, n_runs_needed=MOST_RUNS))
    assert endless.endswith("More than 10,000 draws of each would be needed.")


def test_describe_verdict_where_nothing_ran_says_so() -> None:
    text = describe_verdict(judged(ClaimVerdict.UNDECIDED, math.nan, n_compared=0))
    assert text.endswith("Two and One both gave no topics. No number of draws would decide it.")


def test_describe_verdict_of_a_winner_that_finds_nothing_says_so() -> None:
    text = describe_verdict(judged(ClaimVerdict.HOLDS, 1.0, finds_nothing=("Two",)))
    assert text.endswith("Yet one list of words for all topics is as good as Two.")


def test_describe_refusals_counts_them_for_each_method() -> None:
    judged_refusal = judged(ClaimVerdict.FAILS, 0.0, refusals=(Refusals("Two", 96, 120),))
    assert describe_refusals(judged_refusal).endswith("Two in 96 of 120 runs.")
    assert describe_refusals(judged(ClaimVerdict.HOLDS, 1.0)) == ""


def test_verdict_table_has_a_row_for_each_comparison() -> None:
    judged_refusal = judged(ClaimVerdict.FAILS, 0.25, refusals=(Refusals("Two", 96, 120),))
    (row,) = verdict_table([judged_refusal]).to_dict("records")
    assert row == {
        "claim": "two is best",
        "verdict": "does not hold",
        "comparison": "Two below One",
        "below": "25%",
        "draws": "20 and 4",
        "refused": "Two 96 of 120",
    }


def test_describe_verdict_of_a_loser_that_always_refused_says_so() -> None:
    refusals = (Refusals("Two", 100, 100),)
    text = describe_verdict(judged(ClaimVerdict.FAILS, 0.0, refusals=refusals))
    assert text == "**Does not hold**: “two is best”: Two gave no topics in any of 100 runs."
