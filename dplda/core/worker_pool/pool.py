"""The pool: who is next, and which process takes the work."""

import atexit
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import Condition, Timer
from typing import NamedTuple, TypeVar

from dplda.core.engine import Serial, using
from dplda.core.types import Report, silent
from dplda.core.worker_pool.process import ProcessError
from dplda.core.worker_pool.shared import Shared
from dplda.core.worker_pool.worker import GLANCE, Worker

V = TypeVar("V")


class PoolLoad(NamedTuple):
    """How busy a pool is at one moment.

    Attributes:
        size: processes that may be busy at once.
        n_busy: processes that work.
        n_waiting: pieces of work that wait for a process, paused ones among them.
    """

    size: int
    n_busy: int
    n_waiting: int


class Pool:
    """Processes for all threads of this one, started when there is work that no idle one can take.

    Args:
        size: processes that may be busy at once.
        tries: how often work is begun whose process is killed in the middle.
        patience: seconds until a process that does not stop when asked to is killed.
        idle: seconds after which a process without work ends; None leaves it until this one ends.
        quiet: whether what processes print is dropped; it might quote a document.
    """

    def __init__(
        self,
        size: int,
        *,
        tries: int = 3,
        patience: float = 3.0,
        idle: float | None = None,
        quiet: bool = False,
    ) -> None:
        """Begin without a process: each is started for work; idle ones end when this one exits."""
        self._size = size
        self._tries = tries
        self._patience = patience
        self._idle_seconds = idle
        self._quiet = quiet
        self._turn = Condition()
        self._line: list[_Ticket] = []
        self._idle: list[Worker] = []
        self._busy: list[Worker] = []
        self._paused: list[Worker] = []
        atexit.register(self.close)

    def run(
        self,
        work: Callable[..., V],
        *args: object,
        report: Report = silent,
        is_urgent: bool = True,
    ) -> V:
        """Run a function in a process of the pool, and return its value.

        Waits where all are busy. Where other processes work already, this one computes in one
        thread. Where the process is killed in the middle, runs it again, as many times as the pool
        tries. Work that is not urgent pauses at its next report where urgent work finds no process
        free, and goes on once none waits.

        Args:
            work: function of a module; takes ``args`` and ``report``.
            args: what it takes; ``Shared`` ones arrive as the values that they hold.
            report: told in this thread, many times a second, how far it is; may raise to give up.
            is_urgent: whether it goes ahead of all work that is not urgent.

        Raises:
            DpldaError: what the work refuses.
            ProcessError: anything else that it ends with, or its process was killed each time.
        """
        call = partial(work, *args)
        keys = {arg.key for arg in args if isinstance(arg, Shared)}
        n_tries = 0
        while True:
            n_tries += 1
            worker = self._take_worker(keys, report, _Ticket(is_urgent))
            try:
                # Beside other work sums have one thread: those of several processes would wait for
                # each other.
                is_alone = len(self._busy) == 1
                call_in_worker = call if is_alone else partial(_serially, call)
                return worker.ask(call_in_worker, report, self._patience)
            except ProcessError as error:
                if error.name or n_tries == self._tries:
                    raise
            finally:
                self._give_back(worker)

    def load(self) -> PoolLoad:
        """Count what works and what waits."""
        with self._turn:
            n_waiting = len(self._line) + len(self._paused)
            return PoolLoad(self._size, len(self._busy), n_waiting)

    def forget(self, key: int) -> None:
        """End every process that saw a shared value, a busy one when it is done."""
        with self._turn:
            for worker in self._busy + self._paused:
                worker.last |= key in worker.seen
        self._end(lambda idle: key in idle.seen)

    def retire(self) -> None:
        """End every process with all that it has seen, a busy one when it is done."""
        with self._turn:
            for worker in self._busy + self._paused:
                worker.last = True
        self.close()

    def close(self) -> None:
        """End the processes that are idle."""
        self._end(lambda idle: True)

    def _end(self, must_end: "Callable[[Worker], bool]") -> None:
        """End the idle workers that must end; busy ones stay."""
        with self._turn:
            ended = [worker for worker in self._idle if must_end(worker)]
            self._idle = [worker for worker in self._idle if worker not in ended]
        for worker in ended:
            worker.end()

    def _take_worker(self, keys: set[int], report: Report, ticket: "_Ticket") -> Worker:
        """Wait in line, urgent work first, else first come, first served, and take a process.

        Reports while it waits; if the report raises, the place in the line is given up.

        Args:
            keys: of the shared values that the process will be given.
            report: told that it waits.
            ticket: a new place in the line.

        Returns:
            The process, which counts as busy from now on, and as holding the values of the keys.
        """
        with self._turn:
            self._line.append(ticket)
            try:
                while not self._has_turn(ticket):
                    self._turn.wait(GLANCE)
                    report(0.0, "Waiting for other work")
            except BaseException:
                self._line.remove(ticket)
                self._resume_paused()
                raise
            self._line.remove(ticket)
            self._clear_away_ended()
            worker = self._take_idle_or_new(keys)
            worker.seen |= keys
            worker.is_urgent = ticket.is_urgent
            self._busy.append(worker)
            return worker

    def _has_turn(self, ticket: "_Ticket") -> bool:
        """Whether this ticket is next and a process is free, or can be freed for urgent work.

        For urgent work a process whose work is not urgent is paused if all are busy. The caller
        holds the lock.
        """
        if self._next_ticket() is not ticket:
            return False
        if len(self._busy) < self._size:
            return True
        unhurried_workers = [worker for worker in self._busy if not worker.is_urgent]
        if not ticket.is_urgent or not unhurried_workers:
            return False
        self._busy.remove(unhurried_workers[-1])
        self._paused.append(unhurried_workers[-1])
        unhurried_workers[-1].pause()
        return True

    def _resume_paused(self) -> None:
        """Let paused work go on where a process may be busy and no urgent work waits for it.

        The work that was paused first goes on first. The caller holds the lock.
        """
        if any(ticket.is_urgent for ticket in self._line):
            return
        while self._paused and len(self._busy) < self._size:
            worker = self._paused.pop(0)
            self._busy.append(worker)
            worker.resume()

    def _clear_away_ended(self) -> None:
        """Forget idle workers whose process has ended; the caller holds the lock."""
        ended_workers = [worker for worker in self._idle if worker.process.poll() is not None]
        for ended_worker in ended_workers:
            self._idle.remove(ended_worker)
            ended_worker.end()

    def _take_idle_or_new(self, keys: set[int]) -> Worker:
        """Take the idle worker that holds most of these values, or start one if none is idle.

        Of several such workers it is the one that became idle last. It is idle no longer, and not
        yet counted as busy. The number of busy workers is not checked here.
        """

        def n_held(worker: Worker) -> int:
            """Number of these values that a worker holds."""
            return len(keys & worker.seen)

        worker = max(reversed(self._idle), key=n_held, default=None)
        if worker is None:
            return Worker(self._quiet)
        self._idle.remove(worker)
        return worker

    def _next_ticket(self) -> "_Ticket":
        """The first urgent ticket of the line, which is not empty; else the first one."""
        return next((ticket for ticket in self._line if ticket.is_urgent), self._line[0])

    def _give_back(self, worker: Worker) -> None:
        """Free a worker, and tell all who wait; end it if it takes no more, or once idle too long.

        It is never ended for idleness where ``idle_seconds`` is None. A paused worker is resumed
        first. Work that is paused goes on if nothing urgent waits.
        """
        with self._turn:
            if worker in self._paused:  # its work ended before it could pause
                self._paused.remove(worker)
                worker.resume()
            else:
                self._busy.remove(worker)
            if not worker.last:
                self._idle.append(worker)
            self._resume_paused()
            self._turn.notify_all()
        if worker.last:
            worker.end()
        elif self._idle_seconds is not None:
            timer = Timer(self._idle_seconds, self._end, (lambda idle: idle is worker,))
            timer.daemon = True
            timer.start()


@dataclass(frozen=True, slots=True, eq=False)
class _Ticket:
    """A place in the line for a process; each is equal to itself alone.

    Attributes:
        is_urgent: whether it goes ahead of those that are not.
    """

    is_urgent: bool


def _serially(call: Callable[..., V], report: Report) -> V:
    with using(Serial()):
        return call(report=report)
