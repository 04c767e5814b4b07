"""A release as one self-explanatory JSON file, with arrays as base64, no code and no pickles.

Its content depends only on noisy values that were charged and on public facts. Reading it imports
nothing that could read documents.
"""

import binascii
import hashlib
import json
from functools import lru_cache
from pathlib import Path

from dplda.core.errors import ReadError
from dplda.core.safe_open import file_name, opened
from dplda.release.artefact import SUFFIX as SUFFIX
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.file_checks import check_artefact
from dplda.release.artefact.file_format import (
    FORMAT,
    LARGEST_FILE,
    READABLE_VERSIONS,
    StoredFile,
    checksum_of,
)
from dplda.release.artefact.resumable import Parent
from dplda.release.artefact.stored_content import read_content, store_content, stored_evidence_check

FIX = "Choose a file that dplda release wrote."
GET_AGAIN = "Get the file again."
UNREADABLE = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    binascii.Error,
)
"""Faults of a file that is no release, as Python meets them."""


def write_release(artefact: Artefact) -> bytes:
    """Encode a release as the bytes of its file; the same release gives the same bytes.

    The file is JSON in UTF-8.
    The state, the check of the evidence, names, groups, hidden groups and seal are written only if
    the release has them.
    The state and the check have checksums of their own, which depend on that of the release.
    What people added (names, groups, hidden groups) and the seal are in no checksum.
    """
    stored_content = store_content(artefact)
    checksum = checksum_of(stored_content)
    stored_file: StoredFile = {
        "format": FORMAT,
        "version": artefact.version,
        "checksum": checksum,
        "release": stored_content,
    }
    stored_state = _stored_state(artefact)
    if stored_state is not None:
        stored_file["state"] = stored_state
        stored_file["state_checksum"] = checksum_of(stored_state, prefix=checksum)
    stored_check = stored_evidence_check(artefact)
    if stored_check is not None:
        stored_file["evidence_check"] = stored_check
        stored_file["evidence_check_checksum"] = checksum_of(stored_check, prefix=checksum)
    if any(artefact.names):
        stored_file["names"] = list(artefact.names)
    if any(artefact.groups):
        stored_file["groups"] = [list(group) for group in artefact.groups]
    if any(artefact.hidden):
        stored_file["hidden"] = [list(group) for group in artefact.hidden]
    if artefact.seal:
        stored_file["seal"] = artefact.seal
    return (json.dumps(stored_file, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()


def release_sha256(artefact: Artefact) -> str:
    """SHA-256 of the file of a release, in hexadecimal, to compare a file with the original."""
    return hashlib.sha256(write_release(artefact)).hexdigest()


@lru_cache(maxsize=4)  # by the artefact itself, whose file takes some ms to write
def parent_of(artefact: Artefact) -> Parent:
    """How a release that continues this one names it; names of topics do not matter."""
    return Parent(artefact.receipt_number, release_sha256(artefact.without_additions))


def read_release(file: bytes, name: str) -> Artefact:
    """Decode the release in a file, and check it.

    Args:
        file: content of the file.
        name: of the file, for errors.

    Raises:
        ReadError: the file is too large, not a release, of another version, damaged, or promises
            more than its noise keeps. Files are not signed, so nobody can tell whether that noise
            was drawn.
    """
    if len(file) > LARGEST_FILE:
        raise ReadError(name, f"is larger than {LARGEST_FILE:,} bytes", FIX)
    try:
        artefact = read_content(_load(file, name))
        check_artefact(artefact, name)
    except UNREADABLE:
        raise ReadError(name, "is not a complete release", FIX) from None
    return artefact


def read_release_file(path: Path) -> Artefact:
    """The release in a file on disk.

    Raises:
        ReadError: as in ``read_release``, or the file cannot be opened.
    """
    with opened(path) as file:
        content = file.read(LARGEST_FILE + 1)
    return read_release(content, file_name(path))


def _stored_state(artefact: Artefact) -> object:
    """The state that a continuation needs, as the file holds it; None without one."""
    if artefact.resumable is not None:
        return artefact.resumable.stored()
    return json.loads(artefact.older_state) if artefact.older_state else None


def _load(file: bytes, name: str) -> StoredFile:
    """Parse a file of a readable version, and check the checksums of the parts that it has.

    Raises:
        ReadError: it is no release, of another version, or damaged.
        KeyError, TypeError, ValueError: it is no JSON, or a key is missing.
    """
    stored_file: StoredFile = json.loads(file)
    json.dumps(stored_file, ensure_ascii=False).encode()  # half a character is no text
    if stored_file["format"] != FORMAT:
        raise ReadError(name, "is not a release", FIX)
    version: object = stored_file["version"]
    if type(version) is not int or version not in READABLE_VERSIONS:
        raise ReadError(
            name,
            "is a release of another version of dplda",
            "Use the version that the file names, or a newer one.",
        )
    if stored_file["checksum"] != checksum_of(stored_file["release"]):
        raise ReadError(name, "is damaged: its checksum does not match", GET_AGAIN)
    stored_state = stored_file.get("state")
    if stored_state is not None:
        state_checksum = checksum_of(stored_state, prefix=stored_file["checksum"])
        if stored_file["state_checksum"] != state_checksum:
            raise ReadError(name, "is damaged: the checksum of its state does not match", GET_AGAIN)
    stored_check = stored_file.get("evidence_check")
    if stored_check is not None:
        check_checksum = checksum_of(stored_check, prefix=stored_file["checksum"])
        if stored_file["evidence_check_checksum"] != check_checksum:
            raise ReadError(
                name, "is damaged: the checksum of its evidence does not match", GET_AGAIN
            )
    return stored_file
