"""Sweeps: a frozen spec, computed cell by cell, kept on disk, resumable, as a tidy frame."""

from dplda.experiments.specs.row import Row
from dplda.experiments.specs.setting import Setting
from dplda.experiments.specs.sources import Embedded, FileSource
from dplda.experiments.specs.spec import Cell, Sweep, noise_seed
from dplda.experiments.storage.database import StoreError
from dplda.experiments.storage.identity import code_version
from dplda.experiments.storage.store import AlreadyRunning, Store, StoredSweep, stored
from dplda.experiments.sweeps.frame import summary, to_csv
from dplda.experiments.sweeps.job import JobState, SweepJob
from dplda.experiments.sweeps.run import SweepProgress, one_cell, run
from dplda.experiments.sweeps.scheduler import Busy, Scheduler
from dplda.experiments.sweeps.script import script_for
from dplda.methods.method import Method
from dplda.methods.registry import parse_method

__all__ = [
    "AlreadyRunning",
    "Busy",
    "Cell",
    "Embedded",
    "FileSource",
    "JobState",
    "Method",
    "Row",
    "Scheduler",
    "Setting",
    "Store",
    "StoreError",
    "StoredSweep",
    "Sweep",
    "SweepJob",
    "SweepProgress",
    "code_version",
    "noise_seed",
    "one_cell",
    "parse_method",
    "run",
    "script_for",
    "stored",
    "summary",
    "to_csv",
]
