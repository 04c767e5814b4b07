"""Work off the script threads: once for all who wait for it, given up when nobody does, and ahead while nobody waits.

Whoever asks gets a job, or joins the one that is under way, and watches it from the script's thread. What is likely
to be asked for next is made ahead by one thread that stands still as long as anybody waits for a page: a request for
the same thing sets it going again, a request for anything else ends it.
"""

import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition, Event, Semaphore, Thread
from typing import Generic, TypeAlias, TypeVar, cast

from dplda._types import Report
from dplda.engine import workers

V = TypeVar("V")
EVERY = 0.05  # seconds between two looks at a job
AHEAD = "DPLDA_AHEAD"
"""Environment variable: ``0`` makes nothing ahead, ``1`` does so whatever else the machine has to do."""
Wish: TypeAlias = tuple[Hashable, Callable[[Report], object]]


class _NobodyWaitsError(Exception):
    """Ends a job that is not wanted any more."""


@dataclass(slots=True, eq=False)
class _Job(Generic[V]):
    """One piece of work; whoever changes it holds the lock of its background.

    Attributes:
        make: does it.
        waiting: how many wait for it.
        wished: whether it may still be asked for next.
        told: the last report.
        done: set at the end, whatever it was.
        made: the value; None without one.
        error: what it ended with instead.
    """

    make: Callable[[Report], V]
    waiting: int = 0
    wished: bool = False
    told: tuple[float, str] = (0.0, "Waiting for other work")
    done: Event = field(default_factory=Event)
    made: tuple[V] | None = None
    error: BaseException | None = None

    @property
    def unwanted(self) -> bool:
        """Whether nobody waits and nobody is expected to ask."""
        return not self.waiting and not self.wished


class Background:
    """A few threads that work for all sessions of a process.

    Args:
        at_once: jobs that somebody waits for, at the same time; others wait their turn.
        idle: whether the machine has a processor to spare for work that nobody asked for yet.
    """

    def __init__(self, at_once: int, idle: Callable[[], bool]) -> None:
        self._turns, self._idle, self._changed = Semaphore(at_once), idle, Condition()
        self._jobs: dict[Hashable, _Job[object]] = {}
        self._pages = self._said = 0
        self._wishes: list[Wish] = []
        self._ahead: _Job[object] | None = None
        self._runs_ahead = False

    @contextmanager
    def page(self) -> Iterator[None]:
        """While a page is drawn: work ahead stands still, and afterwards goes on only if somebody wished for it."""
        with self._changed:
            self._pages += 1
            said = self._said
        try:
            yield
        finally:
            with self._changed:
                self._pages -= 1
                if said == self._said:
                    self._expect(())
                self._changed.notify_all()

    def ask(self, key: Hashable, make: Callable[[Report], V], report: Report) -> V:
        """The value of a piece of work, which is under way, or begins.

        Args:
            key: names the value, everything it depends on included.
            make: makes it, in another thread, and keeps it where it is looked for first; draws nothing. It reports,
                and lets pass what its report raises: then nobody waits any more.
            report: told in this thread how far it is; may raise to give up.

        Raises:
            Exception: what the work ended with.
        """
        with self._changed:
            job = self._jobs.get(key)
            if job is not None and not job.unwanted:
                job.waiting += 1
            else:
                self._expect(())
                job = self._jobs[key] = _Job(make, waiting=1)
                Thread(target=self._in_turn, args=(key, job), name="dplda-asked", daemon=True).start()
            self._changed.notify_all()
        try:
            while not job.done.wait(EVERY):
                report(*job.told)
        finally:
            with self._changed:
                job.waiting -= 1
        if job.error is not None:
            raise job.error
        assert job.made is not None
        return cast("V", job.made[0])  # the key names what was asked for

    def ahead(self, wishes: Sequence[Wish]) -> None:
        """Say what will probably be asked for next, likeliest first, in the place of what was said before."""
        with self._changed:
            self._said += 1
            self._expect(wishes)
            if self._wishes and not self._runs_ahead:
                self._runs_ahead = True
                Thread(target=self._run_ahead, name="dplda-ahead", daemon=True).start()

    def _expect(self, wishes: Sequence[Wish]) -> None:
        """What is made ahead from now on; the lock is held."""
        self._wishes = [wish for wish in wishes if wish[0] not in self._jobs]
        if self._ahead is not None:
            self._ahead.wished = any(self._jobs.get(key) is self._ahead for key, _ in wishes)

    def _in_turn(self, key: Hashable, job: _Job[object]) -> None:
        with self._turns:
            self._work(key, job, lambda: None)

    def _run_ahead(self) -> None:
        """Make one wish after the other, as long as there are any."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: not self._pages)
                self._ahead = None
                if not self._wishes or not self._idle():
                    self._wishes, self._runs_ahead = [], False
                    return
                key, make = self._wishes.pop(0)
                if key in self._jobs:
                    continue
                self._ahead = job = _Job(make, wished=True)
                self._jobs[key] = job
            self._work(key, job, lambda job=job: self._stand_still(job))  # type: ignore[misc]

    def _stand_still(self, job: _Job[object]) -> None:
        """As long as a page is drawn that does not wait for this job."""
        with self._changed:
            self._changed.wait_for(lambda: not self._pages or job.waiting or job.unwanted)

    def _work(self, key: Hashable, job: _Job[object], pause: Callable[[], None]) -> None:
        def report(share: float, line: str) -> None:
            job.told = (share, line)
            pause()
            if job.unwanted:
                raise _NobodyWaitsError

        try:
            report(*job.told)
            job.made = (job.make(report),)
        except BaseException as error:  # handed on to whoever waits
            job.error = error
        finally:
            with self._changed:
                if self._jobs.get(key) is job:
                    del self._jobs[key]
                job.done.set()


def _spare() -> bool:
    """Whether the last minute left a processor free, or somebody said what to do."""
    said = os.environ.get(AHEAD)
    if said in ("0", "1"):
        return said == "1"
    return not hasattr(os, "getloadavg") or os.getloadavg()[0] < workers()


BACKGROUND = Background(workers(), _spare)
"""That of this process."""
