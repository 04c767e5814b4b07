"""Charges and their files: what a charge notes of its request, and how its file is found again.

A receipt number is random; the file carries it inside and as its name.
"""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from dplda.core.safe_open import text_of
from dplda.core.versions import source_version
from dplda.corpus import Corpus
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.privacy.release import Caveat
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.file_format import LARGEST_WORD
from dplda.release.artefact.released_file import SUFFIX, read_release_file
from dplda.release.ledger.file_seal import SEALED, check_authentic
from dplda.release.ledger.fingerprints import find_owner
from dplda.release.ledger.folder import Folder, FolderError
from dplda.release.ledger.ledger import Ledger, LedgerEntry, noted_in
from dplda.release.ledger.records.entry import check_receipt
from dplda.release.ledger.records.entry import receipt_of as receipt_of
from dplda.release.workflow.journal.progress import (
    PROGRAM,
    Progress,
    last_unfinished,
    progress_of,
)
from dplda.release.workflow.receipt import Receipt
from dplda.release.workflow.request import Request
from dplda.release.workflow.request_keys import (
    key_of_documents,
    keys_of_request,
    text_noted_in,
)

BYTES_OF_TEXTS = 2**18  # of a file, for everything except arrays and words
BYTES_OF_NUMBER = 11  # eight, as base64
MAX_TOPIC_TABLES = 8  # arrays of a file of shape (k, d), like the next two
MAX_WORD_ARRAYS = 4  # of shape (d,)
MAX_TOPIC_ARRAYS = 5  # of shape (k,)
BYTES_OF_CHARACTER = 4  # at most, in UTF-8
HIDDEN_FACTS = ("reading", "request", "documents_key", SEALED, "adds", "caps")
"""What a charge notes for the program alone."""


def max_file_bytes(rows: Corpus, request: Request) -> int:
    """An upper bound on the bytes of a release's file, from public numbers."""
    n_words = request.n_words(rows)
    n_topics = request.experiment.problem.n_topics
    n_numbers = (
        MAX_TOPIC_TABLES * n_topics * n_words
        + MAX_WORD_ARRAYS * n_words
        + MAX_TOPIC_ARRAYS * n_topics
    )
    bytes_of_words = BYTES_OF_CHARACTER * (LARGEST_WORD + 2) * n_words
    return BYTES_OF_NUMBER * n_numbers + bytes_of_words + BYTES_OF_TEXTS


def charge_detail(
    corpus: Corpus, rows: Corpus, request: Request, folder: Folder, receipt_number: str
) -> str:
    """Write facts on a request as JSON, the detail of the ledger's entry of its charge.

    They are method, k, N, public table, the release that is continued and the total ε with it,
    caveats, title, how documents were read, the keys by which request and documents are found
    again, program and receipt number. A mark says that the release's file is sealed.
    Facts on public table, continued release and caveats are left out where there are none.

    Args:
        corpus: the documents as they were read.
        rows: the documents with what is protected as rows.
        request: the request.
        folder: the release folder.
        receipt_number: of the charge.
    """
    experiment = request.experiment
    charge_facts: dict[str, object] = {
        "method": experiment.method.text,
        "topics": experiment.problem.n_topics,
        f"{rows.unit}s": rows.n_documents,
    }
    prior = experiment.method.prior
    if prior is not None:
        charge_facts["public knowledge"] = prior.title
        charge_facts["SHA-256"] = prior.digest
        charge_facts["trusted"] = experiment.method.prior_is_trusted
    if request.previous is not None:
        total_epsilon, _ = request.total
        charge_facts["continues"] = request.previous.receipt_number
        charge_facts["total ε"] = total_epsilon
    if request.caveats:
        charge_facts["seen"] = [caveat.name for caveat in request.caveats]
    charge_facts["title"] = request.title
    charge_facts["reading"] = corpus.reading
    charge_facts["request"] = keys_of_request(corpus, request, folder)[0]
    charge_facts["documents_key"] = key_of_documents(corpus, folder)
    charge_facts[SEALED] = True
    charge_facts[PROGRAM] = source_version()
    charge_facts["receipt"] = receipt_number
    return json.dumps(charge_facts)


def as_charged_before(request: Request, charge: LedgerEntry) -> Request:
    """A request as it was when charged: its title, and what had been seen of the documents."""
    facts = noted_in(charge)
    names_of_caveats = facts.get("seen", [])
    assert isinstance(names_of_caveats, list)
    caveats = tuple(Caveat[str(name)] for name in names_of_caveats)
    return replace(request, title=str(facts["title"]), caveats=caveats)


def shown_detail(entry: LedgerEntry) -> str:
    """Public facts on an entry, without keyed hashes of documents and requests.

    JSON for a charge or a lowered budget that notes facts; empty for a note of documents; else the
    entry's own detail.
    """
    facts = {name: fact for name, fact in noted_in(entry).items() if name not in HIDDEN_FACTS}
    if facts:
        return json.dumps(facts)
    return "" if entry.kind == "documents" else entry.detail


def find_dataset(corpus: Corpus, folder: Folder) -> str | None:
    """The dataset that these documents were last charged to, or belong to; None if none."""
    ledger = Ledger(folder)
    keys = {key_of_documents(reading, folder) for reading in corpus.readings}
    for entry in reversed(ledger.entries()):
        if text_noted_in(entry, "documents_key") in keys:
            return entry.dataset
    return find_owner(corpus.as_read, folder, ledger)


def find_existing(corpus: Corpus, request: Request, folder: Folder) -> Receipt | None:
    """The receipt of the latest equal request for the same documents whose file exists; else None.

    The documents count as the same however an earlier version read them. Public knowledge that
    earlier versions did not keep is written into the folder, if possible.

    Raises:
        ReadError: as in ``receipt_for``.
    """
    as_read_today = corpus.readings[0]
    as_first_read = corpus.readings[-1]
    keys_of_readings = {
        *keys_of_request(as_read_today, request, folder),
        *keys_of_request(as_first_read, request.as_first_read, folder),
    }
    for entry in reversed(Ledger(folder).entries(request.dataset)):
        if text_noted_in(entry, "request") in keys_of_readings and _path_of(entry, folder).exists():
            with suppress(FolderError):  # a read-only disk
                keep_prior(request.experiment.method.prior, folder)  # earlier versions did not
            return receipt_for(entry, folder)
    return None


def find_unfinished_charge(corpus: Corpus, request: Request, folder: Folder) -> LedgerEntry | None:
    """The last charge of the same request for the same documents that can be finished free.

    Args:
        corpus: as ``as_charged`` has it.
        request: the request.
        folder: the release folder.

    Raises:
        LedgerError: the ledger is older than the journal of such a charge.
    """
    return last_unfinished(_charges_of(corpus, request, folder), folder)


def find_progress(corpus: Corpus, request: Request, folder: Folder) -> Progress | None:
    """Progress of an earlier charge of the same request that is finished free; None without one.

    Args:
        corpus: as ``as_charged`` has it.
        request: the request.
        folder: the release folder.

    Raises:
        LedgerError: the ledger is older than the journal of such a charge.
    """
    charge = find_unfinished_charge(corpus, request, folder)
    progress = None if charge is None else progress_of(charge, folder)
    # The charge may have been finished by another process since it was found.
    return progress if progress is not None and progress.can_be_finished else None


def unfinished_charges(folder: Folder) -> list[LedgerEntry]:
    """Charges of which nothing came yet, and that their requests finish at no further charge."""
    entries = Ledger(folder).entries()
    return [entry for entry in entries if progress_of(entry, folder) is Progress.UNFINISHED]


def find_receipts(corpus: Corpus, request: Request, folder: Folder) -> set[str]:
    """Receipt numbers of all charges of the same request for the same documents."""
    receipt_numbers = (receipt_of(entry) for entry in _charges_of(corpus, request, folder))
    return {number for number in receipt_numbers if number is not None}


def receipt_for(entry: LedgerEntry, folder: Folder) -> Receipt:
    """The receipt of a charge whose file exists.

    Raises:
        ReadError: the file is damaged, belongs to another charge, or was forged.
    """
    release_path = _path_of(entry, folder)
    artefact = read_release_file(release_path)
    check_receipt(artefact.receipt_number, entry, release_path.name)
    check_authentic(artefact, entry, folder, release_path.name)
    balance = Ledger(folder).balance(entry.dataset)
    return Receipt(artefact=artefact, path=release_path, charged=False, balance=balance)


def latest_releases(folder: Folder) -> dict[str, LedgerEntry]:
    """Map receipt numbers of releases whose files exist to the charge of their latest continuation.

    A release that was not continued has its own charge. A continuation counts if its file exists.
    If several continue the same release directly, only the first of them counts.
    """
    last_charge_by_receipt: dict[str, LedgerEntry] = {}
    for entry in Ledger(folder).entries():
        receipt_number = receipt_of(entry)
        if receipt_number is None or not _path_of(entry, folder).exists():
            continue
        previous_number = text_noted_in(entry, "continues")
        for first_number, last_charge in last_charge_by_receipt.items():
            if receipt_of(last_charge) == previous_number:
                last_charge_by_receipt[first_number] = entry
        last_charge_by_receipt[receipt_number] = entry
    return last_charge_by_receipt


def keep_prior(prior: PriorSource | None, folder: Folder) -> None:
    """Keep public knowledge as its owner gave it, so that the release can be continued later.

    Does nothing without any, or if the folder has it.

    Raises:
        FolderError: it cannot be written.
    """
    if prior is None:
        return
    name = _name_of_prior(prior.digest, prior.kind)
    if not (folder.path / name).exists():
        folder.write(name, prior.content.encode())


def load_prior(artefact: Artefact, folder: Folder) -> PriorSource | None:
    """The public knowledge of a release; None if it had none, or it is not kept here.

    Looked for in the folder by its digest, under each kind in turn: a release does not note the
    kind. Whether the file still has that digest is not checked.
    """
    if artefact.prior_use is None:
        return None
    for possible_kind in PriorKind:
        file_name = _name_of_prior(artefact.prior_use.digest, possible_kind)
        prior_path = folder.path / file_name
        if prior_path.exists():
            return PriorSource(possible_kind, text_of(prior_path), artefact.prior_use.name)
    return None


def _charges_of(corpus: Corpus, request: Request, folder: Folder) -> list[LedgerEntry]:
    """Charges of the same request for the same documents, oldest first."""
    keys = keys_of_request(corpus, request, folder)
    entries = Ledger(folder).entries(request.dataset)
    return [entry for entry in entries if text_noted_in(entry, "request") in keys]


def _name_of_prior(digest: str, kind: PriorKind) -> str:
    return f"{digest}.{kind.name.lower()}"


def _path_of(entry: LedgerEntry, folder: Folder) -> Path:
    return folder.path / f"{receipt_of(entry)}{SUFFIX}"
