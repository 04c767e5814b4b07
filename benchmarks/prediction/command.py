"""Makes the runs that are not there yet, fits surfaces, and says how far off they are where nothing was fitted."""

import argparse
import json
import math
from collections.abc import Collection, Iterator
from pathlib import Path

from benchmarks.prediction.fitted import write
from benchmarks.prediction.judged import by_twenty, judge_rows, left_out, shares, winners
from benchmarks.prediction.picture import draw
from benchmarks.prediction.runs import DRAWS, NEXT, Row, make
from dplda.theory.prediction.expected import known

RUNS = Path(
    "prediction-runs.jsonl"
)  # in the current folder: hours of runs, one a line, taken up where they ended
PICTURE = Path(__file__).parents[1] / "results" / "prediction.svg"
SHOWN = (
    "number",
    "method",
    "n_documents",
    "n_words",
    "n_topics",
    "alpha0",
    "mean_length",
    "epsilon",
    "louder",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which methods are run."""
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="METHOD",
        help="run and fit these methods alone; all others keep their stored numbers",
    )


def run(only: Collection[str] = ()) -> Iterator[Row]:
    """One row a method and setting kept aside; then the shares, by method and of all, and the winners."""
    make(RUNS, only)
    rows = [json.loads(line) for line in RUNS.read_text("utf-8").splitlines()]
    if only:
        rows = [row for row in rows if row["method"] in only]
    write([row for row in rows if row["kind"] != "judge"])
    known.cache_clear()
    judged_rows = list(judge_rows([row for row in rows if row["kind"] == "judge"]))
    draws = [[row for row in judged_rows if row["seed"] // NEXT == draw] for draw in range(DRAWS)]
    rows_kept_aside = [
        *_stored("settings", only),
        *(_described(row, judged_rows) for row in draws[0]),
    ]
    draw(rows_kept_aside, PICTURE)
    for row in rows_kept_aside:
        yield {"section": "settings", **row}
    for method_key in dict.fromkeys(row["method"] for row in rows_kept_aside):
        rows_of_method = [row for row in rows_kept_aside if row["method"] == method_key]
        yield {"section": "shares", "method": method_key, **shares(rows_of_method)}
    yield {"section": "shares", "method": "all", **shares(rows_kept_aside)}
    if only:  # methods of which single runs are stored are not judged against each other again
        for section in ("winners", "twenties"):
            yield from ({"section": section, **row} for row in _stored(section))
        return
    for row in winners(judged_rows):
        yield {"section": "winners", **row, "times_the_least": _short(row["times_the_least"])}
    yield {"section": "twenties", **by_twenty(f"kept aside, mean of {DRAWS} draws", judged_rows)}
    for number, rows_of_draw in enumerate(draws, 1):
        yield {"section": "twenties", **by_twenty(f"kept aside, draw {number} alone", rows_of_draw)}
    yield {
        "section": "twenties",
        **by_twenty("fitted to, each predicted from all others", list(left_out())),
    }


def _described(row: Row, judged_rows: list[Row]) -> Row:
    """A row of a setting kept aside, with the errors of all its draws."""
    errors_of_draws = [
        other_row["l1"]
        for other_row in judged_rows
        if (other_row["number"], other_row["method"]) == (row["number"], row["method"])
    ]
    draws = ", ".join("refused" if error is None else f"{error:.4g}" for error in errors_of_draws)
    setting = {name: row[name] for name in SHOWN}
    rounded = {name: _short(row[name]) for name in ("l1", "expected", "low", "high")}
    return {**setting, "answer": row["answer"], **rounded, "draws": draws}


def _stored(section: str, replaced: Collection[str] = ()) -> list[Row]:
    """Stored rows of a section without the methods to replace; none where all are made anew."""
    if not replaced and section == "settings":
        return []
    content = json.loads((PICTURE.parent / f"prediction-{section}.json").read_text("utf-8"))
    return [row for row in content["rows"] if row.get("method") not in replaced]


def _short(value: float | None) -> float | None:
    """Four digits; None for a missing value or nan."""
    if value is None or math.isnan(value):
        return None
    return float(f"{value:.4g}")
