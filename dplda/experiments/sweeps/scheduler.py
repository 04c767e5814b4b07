"""One sweep at a time; a second request learns what is running and for how long."""

import threading
from pathlib import Path

from dplda.core.errors import DpldaError
from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.store import default_folder
from dplda.experiments.sweeps.job import JobState, SweepJob


class Busy(DpldaError):  # noqa: N818 - a state of the scheduler rather than a fault
    """Another sweep is running."""

    def __init__(self, job: SweepJob) -> None:
        """Make the message from the job's sweep and progress.

        It tells the numbers of methods and runs, and the names of the first three settings. It also
        tells the percent done, and the time left where known.
        """
        setting_names = [setting.name for setting in job.sweep.settings]
        settings_text = ", ".join(setting_names[:3])
        if len(setting_names) > 3:
            settings_text += f" and {len(setting_names) - 3} more"
        progress_text = f"{job.progress.fraction:.0%} done"
        if job.seconds_left is not None:
            progress_text += f", about {duration(job.seconds_left)} left"
        super().__init__(
            f"Another run is under way: {len(job.sweep.methods)} methods on {settings_text},"
            f" {job.sweep.n_cells:,} runs. It is {progress_text}. Wait for it."
        )


class Scheduler:
    """Starts sweeps, one at a time, for all sessions of a server and from any thread."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or default_folder()
        self.job: SweepJob | None = None  # the last one, running or not
        self._lock = threading.Lock()

    def start(
        self,
        sweep: Sweep,
        by: str = "",
        *,
        first_epsilon: float | None = None,
    ) -> SweepJob:
        """Compute the missing cells of a sweep in a child process.

        Args:
            sweep: what to compute.
            by: the visitor, who may cancel it.
            first_epsilon: the ε at which every method runs first, or the nearest to it in the
                sweep.

        Returns:
            The new job. If this very sweep is running already, its job, as it was started.

        Raises:
            Busy: another sweep is running.
            ReadError: a file of documents cannot be read.
        """
        with self._lock:
            if self.job is not None and self.job.state is JobState.RUNNING:
                if self.job.sweep == sweep:
                    return self.job
                raise Busy(self.job)
            self.job = SweepJob(sweep, self.folder, by, first_epsilon=first_epsilon)
            return self.job

    def close(self) -> None:
        """Cancel the running sweep."""
        with self._lock:
            if self.job is not None:
                self.job.cancel()


def duration(seconds: float) -> str:
    """A duration in words: seconds below 2 minutes, then minutes, then hours."""
    if seconds < 119.5:
        return f"{seconds:.0f} s"
    if seconds < 7170:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
