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
    rows = frame(
        (ADAPTIVE.key, 1.0, LUCK), ("refined", 1.0, times(0.9, -0.01, 0.0, 0.01)),
        (ADAPTIVE.key, 3.0, LUCK), ("refined", 3.0, times(1.2, -0.01, 0.0, 0.01)),
        (ADAPTIVE.key, 9.0, LUCK), ("refined", 9.0, times(0.9, -0.3, 0.0, 0.3)),
        measure=measure,
    )  # fmt: skip
    verdicts = list(judge_claim(rows, below))
    assert [verdict.epsilon for verdict in verdicts] == [1.0, 3.0, 9.0]
    assert [verdict.verdict.answer for verdict in verdicts] == [
        Conclusion.HOLDS,
        Conclusion.FAILS,
        Conclusion.UNDECIDED,
    ]
    assert [round(verdict.value, 9) for verdict in verdicts] == [0.9, 1.2, 0.9]
    assert verdicts[0].error == pytest.approx(0.9 * 0.01 / math.sqrt(3))


def test_claim_of_several_corpora_counts_each_once() -> None:
    """Draws of noise on one corpus share its luck: many of them say no more about other corpora."""
    first_corpus = frame((ADAPTIVE.key, 1.0, LUCK), ("refined", 1.0, times(0.9, -0.1, 0.0, 0.1)))
    second_corpus = frame(
        (ADAPTIVE.key, 1.0, LUCK), ("refined", 1.0, times(1.1, -0.1, 0.0, 0.1))
    ).assign(corpus=1)
    (claim_verdict,) = judge_claim(
        pd.concat([first_corpus, second_corpus]),
        Claim("below", (REFINED,), ADAPTIVE, upper_limit=0.0),
    )
    assert claim_verdict.verdict.n == 2
    assert claim_verdict.value == pytest.approx(math.sqrt(0.9 * 1.1))
    assert claim_verdict.verdict.error == pytest.approx(math.log(1.1 / 0.9) / 2)


def test_claim_of_a_gap_is_judged_by_its_part() -> None:
    unigram, twin = variants.private_unigram(), variants.noiseless()
    rows = frame(
        (twin.key, math.nan, (100.0,)),
        (unigram.key, 9.0, (400.0,) * 3),
        ("refined", 9.0, (200.0,) * 3),
    )
    (claim_verdict,) = judge_claim(
        rows, Claim("near", (REFINED,), twin, lower_limit=-0.01, upper_limit=0.01, gap=unigram)
    )
    assert claim_verdict.value == pytest.approx(0.5)
    assert claim_verdict.verdict.answer is Conclusion.FAILS


def test_draws_that_gave_nothing_are_left_out() -> None:
    claim = Claim("below", (REFINED,), ADAPTIVE, upper_limit=0.0)
    rows = frame((ADAPTIVE.key, 1.0, (math.nan, *LUCK[1:])), ("refined", 1.0, times(0.9)))
    (claim_verdict,) = judge_claim(rows, claim)
    assert claim_verdict.verdict.n == 2
    assert not list(
        judge_claim(frame((ADAPTIVE.key, 1.0, (math.nan,) * 3), ("refined", 1.0, LUCK)), claim)
    )
    assert not list(judge_claim(rows, Claim("below", (REFINED,), ADAPTIVE, epsilons=(3.0,))))
