"""Release topic shares: check and charge a request, draw exact noise, keep the file; repeats free.

The order is that of ``workflow.perform``: checks and room for the file come before any charge; the
charge is on disk before any noise is drawn; the noisy table is in the journal before anything
depends on it. If the program dies in between, the charge stays, and the same request goes on from
what was drawn at no further charge.
"""

import json
import secrets
from dataclasses import dataclass
from pathlib import Path

from dplda.core import demo
from dplda.core.errors import DpldaError, InputError, NotReleasable
from dplda.core.types import Report, silent
from dplda.core.versions import DRAWN_WITH, installed_version, source_version
from dplda.corpus import Corpus, Selection
from dplda.methods.shares.document_topics import infer_document_topics
from dplda.methods.shares.share_table import GroupedDocuments, release_table, share_bound
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.exact import (
    MIN_NOISE_STD,
    ExactNoise,
    load_sampler,
    max_tv_slack,
)
from dplda.privacy.noise.exact_normals import NOISE_STD_LIMIT
from dplda.privacy.noise.kept_answers import KeptNoise
from dplda.privacy.word_selection.selection import restrict_to_words
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import SUFFIX, parent_of, read_release_file
from dplda.release.ledger.balance import Balance
from dplda.release.ledger.file_seal import SEALED, check_authentic
from dplda.release.ledger.fingerprints import note_documents
from dplda.release.ledger.folder import RESTORE, Folder, FolderError, UnwrittenError
from dplda.release.ledger.ledger import PERSON, Ledger, LedgerEntry, LedgerError
from dplda.release.ledger.records.entry import receipt_of
from dplda.release.shares.request import SharesRequest, digest_of_labels
from dplda.release.shares.shares_file import (
    SHARES_SUFFIX,
    ReleasedShares,
    check_shares_seal,
    max_shares_bytes,
    read_shares_file,
    sealed_shares,
    write_shares,
)
from dplda.release.workflow.journal.journal_file import begin_journal
from dplda.release.workflow.journal.progress import (
    PROGRAM,
    Progress,
    journal_of,
    progress_of,
    remove_outlived,
    remove_uncharged,
)
from dplda.release.workflow.perform import RECEIPT_BYTES
from dplda.release.workflow.recovery import recover_interrupted
from dplda.release.workflow.request_keys import KEY_DIGITS, key_of_documents, text_noted_in

KIND = "topic shares"  # in the detail of a charge: what it is for
OF = "of"  # likewise: receipt number of the topics


@dataclass(frozen=True, slots=True)
class SharesReceipt:
    """The outcome of a release of shares.

    Attributes:
        shares: the released table.
        path: of its file in the release folder.
        charged: whether this call charged it.
        balance: of its dataset.
        was_finished: whether this call finished it, from a charge that an earlier one had made.
    """

    shares: ReleasedShares
    path: Path
    charged: bool
    balance: Balance
    was_finished: bool = False


def release_shares(
    corpus: Corpus, request: SharesRequest, folder: Folder, *, report: Report = silent
) -> SharesReceipt:
    """Release a table of shares, or return the one that the same request made before.

    Args:
        corpus: the documents of the parent, with the columns of labels; they are read again as the
        parent read them.
        request: the request, frozen.
        folder: the release folder.
        report: progress callback; cancelling does not undo the charge, and the same request goes on
        from there.

    Raises:
        NotReleasable: this is a public demo, the parent is missing, edited or of other documents,
          or
        noise would be too fine or too wide; nothing was charged.
        LedgerError: too little is left; nothing was charged.
        FolderError: there is no room, or another release is under way; nothing was charged, or the
        error says that repeating the request costs nothing more.
        UnwrittenError: the table could not be written, and the error holds it; it was charged.

    Guarantee:
        The file is (ε, δ)-differentially private given the parent, by the theorems of
        ``methods.shares.share_table`` and ``privacy.noise.exact``: when one document is replaced,
        or all documents of one person where the dataset protects persons. All releases of a dataset
        together keep its declared budget (``privacy.accounting.budget_caps``).
    """
    if demo.is_on():
        raise NotReleasable("this is a public demo", "Run dplda on your own machine.")
    corpus = as_parent_read(corpus, request, folder)
    check_shares_request(corpus, request, folder)
    existing = find_existing_shares(corpus, request, folder)
    if existing is not None:
        remove_outlived(folder)
        return existing
    load_sampler()
    with folder.turn():
        return _release_in_turn(corpus, request, folder, report)


def check_shares_request(corpus: Corpus, request: SharesRequest, folder: Folder) -> None:
    """Refuse what cannot be released, by public numbers and the ledger.

    Args:
        corpus: as ``as_parent_read`` gives it.
        request: the request.
        folder: the release folder.

    Raises:
        NotReleasable: as in ``release_shares``.
        InputError: there are too many cells.
        CorpusError: a column was not read as labels.
    """
    charge = _charge_of_parent(request, folder)
    if charge is None:
        raise NotReleasable(
            f"{request.dataset!r} was never charged for these topics",
            "Name the dataset of that release.",
        )
    if text_noted_in(charge, "documents_key") != key_of_documents(corpus, folder):
        raise NotReleasable(
            "the topics were made of other documents",
            "Choose the same documents, read in the same way.",
        )
    _check_parent(request, charge, folder)
    if request.n_topics == 0:
        raise NotReleasable("that release has no topics", "Make a release that finds some.")
    request.groups.check_cells(request.n_topics)
    request.labels_of(corpus)
    n_units = count_units(corpus, request, folder)
    _check_noise(request, n_units)


def as_parent_read(corpus: Corpus, request: SharesRequest, folder: Folder) -> Corpus:
    """The documents in that reading, today's or a former one, in which the parent was made of them.

    Today's reading if the charge of the parent is unknown or fits no reading.
    """
    corpus = corpus.as_read
    charge = _charge_of_parent(request, folder)
    if charge is None:
        return corpus
    for reading in corpus.readings:
        if text_noted_in(charge, "documents_key") == key_of_documents(reading, folder):
            return reading
    return corpus


def count_units(corpus: Corpus, request: SharesRequest, folder: Folder) -> int:
    """Number of what is protected: documents, or persons.

    Raises:
        NotReleasable: persons are protected, and nothing says whose the documents are.
    """
    if Ledger(folder).protects(request.dataset) != PERSON:
        return corpus.n_documents
    if corpus.n_persons is None:
        raise NotReleasable(
            "its dataset protects persons, and no column names the authors",
            "Read the documents again and name the column that holds their authors.",
        )
    return corpus.n_persons


def dataset_of(parent: Artefact, folder: Folder) -> str:
    """The dataset that a release was charged to.

    Raises:
        NotReleasable: this folder never charged for it.
    """
    for entry in Ledger(folder).entries():
        if receipt_of(entry) == parent.receipt_number:
            return entry.dataset
    raise NotReleasable(
        "these topics were not released from this release folder",
        "Use the folder whose ledger paid for them.",
    )


def find_existing_shares(
    corpus: Corpus, request: SharesRequest, folder: Folder
) -> SharesReceipt | None:
    """The receipt of the same request for the same documents and labels, if its file is kept.

    Raises:
        ReadError: the file is damaged, or was forged.
    """
    for entry in reversed(_charges_of(corpus, request, folder)):
        path = _path_of(entry, folder)
        if path.exists():
            shares = read_shares_file(path)
            check_shares_seal(shares, folder, path.name)
            return SharesReceipt(shares, path, False, Ledger(folder).balance(entry.dataset))
    return None


def find_shares_progress(corpus: Corpus, request: SharesRequest, folder: Folder) -> Progress | None:
    """Progress of an earlier charge of the same request that is finished free; None without one."""
    charge = _find_unfinished(corpus, request, folder)
    return None if charge is None else progress_of(charge, folder)


def shares_of(parent_receipt: str, folder: Folder) -> list[ReleasedShares]:
    """Read the tables of shares that were released for a release of topics, oldest first.

    A table whose file is missing is left out.

    Raises:
        ReadError: a file is damaged, or was forged.
    """
    tables = []
    for entry in Ledger(folder).entries():
        if text_noted_in(entry, OF) != parent_receipt or not _path_of(entry, folder).exists():
            continue
        path = _path_of(entry, folder)
        share_table = read_shares_file(path)
        check_shares_seal(share_table, folder, path.name)
        tables.append(share_table)
    return tables


def _release_in_turn(
    corpus: Corpus, request: SharesRequest, folder: Folder, report: Report
) -> SharesReceipt:
    """Charge and perform a request, or finish one that was interrupted after its charge.

    Returns the table of an equal request if its file exists; then nothing is charged. Room for the
    file is reserved before the charge, and freed whatever happens.
    """
    unfinished_charge = _find_unfinished(corpus, request, folder)
    recover_interrupted(folder)
    existing = find_existing_shares(corpus, request, folder)
    if existing is not None:
        return existing
    reserved_path = folder.reserve(max_shares_bytes(request.groups.n_rows, request.n_topics))
    try:
        charge = unfinished_charge or _charge(corpus, request, folder)
        shares, path = _perform(corpus, request, charge, folder, reserved_path, report)
    finally:
        reserved_path.unlink(missing_ok=True)
    return SharesReceipt(
        shares,
        path,
        charged=unfinished_charge is None,
        balance=Ledger(folder).balance(request.dataset),
        was_finished=unfinished_charge is not None,
    )


def _charge(corpus: Corpus, request: SharesRequest, folder: Folder) -> LedgerEntry:
    """Begin the journal of a request and charge it; the charge is on disk when this returns.

    If the charge is refused, the empty journal is deleted and the error goes on.
    """
    ledger = Ledger(folder)
    receipt_number = secrets.token_hex(RECEIPT_BYTES)
    n_units = count_units(corpus, request, folder)
    facts: dict[str, object] = {
        "for": KIND,
        OF: request.parent.receipt_number,
        "by": [source.column for source in request.sources],
        "groups": request.groups.n_rows - 1,
        f"{ledger.protects(request.dataset)}s": n_units,
        "title": request.parent.documents,
        "reading": corpus.reading,
        "request": _key_of_request(corpus, request, folder),
        "documents_key": key_of_documents(corpus, folder),
        SEALED: True,
        PROGRAM: source_version(),
        "receipt": receipt_number,
    }
    if request.caveats:
        facts["seen"] = [caveat.name for caveat in request.caveats]
    begin_journal(folder, receipt_number)
    try:
        return ledger.charge(
            request.dataset,
            epsilon=request.epsilon,
            delta=request.delta,
            detail=json.dumps(facts),
            documents=note_documents(corpus, request.dataset, folder, ledger),
            spending=request.spending(n_units),
        )
    except DpldaError:
        remove_uncharged(folder)
        raise


def _perform(
    corpus: Corpus,
    request: SharesRequest,
    charge: LedgerEntry,
    folder: Folder,
    room: Path,
    report: Report,
) -> tuple[ReleasedShares, Path]:
    """Draw what a charge is for, or go on from what was drawn, and write the file.

    The journal is deleted once the file is written.

    Raises:
        UnwrittenError: the file could not be written; the error holds its content.
    """
    n_units = count_units(corpus, request, folder)
    report(0.0, "reading what each document is about")
    grouped_documents = _group_documents(corpus, request, folder)
    report(0.7, "drawing the noise")
    journal = journal_of(charge, folder)
    exact_noise = ExactNoise(
        epsilon=request.epsilon,
        delta=request.delta,
        max_charged_slack=request.spending(n_units).tv_slack,
    )
    mechanisms = Mechanisms(KeptNoise(exact_noise, journal))
    noisy_table = release_table(mechanisms, grouped_documents, mu=request.mu)
    (table_release,) = mechanisms.releases
    receipt_number = receipt_of(charge)
    assert receipt_number is not None
    shares = ReleasedShares(
        documents=request.parent.documents,
        n_units=n_units,
        unit=Ledger(folder).protects(request.dataset),
        parent_receipt=request.parent.receipt_number,
        parent_sha256=parent_of(request.parent).sha256,
        groups=request.groups,
        sources=request.sources,
        noisy_table=noisy_table,
        noise_std=table_release.scale,
        epsilon=request.epsilon,
        delta=request.delta,
        caveats=request.caveats,
        receipt_number=receipt_number,
        released_at=charge.at,
        versions={file_name: installed_version(file_name) for file_name in DRAWN_WITH},
    )
    shares = sealed_shares(shares, folder)
    content = write_shares(shares)
    file_name = receipt_number + SHARES_SUFFIX
    try:
        path = folder.write(file_name, content, room=room)
    except FolderError:
        raise UnwrittenError(file_name, content) from None
    journal.delete()
    return shares, path


def _group_documents(corpus: Corpus, request: SharesRequest, folder: Folder) -> GroupedDocuments:
    """Infer the topics of each document from the released topics, and find its group.

    Documents come with their persons if persons are protected, else without.

    Raises:
        InputError: the release selected no words itself, and the documents have other words.
    """
    parent = request.parent
    selected_words = None if parent.resumable is None else parent.resumable.selected_words
    counts = corpus.counts
    if selected_words is not None:
        selection = Selection(selected_words.n_words, selected_words.epsilon, selected_words.delta)
        counts = restrict_to_words(corpus, parent.vocabulary, selection).counts
    elif corpus.vocabulary != parent.vocabulary:
        raise InputError("words", "those of the release", "others", "Read the documents again.")
    alpha = parent.alpha0 * parent.topic_shares
    protects_persons = Ledger(folder).protects(request.dataset) == PERSON
    return GroupedDocuments(
        infer_document_topics(counts, parent.topics, alpha),
        request.groups.rows_of(request.labels_of(corpus)),
        request.groups.n_rows,
        corpus.persons if protects_persons else None,
    )


def _check_parent(request: SharesRequest, charge: LedgerEntry, folder: Folder) -> None:
    """Refuse topics that are not those of the file in the release folder.

    Raises:
        NotReleasable: that file is missing, or differs from the given topics.
        ReadError: that file is damaged, was edited or forged.
    """
    path = folder.path / f"{request.parent.receipt_number}{SUFFIX}"
    if not path.exists():
        raise NotReleasable(
            "the release of the topics is missing from the release folder",
            f"Put {path.name} back.",
        )
    original = read_release_file(path)
    check_authentic(original, charge, folder, path.name)
    if parent_of(original) != parent_of(request.parent):
        raise NotReleasable(
            "the file was edited", f"Use the original, {path.name} in the release folder."
        )


def _check_noise(request: SharesRequest, n_units: int) -> None:
    """Refuse noise too fine for its grid, too far from Gaussian noise, or too wide for 64 bits.

    Raises:
        NotReleasable: it is one of these.
    """
    grid_step = share_bound(n_units, request.n_topics).grid_step
    noise_in_grid_steps = request.noise_std(n_units) / grid_step
    tv_slack = request.spending(n_units).tv_slack
    if noise_in_grid_steps < MIN_NOISE_STD or tv_slack > max_tv_slack(
        request.epsilon, request.delta
    ):
        raise NotReleasable(
            "noise would be too fine for its grid at this ε and δ", "Choose a smaller ε."
        )
    if noise_in_grid_steps >= NOISE_STD_LIMIT:
        raise NotReleasable(
            "noise would be too wide for 64 bits at this ε and δ", "Choose a larger ε."
        )


def _charge_of_parent(request: SharesRequest, folder: Folder) -> LedgerEntry | None:
    """The charge of the topics, if the dataset has one."""
    for entry in Ledger(folder).entries(request.dataset):
        if receipt_of(entry) == request.parent.receipt_number:
            return entry
    return None


def _find_unfinished(corpus: Corpus, request: SharesRequest, folder: Folder) -> LedgerEntry | None:
    """The last charge of the same request that can be finished free.

    Raises:
        LedgerError: the ledger is older than the journal of such a charge.
    """
    for entry in reversed(_charges_of(corpus, request, folder)):
        progress = progress_of(entry, folder)
        if progress is Progress.OLDER_LEDGER:
            raise LedgerError(f"Entry {entry.number}: {progress}. {RESTORE}")
        if progress is not None and progress.can_be_finished:
            return entry
    return None


def _charges_of(corpus: Corpus, request: SharesRequest, folder: Folder) -> list[LedgerEntry]:
    """Charges of the same request for the same documents and labels, oldest first."""
    key = _key_of_request(corpus, request, folder)
    entries = Ledger(folder).entries(request.dataset)
    return [entry for entry in entries if text_noted_in(entry, "request") == key]


def _key_of_request(corpus: Corpus, request: SharesRequest, folder: Folder) -> str:
    """The key of a request, its documents and their labels."""
    labels = digest_of_labels(request.labels_of(corpus))
    parts = (b"shares request", corpus.digest.encode(), labels, request.canonical_text().encode())
    return folder.sign(*parts)[:KEY_DIGITS]


def _path_of(entry: LedgerEntry, folder: Folder) -> Path:
    return folder.path / f"{receipt_of(entry)}{SHARES_SUFFIX}"
