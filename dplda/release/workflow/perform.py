"""Make a release: check and charge a request, draw exact noise, keep the file; repeats are free.

In this order, one release at a time: checks and room for the file come before any charge; the
charge and a note of the documents are on disk before any noise is drawn; the file is then written
whole. If the program dies in between, the charge stays, and the same request goes on from what was
drawn (``journal``), at no further charge. There is no refund.
"""

import secrets
from dataclasses import replace
from functools import partial
from pathlib import Path

from dplda.core import demo
from dplda.core.errors import (
    CorpusError,
    DpldaError,
    InputError,
    NotReleasable,
    NumericalError,
)
from dplda.core.types import Report, silent
from dplda.corpus import Corpus
from dplda.experiments.experiment import fit
from dplda.methods.base.method import FitResult
from dplda.methods.base.runtime import Runtime
from dplda.privacy.noise.exact import ExactNoise, delta_of_noise, load_sampler
from dplda.privacy.noise.kept_answers import KeptNoise
from dplda.privacy.word_selection.selection import restrict_to_selected, restrict_to_words
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import SUFFIX, write_release
from dplda.release.ledger.file_seal import sealed
from dplda.release.ledger.fingerprints import note_documents
from dplda.release.ledger.folder import Folder, FolderError, UnwrittenError
from dplda.release.ledger.ledger import Ledger, LedgerEntry
from dplda.release.workflow.checks import check_request, protected_rows
from dplda.release.workflow.continuation import as_charged, check_continuation
from dplda.release.workflow.journal.journal import Journal
from dplda.release.workflow.journal.journal_file import begin_journal
from dplda.release.workflow.journal.progress import journal_of, remove_outlived, remove_uncharged
from dplda.release.workflow.publish import make_artefact
from dplda.release.workflow.receipt import Receipt
from dplda.release.workflow.recovery import recover_interrupted
from dplda.release.workflow.release_store import (
    as_charged_before,
    charge_detail,
    find_existing,
    find_receipts,
    find_unfinished_charge,
    keep_prior,
    max_file_bytes,
)
from dplda.release.workflow.request import Request

RECEIPT_BYTES = 16  # of a receipt number, which is drawn
FIT_TIME_SHARE = 0.2  # of a release's time; then come intervals, and the comparison of evidence
COMPARISON_STARTS_AT = 0.35
SEED = 0  # public: where topics and a decomposition start; no noise depends on it


def release(
    corpus: Corpus, request: Request, folder: Folder, *, report: Report = silent
) -> Receipt:
    """Release topics, or return the release that the same request made before.

    Args:
        corpus: the documents as they were read; to continue a release, they are taken in the
            reading that it was made of.
        request: the request, frozen.
        folder: the release folder.
        report: progress callback; cancelling does not undo the charge, and the same request goes on
            from there.

    Raises:
        NotReleasable: this is a public demo, or see ``check_request`` and ``check_continuation``;
            nothing was charged.
        LedgerError: the dataset is unknown, has too little left, or another owns the documents;
            nothing was charged.
        FolderError: there is no room, or another release is under way; nothing was charged, or the
            error says that repeating the request costs nothing more.
        UnwrittenError: the release could not be written, and the error holds it; it was charged.
        DpldaError: a refusal of the fit; it was charged.

    Guarantee:
        The file is (ε, δ)-differentially private when one document is replaced
        (``privacy.noise.exact``, and the method's own proof); where the dataset protects persons,
        when all documents of one are, which replaces one row of ``by_person``; words that are
        selected are part of it (``privacy.word_selection.thresholds``). All releases charged to a
        dataset together keep its declared budget in the same sense
        (``privacy.accounting.budget_caps``).
    """
    if demo.is_on():
        raise NotReleasable("this is a public demo", "Run dplda on your own machine.")
    unit = Ledger(folder).protects(request.dataset)
    corpus = as_charged(corpus.as_read, request, folder)
    rows = protected_rows(corpus, unit)
    check_request(rows, request)
    existing_receipt = find_existing(corpus, request, folder)
    if existing_receipt is not None:
        remove_outlived(folder)
        return existing_receipt  # on a read-only or full disk, too, which has no turn to give
    load_sampler()
    with folder.turn():
        return _release_in_turn(corpus, rows, request, folder, report)


def _release_in_turn(
    corpus: Corpus, rows: Corpus, request: Request, folder: Folder, report: Report
) -> Receipt:
    """Charge and perform a request, or finish one that was interrupted after its charge.

    What cannot be continued is refused first (``check_continuation``). Files of interrupted
    releases are recovered; earlier charges of an equal request are given up if this one is new.
    Returns the release, without a charge, if another process finished it meanwhile. Then the public
    table is kept in the folder. Room for the file is reserved before the charge, and freed whatever
    happens. A receipt says whether this request was charged, or was finished at no further charge.
    """
    check_continuation(corpus, request, folder)
    unfinished_charge = find_unfinished_charge(corpus, request, folder)
    given_up_receipts: set[str] = set()
    if unfinished_charge is None:  # charges that cannot be finished
        given_up_receipts = find_receipts(corpus, request, folder)
    recover_interrupted(folder, given_up=given_up_receipts)
    existing_receipt = find_existing(corpus, request, folder)
    if existing_receipt is not None:
        return existing_receipt
    keep_prior(request.experiment.method.prior, folder)
    reserved_path = folder.reserve(max_file_bytes(rows, request))
    try:
        if unfinished_charge is None:
            charge = _charge(corpus, rows, request, folder)
            return _perform(rows, request, charge, folder, reserved_path, report)
        request = as_charged_before(request, unfinished_charge)
        receipt = _perform(rows, request, unfinished_charge, folder, reserved_path, report)
    finally:
        reserved_path.unlink(missing_ok=True)
    recover_interrupted(folder)  # room that the interrupted process had taken
    return replace(receipt, charged=False, was_finished=True)


def _charge(corpus: Corpus, rows: Corpus, request: Request, folder: Folder) -> LedgerEntry:
    """Begin the journal of a request and charge it; the charge is on the disk when this returns.

    The documents of the dataset are noted with it. If the charge is refused, the empty journal is
    deleted and the error goes on.
    """
    ledger = Ledger(folder)
    charged_epsilon, charged_delta = request.cost
    receipt_number = secrets.token_hex(RECEIPT_BYTES)
    begin_journal(folder, receipt_number)
    try:
        return ledger.charge(
            request.dataset,
            epsilon=charged_epsilon,
            delta=charged_delta,
            detail=charge_detail(corpus, rows, request, folder, receipt_number),
            documents=note_documents(corpus, request.dataset, folder, ledger),
            spending=request.spending(rows),
        )
    except DpldaError:
        remove_uncharged(folder)
        raise


def _perform(
    rows: Corpus,
    request: Request,
    charge: LedgerEntry,
    folder: Folder,
    reserved_path: Path,
    report: Report,
) -> Receipt:
    """Draw what a charge is for, or go on from what was drawn, and write the file.

    Intervals and the comparison of the evidence with simulated documents are worked out last; if
    that is cut short, the file is written without what is missing, and the interruption goes on. A
    fit that is refused is noted in the ledger as ended, and its error goes on; there is no file
    then. The journal is deleted once the file is written.

    The receipt always says that the charge is new; the caller corrects it for an earlier one.
    Nothing depends on an answer before its journal has it and the ledger counts it (``journal``).
    """
    journal = journal_of(charge, folder)
    reruns_follow_fit = request.experiment.registered_method.fit_continued is not None
    report_fit = partial(_report_part, report, 0.0, FIT_TIME_SHARE if reruns_follow_fit else 1.0)
    report_intervals = partial(_report_part, report, FIT_TIME_SHARE, COMPARISON_STARTS_AT)
    report_comparison = partial(_report_part, report, COMPARISON_STARTS_AT, 1.0)
    try:
        released_rows, fit_result = _run_method(rows, request, journal, report_fit)
    except (NumericalError, CorpusError, InputError):
        journal.note_end()  # worked out from the answers: it stays so however often it is asked
        raise
    artefact = make_artefact(fit_result, released_rows, request, charge, with_intervals=False)
    sealed_release = sealed(artefact, folder)
    try:
        # What is in the room is recovered if the journal cannot be used when work is cut short.
        if fit_result.uncertainty is not None:
            folder.fill(reserved_path, write_release(sealed_release))
            error_std = fit_result.uncertainty.estimate_error_std(report_intervals)
            fit_result = fit_result.with_uncertainty(
                replace(fit_result.uncertainty, known_error_std=error_std)
            )
            sealed_release = sealed(
                make_artefact(fit_result, released_rows, request, charge), folder
            )
        if fit_result.evidence is not None:
            folder.fill(reserved_path, write_release(sealed_release))
            fit_result = fit_result.with_evidence_check(
                fit_result.evidence.compare(report_comparison)
            )
            sealed_release = sealed(
                make_artefact(fit_result, released_rows, request, charge), folder
            )
    finally:
        release_path = _write(sealed_release, folder, reserved_path)
        journal.delete()
    return Receipt(
        artefact=sealed_release,
        path=release_path,
        charged=True,
        balance=Ledger(folder).balance(request.dataset),
    )


def _report_part(report: Report, start: float, end: float, share: float, step: str) -> None:
    """Report progress of a part of the work that goes from ``start`` to ``end`` of the whole."""
    report(start + (end - start) * share, step)


def _write(artefact: Artefact, folder: Folder, room: Path) -> Path:
    """Write the file of a release, named after its receipt, into its room; return its path.

    Raises:
        UnwrittenError: that failed; the error holds the file's content.
    """
    name = artefact.receipt_number + SUFFIX
    content = write_release(artefact)
    try:
        return folder.write(name, content, room=room)
    except FolderError:
        raise UnwrittenError(name, content) from None


def _run_method(
    rows: Corpus, request: Request, journal: Journal, report: Report
) -> tuple[Corpus, FitResult]:
    """Run the method with exact noise, which the journal keeps; continue the previous run, if any.

    The method gets a fixed seed, and of δ only the part left for its noise. The journal also keeps
    words that are selected before.

    Returns:
        The documents over the words of the release, and the result.
    """
    experiment = request.experiment
    noise_budget = replace(experiment.budget, delta=delta_of_noise(experiment.budget.delta))
    experiment_to_run = replace(experiment, budget=noise_budget, seed=SEED)
    promised_epsilon, promised_delta = request.total
    exact_noise = ExactNoise(
        epsilon=promised_epsilon,
        delta=promised_delta,
        max_charged_slack=request.spending(rows).tv_slack,
    )
    rows = _over_released_words(rows, request, journal, exact_noise, report)
    runtime = Runtime(noise=KeptNoise(exact_noise, journal), report=report)
    return rows, fit(experiment_to_run, rows, runtime, previous=request.previous_run)


def _over_released_words(
    rows: Corpus, request: Request, journal: Journal, exact_noise: ExactNoise, report: Report
) -> Corpus:
    """Restrict the documents to the words of the release.

    Without a selection they stay as they are. A continued release keeps its words. Otherwise words
    are selected now, or taken from the journal if they had been.

    Raises:
        CorpusError: fewer than two words were selected.

    """
    selection = request.selection
    if selection is None:
        return rows
    if request.previous is not None:
        return restrict_to_words(rows, request.previous.vocabulary, selection)
    report(0.0, "selecting words")
    selection_outcome = journal.select_words(rows, selection, exact_noise)
    return restrict_to_selected(rows, selection_outcome, selection)
