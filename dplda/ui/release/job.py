"""A release under way: in a thread of the server, so that leaving the page loses nothing of what was paid for."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus import Corpus
from dplda.release.folder import Folder
from dplda.release.ledger import Ledger
from dplda.release.make import release
from dplda.release.request import Receipt, Request
from dplda.ui.state import session
from dplda.ui.state.keys import Key

EVERY = 0.2  # seconds between two looks


@dataclass(slots=True, eq=False)
class ReleaseJob:
    """One release."""

    said: str
    done: "Future[Receipt]" = field(default_factory=Future)
    share: float = 0.0
    step: str = "charging the ledger"
    shown: bool = False

    def told(self, share: float, step: str) -> None:
        """How far it is; called by the release."""
        self.share, self.step = share, step


@st.cache_resource(show_spinner=False)
def _pool() -> ThreadPoolExecutor:
    """One release at a time on this server."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="dplda-release")


def begin(corpus: Corpus, request: Request, unit: str, opens: tuple[float, float] | None) -> None:
    """Starts a release, of a budget that is opened first where there is none; once begun it runs to its end."""
    if opens is not None:
        try:
            Ledger(Folder()).declare(request.dataset, epsilon=opens[0], delta=opens[1], protects=unit)
        except DpldaError as error:
            session.notice(str(error))
            return
        st.session_state[Key.RELEASE_DATASET] = request.dataset
    job = ReleaseJob(request.said())
    job.done = _pool().submit(lambda: release(corpus, request, Folder(), report=job.told))
    st.session_state[Key.RELEASE_JOB] = job


def running(request: Request) -> ReleaseJob | None:
    """The release of this very request that the session began, under way or done."""
    job: ReleaseJob | None = st.session_state.get(Key.RELEASE_JOB)
    return job if job is not None and job.said == request.said() else None


def watch(job: ReleaseJob) -> Receipt:
    """Draws how far a release is until it is done."""
    if not job.done.done():
        bar = st.progress(0.0, text="Releasing; leaving this page does not stop it.")
        while not job.done.done():
            share = min(max(job.share, 0.0), 1.0)
            bar.progress(share, text=f"Releasing: {job.step}. Leaving this page does not stop it.")
            time.sleep(EVERY)
        bar.empty()
    return job.done.result()
