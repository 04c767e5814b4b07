"""Computes the papers' figures and tables again and writes them into ``assets/presets``; some take minutes."""

import argparse
import json
import math
import os
import platform
import sys
import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pandas as pd

from dplda.core.errors import InputError
from dplda.experiments.papers.precomputed import (
    FORMAT,
    FORMAT_VERSION,
    Precomputed,
    folder,
    stored_results,
)
from dplda.experiments.papers.presets import PRESETS
from dplda.experiments.papers.study import study_text
from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.identity import code_version
from dplda.experiments.storage.store import Store
from dplda.experiments.sweeps.run import SweepProgress
from dplda.experiments.sweeps.run import run as run_sweep


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the choice of one preset."""
    parser.add_argument(
        "--only",
        metavar="NAME",
        choices=sorted(PRESETS),
        help="one preset: " + ", ".join(PRESETS),
    )
    parser.add_argument(
        "--methods",
        nargs="+",
        default=[],
        metavar="METHOD",
        help="compute these methods alone; the others keep their stored results",
    )


def run(
    only: str | None = None, methods: Collection[str] = ()
) -> Iterator[dict[str, float | int | str]]:
    """One row for each preset computed; cells that this code has on disk already are taken from there.

    Args:
        only: name of the one to compute; None computes all.
        methods: texts of those to compute; all where empty.
    """
    for name in PRESETS if only is None else [only]:
        result = compute(name, methods)
        path = save(result)
        yield {
            "preset": name,
            "seconds": result.seconds,
            "rows": len(result.frame),
            "kilobytes": round(path.stat().st_size / 1000),
        }


def compute(name: str, methods: Collection[str] = ()) -> Precomputed:
    """The results of a preset, labelled with day, version and machine; seconds are the sum over cells.

    Args:
        name: of the preset.
        methods: texts of those to compute; others keep their stored rows, whose versions stay.

    Raises:
        InputError: a row to keep is not stored, or of another setting.
    """
    sweep = PRESETS[name].sweep
    if sweep is None:
        return _computed_study(name)
    computed_sweep = sweep
    if methods:
        kept_methods = tuple(method for method in sweep.methods if method.key in methods)
        kept_runs = tuple((text, n) for text, n in sweep.runs if text in methods)
        computed_sweep = replace(sweep, methods=kept_methods, runs=kept_runs)
    store = Store(computed_sweep)
    run_sweep(computed_sweep, store, _tell)
    frame = store.frame()
    if methods:
        frame = merge_rows(sweep, frame, stored_results(name))
    return _labelled(name, sweep.to_toml(), frame, float(frame["seconds"].sum()))


def _computed_study(name: str) -> Precomputed:
    """The results of a preset that is a study."""
    study = PRESETS[name].study
    assert study is not None  # a preset is a sweep or a study
    started_at = time.perf_counter()
    frame = study.run(lambda fraction, step: _print_progress(fraction, step))
    return _labelled(name, study_text(study), frame, time.perf_counter() - started_at)


def _labelled(name: str, spec: str, frame: pd.DataFrame, seconds: float) -> Precomputed:
    """Results with this day, version and machine."""
    return Precomputed(
        name=name,
        spec=spec,
        version=code_version(),
        computed=date.today().isoformat(),
        seconds=round(seconds, 1),
        machine={
            "processors": str(os.cpu_count()),
            "architecture": platform.machine(),
            "python": platform.python_version(),
        },
        frame=frame,
    )


def merge_rows(
    sweep: Sweep, computed: pd.DataFrame, kept_results: Precomputed | None
) -> pd.DataFrame:
    """The rows of a sweep in its order: those just computed, and stored ones for all other cells.

    Args:
        sweep: the whole sweep.
        computed: rows of some of its methods.
        kept_results: results whose rows are kept.

    Raises:
        InputError: there are none for a cell, or they are of other documents, δ or seed.
    """
    subject = "stored results"
    fix = "Compute all methods."
    if kept_results is None:
        raise InputError(subject, "there, to be kept", "none", fix)
    stored_sweep = Sweep.from_toml(kept_results.spec)
    varied = {"methods": sweep.methods, "epsilons": sweep.epsilons, "repeats": sweep.repeats}
    if replace(stored_sweep, **varied, corpora=sweep.corpora, runs=sweep.runs) != sweep:
        raise InputError(subject, "of the same documents, δ and seed", "others", fix)
    by_cell = _rows_by_cell(kept_results.frame) | _rows_by_cell(computed)
    try:
        rows = [
            by_cell[cell.setting.name, cell.method.key, cell.epsilon, cell.corpus, cell.repeat]
            for cell in sweep.cells()
        ]
    except KeyError as error:
        raise InputError(
            subject, "of every other method", f"none for {error.args[0][1]}", fix
        ) from None
    return pd.DataFrame(rows).reset_index(drop=True)


def _rows_by_cell(frame: pd.DataFrame) -> dict[tuple[object, ...], pd.Series]:
    """Rows by setting, method, ε (None without noise), corpus and repeat."""
    rows = {}
    for _, row in frame.iterrows():
        epsilon = None if math.isnan(row["epsilon"]) else float(row["epsilon"])
        key = (row["setting"], row["method"], epsilon, int(row["corpus"]), int(row["repeat"]))
        rows[key] = row
    return rows


def save(result: Precomputed, results_folder: Path | None = None) -> Path:
    """Write results, replacing the file of that name.

    Args:
        results_folder: folder of the files; None takes the program's own.
    """
    path = (results_folder or folder()) / f"{result.name}.json"
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
    _print_progress(progress.fraction, line)


def _print_progress(fraction: float, line: str) -> None:
    print(f"\r{fraction:6.1%} {line[:100]:<100}", end="", file=sys.stderr, flush=True)
