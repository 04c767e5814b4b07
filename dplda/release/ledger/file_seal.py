"""Seals of released files: a keyed hash that tells a file of this folder from a forged one.

A checksum says that a file is whole, and anybody can make one. The seal needs the folder's key. It
covers the release and the state that a continuation needs, and leaves out what people add: names of
topics and their arrangement. Only the folder that made it can check it.

Files of before carry none. They are accepted where the ledger shows that their charge is as old: a
charge that says *sealed* never accepts a file without a seal, and the ledger's own hashes keep that
word from being taken out. To seal old files at the first write would not make them more certain, as
who forged one before would get its seal; and it would change their SHA-256, which receipts and
reports state and which names a release to those that continue it.
"""

from dataclasses import replace
from hmac import compare_digest

from dplda.core.errors import ReadError
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import parent_of
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.records.entry import LedgerEntry, noted_in

SEALED = "sealed"
"""Part of the detail of a charge whose file carries a seal."""


def sealed(artefact: Artefact, folder: Folder) -> Artefact:
    """A release with the seal of its folder."""
    return replace(artefact, seal=_seal_of(artefact, folder))


def is_sealed(artefact: Artefact, folder: Folder) -> bool:
    """Whether a release carries the seal of this folder, and nothing that it covers was changed."""
    return compare_digest(artefact.seal.encode(), _seal_of(artefact, folder).encode())


def is_authentic(artefact: Artefact, charge: LedgerEntry, folder: Folder) -> bool:
    """Whether a release is sealed, or as old as a charge from before files were sealed."""
    return is_sealed(artefact, folder) or (SEALED not in noted_in(charge) and not artefact.seal)


def check_authentic(
    artefact: Artefact, charge: LedgerEntry, folder: Folder, file_name: str
) -> None:
    """Refuse a file that is not the one that was released.

    Raises:
        ReadError: it was edited or forged.
    """
    if not is_authentic(artefact, charge, folder):
        raise ReadError(
            file_name,
            "is not the file that was released: it was edited or forged",
            "Restore it from a copy of the release folder.",
        )


def _seal_of(artefact: Artefact, folder: Folder) -> str:
    return folder.sign(b"released file", parent_of(artefact).sha256.encode())
