"""Release topic shares: check and charge a request, draw exact noise, keep the file; repeats free.

The order is that of ``workflow.perform``: checks and room for the file come before any charge; the
charge is on disk before any noise is drawn; the noisy table is in the journal before anything
depends on it. If the program dies in between, the charge stays, and the same request goes on from
what was drawn at no further charge.
"""

import json
import secrets
from pathlib import Path

from dplda.core import demo
from dplda.core.errors import DpldaError, NotReleasable
from dplda.core.types import Matrix, Report, silent
from dplda.core.versions import DRAWN_WITH, installed_version, source_version
from dplda.corpus import Corpus, Selection
from dplda.corpus.persons import Persons
from dplda.methods.shares.document_topics import infer_document_topics
from dplda.methods.shares.group_selection import rows_naming_groups
from dplda.methods.shares.groups import Groups
from dplda.methods.shares.share_table import GroupedDocuments, release_table
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.exact import ExactNoise, load_sampler
from dplda.privacy.noise.kept_answers import KeptNoise
from dplda.privacy.word_selection.selection import counts_of_words, draw_selection_from_rows
from dplda.release.artefact.released_file import parent_of
from dplda.release.ledger.file_seal import SEALED
from dplda.release.ledger.fingerprints import note_documents
from dplda.release.ledger.folder import Folder, FolderError, UnwrittenError
from dplda.release.ledger.ledger import PERSON, Ledger, LedgerEntry
from dplda.release.ledger.records.entry import receipt_of
from dplda.release.shares.checks import as_parent_read, check_shares_request, count_units
from dplda.release.shares.request import SharesRequest
from dplda.release.shares.shares_file import (
    SELECTED_AXIS,
    SHARES_SUFFIX,
    ReleasedShares,
    max_shares_bytes,
    sealed_shares,
    write_shares,
)
from dplda.release.shares.shares_store import (
    OF,
    SharesReceipt,
    find_existing_shares,
    find_unfinished_shares,
    key_of_shares_request,
)
from dplda.release.workflow.journal.journal import Journal
from dplda.release.workflow.journal.journal_file import begin_journal
from dplda.release.workflow.journal.progress import (
    PROGRAM,
    journal_of,
    remove_outlived,
    remove_uncharged,
)
from dplda.release.workflow.perform import RECEIPT_BYTES
from dplda.release.workflow.recovery import recover_interrupted
from dplda.release.workflow.request_keys import key_of_documents

KIND = "topic shares"  # in the detail of a charge: what it is for
GROUPS_PUBLIC = "groups"  # likewise: how many there are
GROUPS_CHOSEN = "groups at most, chosen by size"  # likewise
GROUPS = "selected groups"  # kind of a selection in the journal


class NoGroupFoundError(DpldaError):
    """No group was large enough to be chosen by size. The table was charged."""

    def __init__(self) -> None:
        super().__init__(
            "No group was large enough to be chosen. Use more ε, list the groups yourself, or take"
            " a column with fewer and larger groups."
        )


def release_shares(
    corpus: Corpus, request: SharesRequest, folder: Folder, *, report: Report = silent
) -> SharesReceipt:
    """Release a table of shares, or return the one that the same request made before.

    In the second case, leftovers of finished releases are removed.

    Args:
        corpus: the documents of the parent, read as for it, with the columns of labels.
        request: the request, frozen.
        folder: the release folder.
        report: progress callback; cancelling does not undo the charge, and the same request goes on
            from there.

    Raises:
        NotReleasable: this is a public demo, the parent is missing, edited or of other documents,
            an earlier version took one of its persons for several, or noise would be too fine or
            too wide; nothing was charged.
        LedgerError: too little is left; nothing was charged.
        FolderError: there is no room, or another release is under way; nothing was charged, or the
            error says that repeating the request costs nothing more.
        NoGroupFoundError: no group was large enough to be chosen; it was charged.
        UnwrittenError: the table could not be written, and the error holds it; it was charged.

    Guarantee:
        The file is (ε, δ)-differentially private given the parent, by the theorems of
        ``methods.shares.share_table``, ``methods.shares.group_selection`` and
        ``privacy.noise.exact``: when one document is replaced, or all documents of one person where
        the dataset protects persons. All releases of a dataset together keep its declared budget
        (``privacy.accounting.budget_caps``).
    """
    if demo.is_on():
        raise NotReleasable("this is a public demo", "Run dplda on your own machine.")
    corpus = as_parent_read(corpus, request, folder)
    check_shares_request(corpus, request, folder)
    existing_receipt = find_existing_shares(corpus, request, folder)
    if existing_receipt is not None:
        remove_outlived(folder)
        return existing_receipt
    load_sampler()
    with folder.turn():
        return _release_in_turn(corpus, request, folder, report)


def _release_in_turn(
    corpus: Corpus, request: SharesRequest, folder: Folder, report: Report
) -> SharesReceipt:
    """Charge and perform a request, or finish one that was interrupted after its charge.

    Files of interrupted releases are recovered first. Returns the table of an equal request if its
    file exists; then nothing is charged. Room for the file is reserved before the charge, and freed
    whatever happens.
    """
    unfinished_charge = find_unfinished_shares(corpus, request, folder)
    recover_interrupted(folder)
    existing_receipt = find_existing_shares(corpus, request, folder)
    if existing_receipt is not None:
        return existing_receipt
    reserved_path = folder.reserve(max_shares_bytes(request.groups.n_rows, request.n_topics))
    try:
        charge = unfinished_charge or _charge(corpus, request, folder)
        share_table, file_path = _perform(corpus, request, charge, folder, reserved_path, report)
    finally:
        reserved_path.unlink(missing_ok=True)
    return SharesReceipt(
        shares=share_table,
        path=file_path,
        charged=unfinished_charge is None,
        balance=Ledger(folder).balance(request.dataset),
        was_finished=unfinished_charge is not None,
    )


def _charge(corpus: Corpus, request: SharesRequest, folder: Folder) -> LedgerEntry:
    """Begin the journal of a request and charge it; the charge is on disk when this returns.

    The documents of the dataset are noted with it. If the charge is refused, the empty journal is
    deleted and the error goes on.
    """
    ledger = Ledger(folder)
    receipt_number = secrets.token_hex(RECEIPT_BYTES)
    n_units = count_units(corpus, request, folder)
    charge_facts: dict[str, object] = {
        "for": KIND,
        OF: request.parent.receipt_number,
        "by": [axis_source.column for axis_source in request.sources],
        GROUPS_PUBLIC if request.selection is None else GROUPS_CHOSEN: request.groups.n_rows - 1,
        f"{ledger.protects(request.dataset)}s": n_units,
        "title": request.parent.documents,
        "reading": corpus.reading,
        "request": key_of_shares_request(corpus, request, folder),
        "documents_key": key_of_documents(corpus, folder),
        SEALED: True,
        PROGRAM: source_version(),
        "receipt": receipt_number,
    }
    if request.caveats:
        charge_facts["seen"] = [caveat.name for caveat in request.caveats]
    begin_journal(folder, receipt_number)
    try:
        return ledger.charge(
            request.dataset,
            epsilon=request.epsilon,
            delta=request.delta,
            detail=json.dumps(charge_facts),
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
    reserved_path: Path,
    report: Report,
) -> tuple[ReleasedShares, Path]:
    """Draw what a charge is for, or go on from what was drawn, and write the table, sealed.

    The file is named after the receipt's number. The journal is deleted once the file is written.
    If no group is chosen, that is noted as the end of the charge.

    Raises:
        NoGroupFoundError: no group was large enough.
        UnwrittenError: the file could not be written; the error holds its content.
    """
    journal = journal_of(charge, folder)
    share_table = sealed_shares(
        _draw_shares(corpus, request, charge, folder, journal, report), folder
    )
    file_content = write_shares(share_table)
    file_name = share_table.receipt_number + SHARES_SUFFIX
    try:
        file_path = folder.write(file_name, file_content, room=reserved_path)
    except FolderError:
        raise UnwrittenError(file_name, file_content) from None
    journal.delete()
    return share_table, file_path


def _draw_shares(
    corpus: Corpus,
    request: SharesRequest,
    charge: LedgerEntry,
    folder: Folder,
    journal: Journal,
    report: Report,
) -> ReleasedShares:
    """Choose the groups, if they are not public, and draw the table, or read both from the journal.

    Raises:
        NoGroupFoundError: no group was large enough.
    """
    n_units = count_units(corpus, request, folder)
    exact_noise = ExactNoise(
        epsilon=request.epsilon,
        delta=request.delta,
        max_charged_slack=request.spending(n_units).tv_slack,
    )
    unit = Ledger(folder).protects(request.dataset)
    persons = corpus.persons if unit == PERSON else None
    groups = request.groups
    if request.selection is not None:
        report(0.0, "choosing the groups")
        groups = _choose_groups(
            corpus, request, request.selection, persons, n_units, exact_noise, journal
        )
    report(0.1, "reading what each document is about")
    grouped_documents = GroupedDocuments(
        _infer_topics(corpus, request),
        groups.rows_of(request.labels_of(corpus)),
        groups.n_rows,
        persons,
    )
    report(0.7, "drawing the noise")
    table_mechanisms = Mechanisms(KeptNoise(exact_noise, journal))
    noisy_table = release_table(table_mechanisms, grouped_documents, mu=request.mu)
    (noise_record,) = table_mechanisms.releases
    return _released_shares(
        request,
        charge,
        groups,
        noisy_table,
        noise_std=noise_record.scale,
        n_units=n_units,
        unit=unit,
    )


def _released_shares(
    request: SharesRequest,
    charge: LedgerEntry,
    groups: Groups,
    noisy_table: Matrix,
    *,
    noise_std: float,
    n_units: int,
    unit: str,
) -> ReleasedShares:
    """Make the released table of what was drawn, with the facts of its request and charge.

    Args:
        request: the request.
        charge: the ledger's entry that paid for it.
        groups: of the table, public or chosen.
        noisy_table: shape (groups, topics), with noise.
        noise_std: standard deviation of that noise.
        n_units: documents, or persons where they are protected.
        unit: what is protected: a ``document`` or a ``person``.
    """
    receipt_number = receipt_of(charge)
    assert receipt_number is not None
    return ReleasedShares(
        documents=request.parent.documents,
        n_units=n_units,
        unit=unit,
        parent_receipt=request.parent.receipt_number,
        parent_sha256=parent_of(request.parent).sha256,
        groups=groups,
        sources=request.sources,
        noisy_table=noisy_table,
        noise_std=noise_std,
        epsilon=request.epsilon,
        delta=request.delta,
        caveats=request.caveats,
        receipt_number=receipt_number,
        released_at=charge.at,
        versions={library: installed_version(library) for library in DRAWN_WITH},
        selection=request.selection,
    )


def _choose_groups(
    corpus: Corpus,
    request: SharesRequest,
    selection: Selection,
    persons: Persons | None,
    n_units: int,
    exact_noise: ExactNoise,
    journal: Journal,
) -> Groups:
    """Choose the groups by noisy size, the largest first, or take them from the journal.

    The choice is kept in the journal as one answer. If no group was large enough, the charge is
    noted as ended.

    Args:
        corpus: the documents with their labels.
        request: the request.
        selection: how groups are chosen.
        persons: whose each document is; None where documents are protected.
        n_units: documents, or persons where they are protected.
        exact_noise: draws noise, and counts its distance.
        journal: of the charge.

    Raises:
        NoGroupFoundError: none was large enough.
    """
    labels_of_documents = request.labels_of(corpus)[SELECTED_AXIS]
    rows_with_groups = rows_naming_groups(labels_of_documents, persons, n_units)
    selection_outcome = journal.select(
        GROUPS,
        lambda: draw_selection_from_rows(rows_with_groups, selection, exact_noise),
        selection,
        n_units,
        exact_noise,
    )
    if not selection_outcome.words:
        journal.note_end()  # worked out from the answer: it stays so however often it is asked
        raise NoGroupFoundError
    return request.groups.with_selected(selection_outcome.words)


def _infer_topics(corpus: Corpus, request: SharesRequest) -> Matrix:
    """Infer the topic shares of every document, by released topics and words alone; (N, k).

    The documents are those of the parent. They are over other words if it selected its words.
    """
    parent = request.parent
    word_counts = corpus.counts
    if corpus.vocabulary != parent.vocabulary:
        word_counts = counts_of_words(corpus, parent.vocabulary)
    return infer_document_topics(word_counts, parent.topics, parent.alpha0 * parent.topic_shares)
