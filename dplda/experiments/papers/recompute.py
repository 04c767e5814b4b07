"""A preset computed anew, whatever its kind, with the facts that its label needs."""

import os
import platform
import time
from dataclasses import fields
from datetime import date

import pandas as pd

from dplda.core.types import Report, silent
from dplda.experiments.papers.batches import Batches, batches
from dplda.experiments.papers.example_topics import ExampleTopics, example_topics
from dplda.experiments.papers.precomputed import Precomputed
from dplda.experiments.papers.presets import Kind, Preset
from dplda.experiments.papers.spectra import PairSpectrum, TensorGaps, pair_spectrum, tensor_gaps
from dplda.experiments.storage.identity import code_version
from dplda.experiments.storage.store import Store
from dplda.experiments.sweeps.run import SweepProgress, run

STUDIES: dict[Kind, PairSpectrum | TensorGaps | Batches | ExampleTopics] = {
    Kind.PAIR_SPECTRUM: PairSpectrum(),
    Kind.TENSOR_GAPS: TensorGaps(),
    Kind.BATCHES: Batches(),
    Kind.WORDS: ExampleTopics(),
}


def spec_of(preset: Preset) -> str:
    """What a preset runs, as text; equal texts, equal computations."""
    if preset.sweep is not None:
        return preset.sweep.to_toml()
    study = STUDIES[preset.kind]
    return "\n".join(f"{field.name} = {getattr(study, field.name)}" for field in fields(study))


def compute(preset: Preset, *, report: Report = silent) -> Precomputed:
    """Run a preset in this process.

    Returns:
        The results, labelled with day, version and machine; seconds are the sum over cells for a sweep.
    """
    started = time.perf_counter()
    if preset.sweep is not None:
        kept = Store(preset.sweep)
        run(preset.sweep, kept, lambda progress: report(progress.fraction, _line(progress)))
        frame = kept.frame()
        seconds = float(frame["seconds"].sum())
    else:
        frame = _study(preset.kind, report)
        seconds = time.perf_counter() - started
    return Precomputed(
        name=preset.name,
        spec=spec_of(preset),
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


def _study(kind: Kind, report: Report) -> pd.DataFrame:
    study = STUDIES[kind]
    if isinstance(study, PairSpectrum):
        return pair_spectrum(study, report=report)
    if isinstance(study, TensorGaps):
        return tensor_gaps(study, report=report)
    if isinstance(study, Batches):
        return batches(study, report=report)
    return example_topics(study, report=report)


def _line(progress: SweepProgress) -> str:
    return f"{progress.n_done:,} of {progress.n_cells:,} cells. {progress.note}"
