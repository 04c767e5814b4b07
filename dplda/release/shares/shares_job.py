"""A release of topic shares under way in its own thread."""

from concurrent.futures import Future

from dplda.corpus import Corpus
from dplda.release.ledger.folder import Folder
from dplda.release.shares.perform import release_shares
from dplda.release.shares.request import SharesRequest
from dplda.release.shares.shares_store import SharesReceipt
from dplda.release.workflow.release_job import RELEASES


class SharesJob:
    """A release of shares in its own thread, started on creation; it ends even if the page closes.

    Attributes:
        request_text: canonical text of its request.
        last_report: share of the work that is done, in [0, 1], and the present step.
        future: its receipt, when it is done.
    """

    def __init__(self, corpus: Corpus, request: SharesRequest) -> None:
        self.request_text = request.canonical_text()
        self.last_report = (0.0, "charging the ledger")
        self.future: Future[SharesReceipt] = RELEASES.submit(
            release_shares, corpus, request, Folder(), report=self._report
        )

    def _report(self, share: float, step: str) -> None:
        self.last_report = (min(max(share, 0.0), 1.0), step)
