"""Work off the script threads: once for all who wait for it, given up when nobody does."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Generic, TypeVar, cast

from dplda.core.types import Report

V = TypeVar("V")
EVERY = 0.05  # seconds between two looks at a job


class _NobodyWaitsError(Exception):
    """Ends a job that is not wanted any more."""


@dataclass(slots=True, eq=False)
class _Job(Generic[V]):
    """One piece of work, for as many as wait; whoever changes it holds the lock of its background."""

    make: Callable[[Report], V]
    waiting: int = 1
    told: tuple[float, str] = (0.0, "Waiting for other work")
    done: Event = field(default_factory=Event)
    made: tuple[V] | None = None
    error: BaseException | None = None


class Background:
    """Threads that wait for work of all sessions, which processes of the pool do."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._jobs: dict[Hashable, _Job[object]] = {}

    def ask(self, key: Hashable, make: Callable[[Report], V], report: Report) -> V:
        """The value of a piece of work, which is under way, or begins; an error of the work is raised here.

        Args:
            key: names the value, everything it depends on included.
            make: makes it, in another thread, and lets pass what its report raises: then nobody waits any more.
            report: told in this thread how far it is; may raise to give up.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and job.waiting:
                job.waiting += 1
            else:
                job = self._jobs[key] = _Job(make)
                Thread(target=self._work, args=(key, job), name="dplda-asked", daemon=True).start()
        try:
            while not job.done.wait(EVERY):
                report(*job.told)
        finally:
            with self._lock:
                job.waiting -= 1
        if job.error is not None:
            raise job.error
        assert job.made is not None
        return cast("V", job.made[0])  # the key names what was asked for

    def _work(self, key: Hashable, job: _Job[object]) -> None:
        def report(share: float, line: str) -> None:
            job.told = (share, line)
            if not job.waiting:
                raise _NobodyWaitsError

        try:
            job.made = (job.make(report),)
        except BaseException as error:  # handed on to whoever waits
            job.error = error
        finally:
            with self._lock:
                if self._jobs.get(key) is job:
                    del self._jobs[key]
                job.done.set()


BACKGROUND = Background()
