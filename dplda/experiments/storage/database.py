"""A SQLite file of results: one row per cell with a checksum, and the sweep's spec for readers.

A row with a wrong checksum is skipped and computed again; a damaged file is set aside. SQLite's own check covers
structure but not values: it passes 199 of 300 flipped bits, and 70 of these change a result.
"""

import json
import sqlite3
import zlib
from contextlib import closing
from dataclasses import astuple
from pathlib import Path

from dplda.core.errors import DpldaError
from dplda.experiments.specs.row import Row
from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.identity import code_version

_TABLES = """
CREATE TABLE IF NOT EXISTS cells (cell INTEGER PRIMARY KEY, row TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS sweep (spec TEXT PRIMARY KEY, version TEXT)
"""
_ROWS = "SELECT cell, row, checksum FROM cells ORDER BY cell"
_PATIENCE = 30.0  # seconds to wait for a reader that copies the log back


class StoreError(DpldaError):
    """Results cannot be saved or read."""


class DamagedError(StoreError):
    """A damaged file of results."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is damaged. Run the sweep again: it sets the file aside.")


class CellWriter:
    """Adds finished cells.

    Raises:
        DamagedError: the file is damaged and must be set aside.
        StoreError: it cannot be written to.
    """

    def __init__(self, path: Path, sweep: Sweep) -> None:
        self._path = path
        self._database = connected(path)
        try:
            self._prepare(sweep)
        except BaseException as error:
            self.close()
            if is_damage(error):
                raise DamagedError(path.name) from error
            if isinstance(error, sqlite3.Error):
                raise unwritable(path.parent) from error
            raise

    def add(self, number: int, row: Row) -> None:
        """Save one cell; it is on disk when this returns."""
        text = json.dumps(astuple(row))
        try:
            if not self._path.exists():
                self._write_anew()
            with self._database:
                cell = (number, text, _checksum(number, text))
                self._database.execute("INSERT OR REPLACE INTO cells VALUES (?, ?, ?)", cell)
        except (OSError, sqlite3.OperationalError) as error:
            raise unwritable(self._path.parent, f" ({error}); finished cells are kept") from error

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _prepare(self, sweep: Sweep) -> None:
        database = self._database
        if database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("quick_check")
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(_TABLES)
        with database:
            database.execute("INSERT OR IGNORE INTO sweep VALUES (?, ?)", (sweep.to_toml(), code_version()))
        database.execute(_ROWS).fetchone()  # whose columns have their names

    def _write_anew(self) -> None:
        """Write the file again after someone removed it; its rows exist while it is open."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        anew = connected(self._path)
        self._database.backup(anew)
        self._database.close()
        self._database = anew


def rows(path: Path) -> tuple[dict[int, Row], int]:
    """Finished cells by number, and the number of rows skipped because of their checksum."""
    if not path.is_file():
        return {}, 0
    try:
        with closing(connected(path)) as database:
            found: list[tuple[int, str, int]] = database.execute(_ROWS).fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if "no such table" in str(error):  # a writer is about to make it
            return {}, 0
        if is_damage(error):
            raise DamagedError(path.name) from error
        raise StoreError(f"{path.name} cannot be read now: {error}. Try again.") from error
    kept = {number: Row(*json.loads(text)) for number, text, check in found if check == _checksum(number, text)}
    return kept, len(found) - len(kept)


def is_damage(error: BaseException) -> bool:
    """Whether an error means a damaged file, not a locked one or a full disk."""
    if isinstance(error, sqlite3.OperationalError):
        return error.sqlite_errorcode == sqlite3.SQLITE_ERROR  # tables or columns have lost their names
    return isinstance(error, sqlite3.DatabaseError | UnicodeDecodeError)


def connected(path: Path) -> sqlite3.Connection:
    """A connection that waits for others and replaces damaged text."""
    database = sqlite3.connect(path, timeout=_PATIENCE)
    database.text_factory = lambda text: text.decode("utf-8", "replace")
    return database


def unwritable(folder: Path, why: str = "") -> StoreError:
    """The error for a folder where results cannot be saved."""
    return StoreError(f"Results cannot be written to {folder}{why}. Choose another folder, or set DPLDA_CACHE.")


def _checksum(number: int, text: str) -> int:
    return zlib.crc32(f"{number} {text}".encode())
