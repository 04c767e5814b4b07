"""Claims on made-up frames: pairs of draws, rivals without noise, gaps, and draws that gave nothing."""

import math

import pandas as pd
import pytest

from benchmarks.utility import variants
from benchmarks.utility.claims import Claim, judge_claim
from dplda.evaluation.verdict import Conclusion
from dplda.methods.registry import parse_method

REFINED, ADAPTIVE = map(parse_method, ("refined", "adaptive"))
LUCK = (80.0, 120.0, 200.0)  # of draws, the same for every method
Scores = tuple[float, ...]


def frame(*methods: tuple[str, float, Scores], measure: str = "perplexity") -> pd.DataFrame:
    """Draws of methods at an ε each."""
    rows = [
        {
            "setting": "farm",
            "method": text,
            "epsilon": epsilon,
            "corpus": 0,
            "repeat": repeat,
            measure: score,
        }
        for text, epsilon, scores in methods
        for repeat, score in enumerate(scores)
    ]
    return pd.DataFrame(rows).reindex(columns=[*rows[0], *{"perplexity", "l1_mean"} - {measure}])


def times(factor: float, *off: float) -> Scores:
    return tuple(
        factor * luck * math.exp(by) for luck, by in zip(LUCK, off or (0.0,) * 3, strict=True)
    )


@pytest.mark.parametrize("measure", ["perplexity", "l1_mean"])
def test_draws_are_compared_in_pairs(measure) -> None:
    below = Claim("below", (REFINED,), ADAPTIVE, upper_limit=0.0)
    made = frame(
        (ADAPTIVE.key, 1.0, LUCK), ("refined", 1.0, times(0.9, -0.01, 0.0, 0.01)),
        (ADAPTIVE.key, 3.0, LUCK), ("refined", 3.0, times(1.2, -0.01, 0.0, 0.01)),
        (ADAPTIVE.key, 9.0, LUCK), ("refined", 9.0, times(0.9, -0.3, 0.0, 0.3)),
        measure=measure,
    )  # fmt: skip
    found = list(judge_claim(made, below))
    assert [one.epsilon for one in found] == [1.0, 3.0, 9.0]
    assert [one.verdict.answer for one in found] == [
        Conclusion.HOLDS,
        Conclusion.FAILS,
        Conclusion.UNDECIDED,
    ]
    assert [round(one.value, 9) for one in found] == [0.9, 1.2, 0.9]
    assert found[0].error == pytest.approx(0.9 * 0.01 / math.sqrt(3))


def test_claim_of_several_corpora_counts_each_once() -> None:
    """Draws of noise on one corpus share its luck: many of them say no more about other corpora."""
    first = frame((ADAPTIVE.key, 1.0, LUCK), ("refined", 1.0, times(0.9, -0.1, 0.0, 0.1)))
    second = frame((ADAPTIVE.key, 1.0, LUCK), ("refined", 1.0, times(1.1, -0.1, 0.0, 0.1))).assign(
        corpus=1
    )
    (one,) = judge_claim(
        pd.concat([first, second]), Claim("below", (REFINED,), ADAPTIVE, upper_limit=0.0)
    )
    assert one.verdict.n == 2
    assert one.value == pytest.approx(math.sqrt(0.9 * 1.1))
    assert one.verdict.error == pytest.approx(math.log(1.1 / 0.9) / 2)


def test_claim_of_a_gap_is_judged_by_its_part() -> None:
    unigram, twin = variants.private_unigram(), variants.noiseless()
    made = frame(
        (twin.key, math.nan, (100.0,)),
        (unigram.key, 9.0, (400.0,) * 3),
        ("refined", 9.0, (200.0,) * 3),
    )
    (one,) = judge_claim(
        made, Claim("near", (REFINED,), twin, lower_limit=-0.01, upper_limit=0.01, gap=unigram)
    )
    assert one.value == pytest.approx(0.5)
    assert one.verdict.answer is Conclusion.FAILS


def test_draws_that_gave_nothing_are_left_out() -> None:
    claim = Claim("below", (REFINED,), ADAPTIVE, upper_limit=0.0)
    made = frame((ADAPTIVE.key, 1.0, (math.nan, *LUCK[1:])), ("refined", 1.0, times(0.9)))
    (one,) = judge_claim(made, claim)
    assert one.verdict.n == 2
    assert not list(
        judge_claim(frame((ADAPTIVE.key, 1.0, (math.nan,) * 3), ("refined", 1.0, LUCK)), claim)
    )
    assert not list(judge_claim(made, Claim("below", (REFINED,), ADAPTIVE, epsilons=(3.0,))))
