"""Perplexity of held-out documents: every method at the same guarantee, beside un-noised ones and the unigram model.

The embedded corpus needs nothing. Others are not shipped: ``--corpus "20 Newsgroups=docword.txt.gz"`` adds a public
one in any format that ``dplda.load`` reads.
"""

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from dplda.corpus import Label
from dplda.methods import METHODS, parse_method
from dplda.sweeps import Embedded, FileSource, Progress, Setting, Store, Sweep
from dplda.sweeps.frame import summary
from dplda.sweeps.run import run as run_sweep

EPSILONS = (0.5, 1.0, 3.0, 10.0)
DELTA, ALPHA0, HELD_OUT = 1e-7, 1.0, 0.1
EMBEDDED = "Python docstrings"
WORSE = "▲"
LEAST = "private-unigram"
Row = dict[str, float | int | str | None]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which corpora, and how large a run."""
    parser.add_argument(
        "--corpus",
        dest="corpora",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="a public corpus besides the embedded one; a bag of words has its word list beside it",
    )
    parser.add_argument("--text", default=None, help="column or key that holds the documents of CSV and JSON lines")
    parser.add_argument("--words", type=int, default=1000, help="d of those corpora (1000)")
    parser.add_argument("--embedded-words", type=int, default=500, help="d of the embedded corpus (500)")
    parser.add_argument("--topics", type=int, default=10, help="k (10)")
    parser.add_argument("--repeats", type=int, default=3, help="draws of noise; the table shows their median (3)")
    parser.add_argument("--epsilons", type=float, nargs="+", default=list(EPSILONS))
    parser.add_argument("--methods", nargs="+", default=list(METHODS), help="some of: " + ", ".join(METHODS))
    parser.add_argument("--store", type=Path, default=None, help="folder of the results, for resuming")


def sweep_of(
    corpora: list[str],
    *,
    text: str | None = None,
    words: int = 1000,
    embedded_words: int = 500,
    topics: int = 10,
    repeats: int = 3,
    epsilons: tuple[float, ...] = EPSILONS,
    methods: Sequence[str] = (),
) -> Sweep:
    """The sweep behind the table.

    Args:
        corpora: ``NAME=PATH`` of each corpus besides the embedded one.
        text: column or key of those that are CSV or JSON lines.
        words: ``d`` of them.
        embedded_words: ``d`` of the embedded one.
        topics: ``k``.
        repeats: draws of noise.
        epsilons: ε grid.
        methods: texts; all there are where none is given.
    """
    settings = [Setting(EMBEDDED, Embedded(n_words=embedded_words), n_topics=topics, alpha0=ALPHA0)]
    for corpus in corpora:
        name, _, path = corpus.partition("=")
        records = {".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json"} & set(Path(path).suffixes)
        source = FileSource(path, label=Label.PUBLIC, text=text if records else None, n_words=words)
        settings.append(Setting(name, source, n_topics=topics, alpha0=ALPHA0))
    return Sweep(
        settings=tuple(settings),
        methods=tuple(map(parse_method, methods or METHODS)),
        epsilons=tuple(epsilons),
        delta=DELTA,
        repeats=repeats,
        held_out=HELD_OUT,
    )


def run(
    corpora: list[str],
    text: str | None,
    words: int,
    embedded_words: int,
    topics: int,
    repeats: int,
    epsilons: list[float],
    methods: list[str],
    store: Path | None,
) -> Iterator[Row]:
    """One row for each corpus, method and ε; the tables in Markdown go to standard output after the last."""
    sweep = sweep_of(
        corpora,
        text=text,
        words=words,
        embedded_words=embedded_words,
        topics=topics,
        repeats=repeats,
        epsilons=tuple(epsilons),
        methods=tuple(methods),
    )
    results = Store(sweep, store)
    run_sweep(sweep, results, report=_said)
    frame = results.frame()
    found = summary(frame, "perplexity")
    seconds = frame.groupby(["setting", "method", "epsilon"], dropna=False)["seconds"].median()
    for (_, row), took in zip(found.iterrows(), _in_order(found, seconds), strict=True):
        yield {
            **{name: row[name] for name in ("setting", "method", "status")},
            "epsilon": None if math.isnan(row["epsilon"]) else float(row["epsilon"]),
            "delta": None if math.isnan(row["epsilon"]) else DELTA,
            **{name: _rounded(row[name]) for name in ("median", "low", "high")},
            **{name: int(row[name]) for name in ("n", "n_refused", "n_failed")},
            "seconds": round(took, 3),
        }
    print(tables(frame))
    for line in gate(frame):
        print(f"worse than the private unigram: {line}", file=sys.stderr)


def tables(frame: pd.DataFrame) -> str:
    """One table in Markdown for each corpus: medians by method and ε; worse than the unigram model is marked."""
    found = summary(frame, "perplexity")
    parts = []
    for name, rows in found.groupby("setting", sort=False):
        first = frame[frame["setting"] == name].iloc[0]
        size = f"N = {first['n_documents']:,}, d = {first['n_words']:,}, k = {first['n_topics']}"
        parts.append(f"**{name}** ({size}, δ = {DELTA:g}, replace-one)\n\n{_table(rows)}")
    legend = (
        f"Document-completion perplexity, median over draws of noise; lower is better. {WORSE}: worse than the "
        "unigram model, which is not private itself. *refused*: the method gave no result in any draw; *n of m*: in "
        "some. The vocabulary is taken as public."
    )
    return "\n\n".join([*parts, legend])


def gate(frame: pd.DataFrame, *, noise: float = 0.02) -> list[str]:
    """Private cells that are worse than the private unigram at the same ε, a line each; none where all is well.

    Args:
        frame: rows of a sweep with that method in it.
        noise: part of a perplexity that draws may differ by.
    """
    found = summary(frame, "perplexity")
    limits = found[found["method"] == LEAST].set_index(["setting", "epsilon"])["median"]
    lines = []
    for _, row in found[found["status"] == "proven"].iterrows():
        limit = limits.get((row["setting"], row["epsilon"]), math.inf)
        if row["median"] > (1 + noise) * limit:
            at = f"{row['setting']}, ε = {row['epsilon']:g}"
            lines.append(f"{parse_method(row['method']).title}: {row['median']:,.0f}, not {limit:,.0f} ({at})")
    return lines


def _table(rows: pd.DataFrame) -> str:
    unigram = rows.loc[rows["method"] == "unigram", "median"]
    limit = float(unigram.iloc[0]) if len(unigram) else math.inf
    grid = sorted(rows["epsilon"].dropna().unique())
    lines = [
        "| method | claim | no noise | " + " | ".join(f"ε = {epsilon:g}" for epsilon in grid) + " |",
        "| --- | --- |" + " ---: |" * (len(grid) + 1),
    ]
    for text, cells in rows.groupby("method", sort=False):
        by_epsilon = {row["epsilon"]: _cell(row, limit) for _, row in cells.iterrows() if row["epsilon"] > 0}
        exact = cells[cells["epsilon"].isna()]
        entries = [_cell(exact.iloc[0], limit) if len(exact) else "", *(by_epsilon.get(at, "") for at in grid)]
        lines.append(f"| {parse_method(str(text)).title} | {cells.iloc[0]['status']} | " + " | ".join(entries) + " |")
    return "\n".join(lines)


def _cell(row: "pd.Series[float]", limit: float) -> str:
    if not row["n"]:
        return "*refused*" if row["n_refused"] else "*failed*"
    value = f"{row['median']:,.0f}" + (f" {WORSE}" if row["median"] > limit else "")
    lost = row["n_refused"] + row["n_failed"]
    return value + (f" ({row['n']} of {row['n'] + lost})" if lost else "")


def _in_order(found: pd.DataFrame, seconds: "pd.Series[float]") -> list[float]:
    by_key = {(setting, method, str(epsilon)): float(took) for (setting, method, epsilon), took in seconds.items()}
    return [by_key[row["setting"], row["method"], str(row["epsilon"])] for _, row in found.iterrows()]


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(float(value), 2)


def _said(progress: Progress) -> None:
    print(f"{progress.n_done}/{progress.n_cells} {progress.note}", file=sys.stderr, flush=True)
