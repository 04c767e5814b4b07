"""Private topics put to the test: real text and simulated documents, and every method.

The embedded corpus needs nothing. Others are not shipped: ``--corpus "20 Newsgroups=docword.txt.gz"`` adds a public
one in any format that ``dplda.load`` reads.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.utility import variants
from benchmarks.utility.claims import judge_claim
from benchmarks.utility.report import Row, rows_of
from benchmarks.utility.sections import documents, sections
from dplda.experiments.storage.store import default_folder
from dplda.experiments.sweeps import Store
from dplda.experiments.sweeps.run import SweepProgress
from dplda.experiments.sweeps.run import run as run_sweep

NAMES = ("text", "simulated", "simulated-large", "grid", "limits")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which sections and corpora, and how large a run."""
    parser.add_argument(
        "--corpus",
        dest="corpora",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="a public corpus besides the embedded one; a bag of words has its word list beside it",
    )
    parser.add_argument(
        "--text", default=None, help="column or key that holds the documents of CSV and JSON lines"
    )
    parser.add_argument("--words", type=int, default=1000, help="d of those corpora (1000)")
    parser.add_argument(
        "--embedded-words",
        type=int,
        default=500,
        help="d of the embedded corpus (500); 0: without it",
    )
    parser.add_argument(
        "--repeats", type=int, default=5, help="draws of noise, or of simulated corpora (5)"
    )
    parser.add_argument(
        "--store", type=Path, default=None, help="folder of the results, for resuming"
    )
    parser.add_argument(
        "--only", nargs="+", choices=NAMES, default=list(NAMES), help="some of the sections"
    )


def run(
    corpora: list[str],
    text: str | None,
    words: int,
    embedded_words: int,
    repeats: int,
    store: Path | None,
    only: list[str],
) -> Iterator[Row]:
    """Rows of every section asked for, each once it is done.

    Args:
        corpora: ``NAME=PATH`` of public text.
        text: column or key of its documents; None where the format has none.
        words: d of that text.
        embedded_words: d of the embedded corpus; 0 leaves it out.
        repeats: draws of noise, or of simulated corpora.
        store: folder of results that are taken up again; None for the usual one.
        only: names of sections.
    """
    texts = documents(corpora, text=text, words=words, embedded_words=embedded_words)
    folder = (store or default_folder()) / f"private-utility-{variants.DIGEST}"
    for name, section in sections(texts, repeats=repeats).items():
        if name in only:
            results = Store(section.sweep, folder)
            run_sweep(section.sweep, results, report=_print_progress)
            frame = results.frame()
            verdicts = [
                verdict for claim in section.claims for verdict in judge_claim(frame, claim)
            ]
            yield from ({"section": name, **row} for row in rows_of(frame, verdicts))


def _print_progress(progress: SweepProgress) -> None:
    print(f"{progress.n_done}/{progress.n_cells} {progress.note}", file=sys.stderr, flush=True)
