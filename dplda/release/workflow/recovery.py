"""Recovery after a kill: complete files get their names, and room that was reserved is freed."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

from dplda.core.errors import ReadError
from dplda.release.artefact.released_file import SUFFIX, read_release_file
from dplda.release.ledger.file_seal import is_authentic, is_sealed
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.ledger.records.entry import LedgerEntry, receipt_of
from dplda.release.workflow.journal.progress import (
    progress_of,
    remove_outlived,
    remove_uncharged,
)


def recover_interrupted(folder: Folder, given_up: Collection[str] = ()) -> None:
    """Name files that were complete but for error bars at a kill, and free other room.

    A file whose request finishes it, with error bars, has no name until then. A file that carries
    the folder's seal is named even if the ledger has no charge for it. The ledger is an older copy
    then, and its next entry is refused for that name. Journals of files that have their name are
    deleted, and so are empty ones without a charge. Whoever calls this has the turn.

    Args:
        folder: the release folder.
        given_up: receipt numbers of releases that are not finished any more.
    """
    rooms = folder.rooms()
    charges = {receipt_of(entry): entry for entry in Ledger(folder).entries()} if rooms else {}
    for room in rooms:
        with suppress(OSError):
            _recover_room(room, charges, folder, given_up)
    remove_outlived(folder)
    remove_uncharged(folder)


def _recover_room(
    room: Path,
    charges: Mapping[str | None, LedgerEntry],
    folder: Folder,
    given_up: Collection[str],
) -> None:
    """Rename a complete release in a reserved file, leave it for its request, or delete the file.

    It gets its own name if no request can finish its charge. The file is deleted if it holds no
    complete new release of this folder.

    Args:
        room: file reserved for a release, complete or not.
        charges: entries of the ledger by receipt number.
        folder: the release folder.
        given_up: receipt numbers of charges that no request will finish.
    """
    release_name = _name_of_room(room, charges, folder)
    if release_name is None:
        room.unlink()
        return
    receipt_number = release_name.removesuffix(SUFFIX)
    charge = charges.get(receipt_number)
    if receipt_number in given_up or not _can_be_finished(charge, folder):
        room.replace(folder.path / release_name)


def _name_of_room(
    room: Path, charges: Mapping[str | None, LedgerEntry], folder: Folder
) -> str | None:
    """The name for a complete release in a reserved file; None if it holds none.

    None also for a release that the folder has already, or that has neither its seal nor an
    authentic charge.
    """
    try:
        artefact = read_release_file(room)
    except ReadError:
        return None
    release_name = artefact.receipt_number + SUFFIX
    charge = charges.get(artefact.receipt_number)
    was_made_here = is_sealed(artefact, folder) or (
        charge is not None and is_authentic(artefact, charge, folder)
    )
    if not was_made_here or (folder.path / release_name).exists():
        return None
    return release_name


def _can_be_finished(charge: LedgerEntry | None, folder: Folder) -> bool:
    progress = None if charge is None else progress_of(charge, folder)
    return progress is not None and progress.can_be_finished
