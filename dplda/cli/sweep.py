"""``dplda sweep``: run a sweep in the terminal."""

import sys
from contextlib import suppress
from pathlib import Path

from click import Argument, Option

from dplda.cli.main import INTERRUPTED
from dplda.cli.options import Command, named_path, progress
from dplda.core.safe_open import check_writable, text_of, write
from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.store import Store
from dplda.experiments.sweeps.frame import summary, to_csv
from dplda.experiments.sweeps.run import SweepProgress, run
from dplda.experiments.sweeps.scheduler import duration


def sweep(spec: Path, csv: Path | None, store: Path | None) -> int:
    """Compute the cells that are missing and print a summary; Ctrl+C keeps the finished ones and returns 130."""
    what = Sweep.from_toml(text_of(spec))
    if csv is not None:
        check_writable(csv)
    kept, last, report = Store(what, store), None, progress(every=30.0)

    def told(now: SweepProgress) -> None:
        left = "" if now.seconds_left is None else f", about {duration(now.seconds_left)} left"
        report(now.fraction, f"{now.note}: {now.n_done:,} of {now.n_cells:,}{left}")

    with suppress(KeyboardInterrupt):
        last = run(what, kept, told)
    frame = kept.frame()
    if csv is not None:
        write(csv, to_csv(frame))
    if last is None:
        done = f"{len(frame):,} of {what.n_cells:,} runs are finished."
        print(
            f"dplda: interrupted. {done} Run the same command again to continue.", file=sys.stderr
        )
        return INTERRUPTED
    for name, rows in frame.groupby("setting", sort=False):  # a table each
        value = "l1_sum" if rows["perplexity"].isna().all() else "perplexity"
        shown = summary(rows, value)[["method", "epsilon", "median", "n_refused"]]
        print(
            f"{name}: median {value}\n{shown.to_string(index=False, na_rep='–', float_format='{:.4g}'.format)}\n"
        )
    print(
        f"{last.n_done:,} runs, {last.n_refused:,} refused, {last.n_failed:,} failed. Results: {kept.path}"
    )
    return 0


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
