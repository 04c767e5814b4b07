"""The curator's folder: ledger, key and released files, which nobody else on this machine may open."""

import hmac
import os
import secrets
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from dplda.core.errors import DpldaError
from dplda.core.safe_open import home

VARIABLE = "DPLDA_RELEASES"
"""Environment variable that names another folder."""

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
KEY, LEDGER, TURN, ROOM = "key", "ledger.sqlite", "turn", ".room"
PATIENCE = 600.0  # seconds for another release to end


class FolderError(DpldaError):
    """The curator's folder cannot be used, in a sentence."""


class UnwrittenError(FolderError):
    """What was paid for found no place on the disk."""

    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(f"{name} was paid for and cannot be written: keep it elsewhere.")
        self.name, self.content = name, content


class Folder:
    """A folder of mode 0700 with a key of its own, made where there is none.

    Args:
        path: of the folder; None for ``DPLDA_RELEASES``, else ``dplda`` in ``XDG_DATA_HOME`` or ``~/.local/share``.

    Raises:
        FolderError: it cannot be made or written to, or others may open it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        try:
            self.path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            mode = stat.S_IMODE(self.path.stat().st_mode)
        except OSError as error:
            raise FolderError(f"The folder of releases cannot be used: {error.strerror}. Set {VARIABLE}.") from None
        if sys.platform != "win32" and mode & 0o077:
            raise FolderError(
                f"Others may open the folder of releases (its mode is {mode:o}). Close it to them: chmod 700."
            )
        self._key = self._own_key()

    def sign(self, *parts: bytes) -> str:
        """A keyed hash, in hexadecimal: it tells nothing to who lacks the key, and cannot be made without it."""
        digest = hmac.new(self._key, digestmod="sha256")
        for part in parts:
            digest.update(len(part).to_bytes(8, "little") + part)
        return digest.hexdigest()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One release at a time in all processes; whatever ends a process ends its turn.

        Raises:
            FolderError: another one took more than ten minutes.
        """
        path = self.path / TURN
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
            held = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        except (OSError, sqlite3.Error):
            raise FolderError("The folder of releases cannot be written to.") from None
        with closing(held):
            try:
                held.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error:
                raise FolderError("Another release from this folder is under way: try again when it is done.") from None
            yield

    def reserve(self, n_bytes: int) -> Path:
        """Takes room for a file that is not known yet; ``write`` uses it, else it is to be deleted.

        Raises:
            FolderError: there is not so much.
        """
        room = self.path / f".{secrets.token_hex(8)}{ROOM}"
        try:
            _create(room, bytes(n_bytes))
        except OSError as error:
            with suppress(OSError):
                room.unlink()
            raise FolderError(
                f"There is no room of {n_bytes:,} bytes in the folder of releases: {error.strerror}."
            ) from None
        return room

    def rooms(self) -> list[Path]:
        """Left by those who were killed: empty ones, and files that were written but had no name yet."""
        return list(self.path.glob(f".*{ROOM}"))

    def write(self, name: str, content: bytes, *, room: Path | None = None) -> Path:
        """Write a file of mode 0600, whole or not at all, and on the disk before this returns.

        Raises:
            FolderError: there is no room, or no right to write.
        """
        target = self.path / name
        part = room or self.path / f".{secrets.token_hex(8)}.part"
        try:
            _create(part, content, anew=room is None)
            os.replace(part, target)
            _sync_folder(self.path)
        except OSError as error:
            with suppress(OSError):
                part.unlink()
            raise FolderError(f"{name} cannot be written: {error.strerror}.") from None
        return target

    def _own_key(self) -> bytes:
        """The key in its file, which is made once; of two processes that make one, both read the first."""
        path, signed = self.path / KEY, (self.path / LEDGER).exists()  # in this order: a key is made before a ledger
        try:
            if not path.exists():
                if signed:
                    raise FolderError("The key of the ledger is gone: restore it, or begin another folder.")
                part = self.path / f".{secrets.token_hex(8)}.part"
                _create(part, secrets.token_bytes(32))
                with suppress(FileExistsError):
                    os.link(part, path)
                part.unlink()
                _sync_folder(self.path)
            key = path.read_bytes()
        except OSError as error:
            raise FolderError(f"The key of the folder of releases cannot be used: {error.strerror}.") from None
        if len(key) != 32:
            raise FolderError("The key of the folder of releases is damaged: restore it, or begin another folder.")
        return key


def default_path() -> Path:
    """Where the folder is unless said otherwise."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_DATA_HOME") or home() / ".local" / "share") / "dplda"


def _create(path: Path, content: bytes, *, anew: bool = True) -> None:
    descriptor = os.open(path, os.O_WRONLY | (os.O_CREAT | os.O_EXCL if anew else 0), PRIVATE_FILE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return  # Windows has no such thing
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
