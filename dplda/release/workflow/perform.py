"""Make a release: check a frozen request, charge it, draw exact noise, keep the file; repeating a request is free.

In this order, one release at a time: checks and room for the file come before any charge; the charge and a note of the
documents are on disk before any noise is drawn; the file is then written whole. If the program dies in between, the
charge stays, and the same request goes on from what was drawn (``journal``), at no further charge. There is no refund.
"""

import secrets
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

from dplda.core import checks, demo
from dplda.core.errors import (
    CorpusError,
    DpldaError,
    InputError,
    NotReleasable,
    NumericalError,
)
from dplda.core.types import Report, silent
from dplda.core.versions import DRAWN_WITH, installed_version
from dplda.corpus import Corpus, Selection
from dplda.corpus.corpus import VocabularySource
from dplda.methods.base.guarantees import SELECTION_SENTENCE
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Origin, ProblemSize
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.memory import check_memory, total_memory
from dplda.methods.refined.prior_sources import require_known_words
from dplda.methods.registry import releasable_methods
from dplda.privacy.adjacency import STATED
from dplda.privacy.noise.exact import MIN_NOISE_STD, ExactNoise, delta_of_noise, max_tv_slack
from dplda.privacy.noise.exact_normals import NOISE_STD_LIMIT
from dplda.privacy.noise.fixed_point import MAX_DOCUMENTS, count_resolution, grid_resolution
from dplda.privacy.noise.kept_answers import KeptNoise
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.release import Status
from dplda.privacy.word_selection.selection import (
    MAX_WORD_CHARACTERS,
    is_selectable,
    restrict_to_selected,
    restrict_to_words,
    round_noise,
)
from dplda.privacy.word_selection.thresholds import MAX_WORDS_PER_ROW, selection_thresholds
from dplda.release.artefact.findings import findings_of, named_by_themes, supported_first
from dplda.release.artefact.released_file import (
    SUFFIX,
    Artefact,
    DrawnValue,
    Findings,
    named_as_parent,
    write,
)
from dplda.release.artefact.resumable import Resumable, Selected
from dplda.release.ledger.file_seal import sealed
from dplda.release.ledger.fingerprints import note
from dplda.release.ledger.folder import Folder, FolderError, UnwrittenError
from dplda.release.ledger.ledger import LONGEST_NAME, PERSON, Ledger, LedgerEntry
from dplda.release.workflow.journal.journal import Journal
from dplda.release.workflow.journal.journal_file import begin_journal
from dplda.release.workflow.journal.progress import journal_of, remove_outlived, remove_uncharged
from dplda.release.workflow.release_store import (
    as_charged,
    as_charged_before,
    check_continues,
    detail,
    find_again,
    keep_table,
    most_bytes,
    receipt_of,
    receipts_of,
    stored,
    unfinished_charge,
)
from dplda.release.workflow.request import Receipt, Request

RECEIPT_BYTES = 16  # of a receipt number, which is drawn
SEED = 0  # public: where topics and a decomposition start; no noise depends on it
WIDENED = (
    22_000.0  # by which a share of μ² may widen a quantity's noise; no method gives a smaller share
)
OF_MEMORY = 0.75  # for a fit; the rest is for the documents, so free memory reveals nothing


def check(corpus: Corpus, request: Request) -> None:
    """Refuse what cannot be released; depends only on public numbers and the machine's memory."""
    one = request.settings
    if not one.registered_method.is_releasable or one.registered_method.status is not Status.PROVEN:
        names = " or ".join(method.name for method in releasable_methods())
        raise NotReleasable(
            f"{one.registered_method.title} is not proven in exact arithmetic", f"Choose {names}."
        )
    selection = request.selection
    check_words(corpus, selection)
    if one.budget.chosen is Origin.DOCUMENTS:
        raise NotReleasable(
            "the budget's split was chosen on these documents",
            "Use the method's own split, or tune it on simulated documents.",
        )
    checks.epsilon(one.budget.epsilon)
    checks.delta(one.budget.delta)
    _, delta = request.total
    checks.delta(delta, "δ of words and topics")
    if corpus.n_documents > MAX_DOCUMENTS:
        raise NotReleasable(
            f"there are more than {MAX_DOCUMENTS:,} documents", "Release some of them."
        )
    title = request.title
    if not (title.strip() and len(title) <= LONGEST_NAME and title.isprintable()):
        limit = f"1 to {LONGEST_NAME} printable characters, not only spaces"
        raise InputError("the title", limit, f"{len(title)} characters")
    d, k = selection.n_words if selection else corpus.n_words, one.problem.n_topics
    checks.integer_between("n_topics", k, 2, d)
    checks.alpha0(one.problem.alpha0)
    table = None if one.method.prior is None else one.method.prior.load_prior(k)
    listed = (
        corpus.vocabulary
        if selection is None
        else selection.listed
        if one.method.prior_is_trusted
        else ()
    )
    if table is not None and listed:  # others may not be found, and it is paid for anyway
        require_known_words(table, listed)
    if one.registered_method.needs_pair_matrix:
        check_memory(
            ProblemSize(corpus.n_documents, d, k, one.problem.alpha0),
            private=True,
            free=OF_MEMORY * total_memory(),
        )
    mu = request.mu
    finest, counted = (
        grid_resolution(corpus.n_documents) / mu,
        count_resolution(corpus.n_documents) / mu,
    )
    if selection is not None:
        widths = [wide for _, wide in round_noise(selection, corpus.n_documents)]
        if max(widths) >= NOISE_STD_LIMIT:
            raise NotReleasable(
                "noise on words would be too wide for 64 bits", "Choose a larger ε for the words."
            )
        counted = min(counted, *widths)
    earlier = request.since and request.since.resumable
    apart = request.spending(corpus).tv_slack + (earlier.apart if earlier else 0.0)
    if min(finest, counted) < MIN_NOISE_STD or apart > max_tv_slack(*request.total):
        raise NotReleasable(
            "noise would be too fine for its grid at this ε and δ", "Choose a smaller ε."
        )
    if finest * WIDENED >= NOISE_STD_LIMIT:
        raise NotReleasable(
            "noise would be too wide for 64 bits at this ε and δ", "Choose a larger ε."
        )


def check_words(corpus: Corpus, selection: Selection | None) -> None:
    """Refuse a vocabulary that reveals something about the documents."""
    source = corpus.vocabulary_source
    if source is VocabularySource.SELECTED:
        raise NotReleasable(
            "the words were already selected, with simulated noise", "Read the documents again."
        )
    if selection is not None and source is VocabularySource.FIXED:
        raise InputError(
            "corpus", "over every word met", "over a fixed list", "Read them with n_words=None."
        )
    if source is not (VocabularySource.FIXED if selection is None else VocabularySource.MET):
        raise NotReleasable(
            "the vocabulary was taken from the documents, and a release would publish it",
            "Read them again with common English words, your own word list, or words selected privately.",
        )
    public_words = corpus.vocabulary if selection is None else selection.listed
    if not all(map(is_selectable, public_words)):
        raise InputError(
            "every word of the list",
            f"text of 1 to {MAX_WORD_CHARACTERS} characters",
            "another one",
            "Leave it out: no file can hold it.",
        )


def protected(corpus: Corpus, unit: str) -> Corpus:
    """The corpus whose rows are protected, documents or whole persons; refused where no column names the persons."""
    corpus = corpus.as_read
    if corpus.of_persons:
        if unit == PERSON:
            return corpus
        raise NotReleasable(
            "each person's documents were joined into one", "Read them again without persons."
        )
    if unit != PERSON:
        return corpus
    if corpus.persons is None:
        raise NotReleasable(
            "its dataset protects persons, and no column names the authors",
            "Read them again and name the column that holds their authors.",
        )
    return corpus.by_person()


def release(
    corpus: Corpus, request: Request, folder: Folder, *, report: Report = silent
) -> Receipt:
    """Release topics, or return the release that the same request made before.

    Args:
        corpus: documents, used as they were read; to continue a release, as they were read for it.
        report: progress callback; cancelling does not undo the charge, and the same request goes on from there.

    Raises:
        NotReleasable: see ``check``; nothing was charged.
        LedgerError: the dataset is unknown, has too little left, or another owns the documents; nothing was charged.
        FolderError: there is no room, or another release is under way; nothing was charged, or the error says that
            repeating the request costs nothing more.
        UnwrittenError: the release could not be written, and the error holds it; it was charged.
        DpldaError: a refusal of the fit; it was charged.

    Guarantee:
        The file is (ε, δ)-differentially private when one document is replaced (``privacy.noise.exact``, and the method's own
        proof); where the dataset protects persons, when all documents of one are, which replaces one row of
        ``by_person``; words that are selected are part of it (``privacy.word_selection.thresholds``). All releases charged to a dataset
        together keep its declared budget in the same sense (``privacy.accounting.budget_caps``).
    """
    if demo.is_on():
        raise NotReleasable("this is a public demo", "Run dplda on your own machine.")
    ledger = Ledger(folder)
    unit = ledger.protects(request.dataset)
    corpus = as_charged(corpus.as_read, request, folder)
    rows = protected(corpus, unit)
    check(rows, request)
    if (paid := stored(corpus, request, folder)) is not None:
        remove_outlived(folder)
        return paid  # on a read-only or full disk, too, which has no turn to give
    with folder.turn():
        check_continues(corpus, request, folder)
        begun = unfinished_charge(corpus, request, folder)
        find_again(folder, given_up=() if begun else receipts_of(corpus, request, folder))
        found = stored(corpus, request, folder)
        if found is not None:
            return found
        keep_table(request.settings.method.prior, folder)
        room = folder.reserve(most_bytes(rows, request))
        try:
            if begun is None:
                charge = _charge(corpus, rows, request, folder)
            else:
                charge, request = begun, as_charged_before(request, begun)
            receipt = _perform(rows, request, charge, folder, room, report)
        finally:
            room.unlink(missing_ok=True)
        if begun is not None:
            find_again(folder)  # room that the interrupted process had taken
            receipt = replace(receipt, charged=False, was_finished=True)
        return receipt


def _charge(corpus: Corpus, rows: Corpus, request: Request, folder: Folder) -> LedgerEntry:
    """Charge a request; the charge and a note of its documents are on disk when this returns.

    The journal is begun before, so that a charge without one can only be restored from a copy.
    """
    ledger = Ledger(folder)
    epsilon, delta = request.cost
    receipt = secrets.token_hex(RECEIPT_BYTES)
    begin_journal(folder, receipt)
    try:
        return ledger.charge(
            request.dataset,
            epsilon=epsilon,
            delta=delta,
            detail=detail(corpus, rows, request, folder, receipt),
            documents=note(corpus, request.dataset, folder, ledger),
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
    room: Path,
    report: Report,
) -> Receipt:
    """Draw what a charge is for, or go on from what was drawn, and write the file.

    Nothing depends on an answer before its journal has it and the ledger counts it (``journal``).
    """
    journal = journal_of(charge, folder)
    part = (
        0.5 if request.settings.registered_method.fit_continued else 1.0
    )  # of the time; ranges take the rest
    try:
        rows, found = _fit(rows, request, journal, lambda share, step: report(part * share, step))
    except (NumericalError, CorpusError, InputError):
        journal.note_end()  # worked out from the answers: it stays so however often it is asked
        raise
    artefact = sealed(artefact_of(found, rows, request, charge, ranges=False), folder)
    try:
        if found.uncertainty is not None:
            folder.fill(
                room, write(artefact)
            )  # found again if the journal cannot be used when ranges were cut short
            found.uncertainty.estimate_error_std(
                lambda share, step: report(part + part * share, step)
            )
            artefact = sealed(artefact_of(found, rows, request, charge), folder)
    finally:
        name, content = artefact.charge + SUFFIX, write(artefact)
        try:
            path = folder.write(name, content, room=room)
        except FolderError:
            raise UnwrittenError(name, content) from None
        journal.delete()
    return Receipt(artefact, path, True, Ledger(folder).balance(request.dataset))


def _fit(
    rows: Corpus, request: Request, journal: Journal, report: Report
) -> tuple[Corpus, FitResult]:
    """Run the method on exact noise; the documents over the words of the release, and its result."""
    settings, selection = request.settings, request.selection
    budget = replace(settings.budget, delta=delta_of_noise(settings.budget.delta))
    promised, most = request.total
    exact = ExactNoise(
        epsilon=promised, delta=most, max_charged_slack=request.spending(rows).tv_slack
    )
    if selection is not None and request.since is not None:
        rows = restrict_to_words(rows, request.since.vocabulary, selection)
    elif selection is not None:
        report(0.0, "selecting words")
        selected = journal.select_words(rows, selection, exact)
        rows = restrict_to_selected(rows, selected, selection)
    fit = settings.registered_method.fit
    if request.earlier is not None and settings.registered_method.fit_continued is not None:
        fit = partial(settings.registered_method.fit_continued, request.earlier)
    noise = KeptNoise(exact, journal)
    found = fit(rows, settings.problem, budget, Runtime(SEED, noise, report=report))
    return rows, found


def artefact_of(
    found: FitResult, corpus: Corpus, request: Request, entry: LedgerEntry, *, ranges: bool = True
) -> Artefact:
    """The part of a run that may be published; refused where the noise is not exact, or the guarantee has a caveat."""
    if not found.guarantee.releasable or any(
        one.noise is not NoiseKind.EXACT for one in found.releases
    ):
        raise NotReleasable("this run's noise is not exact, or its guarantee has a caveat")
    settings = request.settings
    run = findings_of(
        found,
        settings.registered_method.title,
        settings.problem.alpha0,
        vocabulary=corpus.vocabulary,
        documents=request.title,
        n_documents=corpus.n_documents,
        in_order=request.since is not None,
        ranges=ranges,
    )
    epsilon, delta = request.total
    promise = replace(found.guarantee, claimed_epsilon=epsilon, claimed_delta=delta)
    if (
        request.since is not None
    ):  # the first release of a chain alone knows the list that words were selected from
        told = [one for one in request.since.promise.rests_on if one.startswith(SELECTION_SENTENCE)]
        own = [one for one in promise.rests_on if not one.startswith(SELECTION_SENTENCE)]
        promise = replace(promise, rests_on=(*own, *told))
    if request.seen:
        rests_on = tuple(one for one in promise.rests_on if not one.startswith(STATED))
        promise = replace(promise, caveats=(*promise.caveats, *request.seen), rests_on=rests_on)
    words = (
        ()
        if request.selection is None or request.since is not None
        else _drawn(request.selection, corpus)
    )
    before = () if request.since is None else request.since.drawn
    found_out = {field.name: getattr(run, field.name) for field in fields(Findings)}
    return Artefact(
        **{**found_out, "n_documents": corpus.n_documents, "drawn": (*words, *before, *run.drawn)},
        promise=promise,
        in_words=promise.in_words(),
        charge=receipt_of(entry) or "",
        released=entry.at,
        resumable=_resumable(found, corpus, request),
        names=named_by_themes(run, settings.method.prior)
        if request.since is None
        else request.since.names,
        groups=() if request.since is None else request.since.groups,
        hidden=() if request.since is None else request.since.hidden,
        versions={name: installed_version(name) for name in DRAWN_WITH},
    )


def _resumable(found: FitResult, corpus: Corpus, request: Request) -> Resumable | None:
    """What a continuation needs."""
    if found.state is None:
        return None
    since, apart, one = request.since, request.spending(corpus).tv_slack, request.selection
    topics = request.settings.budget
    words = (
        None
        if one is None
        else Selected(one.n_words, one.epsilon, one.delta, topics.epsilon, topics.delta)
    )
    if since is None or since.resumable is None:
        return Resumable(
            state=found.state.reorder_topics(supported_first(found)), apart=apart, selected=words
        )
    apart += since.resumable.apart
    return Resumable(state=found.state, apart=apart, parent=named_as_parent(since), selected=words)


def _drawn(selection: Selection, corpus: Corpus) -> tuple[DrawnValue, ...]:
    """The noisy weights of the selected words in each round, which do not reveal how many others there were."""
    law, n_listed = (
        selection_thresholds(selection),
        len(set(selection.listed).intersection(corpus.vocabulary)),
    )
    of_each = f"weights of words; a {corpus.unit} gives 1/√n to each of its n"
    return tuple(
        DrawnValue(
            quantity=of_each + which,
            shape=(corpus.n_words - (0 if selection.ranks else n_listed),),
            mechanism=f"Gaussian on every number; those above {one.threshold:,.1f}, or on a public list, {became}",
            sensitivity=law.sensitivity,
            scale=one.noise_std,
            mu=one.mu,
            times=1,
        )
        for one, which, became in (
            (law.first, f" ≤ {MAX_WORDS_PER_ROW}", "had a chance"),
            (law.second, " that had a chance", "were taken"),
        )
    )
