"""A section's numbers as rows: medians of each setting, method and ε, then verdicts on its claims."""

import math
from collections.abc import Iterator, Sequence

import pandas as pd

from benchmarks.utility.claims import Judged, measure_of

Row = dict[str, float | int | str | None]


def rows_of(frame: pd.DataFrame, verdicts: Sequence[Judged]) -> Iterator[Row]:
    """One row for each setting, method and ε, then one for each verdict."""
    for cell in cells(frame):
        yield {name: _plain(value) for name, value in cell.items()}
    for judged in verdicts:
        yield {
            "claim": judged.claim.words,
            "setting": judged.setting,
            "method": judged.method.key,
            "rival": judged.claim.rival.key,
            "epsilon": judged.epsilon,
            "value": _plain(judged.value),
            "error": _plain(judged.error),
            "n": judged.verdict.n,
            "verdict": judged.verdict.answer.value,
        }


def cells(frame: pd.DataFrame) -> Iterator[Row]:
    """Medians and counts over corpora and draws; NaN where there is no number."""
    for setting, here in frame.groupby("setting", sort=False):
        measure = measure_of(here)
        for (method, epsilon), draws in here.groupby(
            ["method", "epsilon"], sort=False, dropna=False
        ):
            low, median, high = draws[measure].quantile([0.1, 0.5, 0.9])
            yield {
                "setting": str(setting),
                "method": method,
                "status": draws["status"].iloc[0],
                "epsilon": epsilon,
                "delta": draws["delta"].iloc[0],
                "measure": measure,
                "median": median,
                "low": low,
                "high": high,
                "mean": draws[measure].mean(),
                **{name: draws[name].median() for name in ("npmi", "unreadable", "seconds")},
                "n": int(draws[measure].count()),
                "n_refused": int((draws["refused"] != "").sum()),
                "n_failed": int((draws["failed"] != "").sum()),
            }


def _plain(value: object) -> object:
    """A number as JSON has it: five digits, None for none."""
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else float(f"{value:.5g}")
