"""``dplda sweep``: a sweep in the terminal."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from click import Argument, Option

from dplda.cli.options import Command, progress
from dplda.core.child_process import stoppable
from dplda.core.safe_open import check_writable, text_of, write
from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.store import Store
from dplda.experiments.sweeps.frame import summary, to_csv
from dplda.experiments.sweeps.run import SweepProgress, run
from dplda.experiments.sweeps.scheduler import duration

if TYPE_CHECKING:
    import pandas as pd

INTERRUPTED = 130


def sweep(spec: Path, csv: Path | None, store: Path | None) -> int:
    """Compute what is missing of a sweep; progress goes to standard error, a summary to standard output.

    Returns:
        0, or 130 after Ctrl+C or a polite request to end; finished cells are kept.

    Raises:
        DpldaError: a spec, file or folder that cannot be used, or a sweep that runs elsewhere.
    """
    what = Sweep.from_toml(text_of(spec))
    if csv is not None:
        check_writable(csv)
    kept = Store(what, store)
    last = _run(what, kept)
    frame = kept.frame()
    if csv is not None:
        write(csv, to_csv(frame))
    if last is None:
        print(
            f"dplda: interrupted with {len(frame):,} of {what.n_cells:,} cells finished."
            " The same command goes on from there.",
            file=sys.stderr,
        )
        return INTERRUPTED
    print("\n\n".join(_tables(frame)))
    print(f"\n{last.n_done:,} cells, {last.n_refused:,} refused, {last.n_failed:,} failed. Results: {kept.path}")
    return 0


def _run(what: Sweep, store: Store) -> SweepProgress | None:
    """The final state; None where it was interrupted."""
    report = progress(every=30.0)

    def told(now: SweepProgress) -> None:
        left = "" if now.seconds_left is None else f", about {duration(now.seconds_left)} left"
        report(now.fraction, f"{now.note}: {now.n_done:,} of {now.n_cells:,}{left}")

    try:
        with stoppable():
            return run(what, store, told)
    except KeyboardInterrupt:
        return None


def _tables(frame: "pd.DataFrame") -> Iterator[str]:
    """A table for each setting: medians, a row for each method and ε."""
    for name, rows in frame.groupby("setting", sort=False):
        value = "l1_sum" if rows["perplexity"].isna().all() else "perplexity"
        shown = summary(rows, value)[["method", "epsilon", "median", "n_refused"]]
        yield f"{name}: median {value}\n{shown.to_string(index=False, na_rep='–', float_format='{:.4g}'.format)}"


COMMAND = Command(
    "sweep",
    sweep,
    Argument(["spec"], type=Path),
    Option(["--csv"], type=Path, help="where to write the finished cells, one row each"),
    Option(["--store"], type=Path, help="folder of the results (default: sweeps in the cache folder)"),
)
