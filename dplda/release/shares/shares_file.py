"""A released table of shares as one self-explanatory JSON file."""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from hmac import compare_digest
from pathlib import Path
from typing import NotRequired, TypedDict

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError, ReadError
from dplda.core.safe_open import file_name, opened
from dplda.core.types import Matrix
from dplda.corpus import Selection
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.methods.shares.share_result import SELECTED_GROUPS_SENTENCE, TopicShares
from dplda.methods.shares.topic_shares import GROUPS_SENTENCE, TOPICS_SENTENCE
from dplda.privacy.accounting import gaussian
from dplda.privacy.adjacency import Adjacency, Assumption
from dplda.privacy.release import Caveat, Guarantee, Status
from dplda.privacy.word_selection.thresholds import selection_thresholds
from dplda.release.artefact.file_format import (
    StoredArray,
    checksum_of,
    decode_array,
    encode_array,
)
from dplda.release.artefact.released_file import UNREADABLE
from dplda.release.ledger.folder import SHARES_SUFFIX as SHARES_SUFFIX
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import PERSON

FORMAT = "dplda topic shares"
VERSION = 1
VERSION_WITH_SELECTION = 2  # of a table whose groups were chosen privately
LARGEST_FILE = 20_000_000  # bytes
BYTES_OF_NUMBER = 11  # eight, as base64
BYTES_OF_LABEL = 1_000  # of both axes, in JSON's ASCII
BYTES_OF_TEXTS = 2**14  # everything else
FIX = "Choose a file that dplda shares wrote."
ASK_OWNER = "Do not trust it. Ask its owner for the original."
SENSITIVITY = math.sqrt(2)
SELECTED_AXIS = 0  # the one whose groups may have been chosen by size
ROUNDED_MU = 1e-9  # relative error allowed in the noise
_RECEIPT_NUMBER = re.compile("[0-9a-f]{32}")
_SHA256 = re.compile("[0-9a-f]{64}")
_EXACT = (
    "The noise is drawn exactly, from the operating system's random numbers, onto sums of whole"
    " numbers."
)


class StoredAxis(TypedDict):
    """One list of groups in the file, and the column of their labels."""

    column: str
    kind: str
    groups: list[str]
    ordered: bool


class StoredTopics(TypedDict):
    """The release whose topics were used."""

    charge: str
    sha256: str


class StoredGroupSelection(TypedDict):
    """The choice of groups by size."""

    n_groups: int
    epsilon: float
    delta: float


class StoredShares(TypedDict):
    """A table in the file, under the names that are part of the format."""

    documents: str
    n_units: int
    protected: str
    topics: StoredTopics
    axes: list[StoredAxis]
    table: StoredArray
    noise_std: float
    sensitivity: float
    epsilon: float
    delta: float
    in_words: str
    rests_on: list[str]
    seen: list[str]
    charge: str
    released: str
    versions: dict[str, str]
    selected: NotRequired[StoredGroupSelection]


class AxisKind(StrEnum):
    """How labels are made of a column."""

    GROUP = "group"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class AxisSource:
    """Where the labels of an axis come from.

    Attributes:
        column: name of the column that holds them.
        kind: whether its cells are labels, or dates whose month or year counts.
    """

    column: str
    kind: AxisKind = AxisKind.GROUP


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReleasedShares:
    """A released table of shares.

    Attributes:
        documents: public name of the documents.
        n_units: N of documents, or of persons where they are protected.
        unit: what is protected: a ``document`` or a ``person``.
        parent_receipt: receipt number of the release whose topics were used.
        parent_sha256: SHA-256 of that release, without names of topics.
        groups: the lists of groups.
        sources: columns of the labels, for each axis.
        noisy_table: documents (or persons) by group and topic, with noise, (G, k).
        noise_std: standard deviation of the noise of every cell.
        epsilon: ε of the table, with the choice of its groups.
        delta: δ of both.
        caveats: what had been seen of the documents.
        receipt_number: of the charge that paid for it; it names the file.
        released_at: when, in UTC, ISO 8601.
        versions: of the programs that drew it, by name.
        selection: how groups were chosen privately by size; None for public lists.
        seal: keyed hash by the folder that made it, in hexadecimal.
    """

    documents: str
    n_units: int
    unit: str
    parent_receipt: str
    parent_sha256: str
    groups: Groups
    sources: tuple[AxisSource, ...]
    noisy_table: Matrix
    noise_std: float
    epsilon: float
    delta: float
    caveats: tuple[Caveat, ...]
    receipt_number: str
    released_at: str
    versions: Mapping[str, str]
    selection: Selection | None = None
    seal: str = ""

    @property
    def groups_sentence(self) -> str:
        """Say how the groups were chosen, beforehand or by size; the guarantee rests on it."""
        return GROUPS_SENTENCE if self.selection is None else SELECTED_GROUPS_SENTENCE

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of the table alone, as the numbers in the file give it."""
        protects_persons = self.unit == PERSON
        neighbors_sentence = Assumption.NEIGHBOURS.sentence_for(self.unit, selected=False)
        return Guarantee(
            mechanism=Status.PROVEN,
            claimed_epsilon=self.epsilon,
            claimed_delta=self.delta,
            caveats=self.caveats,
            adjacency=Adjacency.REPLACE_PERSON if protects_persons else Adjacency.REPLACE_ONE,
            rests_on=(neighbors_sentence, self.groups_sentence, TOPICS_SENTENCE, _EXACT),
            releasable=True,
            is_gaussian=True,
        )

    def topic_shares(self, topics_guarantee: Guarantee | None = None) -> TopicShares:
        """The shares with the tables that the noisy one leaves possible.

        Args:
            topics_guarantee: of the parent; None if it is not at hand.
        """
        return TopicShares.from_table(
            self.noisy_table,
            self.noise_std,
            self.groups,
            self.guarantee,
            topics_guarantee=topics_guarantee,
        )


def max_shares_bytes(n_rows: int, n_topics: int) -> int:
    """An upper bound on the size of a file."""
    return n_rows * (n_topics * BYTES_OF_NUMBER + BYTES_OF_LABEL) + BYTES_OF_TEXTS


def write_shares(shares: ReleasedShares) -> bytes:
    """Encode a table as the bytes of its file; the same table gives the same bytes.

    A sealed table's file also says its risk in words.
    """
    stored_shares = _stored(shares)
    stored_file = {
        "format": FORMAT,
        "version": _version_of(stored_shares),
        "checksum": checksum_of(stored_shares),
        "shares": stored_shares,
        "seal": shares.seal,
    }
    if shares.seal:  # outside what is hashed, so that older files keep their SHA-256
        stored_file["risk"] = shares.guarantee.describe_risk()
    return (json.dumps(stored_file, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()


def shares_sha256(shares: ReleasedShares) -> str:
    """SHA-256 of a table's file without its seal, in hexadecimal."""
    return hashlib.sha256(write_shares(replace(shares, seal=""))).hexdigest()


def sealed_shares(shares: ReleasedShares, folder: Folder) -> ReleasedShares:
    """A table with the seal of its folder."""
    return replace(shares, seal=_seal_of(shares, folder))


def check_shares_seal(shares: ReleasedShares, folder: Folder, name: str) -> None:
    """Refuse a file that this folder did not write, or that was edited.

    Raises:
        ReadError: its seal is missing or wrong.
    """
    if not compare_digest(shares.seal.encode(), _seal_of(shares, folder).encode()):
        raise ReadError(
            name,
            "is not the file that was released: it was edited or forged",
            "Restore it from a copy of the release folder.",
        )


def read_shares(file: bytes, name: str) -> ReleasedShares:
    """The table in a file; its seal is read, but not checked.

    Args:
        file: content of the file.
        name: of the file, for errors.

    Raises:
        ReadError: it is no such file, above ``LARGEST_FILE`` bytes, or of another version than its
            shares need. Or its checksum does not match, or it promises more than its noise keeps.
    """
    if len(file) > LARGEST_FILE:
        raise ReadError(name, f"is larger than {LARGEST_FILE:,} bytes", FIX)
    try:
        stored_file = json.loads(file)
        json.dumps(stored_file, ensure_ascii=False).encode()
        if stored_file["format"] != FORMAT:
            raise ReadError(name, "is not a table of topic shares", FIX)
        version = stored_file["version"]
        if type(version) is not int or version != _version_of(stored_file["shares"]):
            raise ReadError(
                name, "is of another version of dplda", "Use the version that wrote it."
            )
        if stored_file["checksum"] != checksum_of(stored_file["shares"]):
            raise ReadError(name, "is damaged: its checksum does not match", "Get the file again.")
        share_table = _read_content(stored_file["shares"], stored_file["seal"])
        is_complete = _is_complete(share_table)
    except (*UNREADABLE, InputError):
        raise ReadError(name, "is not a complete table of topic shares", FIX) from None
    if not is_complete:
        raise ReadError(name, "is not a complete table of topic shares", FIX)
    if not _has_enough_noise(share_table):
        raise ReadError(name, "promises more than its noise keeps", ASK_OWNER)
    return share_table


def read_shares_file(path: Path) -> ReleasedShares:
    """The table in a file on disk.

    Raises:
        ReadError: as in ``read_shares``, or the file cannot be opened.
    """
    with opened(path) as file:
        content = file.read(LARGEST_FILE + 1)
    return read_shares(content, file_name(path))


def _seal_of(shares: ReleasedShares, folder: Folder) -> str:
    return folder.sign(b"released shares", shares_sha256(shares).encode())


def _version_of(content: StoredShares) -> int:
    """Version of the file: one that earlier programs read, unless groups were chosen."""
    return VERSION_WITH_SELECTION if "selected" in content else VERSION


def _stored(shares: ReleasedShares) -> StoredShares:
    """Build the dictionary that a file holds under ``shares``, without the seal.

    The key ``selected`` is there only if groups were chosen by size.
    """
    axes: list[StoredAxis] = [
        {
            "column": axis_source.column,
            "kind": axis_source.kind.value,
            "groups": list(axis.labels),
            "ordered": axis.is_ordered,
        }
        for axis_source, axis in zip(shares.sources, shares.groups.axes, strict=True)
    ]
    stored_shares: StoredShares = {
        "documents": shares.documents,
        "n_units": shares.n_units,
        "protected": shares.unit,
        "topics": {"charge": shares.parent_receipt, "sha256": shares.parent_sha256},
        "axes": axes,
        "table": encode_array(shares.noisy_table),
        "noise_std": shares.noise_std,
        "sensitivity": SENSITIVITY,
        "epsilon": shares.epsilon,
        "delta": shares.delta,
        "in_words": shares.guarantee.in_words(),
        "rests_on": list(shares.guarantee.rests_on),
        "seen": [caveat.name for caveat in shares.caveats],
        "charge": shares.receipt_number,
        "released": shares.released_at,
        "versions": dict(shares.versions),
    }
    selection = shares.selection
    if selection is not None:
        stored_shares["selected"] = {
            "n_groups": selection.n_words,
            "epsilon": selection.epsilon,
            "delta": selection.delta,
        }
    return stored_shares


def _read_content(content: StoredShares, seal: object) -> ReleasedShares:
    """Decode a table; whether its parts fit each other is not checked here.

    Raises:
        KeyError, TypeError, ValueError, InputError: something is missing or of another kind.
    """
    axes = []
    sources = []
    stored_selection = content.get("selected")
    selection = None
    if stored_selection is not None:
        selection = Selection(
            int(stored_selection["n_groups"]),
            float(stored_selection["epsilon"]),
            float(stored_selection["delta"]),
        )
    for axis_index, stored_axis in enumerate(content["axes"]):
        is_selected = selection is not None and axis_index == SELECTED_AXIS
        axis_labels = tuple(stored_axis["groups"])
        axes.append(GroupAxis(axis_labels, bool(stored_axis["ordered"]), is_selected))
        sources.append(AxisSource(str(stored_axis["column"]), AxisKind(stored_axis["kind"])))
    unit = str(content["protected"])
    return ReleasedShares(
        documents=str(content["documents"]),
        n_units=int(content["n_units"]),
        unit=unit,
        parent_receipt=content["topics"]["charge"],
        parent_sha256=content["topics"]["sha256"],
        groups=Groups(tuple(axes)),
        sources=tuple(sources),
        noisy_table=decode_array(content["table"], 2),
        noise_std=float(content["noise_std"]),
        epsilon=float(content["epsilon"]),
        delta=float(content["delta"]),
        caveats=tuple(Caveat[caveat_name] for caveat_name in content["seen"]),
        receipt_number=content["charge"],
        released_at=str(content["released"]),
        versions={
            str(library): str(library_version)
            for library, library_version in content["versions"].items()
        },
        selection=selection,
        seal=str(seal),
    )


def _is_complete(shares: ReleasedShares) -> bool:
    """Whether a table is well formed, as ``write_shares`` writes it.

    Its unit is known, its table finite and of a row for each group, its numbers are positive, δ is
    in its range, and receipt numbers and hash have their form.
    """
    guarantee_numbers = (shares.noise_std, shares.epsilon, shares.delta)
    return (
        shares.unit in ("document", PERSON)
        and shares.n_units >= 1
        and shares.noisy_table.ndim == 2
        and shares.noisy_table.shape[0] == shares.groups.n_rows
        and shares.noisy_table.shape[1] >= 1
        and bool(np.all(np.isfinite(shares.noisy_table)))
        and all(
            math.isfinite(guarantee_number) and guarantee_number > 0
            for guarantee_number in guarantee_numbers
        )
        and shares.delta < checks.TOO_LARGE
        and _RECEIPT_NUMBER.fullmatch(shares.receipt_number) is not None
        and _RECEIPT_NUMBER.fullmatch(shares.parent_receipt) is not None
        and _SHA256.fullmatch(shares.parent_sha256) is not None
    )


def _has_enough_noise(shares: ReleasedShares) -> bool:
    """Whether the noise of a table, and of the choice of groups, suffices for its ε and δ."""
    mu = SENSITIVITY / shares.noise_std * (1 - ROUNDED_MU)
    if shares.selection is None:
        return gaussian.delta_of(shares.epsilon, mu) <= shares.delta
    thresholds = selection_thresholds(shares.selection)
    total_mu = gaussian.compose([thresholds.mu, mu]) * (1 - ROUNDED_MU)
    delta = gaussian.delta_of(shares.epsilon, total_mu) + thresholds.selection_failure
    return delta <= shares.delta
