"""The format of a released file: names as they are written, arrays as base64, and checksums.

The names here are part of the format. They stay as they are, whatever the code calls its fields.
"""

import base64
import hashlib
import json
from typing import NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

FORMAT = "dplda release"
VERSION = 2
"""Version of the format that is written today."""

READABLE_VERSIONS = (VERSION, 1)
"""Versions that are read; each is written again as it was."""

LARGEST_FILE = 500_000_000  # bytes
LARGEST_WORD = 200  # characters
NUMBERS = "<f8"


class StoredArray(TypedDict):
    """An array in the file: its shape, and eight bytes for each number, as base64."""

    shape: list[int]
    float64: str


class StoredValue(TypedDict):
    """Facts about one noisy value."""

    quantity: str
    shape: list[int]
    mechanism: str
    sensitivity: float
    scale: float
    mu: float
    times: int


class StoredEvidence(TypedDict):
    """Gain of topics over word frequencies."""

    explained: float
    noise: float
    length: float
    length_noise: float
    by_topic: list[float]
    topic_noise: float


class StoredEvidenceCheck(TypedDict):
    """Evidence compared with runs on simulated documents, which read this file's numbers alone."""

    significant: bool
    supported: list[int]
    optimism: float
    optimism_error: float


class StoredPriorUse(TypedDict):
    """Whether a public table was tested and used, and what the test said."""

    name: str
    digest: str
    asked: bool
    used: bool
    stepped: bool
    advantage: NotRequired[float]


class StoredGuarantee(TypedDict):
    """The guarantee; ``seen`` names caveats, and is left out where there are none."""

    epsilon: float
    delta: float
    protected: str
    in_words: str
    rests_on: list[str]
    seen: NotRequired[list[str]]


class StoredGain(TypedDict, total=False):
    """Evidence, or an array of older files; a file has one of them."""

    told_apart: StoredArray | None
    evidence: StoredEvidence


class StoredPrior(TypedDict, total=False):
    """Topics of a public table, and what became of it; left out where there is none."""

    brought: StoredArray
    table: StoredPriorUse


class StoredContent(StoredGain, StoredPrior):
    """The release itself, which the checksum covers."""

    documents: str
    n_documents: int
    method: str
    alpha0: float
    n_topics: int
    vocabulary: list[str]
    words: StoredArray | None
    mean_words: StoredArray | None
    shares: StoredArray | None
    lower: NotRequired[StoredArray | None]
    upper: NotRequired[StoredArray | None]
    drawn: list[StoredValue]
    promise: StoredGuarantee
    charge: str
    released: str
    versions: dict[str, str]


class StoredFile(TypedDict):
    """The whole file: the release, the state that a continuation needs, and what people added.

    The state and the check of the evidence lie beside the release, so that versions without them
    read the file.
    """

    format: str
    version: int
    checksum: str
    release: StoredContent
    state: NotRequired[object]
    state_checksum: NotRequired[str]
    evidence_check: NotRequired[StoredEvidenceCheck]
    evidence_check_checksum: NotRequired[str]
    names: NotRequired[list[str | None]]
    groups: NotRequired[list[list[int]]]
    hidden: NotRequired[list[list[int]]]
    seal: NotRequired[str]


def encode_array(array: NDArray[np.float64]) -> StoredArray:
    """An array as it is written."""
    content = np.ascontiguousarray(array, dtype=NUMBERS).tobytes()
    return {"shape": list(array.shape), "float64": base64.b64encode(content).decode("ascii")}


def decode_array(stored_array: StoredArray, n_axes: int) -> NDArray[np.float64]:
    """An array as it was written.

    Raises:
        ValueError: it has another number of axes, or its parts do not fit each other.
    """
    array_bytes = base64.b64decode(stored_array["float64"], validate=True)
    if len(stored_array["shape"]) != n_axes:
        raise ValueError("an array of another kind")
    return (
        np.frombuffer(array_bytes, dtype=NUMBERS).astype(np.float64).reshape(stored_array["shape"])
    )


def checksum_of(content: object, prefix: str = "") -> str:
    """SHA-256, in hexadecimal, of a part of the file, however the file is laid out.

    Args:
        content: the part, of JSON's types.
        prefix: text before it, such as the checksum of another part.
    """
    return hashlib.sha256((prefix + canonical_text(content)).encode()).hexdigest()


def canonical_text(content: object) -> str:
    """JSON with sorted keys, without spaces, in ASCII."""
    return json.dumps(
        content, ensure_ascii=True, sort_keys=True, allow_nan=False, separators=(",", ":")
    )
