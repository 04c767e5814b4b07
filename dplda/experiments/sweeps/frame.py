"""Summaries of a sweep's frame, and CSV."""

from typing import TYPE_CHECKING

from dplda.core.errors import InputError
from dplda.core.formatting import harmless
from dplda.methods.registry import parse_method

if TYPE_CHECKING:
    import pandas as pd

VALUES = (
    "l1_sum",
    "l1_mean",
    "l2_mean",
    "sampling_l1",
    "privacy_l1",
    "perplexity",
    "npmi",
    "seconds",
)
"""Columns that can be summarized."""

_BY = ["setting", "method", "epsilon"]


def summary(frame: "pd.DataFrame", value: str) -> "pd.DataFrame":
    """Median and 10–90 % band over corpora and repeats, for every setting, method and ε.

    Args:
        frame: rows of a sweep, one a cell.
        value: column to summarize, one of ``VALUES``.

    Returns:
        Columns ``setting, method, configuration, calibration, status, epsilon, median, low, high,
        n, n_refused, n_failed`` in order of first occurrence. Quantiles (0.5, 0.1, 0.9,
        interpolated) cover the ``n`` runs with a number, so read them together with ``n_refused``.

    Raises:
        InputError: there is no such column to summarize.
    """
    if value not in VALUES:
        raise InputError("value", "one of " + ", ".join(VALUES), "another name")
    is_refused = frame["refused"] != ""
    has_failed = frame["failed"] != ""
    marked_rows = frame.assign(n_refused=is_refused, n_failed=has_failed)
    grouped_rows = marked_rows.groupby(_BY, sort=False, dropna=False)
    method_facts = grouped_rows[["configuration", "calibration", "status"]].first()
    grouped_values = grouped_rows[value]
    quantile_columns = {
        "median": grouped_values.median(),
        "low": grouped_values.quantile(0.1),
        "high": grouped_values.quantile(0.9),
    }
    summary_table = method_facts.assign(
        **quantile_columns,
        n=grouped_values.count(),
        **grouped_rows[["n_refused", "n_failed"]].sum(),
    ).reset_index()
    return summary_table[
        [*_BY[:2], *method_facts, "epsilon", *quantile_columns, "n", "n_refused", "n_failed"]
    ]


def unmeasured(frame: "pd.DataFrame") -> list[str]:
    """Write a sentence for each method that sometimes gave no number, with its first reason."""
    is_refused = frame["refused"] != ""
    has_failed = frame["failed"] != ""
    unmeasured_rows = frame[is_refused | has_failed]
    sentences = []
    for method_text, method_rows in unmeasured_rows.groupby("method", sort=False):
        title = parse_method(str(method_text)).title
        n_runs_of_method = int((frame["method"] == method_text).sum())
        first_row = method_rows.iloc[0]
        reason = _reason(str(first_row["refused"]), str(first_row["failed"]))
        n_unmeasured = len(method_rows)
        sentences.append(
            f"{title} could not run in {n_unmeasured} of {n_runs_of_method} cases: {reason}."
        )
    return sentences


def _reason(refused: str, failed: str) -> str:
    """The first sentence of a refusal, or the name of a failure."""
    first_sentence = refused.split(". ")[0].rstrip(".")
    return first_sentence or f"the program failed with {failed}"


def to_csv(frame: "pd.DataFrame") -> str:
    """A frame as CSV text with all digits; spreadsheet formulas are made harmless."""
    from pandas.api.types import is_numeric_dtype

    safe_frame = frame.copy()
    for column_name in safe_frame.columns:
        if not is_numeric_dtype(safe_frame[column_name]):
            safe_frame[column_name] = safe_frame[column_name].map(lambda text: harmless(str(text)))
    return safe_frame.to_csv(index=False, lineterminator="\n")
