import math

from dplda.theory.prediction.curves import ErrorCurve
from dplda.ui.shell.predictions import describe_missing_curves

DRAWN = ErrorCurve("config-1/corrected", (1.0, 2.0), (math.nan, 0.3))
MISSING = ErrorCurve("config-2/corrected", (1.0, 2.0), (math.nan, math.nan))


def test_describe_missing_curves_names_methods_without_a_point() -> None:
    sentence = describe_missing_curves([DRAWN, MISSING])
    assert sentence == " Not drawn: Configuration 2 (too noisy here, or not predicted)."


def test_describe_missing_curves_says_nothing_of_curves_that_are_drawn() -> None:
    assert describe_missing_curves([DRAWN]) == ""
