"""Makes the runs that are not there yet, fits surfaces, and says how far off they are where nothing was fitted."""

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.prediction.fitted import write
from benchmarks.prediction.judged import by_twenty, judged, left_out, shares, winners
from benchmarks.prediction.picture import draw
from benchmarks.prediction.runs import Row, make
from dplda.theory.prediction.expected import known

RUNS = Path("prediction-runs.jsonl")  # in the current folder: hours of runs, one a line, taken up where they ended
PICTURE = Path(__file__).parents[1] / "results" / "prediction.svg"
SHOWN = ("number", "method", "n_documents", "n_words", "n_topics", "alpha0", "mean_length", "epsilon", "louder")


def run() -> Iterator[Row]:
    """One row a method and setting kept aside; then the shares, by method and of all, and the winners."""
    make(RUNS)
    rows = [json.loads(line) for line in RUNS.read_text("utf-8").splitlines()]
    write([row for row in rows if row["kind"] != "judge"])
    known.cache_clear()
    aside = list(judged([row for row in rows if row["kind"] == "judge"]))
    rows = [row | {"expected": None if row["expected"] != row["expected"] else row["expected"]} for row in aside]
    draw(rows, PICTURE)
    for row in aside:
        numbers = {name: row[name] for name in ("l1", "expected", "low", "high")}
        short = {name: None if one is None or one != one else float(f"{one:.4g}") for name, one in numbers.items()}
        yield {"section": "settings", **{name: row[name] for name in SHOWN}, "answer": row["answer"], **short}
    for text in dict.fromkeys(row["method"] for row in aside):
        yield {"section": "shares", "method": text, **shares([row for row in aside if row["method"] == text])}
    yield {"section": "shares", "method": "all", **shares(aside)}
    for row in winners(aside):
        yield {"section": "winners", **row}
    yield {"section": "twenties", **by_twenty("kept aside", aside)}
    yield {"section": "twenties", **by_twenty("fitted to, each predicted from all others", list(left_out()))}
