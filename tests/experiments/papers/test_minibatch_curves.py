"""Park and others' figure as curves over ε, and the answers to its claims."""

import math

import pandas as pd
import pytest

from dplda import figures
from dplda.evaluation.verdict import Conclusion
from dplda.experiments.papers.minibatch_curves import (
    PaperAccounting,
    describe_accounting,
    judge_sizes,
    minibatch_curves,
    noiseless_perplexity,
)
from dplda.methods.base.calibration import Calibration, PublishedReading
from tests.figures.checked import checked

BY_DOCUMENT = PublishedReading.BY_DOCUMENT
SIGMAS = (1.0, 1.5, 2.0)
SIZES = (10.0, 40.0)


def results(*, ratio: float = 0.9, strong: float = 5.0) -> pd.DataFrame:
    """Two draws a cell; perplexity of the larger size is ``ratio`` times that of the smaller."""
    rows = [
        {
            "calibration": str(scaling),
            "sigma": sigma,
            "size": size,
            "repeat": repeat,
            "perplexity": (400.0 if scaling is Calibration.PUBLISHED else 90 + 10 * sigma)
            * (ratio if size == SIZES[1] else 1.0)
            * (1 + 0.002 * repeat * sigma),
            "epsilon": 4 / sigma * size / 10,
            "strong": strong * 4 / sigma * size / 10 if sigma > 1 else math.inf,
        }
        for scaling in (Calibration.PUBLISHED, BY_DOCUMENT)
        for sigma in SIGMAS
        for size in SIZES
        for repeat in range(2)
    ]
    noiseless = {"calibration": "", "perplexity": 80.0}
    return pd.DataFrame([*rows, noiseless])


def test_curves_have_a_size_each_under_both_accountings() -> None:
    curves = minibatch_curves(results(), BY_DOCUMENT)
    keys = [(curve.mean_size, curve.accounting) for curve in curves]
    assert keys == [(size, accounting) for size in SIZES for accounting in PaperAccounting]


def test_curve_goes_from_the_smallest_epsilon_to_the_largest() -> None:
    (curve, *_) = minibatch_curves(results(), BY_DOCUMENT)
    assert curve.epsilons == (2.0, 4 / 1.5, 4.0)
    assert curve.noise_multipliers == (2.0, 1.5, 1.0)
    assert curve.perplexities[0] == pytest.approx(110 * 1.002)  # median of two draws


def test_curve_of_strong_composition_leaves_out_what_has_no_epsilon() -> None:
    strong = minibatch_curves(results(), BY_DOCUMENT)[1]
    assert strong.epsilons == (10.0, 5 * 4 / 1.5)


def test_judge_sizes_holds_where_every_larger_one_is_lower() -> None:
    verdict = judge_sizes(results(ratio=0.9), BY_DOCUMENT)
    assert verdict.test.answer is Conclusion.HOLDS
    assert "holds here" in verdict.describe()
    assert "10.0% lower" in verdict.describe()
    assert "6 pairs" in verdict.describe()


def test_judge_sizes_fails_where_every_larger_one_is_higher() -> None:
    verdict = judge_sizes(results(ratio=1.1), BY_DOCUMENT)
    assert verdict.test.answer is Conclusion.FAILS
    assert "does not hold here" in verdict.describe()
    assert "10.0% higher" in verdict.describe()


def test_judge_sizes_is_undecided_where_all_are_alike() -> None:
    frame = results(ratio=1.0)
    jitter = [1.0 + 0.01 * (-1) ** place for place in range(len(frame))]
    larger = frame["size"] == SIZES[1]
    frame.loc[larger, "perplexity"] *= pd.Series(jitter)[larger]
    assert judge_sizes(frame, BY_DOCUMENT).test.answer is Conclusion.UNDECIDED


def test_describe_accounting_tells_the_factors_between_the_two() -> None:
    frame = results(strong=5.0)
    frame = frame[frame["sigma"] != 1.0]
    assert "holds: for the same noise strong composition gives 5.0 to 5.0" in describe_accounting(
        frame
    )
    assert "does not hold" in describe_accounting(results(strong=0.5))


def test_minibatch_figure_names_each_curve_once() -> None:
    frame = results()
    figure = checked(
        figures.minibatch_lines(
            minibatch_curves(frame, BY_DOCUMENT),
            as_printed=minibatch_curves(frame, Calibration.PUBLISHED),
            noiseless=noiseless_perplexity(frame),
            title="A finding",
        )
    )
    names = [trace.name for trace in figure.data if trace.showlegend]
    assert sorted(names) == ["S = 10", "S = 40", "as printed"]
    colors = {trace.line.color for trace in figure.data if trace.name.startswith("S = 10")}
    assert len(colors) == 1
    dashes = {trace.line.dash for trace in figure.data if "strong" in trace.name}
    assert dashes == {"7px,4px"}
