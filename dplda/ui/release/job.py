"""A release in its own thread, which finishes even if the page closes."""

from concurrent.futures import Future, ThreadPoolExecutor

from dplda.corpus import Corpus
from dplda.release.folder import Folder
from dplda.release.ledger import Ledger
from dplda.release.make import release
from dplda.release.request import Receipt, Request

_ONE = ThreadPoolExecutor(max_workers=1, thread_name_prefix="dplda-release")  # release at a time in this process


class ReleaseJob:
    """One release, started when this is created.

    Args:
        cap: ε and δ of a dataset to declare first; None if it exists.

    Raises:
        DpldaError: the dataset cannot be declared; nothing is started or charged.
    """

    def __init__(self, corpus: Corpus, request: Request, unit: str, cap: tuple[float, float] | None) -> None:
        if cap is not None:
            Ledger(Folder()).declare(request.dataset, epsilon=cap[0], delta=cap[1], protects=unit)
        self.said = request.said()
        self.told = (0.0, "charging the ledger")
        self.done: Future[Receipt] = _ONE.submit(lambda: release(corpus, request, Folder(), report=self._tell))

    def _tell(self, share: float, step: str) -> None:
        self.told = (min(max(share, 0.0), 1.0), step)
