"""The release folder: ledger, key and released files, closed to other users of this machine."""

import hmac
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dplda.core.file_lock import locked
from dplda.core.safe_open import home
from dplda.release.artefact import SHARES_SUFFIX, SUFFIX
from dplda.release.ledger.records.private_files import (
    PRIVATE_FILE,
    PRIVATE_FOLDER,
    overwrite,
    put,
    put_first,
    remove_parts,
    sync_folder,
    write_new,
)
from dplda.release.ledger.records.refusals import (
    RESTORE,
    STAY,
    FolderError,
    UnwrittenError,
    fix_of,
)

__all__ = [
    "HEAD",
    "JOURNAL",
    "KEY",
    "LEDGER",
    "PRIVATE_FILE",
    "PRIVATE_FOLDER",
    "RESTORE",
    "ROOM",
    "SHARES_SUFFIX",
    "STAY",
    "SUFFIX",
    "TURN",
    "VARIABLE",
    "Folder",
    "FolderError",
    "UnwrittenError",
    "default_path",
]

VARIABLE = "DPLDA_RELEASES"
"""Environment variable that names another folder."""

KEY = "key"
LEDGER = "ledger.sqlite"
HEAD = "head"
TURN = "turn"
LOG = f"{LEDGER}-wal"
ROOM = ".room"
JOURNAL = ".journal"
PATIENCE = 600.0  # seconds for another release to end
EVERY = 0.05  # seconds between two looks whether it has
_RECEIPT_FILE = re.compile(
    r"([0-9a-f]{32}|[0-9a-f]{64})"
    rf"({re.escape(SUFFIX)}|{re.escape(SHARES_SUFFIX)}|{re.escape(JOURNAL)})"
)


class Folder:
    """A folder of mode 0700 with its own key, created if missing.

    Args:
        path: default: ``DPLDA_RELEASES``, else ``dplda`` in ``XDG_DATA_HOME`` or
            ``~/.local/share``.

    Raises:
        FolderError: it cannot be created or written to, or other users can open it.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Create the folder if it is missing, and read or draw its key.

        Raises:
            FolderError: other users can open it (not checked on Windows), or it or its key cannot
                be used.
        """
        self.path = path or default_path()
        try:
            self.path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            mode = stat.S_IMODE(self.path.stat().st_mode)
        except OSError as error:
            raise FolderError(
                f"The release folder {self.path} cannot be used: {error.strerror}."
                f" {fix_of(error)} Only"
                f" if you never released anything, set {VARIABLE} to a folder of your own."
            ) from None
        if sys.platform != "win32" and mode & 0o077:
            raise FolderError(
                f"Other users can open the release folder (mode {mode:o}). Run: chmod 700"
                f" {self.path}"
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
        """Wait for the folder's turn, and hold it: one release at a time across processes.

        A process that dies gives up its turn.

        Args:
            patience: seconds to wait.

        Raises:
            FolderError: another release took longer than ``patience``, or the file of the turn
                cannot be opened.
        """
        descriptor = self._open_turn()
        give_up_at = time.monotonic() + patience
        try:
            while True:
                with locked(descriptor) as is_mine:
                    if is_mine:
                        yield
                        return
                if time.monotonic() >= give_up_at:
                    raise FolderError("Another release is under way. Try again when it is done.")
                time.sleep(EVERY)
        finally:
            os.close(descriptor)

    def _open_turn(self) -> int:
        """Open the file whose lock is the folder's turn, and create it if missing.

        Its content does not matter. A link is not followed.

        Raises:
            FolderError: it cannot be opened, or is no regular file.
        """
        turn_path = self.path / TURN
        flags = os.O_RDWR | os.O_CREAT
        # neither a link nor a pipe keeps anyone waiting
        for flag_name in ("O_NOFOLLOW", "O_NONBLOCK"):
            flags |= getattr(os, flag_name, 0)
        try:
            descriptor = os.open(turn_path, flags, PRIVATE_FILE)
        except OSError as error:
            advice = fix_of(error, f"Remove {turn_path}, which has to be a file.")
            raise FolderError(
                f"The release folder cannot be written to: {error.strerror}. {advice}"
            ) from None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise FolderError(f"{turn_path} is no file. Remove it, and try again.")
        return descriptor

    def reserve(self, n_bytes: int) -> Path:
        """Write a file of zeros, to reserve room on the disk, and return its path.

        The caller passes it to ``write``, or deletes it.

        Raises:
            FolderError: the disk is too full.
        """
        reserved_path = self.path / f".{secrets.token_hex(8)}{ROOM}"
        try:
            write_new(reserved_path, bytes(n_bytes))
        except OSError as error:
            with suppress(OSError):
                reserved_path.unlink()
            raise FolderError(
                f"The release folder has no room for {n_bytes:,} bytes: {error.strerror}."
                f" {fix_of(error)}"
            ) from None
        return reserved_path

    def fill(self, room: Path, content: bytes) -> None:
        """Put a file in its room, without a name yet.

        Args:
            room: as ``reserve`` gave it.
            content: of the file.

        Raises:
            FolderError: the folder is not writable.
        """
        try:
            overwrite(room, content)
        except OSError as error:
            raise FolderError(
                f"A release cannot be kept: {error.strerror}. {fix_of(error)}"
            ) from None

    def rooms(self) -> list[Path]:
        """Reserved files that killed processes left: empty, or releases without a name yet."""
        return list(self.path.glob(f".*{ROOM}"))

    def has_file_of(self, receipt_number: str) -> bool:
        """Whether the release or the table of shares that a charge paid for is in the folder."""
        names = (f"{receipt_number}{suffix}" for suffix in (SUFFIX, SHARES_SUFFIX))
        return any((self.path / name).exists() for name in names)

    def files_of_charges(self) -> dict[str, str]:
        """Names of released files and journals, sorted, each with its receipt number.

        A journal without any answer is left out: it is made before its charge.
        """
        with os.scandir(self.path) as files:
            matches_by_name = {file.name: _RECEIPT_FILE.fullmatch(file.name) for file in files}
        return {
            file_name: match[1]
            for file_name, match in sorted(matches_by_name.items())
            if match is not None and not (match[2] == JOURNAL and self._is_empty(file_name))
        }

    def write(self, name: str, content: bytes, *, room: Path | None = None) -> Path:
        """Write a file of mode 0600, in the place of an old one, whole or not at all.

        It is safely on the disk when this returns.

        Args:
            name: of the file.
            content: of the file.
            room: file reserved for it, which becomes the file, and is deleted if that fails; None
                for none.

        Raises:
            FolderError: the disk is full or the folder not writable.
        """
        target_path = self.path / name
        try:
            if room is None:
                put(target_path, content)
            else:
                overwrite(room, content)
                os.replace(room, target_path)
                sync_folder(self.path)
        except OSError as error:
            if room is not None:
                room.unlink(missing_ok=True)
            raise FolderError(
                f"{name} cannot be written: {error.strerror}. {fix_of(error)}"
            ) from None
        return target_path

    def has_ledger(self) -> bool:
        """Whether there is a file of the ledger.

        Raises:
            FolderError: it is gone, while its head, its log, a released file or a journal remains.
        """
        # These are checked first: the ledger is written before them.
        remaining_file = self._remains((HEAD, LOG))
        if (self.path / LEDGER).exists():
            return True
        if remaining_file:
            raise FolderError(f"The ledger is missing, while {remaining_file} is there. {RESTORE}")
        return False

    def make_ledger(self) -> None:
        """Make an empty file of mode 0600 for the ledger, if there is none.

        It is never opened under its own name: to close it would end the locks that SQLite holds on
        it for other threads of this process.

        Raises:
            FolderError: the ledger is gone while its head, log or releases remain (``has_ledger``),
                or the folder cannot be written to.
        """
        if self.has_ledger():
            return
        try:
            put_first(self.path / LEDGER, b"")
        except OSError as error:
            raise FolderError(
                f"The ledger cannot be written: {error.strerror}. {fix_of(error)}"
            ) from None

    def remove_parts(self) -> None:
        """Remove what killed processes had begun to write; files being written are locked."""
        remove_parts(self.path)

    def _is_empty(self, name: str) -> bool:
        with suppress(FileNotFoundError):
            return (self.path / name).lstat().st_size == 0
        return True

    def _remains(self, names: tuple[str, ...]) -> str:
        """The name of one of these files, or of a released file or a journal, that is there.

        A folder in use has one. Empty if there is none.
        """
        present = [name for name in names if (self.path / name).exists()]
        return next(iter((*present, *self.files_of_charges())), "")

    def sync(self) -> None:
        """Put names of new files on the disk."""
        sync_folder(self.path)

    def _own_key(self) -> bytes:
        """Read the key from its file; make the file if there is none.

        If two processes make one, both read the first.

        Raises:
            FolderError: it is damaged, cannot be used, or is missing while the ledger, its head,
                its log, a released file or a journal is there.
        """
        key_path = self.path / KEY
        try:
            # These are checked first: the key is written before them.
            remaining_file = self._remains((LEDGER, HEAD, LOG))
            if not key_path.exists():
                if remaining_file:
                    raise FolderError(
                        f"The ledger's key is missing, while {remaining_file} is there. {RESTORE}"
                    )
                put_first(key_path, secrets.token_bytes(32))
            key = key_path.read_bytes()
        except OSError as error:
            raise FolderError(
                f"The ledger's key cannot be used: {error.strerror}. {fix_of(error)}"
            ) from None
        if len(key) != 32:
            raise FolderError(f"The ledger's key is damaged. {RESTORE}")
        return key


def default_path() -> Path:
    """The default release folder."""
    usual = Path(os.environ.get("XDG_DATA_HOME") or home() / ".local" / "share") / "dplda"
    return Path(os.environ.get(VARIABLE) or usual)
