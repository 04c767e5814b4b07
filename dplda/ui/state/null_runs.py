"""Runs on simulated documents, started by a button, while the page stays usable."""

import time

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus import Corpus
from dplda.evaluation.evidence import EvidenceCheck
from dplda.experiments.experiment import Experiment
from dplda.methods.base.comparable_evidence import ComparableEvidence
from dplda.methods.refined.plan.constants import MIN_NULL_RUNS
from dplda.ui.literal import literal
from dplda.ui.state import cache, fits
from dplda.ui.state.keys import Key
from dplda.ui.state.progress import BACKGROUND, Job, NobodyWaitsError, time_left


def judged(corpus: Corpus, experiment: Experiment) -> EvidenceCheck | None:
    """The comparison for this fit; None before its runs are done."""
    job = _jobs().get(cache.fit_key(corpus, experiment))
    if job is None or not job.future.done() or job.future.exception():
        return None
    return job.future.result()


def panel(corpus: Corpus, experiment: Experiment, evidence: ComparableEvidence) -> None:
    """Draw the button that starts the null runs, or their progress; nothing once they are done.

    After runs that failed or were canceled, an error stands above the button.
    """
    job = _jobs().get(cache.fit_key(corpus, experiment))
    if job is not None and not job.future.done():
        st.fragment(_progress, run_every=0.5, key=f"{Key.NULL_RUNS}.watched")(job)
        return
    try:
        if job is not None and job.future.result():
            return
    except (DpldaError, NobodyWaitsError) as error:
        st.error(literal(str(error)) or "The comparison was canceled.", icon=":material/error:")
    st.button(
        "Is this better than chance?",
        icon=":material/rule:",
        key=f"{Key.NULL_RUNS}.start",
        on_click=_start,
        args=(corpus, experiment, evidence),
        width="stretch",
        help=f"Fits {MIN_NULL_RUNS} or more simulated collections without topics, to compare with."
        " Some more, drawn from these topics, show how well they would explain new documents. It"
        " costs no privacy, and you can go on meanwhile.",
    )


def _start(corpus: Corpus, experiment: Experiment, evidence: ComparableEvidence) -> None:
    """Start the runs of a fit, and stop waiting for those of all fits of the session.

    Runs of the same fit, which were canceled or failed, are replaced.
    """
    for job in _jobs().values():
        BACKGROUND.leave(job)
    _jobs()[cache.fit_key(corpus, experiment)] = BACKGROUND.begin(
        object(),
        lambda report: cache.POOL.run(fits.judged, evidence, report=report, is_urgent=False),
    )


def _progress(job: Job[EvidenceCheck]) -> None:
    """Draw the progress of the runs and Cancel; once they are done, run the page again."""
    if job.future.done():
        st.rerun()
    share, step = job.last_report
    progress_text = step + time_left(time.monotonic() - job.started_at, share)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.progress(share, text=progress_text)
        st.button("Cancel", key=f"{Key.NULL_RUNS}.cancel", on_click=BACKGROUND.leave, args=(job,))


def _jobs() -> dict[tuple[Experiment, bool], Job[EvidenceCheck]]:
    """The session's runs, by the key of the fit that they are for."""
    jobs: dict[tuple[Experiment, bool], Job[EvidenceCheck]] = st.session_state.setdefault(
        Key.NULL_RUNS, {}
    )
    return jobs
