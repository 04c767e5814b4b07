"""A sweep in a child process: its progress, its outcome, and how to stop it at once.

``multiprocessing`` does not fit: its children outlive a killed parent and import its main module again (here
Streamlit's page), and a pool cannot stop running work.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from enum import StrEnum
from pathlib import Path

from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.identity import PACKAGE, code_version
from dplda.experiments.storage.store import Store
from dplda.experiments.sweeps.run import SweepProgress

_PATIENCE = 1.0  # seconds
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class JobState(StrEnum):
    """The state of a job."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class SweepJob:
    """A child process that computes one sweep, started by a `Scheduler`; it ends with this process.

    Results arrive only through the store.
    """

    def __init__(self, sweep: Sweep, folder: Path) -> None:
        self.sweep = sweep
        self.store = Store(sweep, folder)
        self._latest = (SweepProgress(0, sweep.n_cells, 0, 0, "Starting", None), time.monotonic())
        self._said = ""  # why the child gave up
        self._cancelled = False
        self._last_error = ""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the job
        self._process = subprocess.Popen(
            [sys.executable, "-m", "dplda.experiments.sweeps.child", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=_environment(),
            start_new_session=True,  # its own group, so that a stop reaches its children
            text=True,
            encoding="utf-8",
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def state(self) -> JobState:
        """The state at this moment."""
        status = self._process.poll()
        if status is None:
            return JobState.RUNNING
        self._listener.join(_PATIENCE)  # its last line
        failed = JobState.CANCELLED if self._cancelled else JobState.FAILED
        return failed if status else JobState.DONE

    @property
    def progress(self) -> SweepProgress:
        """The last progress that the child reported."""
        return self._latest[0]

    @property
    def note(self) -> str:
        """The current step, or how the job ended."""
        ended = {JobState.CANCELLED: "Cancelled. Finished runs are kept.", JobState.FAILED: self._reason()}
        return ended.get(self.state, self.progress.note)

    @property
    def seconds_left(self) -> float | None:
        """Estimated from the cells finished so far; None while nothing is known, 0 at the end."""
        if self.state is not JobState.RUNNING:
            return 0.0
        progress, heard = self._latest
        left = progress.seconds_left
        return None if left is None else max(0.0, left - (time.monotonic() - heard))

    def cancel(self) -> None:
        """Stop at once and wait until the process is gone; finished cells are kept."""
        if self._process.poll() is None:
            self._cancelled = True
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.killpg(self._process.pid, signal.SIGKILL)
        self._listener.join()

    def wait(self, timeout: float | None = None) -> JobState:
        """Wait until it ends, or for ``timeout`` seconds, and return its state."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout)
        return self.state

    def _listen(self) -> None:
        """Send the spec, collect what the child reports until it ends, and close everything."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):  # it ended at once, and says why
            order = {"spec": self.sweep.to_toml(), "version": code_version()}
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
        with self._process.stdout as lines:
            for line in lines:
                with contextlib.suppress(ValueError):
                    content = json.loads(line)
                    if "reason" in content:
                        self._said = content["reason"]
                    else:
                        self._latest = (SweepProgress(**content), time.monotonic())
        self._process.wait()
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        with self._errors as errors:
            errors.seek(0)
            said = errors.read().decode(errors="replace").split("\n")
        self._last_error = next((line.strip() for line in reversed(said) if line.strip()), "")

    def _reason(self) -> str:
        if self._said:
            return self._said
        ended = f"The process of the sweep ended with status {self._process.returncode}"
        if self._process.returncode == -signal.SIGKILL.value:
            return f"{ended}: the system stopped it, perhaps because memory ran out. Finished runs are kept."
        return f"{ended}. {self._last_error}".strip()


def _environment() -> dict[str, str]:
    """This process's environment, with one BLAS thread and this package first on the path."""
    paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, **dict.fromkeys(_ONE_THREAD, "1"), "PYTHONPATH": os.pathsep.join(paths)}
