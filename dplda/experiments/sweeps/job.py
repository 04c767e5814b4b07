"""A sweep in a process of its own: its progress, its outcome, and how to stop it at once."""

import json
import os
import threading
import time
from contextlib import closing, suppress
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path

from dplda.core.errors import DpldaError
from dplda.core.safe_open import refusal
from dplda.core.types import Report
from dplda.core.worker_pool import Pool, ProcessError
from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.identity import code_version
from dplda.experiments.storage.store import Store, StoreError
from dplda.experiments.sweeps.run import SweepProgress, run


class JobState(StrEnum):
    """The state of a job."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class SweepJob:
    """A process that computes one sweep, started by a `Scheduler`; it ends with this process.

    Results arrive only through the store.

    Args:
        sweep: what is computed.
        folder: where its results are kept.
        by: who started it; empty for nobody in particular.
        first_epsilon: ε at which every method runs first; None for the sweep's order.
    """

    def __init__(
        self, sweep: Sweep, folder: Path, by: str = "", *, first_epsilon: float | None = None
    ) -> None:
        """Count the finished cells of the store, and start a thread that runs the sweep.

        The thread starts the process. Failed cells do not count as finished.

        Args:
            sweep: what is computed.
            folder: of the results.
            by: who started it.
            first_epsilon: the ε at which every method runs first; None for no such order.

        Raises:
            StoreError: the results cannot be read now.
        """
        self.sweep = sweep
        self.by = by
        self.store = Store(sweep, folder)
        self.state = JobState.RUNNING
        n_done = sum(not row.failed for row in self.store.rows().values())
        self.progress = SweepProgress(n_done, sweep.n_cells, 0, 0, "Starting", None)
        self._last_report_time = time.monotonic()
        self._end_note = ""  # set unless the job is done
        self._cancelled = threading.Event()
        self._pool = Pool(1, tries=1, patience=0.0, quiet=True)
        self._thread = threading.Thread(
            target=self._run,
            args=(folder, first_epsilon),
            daemon=True,
        )
        self._thread.start()

    @property
    def note(self) -> str:
        """The current step, or how the job ended."""
        return self._end_note or self.progress.note

    @property
    def seconds_left(self) -> float | None:
        """Seconds left by the last report, less the time since it, and at least 0.

        None while nothing is known. 0 once the job is done, canceled or failed.
        """
        if self.state is not JobState.RUNNING:
            return 0.0
        seconds_left_at_report = self.progress.seconds_left
        if seconds_left_at_report is None:
            return None
        return max(0.0, seconds_left_at_report - (time.monotonic() - self._last_report_time))

    def cancel(self) -> None:
        """Stop at once and wait until the process is gone; finished cells are kept."""
        self._cancelled.set()
        self._thread.join()

    def _run(self, folder: Path, first_epsilon: float | None) -> None:
        """Run the sweep in the job's process until it ends; set ``progress`` and ``state``.

        If it is canceled or fails, the job's note says so and why. No such error is raised.
        """
        try:
            with closing(self._pool):
                arguments = (self.sweep.to_toml(), folder, code_version(), first_epsilon)
                self.progress = self._pool.run(_run_in_process, *arguments, report=self._follow)
            self.state = JobState.DONE
        except _CancelError:
            self._end(JobState.CANCELLED, "Canceled. Finished runs are kept.")
        except ProcessError as error:
            failure_phrase = "was stopped, perhaps because memory ran out"
            if error.name:
                failure_phrase = f"failed with {error.name}"
            end_note = f"The sweep {failure_phrase}. Finished runs are kept; run it again."
            self._end(JobState.FAILED, end_note)
        except DpldaError as error:
            self._end(JobState.FAILED, str(error))
        except OSError as error:  # of a system that starts no process
            self._end(JobState.FAILED, str(refusal(error)))

    def _end(self, state: JobState, note: str) -> None:
        self._end_note = note
        self.state = state

    def _follow(self, share: float, line: str) -> None:
        """Take the progress that the process reports as JSON; a line that is none is passed over.

        The time of the last report changes only if the progress does. The share is not used.

        Raises:
            _CancelError: the sweep was canceled.
        """
        if self._cancelled.is_set():
            raise _CancelError
        with suppress(ValueError):  # before the first progress
            progress = SweepProgress(**json.loads(line))
            if progress != self.progress:
                self.progress = progress
                self._last_report_time = time.monotonic()


class _CancelError(Exception):
    """Ends the process of a sweep that was cancelled."""


def _run_in_process(
    spec: str, folder: Path, version: str, first_epsilon: float | None, report: Report
) -> SweepProgress:
    """Run a sweep in this process, at low priority from now on; return the progress at the end.

    Each report carries the progress as JSON.

    Raises:
        StoreError: the program's files are no longer those of ``version``, or results cannot be
            written, or documents have changed.
        AlreadyRunning: another process runs this sweep in the same folder.
        DpldaError: the documents cannot be read.
    """
    os.nice(10)  # pages come first, even if a sweep uses all cores
    if version != code_version():  # the dashboard looks for results of its own code
        raise StoreError(
            "The program's files have changed since the dashboard started. Restart the dashboard."
        )
    sweep = Sweep.from_toml(spec)
    return run(
        sweep,
        Store(sweep, folder),
        lambda now: report(now.fraction, json.dumps(asdict(now))),
        first_epsilon=first_epsilon,
    )
