"""A release under way: in a thread of the server, so that leaving the page loses nothing of what was paid for."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

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
    """One release; ``told``: how far it is; ``shown``: whether its topics were."""

    said: str
    done: "Future[Receipt]"
    told: tuple[float, str] = (0.0, "charging the ledger")
    shown: bool = False


@st.cache_resource(show_spinner=False)
def _pool() -> ThreadPoolExecutor:
    """One release at a time on this server."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="dplda-release")


def begin(corpus: Corpus, request: Request, unit: str, cap: tuple[float, float] | None) -> None:
    """Starts a release, of a budget that is opened first where there is none; once begun it runs to its end."""
    try:
        if cap is not None:
            Ledger(Folder()).declare(request.dataset, epsilon=cap[0], delta=cap[1], protects=unit)
            session.put(Key.RELEASE_DATASET, request.dataset)
    except DpldaError as error:
        return session.notice(str(error))
    job = ReleaseJob(request.said(), Future())

    def report(share: float, step: str) -> None:
        job.told = (min(max(share, 0.0), 1.0), step)

    job.done = _pool().submit(lambda: release(corpus, request, Folder(), report=report))
    session.put(Key.RELEASE_JOB, job)


def running(request: Request) -> ReleaseJob | None:
    """The release of this very request that the session began, under way or done."""
    job: ReleaseJob | None = st.session_state.get(Key.RELEASE_JOB)
    return job if job is not None and job.said == request.said() else None


def watch(job: ReleaseJob) -> None:
    """Draws how far a release is until it is done; raises what it ended with."""
    place = st.empty()
    while not job.done.done():
        place.progress(job.told[0], text=f"Releasing: {job.told[1]}. Leaving this page does not stop it.")
        time.sleep(EVERY)
    job.done.result()
