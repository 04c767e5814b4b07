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
    for claim_verdict in verdicts:
        yield {
            "claim": claim_verdict.claim.words,
            "setting": claim_verdict.setting,
            "method": claim_verdict.method.key,
            "rival": claim_verdict.claim.rival.key,
            "epsilon": claim_verdict.epsilon,
            "value": _plain(claim_verdict.value),
            "error": _plain(claim_verdict.error),
            "n": claim_verdict.verdict.n,
            "verdict": claim_verdict.verdict.answer.value,
        }


def cells(frame: pd.DataFrame) -> Iterator[Row]:
    """Medians and counts over corpora and draws; NaN where there is no number."""
    for setting, rows_of_setting in frame.groupby("setting", sort=False):
        measure = measure_of(rows_of_setting)
        for (method, epsilon), draws in rows_of_setting.groupby(
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
