"""Results on disk: one SQLite file a sweep, one committed transaction a cell, so that a kill loses one cell at most."""

import math
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import pandas as pd

from dplda.corpus import disk_cache
from dplda.errors import DpldaError
from dplda.sweeps.identity import code_version, identity
from dplda.sweeps.row import Row
from dplda.sweeps.setting import Setting
from dplda.sweeps.sources import content_of
from dplda.sweeps.spec import Sweep

FORMAT = 1  # to be raised whenever a file of today could not be read any more
_TYPES = {str: "TEXT NOT NULL", float: "REAL", int: "INTEGER NOT NULL"}
_COLUMNS = {field.name: _TYPES[field.type] for field in fields(Row) if isinstance(field.type, type)}
_GRACE = 1.0  # seconds in which a process that was just killed is gone
_PATIENCE = 30.0  # seconds to wait for a reader that copies the log back


class StoreError(DpldaError):
    """Results cannot be kept or read there."""


class AlreadyRunning(DpldaError):  # noqa: N818 - a finding about another process rather than a fault
    """Another process computes the same sweep into the same folder."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file of results says of itself.

    Attributes:
        path: of the file.
        spec: the sweep as TOML text.
        version: of the code that computed it.
        current: whether that is the code of this process.
        started: when, in seconds since 1970.
        updated: when its last cell was finished.
        n_done: cells finished.
        n_cells: cells in all.
    """

    path: Path
    spec: str
    version: str
    current: bool
    started: float
    updated: float
    n_done: int
    n_cells: int

    @property
    def complete(self) -> bool:
        """Whether every cell is finished."""
        return self.n_done >= self.n_cells


class Store:
    """The results of one sweep, by this code, on these documents.

    Reading is possible at any time, also while another process computes; writing inside ``writing()`` only.

    Args:
        sweep: whose results.
        folder: where files are kept; None takes ``sweeps`` in the cache folder.

    Attributes:
        path: of the file, whether it is there or not.
        notice: what had to be set aside when the file was opened for writing, in a sentence; empty where nothing.

    Raises:
        ReadError: a file of documents is not there or cannot be read.
    """

    def __init__(self, sweep: Sweep, folder: Path | None = None) -> None:
        self.sweep = sweep
        self._contents = {setting.name: content_of(setting.source) for setting in sweep.settings}
        name = identity(sweep, list(self._contents.values()))[:32]
        self.path = (folder or default_folder()) / f"{name}.sqlite"
        self.notice = ""

    @contextmanager
    def writing(self) -> Iterator["Writer"]:
        """Open the file for the only process that computes this sweep.

        Raises:
            AlreadyRunning: another process has it open for writing.
            StoreError: the folder cannot be written to.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = sqlite3.connect(self.path.with_suffix(".lock"), timeout=_GRACE, isolation_level=None)
        except (OSError, sqlite3.OperationalError) as error:
            raise _unwritable(self.path.parent) from error
        with closing(lock):
            _lock(lock, self.path.parent)  # the system lets go of it when the process ends, in whatever way
            with closing(self._opened()) as database:
                yield Writer(database)

    def check_documents(self, setting: Setting) -> None:
        """Refuse documents that are no longer those that this store holds results of.

        Raises:
            StoreError: the setting's file, or the packages that its documents come from, have changed.
            ReadError: the file is gone.
        """
        if content_of(setting.source) != self._contents[setting.name]:
            raise StoreError(
                f"The documents of {setting.name} have changed since the sweep was started. Start it again."
            )

    def rows(self) -> dict[int, Row]:
        """Finished cells by their number in the sweep's order.

        Raises:
            StoreError: the file is damaged.
        """
        if not self.path.is_file():
            return {}
        try:
            with closing(_connected(self.path)) as database:
                found = database.execute(f"SELECT cell, {', '.join(_COLUMNS)} FROM cells ORDER BY cell").fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):  # a writer is about to make it
                return {}
            raise StoreError(f"{self.path.name} cannot be read at the moment: {error}.") from error
        except sqlite3.DatabaseError as error:
            raise StoreError(
                f"{self.path.name} is damaged. Run the sweep again: the file is then set aside."
            ) from error
        return {number: _row(values) for number, *values in found}

    def frame(self) -> pd.DataFrame:
        """Finished cells as a tidy frame, in the sweep's order; columns and types as in `Row`."""
        return frame_of(self.rows())

    def _opened(self) -> sqlite3.Connection:
        try:
            return self._prepared()
        except sqlite3.OperationalError as error:
            raise _unwritable(self.path.parent) from error
        except sqlite3.DatabaseError:
            aside = self.path.with_suffix(f".damaged-{time.time_ns()}")
            os.replace(self.path, aside)
            for rest in ("-wal", "-shm"):
                Path(f"{self.path}{rest}").unlink(missing_ok=True)
            self.notice = f"Stored results were damaged and set aside as {aside.name}; the sweep starts anew."
            return self._prepared()

    def _prepared(self) -> sqlite3.Connection:
        database = _connected(self.path)
        try:
            if database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise sqlite3.DatabaseError("quick_check")
            database.execute("PRAGMA journal_mode = WAL")
            with database:
                columns = ", ".join(f"{name} {kind}" for name, kind in _COLUMNS.items())
                database.execute(f"CREATE TABLE IF NOT EXISTS cells (cell INTEGER PRIMARY KEY, {columns})")
                database.execute(
                    "CREATE TABLE IF NOT EXISTS sweep (format INTEGER, spec TEXT, version TEXT, started REAL,"
                    " updated REAL, n_cells INTEGER)"
                )
                if database.execute("SELECT count(*) FROM sweep").fetchone() == (0,):
                    now = time.time()
                    about = (FORMAT, self.sweep.to_toml(), code_version(), now, now, self.sweep.n_cells)
                    database.execute("INSERT INTO sweep VALUES (?, ?, ?, ?, ?, ?)", about)
        except BaseException:
            database.close()
            raise
        return database


class Writer:
    """Adds finished cells."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def add(self, number: int, row: Row) -> None:
        """Keep one cell; it is on disk when this returns."""
        places = ", ".join("?" * (len(_COLUMNS) + 1))
        with self._database:
            self._database.execute(f"INSERT OR REPLACE INTO cells VALUES ({places})", (number, *astuple(row)))
            self._database.execute("UPDATE sweep SET updated = ?", (time.time(),))


def default_folder() -> Path:
    """``sweeps`` in the cache folder."""
    return disk_cache.folder() / "sweeps"


def stored(folder: Path | None = None) -> list[Stored]:
    """The sweeps of a folder, the last one updated first; files that cannot be read are passed over."""
    found = []
    for path in sorted((folder or default_folder()).glob("*.sqlite")):
        try:
            with closing(_connected(path)) as database:
                about = database.execute(
                    "SELECT format, spec, version, started, updated, n_cells FROM sweep"
                ).fetchone()
                n_done = database.execute("SELECT count(*) FROM cells WHERE failed = ''").fetchone()[0]
        except sqlite3.Error:
            continue
        if about is not None and about[0] == FORMAT:
            _, spec, version, started, updated, n_cells = about
            found.append(Stored(path, spec, version, version == code_version(), started, updated, n_done, n_cells))
    return sorted(found, key=lambda it: -it.updated)


def frame_of(rows: Mapping[int, Row]) -> pd.DataFrame:
    """Rows as a tidy frame in the order of their numbers; columns and types as in `Row`."""
    in_order = [rows[number] for number in sorted(rows)]
    kinds = {str: "str", float: "float64", int: "int64"}
    return pd.DataFrame(
        {
            field.name: pd.Series([getattr(row, field.name) for row in in_order], dtype=kinds[field.type])
            for field in fields(Row)
            if isinstance(field.type, type)
        }
    )


def _row(values: list[object]) -> Row:
    make: Callable[..., Row] = Row
    return make(*[math.nan if value is None else value for value in values])


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_PATIENCE)


def _lock(lock: sqlite3.Connection, folder: Path) -> None:
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise AlreadyRunning(
                "This sweep is already running in another process. Wait until it ends, or stop it there."
            ) from None
        raise _unwritable(folder) from error


def _unwritable(folder: Path) -> StoreError:
    return StoreError(f"Results cannot be written to {folder}. Choose another folder, or set DPLDA_CACHE.")
