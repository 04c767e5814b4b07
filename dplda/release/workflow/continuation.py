"""Checks of a request that continues a release: made here, of these documents, not edited."""

import numpy as np

from dplda.core.errors import NotReleasable
from dplda.corpus import Corpus
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import SUFFIX, parent_of, read_release_file
from dplda.release.ledger.amounts import EPSILON_UNITS
from dplda.release.ledger.file_seal import check_authentic
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import PERSON, Ledger
from dplda.release.ledger.records.entry import LedgerEntry, receipt_of
from dplda.release.workflow.request import Request
from dplda.release.workflow.request_keys import key_of_documents, text_noted_in

ROUNDED_EPSILON = 2e-9
"""Allowed between the ε that a file states and the one that the ledger has in whole units."""

PERSONS_TAKEN_APART = (
    "an earlier version took some person's names for several persons",
    "Make a new release. It protects each person with all documents.",
)
"""Why nothing is added to a release whose reading protects parts of a person, and what to do."""


def as_charged(corpus: Corpus, request: Request, folder: Folder) -> Corpus:
    """The documents in the reading that the release to continue was made of.

    Returns:
        The former reading if the charge of the release to continue holds its key; else the corpus
        itself, as for a new release. It is the corpus itself, too, if persons are protected and
        the former reading took one of them for several: a continuation would protect each of
        these alone, which nobody is promised any more.
    """
    former_reading = corpus.as_read.former
    charge = _charge_of_previous(request, folder)
    if former_reading is None or not _is_made_of(former_reading, charge, folder):
        return corpus
    if _protects_persons(request, folder) and not has_same_persons(corpus.as_read, former_reading):
        return corpus
    return former_reading


def _is_made_of(corpus: Corpus, charge: LedgerEntry | None, folder: Folder) -> bool:
    """Whether a charge holds the key of these documents; False without a charge."""
    if charge is None:
        return False
    return text_noted_in(charge, "documents_key") == key_of_documents(corpus, folder)


def _protects_persons(request: Request, folder: Folder) -> bool:
    return Ledger(folder).protects(request.dataset) == PERSON


def has_same_persons(corpus: Corpus, former_reading: Corpus) -> bool:
    """Whether both readings tell the same persons apart; True if neither knows any."""
    if corpus.persons is None or former_reading.persons is None:
        return corpus.persons is former_reading.persons
    return np.array_equal(corpus.persons, former_reading.persons)


def check_continuation(corpus: Corpus, request: Request, folder: Folder) -> None:
    """Refuse to continue a release that was made elsewhere or of other documents, or edited.

    A request for a new release passes. Method, k, α₀, total δ, words and public knowledge have to
    be those of the release to continue.

    Raises:
        NotReleasable: they differ, its charge or its original is missing, its file was edited, or
            it cannot be continued; nothing was charged.
        ReadError: its original in the folder is damaged or forged.
    """
    previous = request.previous
    if previous is None:
        return
    _check_method(request)
    if previous.resumable is None:
        raise NotReleasable(
            "the file holds nothing to continue from", "Make a new release. It can be continued."
        )
    charge = _charge_of_previous(request, folder)
    if charge is None:
        raise NotReleasable(
            f"{request.dataset!r} was never charged for it", "Name the dataset of that release."
        )
    corpus = as_charged(corpus, request, folder)
    if not _is_made_of(corpus, charge, folder):
        former_reading = corpus.as_read.former
        if former_reading is not None and _is_made_of(former_reading, charge, folder):
            raise NotReleasable(*PERSONS_TAKEN_APART)
        raise NotReleasable(
            "it was made of other documents", "Choose the same documents, read in the same way."
        )
    _check_same_prior(previous, request)
    _check_same_settings(previous, request, corpus)
    _check_original(previous, charge, folder)


def _charge_of_previous(request: Request, folder: Folder) -> LedgerEntry | None:
    """The charge of the release that a request continues, if its dataset has one."""
    if request.previous is None:
        return None
    receipt_number = request.previous.receipt_number
    for entry in Ledger(folder).entries(request.dataset):
        if receipt_of(entry) == receipt_number:
            return entry
    return None


def _check_method(request: Request) -> None:
    """Refuse a method that cannot be continued: one with a pair matrix, or that keeps no state."""
    method = request.experiment.registered_method
    if method.fit_continued is not None:
        return
    reason = "keeps no state"
    if method.needs_pair_matrix:
        reason = "whitens every release in its own way"
    raise NotReleasable(
        f"{method.title} {reason}, so it cannot be continued", "Make a new release."
    )


def _check_same_prior(previous: Artefact, request: Request) -> None:
    """Refuse public knowledge other than that of the previous release; both may have none."""
    previous_use = previous.prior_use
    previous_digest = None if previous_use is None else previous_use.digest
    prior = request.experiment.method.prior
    digest = None if prior is None else prior.digest
    if previous_digest != digest:
        raise NotReleasable(
            "the release to continue was given other public knowledge, or none", "Give the same."
        )


def _check_same_settings(previous: Artefact, request: Request, corpus: Corpus) -> None:
    """Refuse another method, k, α₀, total δ or word list than the previous release has."""
    experiment = request.experiment
    _, total_delta = request.total
    is_same = (
        previous.method == experiment.registered_method.title
        and previous.n_topics == experiment.problem.n_topics
        and previous.alpha0 == experiment.problem.alpha0
        and previous.guarantee.claimed_delta == total_delta
        and _has_same_words(previous, request, corpus)
    )
    if not is_same:
        raise NotReleasable(
            "method, topics, α₀, δ or the word list differ from those of the release to continue",
            "Ask for the same, or make a new release.",
        )


def _has_same_words(previous: Artefact, request: Request, corpus: Corpus) -> bool:
    """Whether words are selected with the same number, ε and δ, or the fixed list is the same.

    A public list to select from is not compared. False if words are selected in only one of the two
    releases.
    """
    selected_words = previous.selected_words
    selection = request.selection
    if selected_words is None and selection is None:
        return previous.vocabulary == corpus.vocabulary
    if selected_words is None or selection is None:
        return False
    return (selected_words.n_words, selected_words.epsilon, selected_words.delta) == (
        selection.n_words,
        selection.epsilon,
        selection.delta,
    )


def _check_original(previous: Artefact, charge: LedgerEntry, folder: Folder) -> None:
    """Refuse a file that differs from its original in the folder, or states too small an ε.

    Names, merged topics and hidden topics may differ. The ε must not be below the
    total that was charged for the chain.

    Raises:
        NotReleasable: the original is missing, or the file was edited.
        ReadError: the original is damaged or forged.
    """
    original_path = folder.path / f"{previous.receipt_number}{SUFFIX}"
    if not original_path.exists():
        raise NotReleasable(
            "its original is missing from the release folder", f"Put {original_path.name} back."
        )
    original_release = read_release_file(original_path)
    check_authentic(original_release, charge, folder, original_path.name)
    charged_epsilon = text_noted_in(charge, "total ε") or charge.epsilon / EPSILON_UNITS
    stated_epsilon = previous.guarantee.claimed_epsilon
    is_original = parent_of(original_release) == parent_of(previous)
    if not is_original or stated_epsilon < float(charged_epsilon) - ROUNDED_EPSILON:
        raise NotReleasable(
            "the file was edited", f"Use the original, {original_path.name} in the release folder."
        )
