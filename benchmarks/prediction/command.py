"""Makes the runs that are not there yet, fits surfaces, and says how far off they are where nothing was fitted."""

import json
from collections.abc import Iterator
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


def run() -> Iterator[Row]:
    """One row a method and setting kept aside; then the shares, by method and of all, and the winners."""
    make(RUNS)
    rows = [json.loads(line) for line in RUNS.read_text("utf-8").splitlines()]
    write([row for row in rows if row["kind"] != "judge"])
    known.cache_clear()
    every = list(judged([row for row in rows if row["kind"] == "judge"]))
    draws = [[row for row in every if row["seed"] // NEXT == draw] for draw in range(DRAWS)]
    aside = draws[0]
    shown = [
        row | {"expected": None if row["expected"] != row["expected"] else row["expected"]}
        for row in aside
    ]
    draw(shown, PICTURE)
    for row in aside:
        short = {name: _short(row[name]) for name in ("l1", "expected", "low", "high")}
        own = [
            one["l1"]
            for one in every
            if (one["number"], one["method"]) == (row["number"], row["method"])
        ]
        short["draws"] = ", ".join("refused" if one is None else f"{one:.4g}" for one in own)
        yield {
            "section": "settings",
            **{name: row[name] for name in SHOWN},
            "answer": row["answer"],
            **short,
        }
    for text in dict.fromkeys(row["method"] for row in aside):
        yield {
            "section": "shares",
            "method": text,
            **shares([row for row in aside if row["method"] == text]),
        }
    yield {"section": "shares", "method": "all", **shares(aside)}
    for row in winners(every):
        yield {"section": "winners", **row, "times_the_least": _short(row["times_the_least"])}
    yield {"section": "twenties", **by_twenty(f"kept aside, mean of {DRAWS} draws", every)}
    for number, one in enumerate(draws, 1):
        yield {"section": "twenties", **by_twenty(f"kept aside, draw {number} alone", one)}
    yield {
        "section": "twenties",
        **by_twenty("fitted to, each predicted from all others", list(left_out())),
    }


def _short(value: float | None) -> float | None:
    return None if value is None or value != value else float(f"{value:.4g}")
