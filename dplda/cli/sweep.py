"""``dplda sweep``: run a sweep in the terminal."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from click import Argument, Option

from dplda.cli.main import INTERRUPTED
from dplda.cli.options import Command, named_path, progress
from dplda.core.safe_open import check_writable, text_of, write
from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.store import Store
from dplda.experiments.sweeps.frame import summary, to_csv
from dplda.experiments.sweeps.run import SweepProgress, Watcher, run
from dplda.experiments.sweeps.scheduler import duration

if TYPE_CHECKING:
    import pandas as pd


def sweep(spec: Path, csv: Path | None, store: Path | None) -> int:
    """Compute the cells of a sweep that are missing, write the table, and print a summary.

    An interruption keeps the finished cells, writes them too, and says how to go on in place of the
    summary.

    Args:
        spec: file of the sweep.
        csv: file for the finished cells; None for none.
        store: folder of results; None for the cache folder.

    Returns:
        0, also if cells were refused or failed; 130 after Ctrl+C.

    Raises:
        DpldaError: the spec is refused, or a file cannot be read or written.
    """
    parsed_sweep = Sweep.from_toml(text_of(spec))
    if csv is not None:
        check_writable(csv)
    store_of_results = Store(parsed_sweep, store)
    outcome = None
    with suppress(KeyboardInterrupt):
        outcome = run(parsed_sweep, store_of_results, _watcher())
    finished_cells = store_of_results.frame()
    if csv is not None:
        write(csv, to_csv(finished_cells))
    if outcome is None:
        progress_sentence = (
            f"{len(finished_cells):,} of {parsed_sweep.n_cells:,} runs are finished."
        )
        message = f"dplda: interrupted. {progress_sentence} Run the same command again to continue."
        print(message, file=sys.stderr)
        return INTERRUPTED
    _print_summary(finished_cells)
    print(
        f"{outcome.n_done:,} runs, {outcome.n_refused:,} refused, {outcome.n_failed:,} failed."
        f" Results: {store_of_results.path}"
    )
    return 0


def _watcher() -> Watcher:
    """Make a callback that prints a sweep's progress to standard error.

    A step is printed if the first word of its note differs from that of the last one printed, or
    after 30 seconds; other steps are dropped.
    """
    report = progress(every=30.0)

    def watch(sweep_progress: SweepProgress) -> None:
        """Print what runs now, how many cells are done, and the time left once it is known."""
        step = f"{sweep_progress.note}: {sweep_progress.n_done:,} of {sweep_progress.n_cells:,}"
        if sweep_progress.seconds_left is not None:
            step += f", about {duration(sweep_progress.seconds_left)} left"
        report(sweep_progress.fraction, step)

    return watch


def _print_summary(frame: "pd.DataFrame") -> None:
    """Print a table for each setting: medians of the perplexity, or of the L1 error without one."""
    for setting, rows in frame.groupby("setting", sort=False):
        measure = "l1_sum" if rows["perplexity"].isna().all() else "perplexity"
        table = summary(rows, measure)[["method", "epsilon", "median", "n_refused"]]
        table_text = table.to_string(index=False, na_rep="–", float_format="{:.4g}".format)
        print(f"{setting}: median {measure}\n{table_text}\n")


COMMAND = Command(
    "sweep",
    sweep,
    Argument(["spec"], type=named_path),
    Option(["--csv"], type=named_path, help="write the finished cells here, one row each"),
    Option(
        ["--store"],
        type=named_path,
        help="folder for the results (default: sweeps in the cache folder)",
    ),
)
