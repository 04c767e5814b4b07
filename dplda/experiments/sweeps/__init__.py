"""Sweeps: a frozen spec, computed cell by cell, resumable, read as a tidy frame."""

from dplda.experiments.sources import Embedded as Embedded
from dplda.experiments.sources import FileSource as FileSource
from dplda.experiments.specs.setting import Setting as Setting
from dplda.experiments.specs.spec import Sweep as Sweep
from dplda.experiments.storage.store import Store as Store
from dplda.experiments.sweeps.frame import to_csv as to_csv
from dplda.experiments.sweeps.job import JobState as JobState
from dplda.experiments.sweeps.job import SweepJob as SweepJob
from dplda.experiments.sweeps.run import run as run
from dplda.experiments.sweeps.scheduler import Busy as Busy
from dplda.experiments.sweeps.scheduler import Scheduler as Scheduler
from dplda.experiments.sweeps.script import script_for as script_for
