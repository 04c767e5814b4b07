"""Sweeps: a frozen spec, computed cell by cell, kept on disk, resumable, as a tidy frame."""

from dplda.methods import Method, parse_method
from dplda.sweeps.database import StoreError
from dplda.sweeps.frame import summary, to_csv
from dplda.sweeps.identity import code_version
from dplda.sweeps.job import Job, JobState
from dplda.sweeps.row import Row
from dplda.sweeps.run import Progress, one_cell, run
from dplda.sweeps.scheduler import Busy, Scheduler
from dplda.sweeps.script import notebook_for, script_for
from dplda.sweeps.setting import Setting
from dplda.sweeps.sources import Embedded, FileSource
from dplda.sweeps.spec import Cell, Sweep, noise_seed
from dplda.sweeps.store import AlreadyRunning, Store, Stored, stored

__all__ = [
    "AlreadyRunning",
    "Busy",
    "Cell",
    "Embedded",
    "FileSource",
    "Job",
    "JobState",
    "Method",
    "Progress",
    "Row",
    "Scheduler",
    "Setting",
    "Store",
    "StoreError",
    "Stored",
    "Sweep",
    "code_version",
    "noise_seed",
    "notebook_for",
    "one_cell",
    "parse_method",
    "run",
    "script_for",
    "stored",
    "summary",
    "to_csv",
]
