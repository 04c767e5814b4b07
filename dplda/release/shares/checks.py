"""Checks of a request for shares, by public numbers and the ledger, before any charge."""

from dplda.core.errors import NotReleasable
from dplda.corpus import Corpus
from dplda.methods.shares.share_table import share_bound
from dplda.privacy.noise.exact import MIN_NOISE_STD, max_tv_slack
from dplda.privacy.noise.exact_normals import NOISE_STD_LIMIT
from dplda.privacy.word_selection.selection import round_noise
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import SUFFIX, parent_of, read_release_file
from dplda.release.ledger.file_seal import check_authentic
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import PERSON, Ledger, LedgerEntry
from dplda.release.ledger.records.entry import receipt_of
from dplda.release.shares.request import SharesRequest
from dplda.release.workflow.continuation import PERSONS_TAKEN_APART, has_same_persons
from dplda.release.workflow.request_keys import key_of_documents, text_noted_in


def check_shares_request(corpus: Corpus, request: SharesRequest, folder: Folder) -> None:
    """Refuse what cannot be released, by public numbers and the ledger.

    Args:
        corpus: as ``as_parent_read`` gives it.
        request: the request.
        folder: the release folder.

    Raises:
        NotReleasable: the dataset was never charged for the topics, they were made of other
            documents, their file is missing or edited, there are none, no column names persons, or
            noise would be too fine or too wide.
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

    Raises:
        NotReleasable: persons are protected, and a former reading that fits took one of them for
            several. A table would protect each of these alone.
    """
    corpus = corpus.as_read
    charge = _charge_of_parent(request, folder)
    if charge is None:
        return corpus
    for corpus_reading in corpus.readings:
        if text_noted_in(charge, "documents_key") != key_of_documents(corpus_reading, folder):
            continue
        protects_persons = Ledger(folder).protects(request.dataset) == PERSON
        if protects_persons and not has_same_persons(corpus, corpus_reading):
            raise NotReleasable(*PERSONS_TAKEN_APART)
        return corpus_reading
    return corpus


def count_units(corpus: Corpus, request: SharesRequest, folder: Folder) -> int:
    """Number of documents or persons, whichever the dataset protects by the ledger.

    Raises:
        LedgerError: the ledger has no such dataset.
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


def _check_parent(request: SharesRequest, charge: LedgerEntry, folder: Folder) -> None:
    """Refuse topics that are not those of the file in the release folder.

    Raises:
        NotReleasable: that file is missing, or differs from the given topics.
        ReadError: that file is damaged, was edited or forged.
    """
    original_path = folder.path / f"{request.parent.receipt_number}{SUFFIX}"
    if not original_path.exists():
        raise NotReleasable(
            "the release of the topics is missing from the release folder",
            f"Put {original_path.name} back.",
        )
    original_release = read_release_file(original_path)
    check_authentic(original_release, charge, folder, original_path.name)
    if parent_of(original_release) != parent_of(request.parent):
        raise NotReleasable(
            "the file was edited", f"Use the original, {original_path.name} in the release folder."
        )


def _check_noise(request: SharesRequest, n_units: int) -> None:
    """Refuse noise too fine for its grid, too far from Gaussian noise, or too wide for 64 bits.

    Checked are the noise of the table and that of each round in which groups are chosen by size, if
    they are.

    Raises:
        NotReleasable: it is one of these.
    """
    grid_step = share_bound(n_units, request.n_topics).grid_step
    noise_in_grid_steps = [request.noise_std(n_units) / grid_step]
    if request.selection is not None:
        noise_in_grid_steps += [
            noise_std for _, noise_std in round_noise(request.selection, n_units)
        ]
    tv_slack = request.spending(n_units).tv_slack
    is_too_coarse = tv_slack > max_tv_slack(request.epsilon, request.delta)
    if min(noise_in_grid_steps) < MIN_NOISE_STD or is_too_coarse:
        raise NotReleasable(
            "noise would be too fine for its grid at this ε and δ", "Choose a smaller ε."
        )
    if max(noise_in_grid_steps) >= NOISE_STD_LIMIT:
        raise NotReleasable(
            "noise would be too wide for 64 bits at this ε and δ", "Choose a larger ε."
        )


def _charge_of_parent(request: SharesRequest, folder: Folder) -> LedgerEntry | None:
    """The charge of the topics, if the dataset has one."""
    for entry in Ledger(folder).entries(request.dataset):
        if receipt_of(entry) == request.parent.receipt_number:
            return entry
    return None
