"""A release under way in its own thread."""

from concurrent.futures import Future, ThreadPoolExecutor

from dplda.release.ledger.fingerprints import note_documents
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow import perform
from dplda.release.workflow.draft import Draft
from dplda.release.workflow.receipt import Receipt

RELEASES = ThreadPoolExecutor(max_workers=1, thread_name_prefix="dplda-release")
"""One release at a time in this process."""


class ReleaseJob:
    """A release in its own thread, started on creation; it finishes even if the page closes.

    Attributes:
        request_text: canonical text of its request.
        last_report: share of the work that is done, in [0, 1], and the present step.
        future: its receipt, when it is done.

    Raises:
        DpldaError: a new budget cannot be declared, or the documents have another; nothing is
            started or charged.
    """

    def __init__(self, draft: Draft) -> None:
        """Declare the budget if the draft has a new one, and start the release in a thread.

        Budget and release are in the default release folder.
        """
        request = draft.request
        folder = Folder()
        if draft.new_budget is not None:
            _declare(draft, folder)
        self.request_text = request.canonical_text()
        self.last_report = (0.0, "charging the ledger")
        self.future: Future[Receipt] = RELEASES.submit(
            perform.release, draft.corpus, request, folder, report=self._report
        )

    def _report(self, share: float, step: str) -> None:
        self.last_report = (min(max(share, 0.0), 1.0), step)


def _declare(draft: Draft, folder: Folder) -> None:
    """Declare the draft's new budget; documents of another dataset are refused before."""
    assert draft.new_budget is not None
    ledger = Ledger(folder)
    dataset = draft.request.dataset
    epsilon, delta = draft.new_budget
    note_documents(draft.corpus.as_read, dataset, folder, ledger)
    ledger.declare(dataset, epsilon=epsilon, delta=delta, protects=draft.unit)
