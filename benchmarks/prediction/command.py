"""Makes the runs that are not there yet, fits surfaces, and says how far off they are where nothing was fitted."""

import argparse
import json
from collections.abc import Collection, Iterator
from pathlib import Path

from benchmarks.prediction.fitted import write
from benchmarks.prediction.judged import by_twenty, judged, left_out, shares, winners
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
    every = list(judged([row for row in rows if row["kind"] == "judge"]))
    draws = [[row for row in every if row["seed"] // NEXT == draw] for draw in range(DRAWS)]
    aside = [*_stored("settings", only), *(_described(row, every) for row in draws[0])]
    draw(aside, PICTURE)
    for row in aside:
        yield {"section": "settings", **row}
    for text in dict.fromkeys(row["method"] for row in aside):
        own = [row for row in aside if row["method"] == text]
        yield {"section": "shares", "method": text, **shares(own)}
    yield {"section": "shares", "method": "all", **shares(aside)}
    if only:  # methods of which single runs are stored are not judged against each other again
        for section in ("winners", "twenties"):
            yield from ({"section": section, **row} for row in _stored(section))
        return
    for row in winners(every):
        yield {"section": "winners", **row, "times_the_least": _short(row["times_the_least"])}
    yield {"section": "twenties", **by_twenty(f"kept aside, mean of {DRAWS} draws", every)}
    for number, one in enumerate(draws, 1):
        yield {"section": "twenties", **by_twenty(f"kept aside, draw {number} alone", one)}
    yield {
        "section": "twenties",
        **by_twenty("fitted to, each predicted from all others", list(left_out())),
    }


def _described(row: Row, every: list[Row]) -> Row:
    """A row of a setting kept aside, with the errors of all its draws."""
    short = {name: _short(row[name]) for name in ("l1", "expected", "low", "high")}
    own = [
        one["l1"]
        for one in every
        if (one["number"], one["method"]) == (row["number"], row["method"])
    ]
    draws = ", ".join("refused" if one is None else f"{one:.4g}" for one in own)
    facts = {name: row[name] for name in SHOWN}
    return {**facts, "answer": row["answer"], **short, "draws": draws}


def _stored(section: str, replaced: Collection[str] = ()) -> list[Row]:
    """Stored rows of a section without the methods to replace; none where all are made anew."""
    if not replaced and section == "settings":
        return []
    content = json.loads((PICTURE.parent / f"prediction-{section}.json").read_text("utf-8"))
    return [row for row in content["rows"] if row.get("method") not in replaced]


def _short(value: float | None) -> float | None:
    return None if value is None or value != value else float(f"{value:.4g}")
