"""Whether a session has work that goes on without its page."""

from streamlit.runtime.state import SessionState

from dplda.experiments.sweeps import JobState
from dplda.release.workflow.release_job import ReleaseJob
from dplda.ui.state import runs
from dplda.ui.state.keys import Key
from dplda.ui.state.progress import Job


def has_running_job(session_id: str, session_state: SessionState) -> bool:
    """Whether a release, a comparison or a sweep that this session started is not done."""
    return _releases(session_state) or _compares(session_state) or _sweeps(session_id)


def _releases(session_state: SessionState) -> bool:
    """Whether a release is not done."""
    job = _value(session_state, Key.RELEASE_JOB)
    return isinstance(job, ReleaseJob) and not job.future.done()


def _compares(session_state: SessionState) -> bool:
    """Whether runs without topics, with which a fit is compared, are not done."""
    jobs = _value(session_state, Key.NULL_RUNS)
    if not isinstance(jobs, dict):
        return False
    return any(isinstance(job, Job) and not job.future.done() for job in jobs.values())


def _sweeps(session_id: str) -> bool:
    """Whether a sweep that this session started is running."""
    job = runs.scheduler().job
    return job is not None and job.by == session_id and job.state is JobState.RUNNING


def _value(session_state: SessionState, key: Key) -> object:
    """A value that a session keeps; None if it keeps none of this key."""
    try:
        value: object = session_state[key]
    except KeyError:
        return None
    return value
