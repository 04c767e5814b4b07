"""Results on disk: one SQLite file per sweep, one transaction per cell, so a kill loses at most one cell."""

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import astuple, fields
from pathlib import Path
from typing import TYPE_CHECKING

from dplda.core.errors import DpldaError
from dplda.core.formatting import counted
from dplda.corpus import disk_cache
from dplda.experiments.specs.row import Row
from dplda.experiments.specs.setting import Setting
from dplda.experiments.specs.sources import content_of
from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.database import CellWriter, DamagedError, StoreError, rows, unwritable
from dplda.experiments.storage.identity import identity

if TYPE_CHECKING:
    import pandas as pd

_GRACE = 1.0  # seconds in which a process that was just killed is gone


class AlreadyRunning(DpldaError):  # noqa: N818 - a finding about another process rather than a fault
    """Another process runs the same sweep in the same folder."""


class Store:
    """The results of one sweep by this code on these documents; written only inside ``writing()``.

    Args:
        folder: for files; None takes ``sweeps`` in the cache folder.

    Attributes:
        notice: a sentence on damage found when the file was opened for writing, else empty.
    """

    def __init__(self, sweep: Sweep, folder: Path | None = None) -> None:
        self.sweep = sweep
        self._contents = {setting.name: content_of(setting.source) for setting in sweep.settings}
        name = identity(sweep, list(self._contents.values()))[:32]
        self.path = (folder or default_folder()) / f"{name}.sqlite"
        self.notice = ""

    @contextmanager
    def writing(self) -> Iterator["CellWriter"]:
        """Open the file for writing, for one process at a time.

        Raises:
            AlreadyRunning: another process writes to it.
            StoreError: the folder is not writable.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = sqlite3.connect(self.path.with_suffix(".lock"), timeout=_GRACE, isolation_level=None)
        except (OSError, sqlite3.OperationalError) as error:
            raise unwritable(self.path.parent) from error
        with closing(lock):
            _lock(lock, self.path.parent)  # the system releases it when the process ends
            with closing(self._opened()) as writer:
                damaged = rows(self.path)[1]
                if damaged:
                    self.notice = f"{counted(damaged, 'damaged result')} will be computed again."
                yield writer

    def check_documents(self, setting: Setting) -> None:
        """Refuse documents that changed since the store was opened."""
        if content_of(setting.source) != self._contents[setting.name]:
            changed = f"The documents of {setting.name} have changed since the sweep started."
            raise StoreError(f"{changed} Start it again.")

    def rows(self) -> dict[int, Row]:
        """Finished cells by their number in the sweep's order, without damaged rows."""
        return rows(self.path)[0]

    def frame(self) -> "pd.DataFrame":
        """Finished cells as a tidy frame, in the sweep's order; columns and types as in `Row`."""
        return frame_of(self.rows())

    def _opened(self) -> CellWriter:
        try:
            return CellWriter(self.path, self.sweep)
        except DamagedError:
            aside = self.path.with_suffix(f".damaged-{time.time_ns()}")
            os.replace(self.path, aside)
            for rest in ("-wal", "-shm"):
                Path(f"{self.path}{rest}").unlink(missing_ok=True)
            self.notice = (
                f"Stored results were damaged. They are set aside as {aside.name}, and the sweep starts again."
            )
            return CellWriter(self.path, self.sweep)


def default_folder() -> Path:
    """``sweeps`` in the cache folder."""
    return disk_cache.folder() / "sweeps"


def frame_of(rows: Mapping[int, Row]) -> "pd.DataFrame":
    """Rows as a tidy frame in the order of their numbers; columns and types as in `Row`."""
    import pandas as pd  # imported here: a process that only computes cells does not need it

    kinds = {str: "str", float: "float64", int: "int64"}
    types = {field.name: kinds[field.type] for field in fields(Row) if isinstance(field.type, type)}
    return pd.DataFrame([astuple(rows[number]) for number in sorted(rows)], columns=list(types)).astype(types)


def _lock(lock: sqlite3.Connection, folder: Path) -> None:
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            fix = "Wait until it ends, or stop it there first."
            raise AlreadyRunning(f"This sweep is already running in another process. {fix}") from None
        raise unwritable(folder) from error
