"""Charges and their files: receipt numbers, room for files, and files found again.

A receipt number is random; the file carries it inside and as its name. The keyed hash of a charge's request and
documents stays in the ledger.
"""

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from dplda.core.errors import NotReleasable, ReadError
from dplda.core.safe_open import text_of
from dplda.core.versions import source_version
from dplda.corpus import Corpus
from dplda.methods.refined.prior_sources import PriorKind, PriorSource
from dplda.privacy.release import Caveat
from dplda.release.artefact.released_file import (
    LARGEST_WORD,
    SUFFIX,
    Artefact,
    named_as_parent,
    read_file,
)
from dplda.release.ledger.balance import EPSILON_UNITS
from dplda.release.ledger.file_seal import SEALED, check_authentic, is_authentic, is_sealed
from dplda.release.ledger.fingerprints import owner
from dplda.release.ledger.folder import RESTORE, Folder, FolderError
from dplda.release.ledger.ledger import Ledger, LedgerEntry, LedgerError, noted_in
from dplda.release.ledger.records.entry import receipt_of as receipt_of
from dplda.release.workflow.journal.progress import (
    PROGRAM,
    Progress,
    progress_of,
    remove_outlived,
    remove_uncharged,
)
from dplda.release.workflow.request import Receipt, Request

TEXTS = 2**18  # bytes of a file for everything except arrays and words


def most_bytes(corpus: Corpus, request: Request) -> int:
    """An upper bound on the size of the file."""
    d, k = (
        request.selection.n_words if request.selection else corpus.n_words,
        request.settings.problem.n_topics,
    )
    return 11 * (8 * k * d + 4 * d + 5 * k) + 4 * (LARGEST_WORD + 2) * d + TEXTS


def detail(corpus: Corpus, rows: Corpus, request: Request, folder: Folder, receipt: str) -> str:
    """What a charge with this receipt number is for."""
    one = request.settings
    said = {
        "method": one.method.text,
        "topics": one.problem.n_topics,
        f"{rows.unit}s": rows.n_documents,
    }
    if (table := one.method.prior) is not None:
        said |= {
            "public knowledge": table.title,
            "SHA-256": table.digest,
            "trusted": one.method.prior_is_trusted,
        }
    if request.since is not None:
        said |= {"continues": request.since.charge, "total ε": request.total[0]}
    keyed = {
        "reading": corpus.reading,
        "request": _keys(corpus, request, folder)[0],
        "documents_key": _documents_key(corpus, folder),
    }
    if request.seen:
        said["seen"] = [caveat.name for caveat in request.seen]
    bound = {SEALED: True, PROGRAM: source_version(), "receipt": receipt}
    return json.dumps({**said, "title": request.title, **keyed, **bound})


def as_charged_before(request: Request, charge: LedgerEntry) -> Request:
    """A request as it was when it was charged: its title, and what had been seen of the documents by then."""
    noted = noted_in(charge)
    seen = noted.get("seen", [])
    assert isinstance(seen, list)
    return replace(
        request, title=str(noted["title"]), seen=tuple(Caveat[str(name)] for name in seen)
    )


def shown_detail(entry: LedgerEntry) -> str:
    """What an entry was for, in public facts only: without keyed hashes of documents and requests."""
    hidden = ("reading", "request", "documents_key", SEALED, "adds", "caps")
    noted = {name: what for name, what in noted_in(entry).items() if name not in hidden}
    return json.dumps(noted) if noted else "" if entry.kind == "documents" else entry.detail


def _from_detail(entry: LedgerEntry, name: str) -> str | None:
    found = noted_in(entry).get(name)
    return None if found is None else str(found)


def check_continues(corpus: Corpus, request: Request, folder: Folder) -> None:
    """Refuse to continue a release that was not made here, of these very documents, or was edited since.

    Raises:
        NotReleasable: it is another release, or cannot be continued; nothing was charged.
    """
    since, one = request.since, request.settings
    if since is None:
        return
    if one.registered_method.fit_continued is None:
        why = (
            "whitens every release in its own way"
            if one.registered_method.needs_pair_matrix
            else "keeps no state"
        )
        raise NotReleasable(
            f"{one.registered_method.title} {why}, so it cannot be continued", "Make a new release."
        )
    if since.resumable is None:
        raise NotReleasable(
            "the file holds nothing to continue from", "Make a new release. It can be continued."
        )
    charges = _charges(request, folder)
    if not charges:
        raise NotReleasable(
            f"{request.dataset!r} was never charged for it", "Name the dataset of that release."
        )
    corpus = as_charged(corpus, request, folder)
    if _from_detail(charges[0], "documents_key") != _documents_key(corpus, folder):
        raise NotReleasable(
            "it was made of other documents", "Choose the same documents, read in the same way."
        )
    tables = [None if table is None else table.digest for table in (since.table, one.method.prior)]
    if tables[0] != tables[1]:
        raise NotReleasable(
            "the release to continue was given other public knowledge, or none", "Give the same."
        )
    words, picked = since.resumable.selected, request.selection
    same_words = (words is None) == (picked is None) and (
        since.vocabulary == corpus.vocabulary
        if words is None or picked is None
        else (words.n_words, words.epsilon, words.delta)
        == (picked.n_words, picked.epsilon, picked.delta)
    )
    wanted = (
        one.registered_method.title,
        one.problem.n_topics,
        one.problem.alpha0,
        True,
        request.total[1],
    )
    if (
        since.method,
        since.n_topics,
        since.alpha0,
        same_words,
        since.promise.claimed_delta,
    ) != wanted:
        raise NotReleasable(
            "method, topics, α₀, δ or the word list differ from those of the release to continue",
            "Ask for the same, or make a new release.",
        )
    path = folder.path / f"{since.charge}{SUFFIX}"
    if not path.exists():
        raise NotReleasable(
            "its original is missing from the release folder", f"Put {path.name} back."
        )
    paid = float(_from_detail(charges[0], "total ε") or charges[0].epsilon / EPSILON_UNITS)
    original = read_file(path)
    check_authentic(original, charges[0], folder, path.name)
    if (
        named_as_parent(original) != named_as_parent(since)
        or since.promise.claimed_epsilon < paid - 2e-9
    ):
        raise NotReleasable(
            "the file was edited", f"Use the original, {path.name} in the release folder."
        )


def as_charged(corpus: Corpus, request: Request, folder: Folder) -> Corpus:
    """The documents to use for a request: one that continues a release reads them as that release did.

    Returns:
        The former reading where the charge of the release to continue holds its key, else the corpus itself.
    """
    former = corpus.as_read.former
    if former is None:
        return corpus
    keys_of_charges = {_from_detail(one, "documents_key") for one in _charges(request, folder)}
    return former if _documents_key(former, folder) in keys_of_charges else corpus


def _charges(request: Request, folder: Folder) -> list[LedgerEntry]:
    """The charge of the release that a request continues, if its dataset has one."""
    if request.since is None:
        return []
    entries = Ledger(folder).entries(request.dataset)
    return [entry for entry in entries if receipt_of(entry) == request.since.charge]


def budget_of(corpus: Corpus, folder: Folder) -> str | None:
    """The dataset that was last charged for these very documents, or that they belong to; None if none."""
    ledger, wanted = Ledger(folder), {_documents_key(one, folder) for one in corpus.readings}
    charged = [
        one.dataset for one in ledger.entries() if _from_detail(one, "documents_key") in wanted
    ]
    return charged[-1] if charged else owner(corpus.as_read, folder, ledger)


def _documents_key(corpus: Corpus, folder: Folder) -> str:
    """A keyed hash of the documents over their words."""
    return folder.sign(b"documents", corpus.as_read.digest.encode())[:32]


def stored(corpus: Corpus, request: Request, folder: Folder) -> Receipt | None:
    """The receipt of the same request for the same documents, if its file is kept; refusals as in ``receipt_for``."""
    today, former = corpus.readings[0], corpus.readings[-1]
    wanted = {*_keys(today, request, folder), *_keys(former, request.former, folder)}
    for entry in reversed(Ledger(folder).entries(request.dataset)):
        if _from_detail(entry, "request") in wanted and _path(entry, folder).exists():
            with suppress(FolderError):  # a read-only disk
                keep_table(request.settings.method.prior, folder)  # earlier versions did not
            return receipt_for(entry, folder)
    return None


def unfinished_charge(corpus: Corpus, request: Request, folder: Folder) -> LedgerEntry | None:
    """The last charge of the same request for the same documents that is answered without another charge.

    Args:
        corpus: as ``as_charged`` has it.

    Raises:
        LedgerError: the ledger is older than the journal of such a charge.
    """
    wanted = _keys(corpus, request, folder)
    for entry in reversed(Ledger(folder).entries(request.dataset)):
        if _from_detail(entry, "request") in wanted:
            progress = progress_of(entry, folder)
            if progress is Progress.OLDER_LEDGER:
                raise LedgerError(f"Entry {entry.number}: {progress}. {RESTORE}")
            if progress is not None and progress.can_be_finished:
                return entry
    return None


def progress_before(corpus: Corpus, request: Request, folder: Folder) -> Progress | None:
    """What became of an earlier charge of the same request that is answered without another; None without one.

    Args:
        corpus: as ``as_charged`` has it.
    """
    charge = unfinished_charge(corpus, request, folder)
    return None if charge is None else progress_of(charge, folder)


def unfinished_charges(folder: Folder) -> list[LedgerEntry]:
    """Charges of which nothing came yet, and that their requests finish at no further charge."""
    entries = Ledger(folder).entries()
    return [entry for entry in entries if progress_of(entry, folder) is Progress.UNFINISHED]


def receipts_of(corpus: Corpus, request: Request, folder: Folder) -> set[str]:
    """Receipt numbers of all charges of the same request for the same documents."""
    wanted = _keys(corpus, request, folder)
    entries = Ledger(folder).entries(request.dataset)
    receipts = (receipt_of(one) for one in entries if _from_detail(one, "request") in wanted)
    return {receipt for receipt in receipts if receipt is not None}


def receipt_for(entry: LedgerEntry, folder: Folder) -> Receipt:
    """The receipt of a charge whose file exists; a ``ReadError`` if that is damaged or belongs to another charge."""
    path = _path(entry, folder)
    artefact = read_file(path)
    if artefact.charge != receipt_of(entry):
        raise ReadError(path.name, "belongs to another charge", "Run dplda ledger verify.")
    check_authentic(artefact, entry, folder, path.name)
    return Receipt(artefact, path, False, Ledger(folder).balance(entry.dataset))


def releases(folder: Folder) -> dict[str, LedgerEntry]:
    """Charges whose files are kept, oldest first, by receipt number: of one that was continued, the last charge."""
    found: dict[str, LedgerEntry] = {}
    for entry in Ledger(folder).entries():
        if (number := receipt_of(entry)) and _path(entry, folder).exists():
            before = _from_detail(entry, "continues")
            found = {
                one: entry if receipt_of(last) == before else last for one, last in found.items()
            }
            found[number] = entry
    return found


def _path(entry: LedgerEntry, folder: Folder) -> Path:
    return folder.path / f"{receipt_of(entry)}{SUFFIX}"


def keep_table(table: PriorSource | None, folder: Folder) -> None:
    """Keep public knowledge as its owner gave it, so that the release can be continued later."""
    if (
        table is not None
        and not (folder.path / (name := f"{table.digest}.{table.kind.name.lower()}")).exists()
    ):
        folder.write(name, table.content.encode())


def table_of(one: Artefact, folder: Folder) -> PriorSource | None:
    """The public knowledge that a release was given; None if it had none, or it is not kept here."""
    name, digest = (one.table.name, one.table.digest) if one.table else ("", "none")
    paths = {kind: folder.path / f"{digest}.{kind.name.lower()}" for kind in PriorKind}
    return next(
        (PriorSource(kind, text_of(path), name) for kind, path in paths.items() if path.exists()),
        None,
    )


def find_again(folder: Folder, given_up: Collection[str] = ()) -> None:
    """Name the files that were complete but for error bars when a process was killed, and free other room.

    One whose request finishes it, with error bars, has no name until then. A file that carries the
    folder's seal is named even if the ledger has no charge for it. The ledger is an older copy then,
    and its next entry is refused for that name.

    Whoever calls this has the turn.

    Args:
        given_up: receipt numbers of releases that are not finished any more.
    """
    rooms = folder.rooms()
    charges = {receipt_of(entry): entry for entry in Ledger(folder).entries()} if rooms else {}
    for room in rooms:
        with suppress(OSError):
            if (name := _name_of_room(room, charges, folder)) is None:
                room.unlink()
                continue
            receipt = name.removesuffix(SUFFIX)
            charge = charges.get(receipt)
            if receipt in given_up or not _can_be_finished(charge, folder):
                room.replace(folder.path / name)
    remove_outlived(folder)
    remove_uncharged(folder)


def _name_of_room(
    room: Path, charges: Mapping[str | None, LedgerEntry], folder: Folder
) -> str | None:
    """The name of a complete release that lies in room without one; None for anything else."""
    try:
        artefact = read_file(room)
    except ReadError:
        return None
    name, charge = artefact.charge + SUFFIX, charges.get(artefact.charge)
    is_own = is_sealed(artefact, folder) or (
        charge is not None and is_authentic(artefact, charge, folder)
    )
    return name if is_own and not (folder.path / name).exists() else None


def _can_be_finished(charge: LedgerEntry | None, folder: Folder) -> bool:
    progress = None if charge is None else progress_of(charge, folder)
    return progress is not None and progress.can_be_finished


def _keys(corpus: Corpus, request: Request, folder: Folder) -> tuple[str, ...]:
    """Keyed hashes under which a request may have been charged: that of today first.

    They are equal for the same documents and request, and say nothing about them.
    """
    digest = corpus.digest.encode()
    texts = request.texts_of_charges()
    return tuple(folder.sign(b"request", digest, text.encode())[:32] for text in texts)
