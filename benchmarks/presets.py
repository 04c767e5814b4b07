"""Computes the papers' figures that are sweeps again and writes them into ``assets/presets``; some take minutes."""

import argparse
import json
import math
import os
import platform
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pandas as pd

from dplda.experiments.papers.precomputed import FORMAT, FORMAT_VERSION, Precomputed, folder
from dplda.experiments.papers.presets import PRESETS
from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.identity import code_version
from dplda.experiments.storage.store import Store
from dplda.experiments.sweeps.run import SweepProgress
from dplda.experiments.sweeps.run import run as run_sweep

SWEEPS: dict[str, Sweep] = {
    name: preset.sweep for name, preset in PRESETS.items() if preset.sweep is not None
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the choice of one preset."""
    parser.add_argument(
        "--only", metavar="NAME", choices=sorted(SWEEPS), help="one preset: " + ", ".join(SWEEPS)
    )


def run(only: str | None = None) -> Iterator[dict[str, float | int | str]]:
    """One row for each preset computed; cells that this code has on disk already are taken from there.

    Args:
        only: name of the one to compute; None computes all.
    """
    for name in SWEEPS if only is None else [only]:
        result = compute(name)
        path = save(result)
        yield {
            "preset": name,
            "seconds": result.seconds,
            "rows": len(result.frame),
            "kilobytes": round(path.stat().st_size / 1000),
        }


def compute(name: str) -> Precomputed:
    """The results of a preset, labelled with day, version and machine; seconds are the sum over cells."""
    sweep = SWEEPS[name]
    kept = Store(sweep)
    run_sweep(sweep, kept, _tell)
    frame = kept.frame()
    return Precomputed(
        name=name,
        spec=sweep.to_toml(),
        version=code_version(),
        computed=date.today().isoformat(),
        seconds=round(float(frame["seconds"].sum()), 1),
        machine={
            "processors": str(os.cpu_count()),
            "architecture": platform.machine(),
            "python": platform.python_version(),
        },
        frame=frame,
    )


def save(result: Precomputed, where: Path | None = None) -> Path:
    """Write results, replacing the file of that name.

    Args:
        where: folder of the files; None takes the program's own.
    """
    path = (where or folder()) / f"{result.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "name": result.name,
        "spec": result.spec,
        "code": result.version,
        "computed": result.computed,
        "seconds": result.seconds,
        "machine": dict(result.machine),
        "rows": len(result.frame),
        "columns": {str(name): _column(result.frame[name]) for name in result.frame},
    }
    path.write_text(json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n", "utf-8")
    return path


def _column(values: pd.Series) -> object:
    """Values as JSON, null for NaN; a column of one and the same value as that value alone."""
    plain = [
        None if isinstance(value, float) and math.isnan(value) else value
        for value in values.tolist()
    ]
    return plain[0] if plain and all(value == plain[0] for value in plain) else plain


def _tell(progress: SweepProgress) -> None:
    line = f"{progress.n_done:,} of {progress.n_cells:,} cells. {progress.note}"
    print(f"\r{progress.fraction:6.1%} {line[:100]:<100}", end="", file=sys.stderr, flush=True)
