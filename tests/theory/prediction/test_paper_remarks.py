from collections import Counter

import numpy as np
import pytest

from dplda.theory.prediction import paper_remarks
from dplda.theory.prediction.expected import RANGES, Answer, Expected, expected
from dplda.theory.prediction.paper_remarks import (
    CONFIGURATIONS,
    STATEMENTS,
    Agreement,
    Tally,
    check_everywhere,
    check_statements,
    spread_settings,
)
from dplda.theory.prediction.regime_axes import Axis

METHODS = {
    "config-1": "config-1/corrected",
    "config-2": "config-2/corrected",
    "config-3": "config-3/as published",
    "config-4": "config-4/as published",
}


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ((90, 10, 0), Agreement.HOLDS),
        ((89, 11, 0), Agreement.MOSTLY),
        ((80, 0, 20), Agreement.MOSTLY),
        ((50, 30, 20), Agreement.RARELY),
        ((11, 89, 0), Agreement.RARELY),
        ((10, 90, 0), Agreement.FAILS),
        ((4, 0, 0), Agreement.UNDECIDED),
    ],
)
def test_verdict_follows_the_share_of_settings_that_agree(counts, verdict) -> None:
    assert Tally(*counts, n_unreadable=1000).verdict is verdict


def test_spread_settings_reach_all_that_predictions_cover() -> None:
    points = spread_settings()
    assert len(points) > 2_000
    for axis, (low, high) in RANGES.items():
        values = np.log([point.at(axis) for point in points])
        middle = (np.log(low) + np.log(high)) / 2
        assert np.mean(values < middle) == pytest.approx(0.5, abs=0.03)


def test_check_statements_counts_each_setting_of_the_region_once(monkeypatch) -> None:
    errors = {
        0.5: (0.3, 0.2, 0.5, 0.6),  # 2 is better
        2.0: (0.2, 0.3, 0.5, 0.6),  # 1 is better
        4.0: (0.2, 0.2, 0.5, 0.6),  # too close to call
        8.0: (0.6, 0.51, 1.6, np.nan),  # not readable
    }
    base = spread_settings()[0]
    points = [base.moved(Axis.EPSILON, epsilon) for epsilon in errors]

    names = {text: number for number, text in enumerate(METHODS.values())}

    def predict(points, method):
        number = names[method]
        return tuple(Expected(Answer.TOPICS, errors[point.epsilon][number]) for point in points)

    monkeypatch.setattr(paper_remarks, "expected", predict)
    paper_remarks._errors_of.cache_clear()
    check = check_statements(points, METHODS)
    tallies = {statement.words: tally for statement, tally in check.tallies}
    assert tallies["2 is better than 1 in practice"] == Tally(1, 1, 1, 1)
    assert tallies["2 is better than 1 at small ε (below 1)"] == Tally(1, 0, 0, 0)
    assert tallies["1 is better than 2 at larger ε (1 and above)"] == Tally(1, 0, 1, 1)
    paper_remarks._errors_of.cache_clear()
    assert check.n_best == {
        "config-1": 2,
        "config-2": 1,
        "config-3": 0,
        "config-4": 0,
    }


def test_check_statements_agrees_with_a_count_by_hand() -> None:
    points = spread_settings()[:300]
    by_name = {name: expected(points, text) for name, text in METHODS.items()}
    counts: Counter[str] = Counter()
    for number in range(len(points)):
        first_prediction, second = (by_name[name][number] for name in ("config-1", "config-2"))
        errors_found = [
            method_prediction.error
            if method_prediction.answer in (Answer.TOPICS, Answer.UNKNOWN)
            else np.inf
            for method_prediction in (first_prediction, second)
        ]
        errors_found = [error if np.isfinite(error) else np.inf for error in errors_found]
        if min(errors_found) > 0.5:
            counts["useless"] += 1
        elif errors_found[1] * 1.03 < errors_found[0]:
            counts["better"] += 1
        elif errors_found[0] * 1.03 < errors_found[1]:
            counts["worse"] += 1
        else:
            counts["close"] += 1
    _, tally = check_statements(points, METHODS).tallies[0]
    assert tally == Tally(counts["better"], counts["worse"], counts["close"], counts["useless"])


PUBLISHED = {name: f"{name}/as published" for name in CONFIGURATIONS}


@pytest.mark.parametrize("methods", [METHODS, PUBLISHED], ids=["corrected", "published"])
def test_check_everywhere_small_epsilon_never_favors_configuration_2(methods) -> None:
    """Against the paper's reading of its Figure 2a, over every setting that predictions cover."""
    tallies = dict(check_everywhere(tuple(methods.items())).tallies)
    statement = next(candidate for candidate in STATEMENTS if "small ε" in candidate.words)
    assert tallies[statement].verdict is Agreement.FAILS
    assert tallies[statement].n_better == 0
    assert tallies[statement].n_decided > 30


def test_statements_speak_of_the_four_alone() -> None:
    for statement in STATEMENTS:
        assert {statement.favored, *statement.rivals} <= set(CONFIGURATIONS)
        assert statement.favored not in statement.rivals
