"""A release as one self-explanatory JSON file, with arrays as base64, no code and no pickles.

Its content depends only on noisy values that were charged and on public facts. Reading it imports nothing that could
read documents.
"""

import binascii
import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from dplda.core import checks
from dplda.core.errors import ReadError
from dplda.core.safe_open import file_name, opened
from dplda.core.types import Matrix, Vector
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.evaluation.knowledge import PriorUse
from dplda.evaluation.relevance import named
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.odds import allows_whole_documents
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Caveat, Guarantee, Status
from dplda.release.artefact import SUFFIX as SUFFIX
from dplda.release.artefact.resumable import Parent, Resumable, read_array, written_array

FORMAT = "dplda release"
VERSION = 2
OLDER_VERSIONS = (1,)  # read as they are, and written again as they were
LARGEST = 500_000_000  # bytes of a file
LARGEST_WORD = 200  # characters
ROUNDED_SUM = 1e-6  # allowed between a sum of probabilities and 1
_CHARGE, _SEAL = re.compile("[0-9a-f]{32,64}"), re.compile("([0-9a-f]{64})?")
_SHA256 = re.compile("[0-9a-f]{64}")  # these three become names of files
ROUNDED = 1e-9  # relative error allowed in μ below sensitivity over scale
FIX = "Choose a file that dplda release wrote."


@dataclass(frozen=True, slots=True)
class DrawnValue:
    """Facts about one noisy value, without the value.

    Attributes:
        shape: of the noisy value. A side is 0 where words were selected and none off the public list
            passed: the noise was drawn and paid for all the same.
        mechanism: the distribution of its noise, in words.
        scale: standard deviation of its noise.
        mu: at least ``sensitivity/scale``.
    """

    quantity: str
    shape: tuple[int, ...]
    mechanism: str
    sensitivity: float
    scale: float
    mu: float
    times: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Findings:
    """Results of a run, topics with evidence first; shared by released files and reports.

    Attributes:
        n_documents: ``N`` of documents, or of persons if they are protected; None if unknown.
        n_topics: ``k`` of the request.
        words: shape (m, d), topics, rows on the simplex.
        mean_words: shape (d,), on the simplex.
        shares: shape (m,), share of all words.
        lower, upper: shape (m, d), ends of intervals (``formatting.COVERAGE``); None if the method has none, or
            working them out was cut short.
        told_apart: of older files only, which keep their SHA-256.
        evidence: of the topics; None if unknown.
        brought: shape (m, d), topics as a table of public knowledge has them; None where none is used.
        table: what became of such a table; None without one.
        drawn: every noisy value, in order, without the values.
    """

    documents: str
    n_documents: int | None
    method: str
    alpha0: float
    n_topics: int
    vocabulary: tuple[str, ...]
    words: Matrix
    mean_words: Vector
    shares: Vector
    lower: Matrix | None
    upper: Matrix | None
    told_apart: Vector | None = None
    evidence: ReleasedEvidence | None
    brought: Matrix | None = None
    table: PriorUse | None = None
    drawn: tuple[DrawnValue, ...]

    @property
    def supported(self) -> tuple[int, ...]:
        """Topics that have a part in the documents' gain beyond the noise, or may have one."""
        known = self.evidence
        return tuple(i for i in range(len(self.words)) if known is None or known.above_noise[i])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Artefact(Findings):
    """A release.

    Attributes:
        n_documents: ``N``, always stated.
        released: when, in UTC, ISO 8601.
        in_words: the guarantee as stated in the file; readers compute it again from the numbers.
        resumable: what a continuation needs; None in older files and for methods that cannot be continued.
        names: of topics, None for one without; added by people and not part of the release.
        groups: topics as their owner shows them (``arrangement``), likewise: rows that are merged stand together, rows
            that are missing are hidden; empty for all topics as released.
        hidden: merged topics among the missing ones, which stay merged.
        seal: keyed hash by the release folder that made it, in hexadecimal (``records.file_seal``);
            empty in files of before.
        version: of the file's format; kept, as it is part of the file's SHA-256.
        older_state: state of an older version that this one cannot continue from, as JSON text; kept
            likewise. Empty if there is none.
    """

    n_documents: int
    promise: Guarantee
    charge: str
    released: str
    versions: Mapping[str, str]
    in_words: str
    resumable: Resumable | None = None
    names: tuple[str | None, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    hidden: tuple[tuple[int, ...], ...] = ()
    seal: str = ""
    version: int = VERSION
    older_state: str = ""

    @property
    def bare(self) -> "Artefact":
        """The release without what people added, and without its seal."""
        return replace(self, names=(), groups=(), hidden=(), seal="")


ARRAYS = {
    "words": "md",
    "mean_words": "d",
    "shares": "m",
    "lower": "md",
    "upper": "md",
    "told_apart": "m",
}
ARRAYS |= {"brought": "md"}
"""The axes of each array: m topics, d words."""
ADDED = ("names", "groups", "hidden")  # by people, beside the release
OPTIONAL = {"lower", "upper", "told_apart", "brought"}


def write(artefact: Artefact) -> bytes:
    """The file; the same artefact gives the same bytes."""
    content: dict[str, object] = {
        field.name: getattr(artefact, field.name) for field in fields(artefact)
    }
    for name in ARRAYS:
        array = getattr(artefact, name)
        content[name] = None if array is None else written_array(array)
    if artefact.evidence is None:
        del content["evidence"]  # left out, as in older files
    else:
        del content["told_apart"]
        content["evidence"] = {
            **vars(artefact.evidence),
            "by_topic": artefact.evidence.by_topic.tolist(),
        }
    for name in ("brought", "table"):
        if content[name] is None:
            del content[name]  # likewise
    if artefact.table is not None:
        content["table"] = {
            name: value for name, value in asdict(artefact.table).items() if name != "advantage"
        }
    content["drawn"] = [asdict(one) for one in artefact.drawn]
    promise = artefact.promise
    said: dict[str, object] = {
        "epsilon": promise.epsilon,
        "delta": promise.delta,
        "protected": promise.adjacency.value,
        "in_words": content.pop("in_words"),
        "rests_on": promise.rests_on,
    }
    if seen := [caveat.name for caveat in promise.caveats if caveat is not Caveat.DELTA]:
        said["seen"] = seen  # left out if empty, as in older files
    content["promise"] = said
    content["versions"] = dict(artefact.versions)
    added = {name: content.pop(name) for name in (*ADDED, "seal")}
    for name in ("resumable", "version", "older_state"):
        del content[name]
    checksum = _checksum(_text(content))
    head = {"format": FORMAT, "version": artefact.version, "checksum": checksum}
    whole = {**head, "release": content}
    state = json.loads(artefact.older_state) if artefact.older_state else None
    if artefact.resumable is not None:
        state = artefact.resumable.stored()
    if state is not None:  # beside the release, so that earlier versions read it
        whole["state"] = state
        whole["state_checksum"] = _checksum(checksum + _text(state))
    whole |= {name: value for name, value in added.items() if any(getattr(artefact, name))}
    return (json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()


def sha256(artefact: Artefact) -> str:
    """SHA-256 of its file, in hexadecimal, to compare a file with the original."""
    return hashlib.sha256(write(artefact)).hexdigest()


@lru_cache(maxsize=4)  # by the artefact itself, whose file takes some ms to write
def named_as_parent(artefact: Artefact) -> Parent:
    """How a release that continues this one names it; names of topics do not matter."""
    return Parent(artefact.charge, sha256(artefact.bare))


def read(file: bytes, name: str) -> Artefact:
    """The release in a file.

    Raises:
        ReadError: the file is not a release, of another version, damaged, or promises more than its noise keeps. Files
            are not signed, so nobody can tell whether that noise was drawn.
    """
    if len(file) > LARGEST:
        raise ReadError(name, f"is larger than {LARGEST:,} bytes", FIX)
    try:
        whole = json.loads(file)
        json.dumps(whole, ensure_ascii=False).encode()  # half a character is no text
        if whole["format"] != FORMAT:
            raise ReadError(name, "is not a release", FIX)
        version = whole["version"]
        if type(version) is not int or version not in (VERSION, *OLDER_VERSIONS):
            raise ReadError(
                name,
                "is a release of another version of dplda",
                "Use the version that the file names, or a newer one.",
            )
        content = whole["release"]
        if whole["checksum"] != _checksum(_text(content)):
            raise ReadError(name, "is damaged: its checksum does not match", "Get the file again.")
        state = whole.get("state")
        if state is not None and whole["state_checksum"] != _checksum(
            whole["checksum"] + _text(state)
        ):
            raise ReadError(
                name, "is damaged: the checksum of its state does not match", "Get the file again."
            )
        stored = {name: content.pop(name, None) for name in ARRAYS}
        if (evidence := content.pop("evidence", None)) is not None:
            evidence = ReleasedEvidence(
                **{**evidence, "by_topic": np.array(evidence["by_topic"], dtype=float)}
            )
        table = PriorUse(**content.pop("table")) if "table" in content else None
        arrays = {
            name: None if stored[name] is None else read_array(stored[name], len(axes))
            for name, axes in ARRAYS.items()
        }
        drawn = tuple(
            DrawnValue(**{**one, "shape": tuple(one["shape"])}) for one in content["drawn"]
        )
        said = content.pop("promise")
        epsilon, delta, who = said["epsilon"], said["delta"], Adjacency(said["protected"])
        caveats = [Caveat.DELTA] if allows_whole_documents(delta, content["n_documents"]) else []
        caveats += [Caveat[name] for name in said.get("seen", ())]
        promise = Guarantee(
            Status.PROVEN,
            epsilon,
            delta,
            tuple(caveats),
            who,
            tuple(said["rests_on"]),
            releasable=True,
        )
        resumable, older_state = None, ""
        if state is not None:
            resumable, older_state = _read_state(
                state,
                n_topics=content["n_topics"],
                n_words=len(content["vocabulary"]),
                version=version,
            )
        content |= {**arrays, "drawn": drawn, "vocabulary": tuple(content["vocabulary"])}
        found = Artefact(
            **content,
            evidence=evidence,
            table=table,
            promise=promise,
            in_words=said["in_words"],
            names=tuple(map(named, whole.get("names", ()))),
            resumable=resumable,
            groups=tuple(map(tuple, whole.get("groups", ()))),
            hidden=tuple(map(tuple, whole.get("hidden", ()))),
            seal=whole.get("seal", ""),
            version=version,
            older_state=older_state,
        )
        if not _disjoint((*found.groups, *found.hidden), len(found.words)):
            raise ReadError(
                name,
                "arranges topics that it does not have",
                'Remove "groups" from it: its topics are intact.',
            )
        if not _fits(found):
            raise ReadError(name, "is not a complete release: its parts do not fit each other", FIX)
        if not _holds_probabilities(found):
            raise ReadError(
                name,
                "is not a release: its topics are not probabilities",
                "Do not trust it. Ask its owner for the original.",
            )
        if not _kept(found):
            raise ReadError(
                name,
                "promises more than its noise keeps",
                "Do not trust it. Ask its owner for the original.",
            )
    except (
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
        RecursionError,
        binascii.Error,
    ):
        raise ReadError(name, "is not a complete release", FIX) from None
    return found


def _read_state(
    state: object, *, n_topics: int, n_words: int, version: int
) -> tuple[Resumable | None, str]:
    """The state that a file holds, or its text if an older version wrote what this one cannot use."""
    try:
        return Resumable.read(_text(state), k=n_topics, d=n_words), ""
    except (KeyError, TypeError, ValueError, AttributeError):
        if version == VERSION:
            raise
        return None, json.dumps(state)


def read_file(path: Path) -> Artefact:
    """The release in a file on disk; refusals as in ``read``."""
    with opened(path) as file:
        content = file.read(LARGEST + 1)
    return read(content, file_name(path))


def _disjoint(groups: tuple[tuple[int, ...], ...], n_topics: int) -> bool:
    """Whether every group has topics, and no topic is in two places."""
    rows = [row for group in groups for row in group]
    known = all(type(row) is int and 0 <= row < n_topics for row in rows)
    return known and all(groups) and len(set(rows)) == len(rows)


def _fits(one: Artefact) -> bool:
    """Whether sizes and ranges are valid."""
    d, m = len(one.vocabulary), len(one.shares) if one.shares is not None else -1
    for name, axes in ARRAYS.items():
        array = getattr(one, name)
        if array is None:
            if name not in OPTIONAL:
                return False
        elif array.shape != tuple({"m": m, "d": d}[axis] for axis in axes) or np.isnan(array).any():
            return False
    words = all(isinstance(word, str) and 0 < len(word) <= LARGEST_WORD for word in one.vocabulary)
    numbers = (one.alpha0, one.promise.epsilon, one.promise.delta)
    said = (
        *one.promise.rests_on,
        *(text for each in one.drawn for text in (each.quantity, each.mechanism)),
    )
    return (
        words
        and d >= 2
        and 0 <= m <= one.n_topics
        and len(one.names) in (0, m)
        and (one.lower is None) == (one.upper is None)
        and isinstance(one.versions, dict)
        and _CHARGE.fullmatch(one.charge) is not None
        and _SEAL.fullmatch(one.seal) is not None
        and (one.table is None or _SHA256.fullmatch(one.table.digest) is not None)
        and all(isinstance(text, str) for text in (*said, *one.versions, *one.versions.values()))
        and all(type(size) is int and size >= 0 for each in one.drawn for size in each.shape)
        and all(isinstance(number, int | float) and math.isfinite(number) for number in numbers)
        and (
            one.evidence is None or (one.evidence.by_topic.shape == (m,) and one.evidence.is_finite)
        )
        and (one.brought is None or (one.table is not None and one.table.used))
        and 0 <= one.promise.delta < checks.TOO_LARGE
    )


def _holds_probabilities(one: Artefact) -> bool:
    """Whether topics, word frequencies, shares and ranges are those of a run: on the simplex, or in [0, 1]."""
    distributions = [one.words, one.mean_words[None]]
    distributions += [] if one.brought is None else [one.brought]
    fractions = [one.shares, *distributions]
    if one.lower is not None and one.upper is not None:
        fractions += [one.lower, one.upper, one.upper - one.lower]
    return all(np.all((array >= 0) & (array <= 1 + ROUNDED_SUM)) for array in fractions) and all(
        np.all(np.abs(np.sum(rows, axis=1) - 1) <= ROUNDED_SUM) for rows in distributions
    )


def _kept(one: Artefact) -> bool:
    """Whether the file's noise, all of it Gaussian, suffices for its guarantee.

    That is necessary but not sufficient: parts of δ also cover how noise is drawn and words that pass a threshold.
    """
    if not all(
        isinstance(each.times, int)
        and each.times >= 1
        and each.sensitivity > 0
        and each.scale > 0
        and each.mu >= each.sensitivity / each.scale * (1 - ROUNDED)
        for each in one.drawn
    ):
        return False
    mu = gaussian.compose([math.sqrt(each.times) * each.mu for each in one.drawn])
    return mu > 0 and gaussian.delta_of(one.promise.epsilon, mu) <= one.promise.delta


def _text(content: object) -> str:
    return json.dumps(
        content, ensure_ascii=True, sort_keys=True, allow_nan=False, separators=(",", ":")
    )


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
