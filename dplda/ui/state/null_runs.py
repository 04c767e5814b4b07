"""Runs on documents without topics: asked for by a button, made in the background, while the page can be used."""

from threading import Thread

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus import Corpus
from dplda.evaluation.evidence import Carried
from dplda.experiments.settings import Settings
from dplda.methods.full_batch_vi.evidence import RUNS, TopicEvidence
from dplda.ui.literal import literal
from dplda.ui.state import cache, fits
from dplda.ui.state.keys import Key

TICK = 0.5  # seconds between two looks


class _CancelledError(Exception):
    """Ends runs that nobody wants any more."""


class _Job:
    def __init__(self, evidence: TopicEvidence) -> None:
        self.told = (0.0, "Waiting for other work")
        self.found: Carried | None = None
        self.error, self.cancelled = "", False
        self.thread = Thread(target=self._work, args=(evidence,), name="dplda-null-runs", daemon=True)
        self.thread.start()

    def _work(self, evidence: TopicEvidence) -> None:
        try:
            self.found = cache.POOL.run(fits.judged, evidence, report=self._report)
        except DpldaError as error:
            self.error = str(error)
        except _CancelledError:
            self.error = "The comparison was cancelled."

    def _report(self, share: float, line: str) -> None:
        self.told = (share, line)
        if self.cancelled:
            raise _CancelledError

    def cancel(self) -> None:
        """At the next look that the work takes."""
        self.cancelled = True


def judged(corpus: Corpus, settings: Settings) -> Carried | None:
    """What the session knows of this fit; None before its runs are done."""
    job = _jobs().get(cache.fit_key(corpus, settings))
    return None if job is None else job.found


def panel(corpus: Corpus, settings: Settings, evidence: TopicEvidence) -> None:
    """The button that begins the runs, their progress with a way out, or nothing once they are done."""
    job = _jobs().get(cache.fit_key(corpus, settings))
    if job is not None and job.thread.is_alive():
        st.fragment(_watched, run_every=TICK, key=f"{Key.NULL_RUNS}.watched")(job)
        return
    if job is not None and job.error:
        st.error(literal(job.error), icon=":material/error:")
    if job is None or job.error:
        st.button(
            "Which topics carry it?",
            icon=":material/rule:",
            key=f"{Key.NULL_RUNS}.start",
            on_click=_start,
            args=(corpus, settings, evidence),
            help=f"Fits {RUNS} collections without topics, drawn from the released word frequencies, to compare with."
            " That costs no privacy and takes as long as that many fits. You can go on meanwhile.",
        )


def _start(corpus: Corpus, settings: Settings, evidence: TopicEvidence) -> None:
    for job in _jobs().values():
        job.cancel()
    _jobs()[cache.fit_key(corpus, settings)] = _Job(evidence)


def _watched(job: _Job) -> None:
    if not job.thread.is_alive():
        st.rerun()
    share, line = job.told
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.progress(share, text=line)
        st.button("Cancel", key=f"{Key.NULL_RUNS}.cancel", on_click=job.cancel)


def _jobs() -> dict[tuple[object, ...], _Job]:
    jobs: dict[tuple[object, ...], _Job] = st.session_state.setdefault(Key.NULL_RUNS, {})
    return jobs
