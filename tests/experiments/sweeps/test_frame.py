"""Summaries and CSV."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from dplda.core.errors import InputError
from dplda.experiments.storage.store import frame_of
from dplda.experiments.sweeps import Row, summary, to_csv
from dplda.experiments.sweeps.frame import VALUES


def row(method: str, epsilon: float, repeat: int, error: float, refused: str = "", failed: str = "") -> Row:
    fields = (method, method, "", "proven", epsilon, 1e-7, 0, repeat, 300, 12, 2, 1.0, 20.0, 0, "1+a")
    return Row("a", *fields, l1_sum=error, refused=refused, failed=failed)


def frame() -> pd.DataFrame:
    rows = [row("vi", np.nan, 0, 0.5)]
    rows += [row("adaptive", 3.0, repeat, float(repeat)) for repeat in range(11)]
    rows += [row("adaptive", 1.0, 0, 2.0), row("adaptive", 1.0, 1, np.nan, refused="no finite noise")]
    rows += [row("config-4", 1.0, 0, np.nan, refused="no finite noise"), row("config-4", 1.0, 1, np.nan, failed="E")]
    return frame_of(dict(enumerate(rows)))


def test_medians_and_bands_are_quantiles_of_the_runs_that_gave_a_number() -> None:
    found = summary(frame(), "l1_sum")
    assert list(found["method"]) == ["vi", "adaptive", "adaptive", "config-4"], "in the order of the frame"
    vi, many, one, none = found.to_dict("records")
    assert (vi["median"], vi["low"], vi["high"], vi["n"]) == (0.5, 0.5, 0.5, 1)
    assert np.isnan(vi["epsilon"])
    assert (many["low"], many["median"], many["high"], many["n"], many["n_refused"]) == (1.0, 5.0, 9.0, 11, 0)
    assert (one["median"], one["n"], one["n_refused"]) == (2.0, 1, 1)
    assert np.isnan(none["median"])
    assert (none["n"], none["n_refused"], none["n_failed"]) == (0, 1, 1)


def test_another_column_is_refused() -> None:
    with pytest.raises(InputError, match="value must be one of"):
        summary(frame(), "refused")
    assert set(VALUES) <= set(frame().columns)


def test_csv_holds_no_formula() -> None:
    text = to_csv(frame_of({0: row("=HYPERLINK(1)", 1.0, 0, -1.0, refused='@x, "y"\nz')}))
    _, values = csv.reader(io.StringIO(text))
    assert not [value for value in values if value.startswith(("=", "@", "+"))]
    assert "-1.0" in values, "numbers are numbers"
