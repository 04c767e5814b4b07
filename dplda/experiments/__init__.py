"""Sweeps: a frozen spec, computed cell by cell, kept on disk, resumable, as a tidy frame."""

from dplda.experiments.desk import Busy, Desk
from dplda.experiments.frame import summary, to_csv
from dplda.experiments.identity import code_version
from dplda.experiments.job import Job, JobState
from dplda.experiments.method import Method
from dplda.experiments.row import Row
from dplda.experiments.run import Progress, one_cell, run
from dplda.experiments.script import script_for
from dplda.experiments.setting import Setting
from dplda.experiments.sources import Embedded, FileSource
from dplda.experiments.spec import Cell, Sweep, noise_seed
from dplda.experiments.store import AlreadyRunning, Store, Stored, StoreError, stored

__all__ = [
    "AlreadyRunning",
    "Busy",
    "Cell",
    "Desk",
    "Embedded",
    "FileSource",
    "Job",
    "JobState",
    "Method",
    "Progress",
    "Row",
    "Setting",
    "Store",
    "StoreError",
    "Stored",
    "Sweep",
    "code_version",
    "noise_seed",
    "one_cell",
    "run",
    "script_for",
    "stored",
    "summary",
    "to_csv",
]
