"""Where a request stands: released, charged and unfinished, or new; for everyone who asks."""

from contextlib import suppress
from dataclasses import dataclass, replace

from dplda.core.errors import ReadError
from dplda.corpus import Corpus
from dplda.release.ledger.fingerprints import holds_former_readings
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow.continuation import as_charged
from dplda.release.workflow.journal.progress import Progress
from dplda.release.workflow.receipt import Receipt
from dplda.release.workflow.release_store import (
    find_existing,
    find_progress,
    find_receipts,
)
from dplda.release.workflow.request import Request


@dataclass(frozen=True, slots=True)
class RequestStatus:
    """Where a request stands; the default is that of a new request to a new budget.

    Attributes:
        receipt: of the release that the same request made before; None if there is none.
        progress: of an earlier charge of the same request that is answered at no further charge;
            None without one.
        follows_former_reading: whether an earlier version, which read files otherwise, charged the
            dataset.
    """

    receipt: Receipt | None = None
    progress: Progress | None = None
    follows_former_reading: bool = False


NEW_REQUEST = RequestStatus()


def find_status(corpus: Corpus, request: Request, folder: Folder) -> RequestStatus:
    """Find where a request to a dataset of this folder stands: released, charged, or new.

    A request whose charge is finished while this looks is found released. Unless it is released,
    also says whether the ledger has releases of this dataset in a former reading.

    Args:
        corpus: the documents as they were read.
        request: the request.
        folder: the release folder.

    Raises:
        ReadError: the file of the same request is damaged or forged.
        LedgerError: the ledger is older than the journal of such a charge.
    """
    receipt = find_existing(corpus, request, folder)
    if receipt is not None:
        return RequestStatus(receipt=receipt)
    charged_corpus = as_charged(corpus.as_read, request, folder)
    progress = find_progress(charged_corpus, request, folder)
    if progress is None and find_receipts(charged_corpus, request, folder):
        # Another process may have finished the release since the first look.
        receipt = find_existing(corpus, request, folder)
    return RequestStatus(
        receipt=receipt,
        progress=progress,
        follows_former_reading=holds_former_readings(Ledger(folder), request.dataset),
    )


def find_with_alpha0(
    corpus: Corpus, request: Request, alpha0: float, folder: Folder
) -> Receipt | None:
    """The receipt of a release that differs from a request in α0 alone.

    Releases of persons can have the α0 of one document or that of all documents of a person, and
    owners forget which they asked for.

    Args:
        corpus: the documents as they were read.
        request: the request.
        alpha0: α0 of the other release.
        folder: the release folder.

    Returns:
        The receipt; None if there is no such release, its file cannot be read, or the request has
        this α0 itself.
    """
    experiment = request.experiment
    if alpha0 == experiment.problem.alpha0:
        return None
    other_experiment = replace(experiment, problem=replace(experiment.problem, alpha0=alpha0))
    with suppress(ReadError):
        return find_existing(corpus, replace(request, experiment=other_experiment), folder)
    return None
