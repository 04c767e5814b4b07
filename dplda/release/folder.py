"""The release folder: ledger, key and released files, closed to other users of this machine."""

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
    """The release folder cannot be used."""


class UnwrittenError(FolderError):
    """A release that was paid for but could not be saved."""

    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(
            f"{name} was paid for, but the release folder cannot take it. Save it elsewhere now."
        )
        self.name, self.content = name, content


class Folder:
    """A folder of mode 0700 with its own key, created if missing.

    Args:
        path: default: ``DPLDA_RELEASES``, else ``dplda`` in ``XDG_DATA_HOME`` or ``~/.local/share``.

    Raises:
        FolderError: it cannot be created or written to, or other users can open it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        try:
            self.path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            mode = stat.S_IMODE(self.path.stat().st_mode)
        except OSError as error:
            raise FolderError(
                f"The release folder cannot be used: {error.strerror}. Set {VARIABLE} to another."
            ) from None
        if sys.platform != "win32" and mode & 0o077:
            raise FolderError(
                f"Other users can open the release folder (mode {mode:o}). Run: chmod 700 {self.path}"
            )
        self._key = self._own_key()

    def sign(self, *parts: bytes) -> str:
        """A keyed hash, in hexadecimal: without the key it says nothing and cannot be made."""
        digest = hmac.new(self._key, digestmod="sha256")
        for part in parts:
            digest.update(len(part).to_bytes(8, "little") + part)
        return digest.hexdigest()

    @contextmanager
    def turn(self, patience: float = PATIENCE) -> Iterator[None]:
        """One release at a time across processes; a process that dies gives up its turn.

        Raises:
            FolderError: another release took longer than ``patience``.
        """
        path = self.path / TURN
        try:
            path.touch(
                PRIVATE_FILE
            )  # not opened where it exists: to close it would end this process's own turn
            held = sqlite3.connect(path, timeout=patience, isolation_level=None)
        except (OSError, sqlite3.Error):
            raise FolderError(
                "The release folder cannot be written to. Check its permissions."
            ) from None
        with closing(held):
            try:
                held.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error:
                raise FolderError(
                    "Another release is under way. Try again when it is done."
                ) from None
            yield

    def reserve(self, n_bytes: int) -> Path:
        """Reserve room for a file to come; ``write`` uses it, otherwise delete it.

        Raises:
            FolderError: the disk is too full.
        """
        room = self.path / f".{secrets.token_hex(8)}{ROOM}"
        try:
            _create(room, bytes(n_bytes))
        except OSError as error:
            with suppress(OSError):
                room.unlink()
            raise FolderError(
                f"The release folder has no room for {n_bytes:,} bytes: {error.strerror}."
            ) from None
        return room

    def fill(self, room: Path, content: bytes) -> None:
        """Put a file in its room, without a name yet.

        Raises:
            FolderError: the folder is not writable.
        """
        try:
            _create(room, content, anew=False)
        except OSError as error:
            raise FolderError(f"A release cannot be kept: {error.strerror}.") from None

    def rooms(self) -> list[Path]:
        """Reserved files that killed processes left: empty ones, and releases without a name yet."""
        return list(self.path.glob(f".*{ROOM}"))

    def write(self, name: str, content: bytes, *, room: Path | None = None) -> Path:
        """Write a file of mode 0600, whole or not at all, safely on the disk when this returns.

        Raises:
            FolderError: the disk is full or the folder not writable.
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
        """The key in its file, made once; if two processes make one, both read the first."""
        signed = (
            self.path / LEDGER
        ).exists()  # looked for first, because a key is made before a ledger
        path = self.path / KEY
        try:
            if not path.exists():
                if signed:
                    raise FolderError(
                        f"The ledger's key is missing. Restore it, or set {VARIABLE} to a new folder."
                    )
                part = self.path / f".{secrets.token_hex(8)}.part"
                _create(part, secrets.token_bytes(32))
                with suppress(FileExistsError):
                    os.link(part, path)
                part.unlink()
                _sync_folder(self.path)
            key = path.read_bytes()
        except OSError as error:
            raise FolderError(f"The ledger's key cannot be used: {error.strerror}.") from None
        if len(key) != 32:
            raise FolderError(
                f"The ledger's key is damaged. Restore it, or set {VARIABLE} to a new folder."
            )
        return key


def default_path() -> Path:
    """The default release folder."""
    usual = Path(os.environ.get("XDG_DATA_HOME") or home() / ".local" / "share") / "dplda"
    return Path(os.environ.get(VARIABLE) or usual)


def _create(path: Path, content: bytes, *, anew: bool = True) -> None:
    descriptor = os.open(path, os.O_WRONLY | (os.O_CREAT | os.O_EXCL if anew else 0), PRIVATE_FILE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return  # Windows has no such flag
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
