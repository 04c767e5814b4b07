"""Results on disk: one file per sweep.

Each finished cell adds a line, so a kill loses at most one cell.

A line has a checksum of its own; one that is torn or damaged is skipped, and its cell is computed
again.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import astuple, fields
from pathlib import Path
from typing import TYPE_CHECKING

from dplda.core.errors import DpldaError
from dplda.core.formatting import counted
from dplda.corpus import disk_cache
from dplda.experiments.sources import content_of
from dplda.experiments.specs.row import Row
from dplda.experiments.specs.setting import Setting
from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.identity import code_version, identity

if TYPE_CHECKING:
    import pandas as pd

_GRACE = 1.0  # seconds in which a process that was just killed is gone


class StoreError(DpldaError):
    """Results cannot be saved or read."""


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
        self.path = (folder or default_folder()) / f"{name}.cells"
        self.notice = ""

    @contextmanager
    def writing(self) -> Iterator[Callable[[int, Row], None]]:
        """Lock the results for one process in a ``with`` block; gives a function to save a cell.

        Sets ``notice`` if some results are damaged; they stay in the file. Writes the sweep's spec
        beside the results, and replaces an earlier one. The folder is made if there is none.

        Raises:
            AlreadyRunning: another process still writes to it after ``_GRACE`` seconds.
            StoreError: the folder is not writable, or the results cannot be read now.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = sqlite3.connect(
                self.path.with_suffix(".lock"), timeout=_GRACE, isolation_level=None
            )
        except (OSError, sqlite3.OperationalError) as error:
            raise self._unwritable() from error
        with closing(lock):
            self._lock(lock)  # the system releases it when the process ends
            n_damaged = self._read()[1]
            if n_damaged:
                self.notice = f"{counted(n_damaged, 'damaged result')} will be computed again."
            origin_comment = f"# Computed by dplda {code_version()}; results: {self.path.name}"
            spec_text = f"{origin_comment}\n{self.sweep.to_toml()}"
            try:
                self.path.with_suffix(".toml").write_text(spec_text, "utf-8")  # for people
            except OSError as error:
                raise self._unwritable() from error
            yield self._add

    def check_documents(self, setting: Setting) -> None:
        """Refuse documents that changed since the store was opened."""
        if content_of(setting.source) != self._contents[setting.name]:
            changed = f"The documents of {setting.name} have changed since the sweep started."
            raise StoreError(f"{changed} Start it again.")

    def rows(self) -> dict[int, Row]:
        """Finished cells by their number in the sweep's order, without damaged rows."""
        return self._read()[0]

    def frame(self) -> "pd.DataFrame":
        """Finished cells as a tidy frame, in the sweep's order; columns and types as in `Row`."""
        return frame_of(self.rows())

    def _read(self) -> tuple[dict[int, Row], int]:
        """Read the finished cells by number, the last line of each, and count damaged lines.

        Without a file there are none.

        Raises:
            StoreError: the file cannot be read now.
        """
        try:
            file_content = self.path.read_bytes() if self.path.is_file() else b""
        except OSError as error:
            raise StoreError(
                f"{self.path.name} cannot be read now: {error.strerror}. Try again."
            ) from error
        lines = [line for line in file_content.split(b"\n") if line]
        number_row_pairs = [
            number_row_pair for line in lines if (number_row_pair := _row(line)) is not None
        ]
        return dict(number_row_pairs), len(lines) - len(number_row_pairs)

    def _add(self, number: int, row: Row) -> None:
        """Write one finished cell; it is on disk when this returns.

        Raises:
            StoreError: it cannot be written; finished cells are kept.
        """
        try:
            with self.path.open("ab") as file:
                file.write(
                    b"\n" + _line(number, row)
                )  # a line of its own, whatever was torn before it
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unwritable(f" ({error.strerror}); finished cells are kept") from error

    def _lock(self, lock: sqlite3.Connection) -> None:
        """Take the lock of the sweep.

        Raises:
            AlreadyRunning: another process holds it.
            StoreError: the folder is not writable.
        """
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                advice_to_wait = "Wait until it ends, or stop it there first."
                raise AlreadyRunning(
                    f"This sweep is already running in another process. {advice_to_wait}"
                ) from None
            raise self._unwritable() from error

    def _unwritable(self, why: str = "") -> StoreError:
        """The error of a folder that cannot be written to; ``why`` follows its name."""
        folder = self.path.parent
        return StoreError(
            f"Results cannot be written to {folder}{why}."
            " Choose another folder, or set DPLDA_CACHE."
        )


def default_folder() -> Path:
    """``sweeps`` in the cache folder."""
    return disk_cache.folder() / "sweeps"


def frame_of(rows: Mapping[int, Row]) -> "pd.DataFrame":
    """Make a tidy frame of rows in the order of their numbers; columns and types as in `Row`."""
    import pandas as pd  # imported here: a process that only computes cells does not need it

    pandas_name_by_type = {str: "str", float: "float64", int: "int64"}
    column_types = {
        field.name: pandas_name_by_type[field.type]
        for field in fields(Row)
        if isinstance(field.type, type)
    }
    records = [astuple(rows[cell_number]) for cell_number in sorted(rows)]
    frame = pd.DataFrame(records, columns=list(column_types))
    return frame.astype(column_types)


def _line(number: int, row: Row) -> bytes:
    content = json.dumps((number, *astuple(row))).encode()
    return b"%d %b" % (zlib.crc32(content), content)


def _row(line: bytes) -> tuple[int, Row] | None:
    """The number and the row of a line; None if it is not as it was written."""
    check, _, content = line.partition(b" ")
    if check != b"%d" % zlib.crc32(content):
        return None
    number, *values = json.loads(content)
    return number, Row(*values)
