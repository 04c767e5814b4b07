"""A section's numbers as rows, and as tables in Markdown."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import pandas as pd

from benchmarks.utility.claims import Judged, measure_of
from benchmarks.utility.sections import Section
from dplda.evaluation.verdict import CHANCE, Conclusion

FAILED = "▲"
LEGEND = f"""\
Real text: document-completion perplexity on held-out documents (lower is better) · NPMI of the ten leading words on the
same documents · share of topics no further from the mean word distribution than noise, where the method says; medians
over draws of noise. Simulated documents: mean L1 distance to the true topics, mean over draws. One document is
replaced; the vocabulary is taken as public. *refused*: no result in any draw; *n of m*: in some. {FAILED}: fails a
claim.

Verdicts are of the logarithm of the ratio of two methods at one ε, paired over draws of noise in which both gave a
result, or over simulated corpora, the mean over draws of each: two one-sided t tests at {CHANCE:.0%} each. Beside them
mean ratios (geometric; the part of the gap where one is named) ± standard error. Another choice of held-out documents
is not in them."""
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


def markdown(section: Section, frame: pd.DataFrame, verdicts: Sequence[Judged]) -> str:
    """A table for each setting, then every verdict, then how many there are of each."""
    failed = {
        (one.setting, one.method.key, one.epsilon)
        for one in verdicts
        if one.verdict.answer is Conclusion.FAILS
    }
    found = pd.DataFrame(cells(frame))
    parts = [f"### {section.title}"]
    for setting, here in found.groupby("setting", sort=False):
        first = frame[frame["setting"] == setting].iloc[0]
        size = f"N = {first['n_documents']:,}, d = {first['n_words']:,}, k = {first['n_topics']}"
        parts.append(
            f"**{setting}** ({size}, α0 = {first['alpha0']:g}, δ = {section.sweep.delta:g})"
        )
        parts.append(_table(section, here, failed))
    parts.append(_verdicts(verdicts))
    for claim in section.claims:
        count = Counter(one.verdict.answer for one in verdicts if one.claim is claim)
        of_each = ", ".join(f"{answer} in {count[answer]}" for answer in Conclusion)
        parts.append(f"**{claim.words}**: {of_each} of {count.total()} cells.")
    return "\n\n".join(parts) + "\n"


def _table(section: Section, here: pd.DataFrame, failed: set[tuple[str, str, float]]) -> str:
    grid = sorted(here["epsilon"].dropna().unique())
    exact = [math.nan] if here["epsilon"].isna().any() else []
    heads = ["no noise"] * len(exact) + [f"ε = {epsilon:g}" for epsilon in grid]
    lines = [
        "| method | claim | " + " | ".join(heads) + " |",
        "| --- | --- |" + " ---: |" * len(heads),
    ]
    for method in section.sweep.methods:
        own = here[here["method"] == method.key]
        by_epsilon = {str(cell["epsilon"]): cell for _, cell in own.iterrows()}
        entries = []
        for epsilon in [*exact, *grid]:
            cell = by_epsilon.get(str(epsilon))
            mark = (
                f" {FAILED}"
                if cell is not None and (cell["setting"], method.key, epsilon) in failed
                else ""
            )
            entries.append("" if cell is None else _entry(cell) + mark)
        lines.append(f"| {method.title} | {method.status} | " + " | ".join(entries) + " |")
    return "\n".join(lines)


def _entry(cell: "pd.Series[float]") -> str:
    if not cell["n"]:
        return "*refused*" if cell["n_refused"] else "*failed*"
    if cell["measure"] == "perplexity":
        said = [f"{cell['median']:,.0f}", f"{cell['npmi']:.2f}"]
        said += [] if math.isnan(cell["unreadable"]) else [f"{cell['unreadable']:.0%}"]
    else:
        said = [f"{cell['mean']:.3g}"]
    lost = cell["n_refused"] + cell["n_failed"]
    return " · ".join(said) + (f" ({cell['n']} of {cell['n'] + lost})" if lost else "")


def _verdicts(verdicts: Sequence[Judged]) -> str:
    grid = sorted({one.epsilon for one in verdicts})
    rows: dict[tuple[str, str, str], dict[float, str]] = {}
    for one in verdicts:
        value = f" {one.value:.3f} ± {one.error:.3f}" if one.verdict.n > 1 else ""
        key = (one.setting, one.method.title, one.claim.words)
        rows.setdefault(key, {})[one.epsilon] = f"{one.verdict.answer}{value}"
    lines = [
        "| documents | method | claim | "
        + " | ".join(f"ε = {epsilon:g}" for epsilon in grid)
        + " |"
    ]
    lines.append("| --- | --- | --- |" + " --- |" * len(grid))
    for key, entries in rows.items():
        lines.append(
            "| " + " | ".join([*key, *(entries.get(epsilon, "") for epsilon in grid)]) + " |"
        )
    return "\n".join(lines)


def _plain(value: object) -> object:
    """A number as JSON has it: five digits, None for none."""
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else float(f"{value:.5g}")
