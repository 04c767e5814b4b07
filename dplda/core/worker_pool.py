"""A pool of processes that compute, each one question after the other, and end with their parent.

Questions and answers are pickled through pipes, large values lie in memory without a name, and
nothing is on disk. It is neither ``multiprocessing`` nor ``concurrent.futures``: those import the
main module anew, here a page of Streamlit, fail every task when one process dies, and can neither
report nor stop.
"""

import atexit
import itertools
import mmap
import os
import pickle
import signal
import subprocess
import sys
import time
import traceback
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache, partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Condition, Event, Lock, Thread, Timer
from typing import IO, Generic, TypeVar, cast

from dplda.core.engine import Serial, using
from dplda.core.errors import DpldaError
from dplda.core.memory import forbid_core_dumps, without_overwriting
from dplda.core.types import Report, silent

V = TypeVar("V")

EVERY = 0.05  # seconds between two looks at an answer
KEPT = 2  # shared values that a process holds
_START = "from dplda.core.worker_pool import main; main()"
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_MAPS = hasattr(os, "memfd_create") and Path(f"/proc/{os.getpid()}/fd").is_dir()
_keys = itertools.count()


class ProcessError(DpldaError):
    """Work in a process that ended with an unexpected error; nothing it worked on is quoted.

    Args:
        name: class of the error that it raised; empty where it raised none.
        signal: number of the signal that ended it; 0 for none.
    """

    def __init__(self, name: str = "", signal: int = 0) -> None:
        super().__init__(name, signal)
        self.name = name
        self.signal = signal

    def __str__(self) -> str:
        if self.name:
            return f"The computation failed with {self.name}. Try again, or choose another method."
        return (
            "The process that computes this was stopped each time, perhaps because memory ran out."
            " Choose fewer words or topics, or try again later."
        )


class _StopError(Exception):
    """Ends work in its own process: nobody waits any more."""


_PROGRESS, _RESULT, _ERROR, _ENDED = range(4)  # kinds of answers of a process, and that it ended


class _Command(Enum):
    """What a process is told about the work that it does."""

    STOP = auto()
    PAUSE = auto()
    RESUME = auto()


class Shared(Generic[V]):
    """A value whose arrays processes map and do not copy; a question holds it for the value."""

    def __init__(self, value: V) -> None:
        """Pickle the value into memory without a name, each buffer from the start of a page.

        Where the system has no such memory, the value is pickled into bytes, which are copied.
        """
        self.key = next(_keys)
        array_buffers: list[pickle.PickleBuffer] = []
        pickled_head = pickle.dumps(value, protocol=5, buffer_callback=array_buffers.append)
        parts = [memoryview(pickled_head), *(buffer.raw() for buffer in array_buffers)]
        if not _MAPS:
            self._parts = tuple(bytes(part) for part in parts)
            return
        self._memory = os.memfd_create("dplda")
        self._places: list[tuple[int, int]] = []
        weakref.finalize(self, os.close, self._memory)
        with os.fdopen(self._memory, "wb", closefd=False) as memory_file:
            for part in parts:
                memory_file.seek(-memory_file.tell() % mmap.PAGESIZE, os.SEEK_CUR)
                self._places.append((memory_file.tell(), part.nbytes))
                memory_file.write(part)

    def __reduce__(self) -> tuple[object, ...]:
        if not _MAPS:
            return _shared_value, (self.key, "", self._parts)
        return _shared_value, (
            self.key,
            f"/proc/{os.getpid()}/fd/{self._memory}",
            tuple(self._places),
        )


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
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []
        self._paused: list[_Worker] = []
        atexit.register(self.close)

    def run(
        self,
        work: Callable[..., V],
        *args: object,
        report: Report = silent,
        is_urgent: bool = True,
    ) -> V:
        """Run a function in a process of the pool, and return its value.

        Waits where all are busy. Where the process is killed in the middle, runs it again, as many
        times as the pool tries. Work that is not urgent pauses at its next report where urgent work
        finds no process free, and goes on once none waits.

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

    def _end(self, must_end: "Callable[[_Worker], bool]") -> None:
        """End the idle workers that must end; busy ones stay."""
        with self._turn:
            ended = [worker for worker in self._idle if must_end(worker)]
            self._idle = [worker for worker in self._idle if worker not in ended]
        for worker in ended:
            worker.end()

    def _take_worker(self, keys: set[int], report: Report, ticket: "_Ticket") -> "_Worker":
        """Wait in line, urgent work first, else first come, first served, and take a process.

        Reports while it waits; if the report raises, the place in the line is given up.

        Args:
            keys: of the shared values that the process will be given.
            report: told that it waits.
            ticket: a new place in the line.
        """
        with self._turn:
            self._line.append(ticket)
            try:
                while not self._has_turn(ticket):
                    self._turn.wait(EVERY)
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
        unhurried = [worker for worker in self._busy if not worker.is_urgent]
        if not ticket.is_urgent or not unhurried:
            return False
        self._busy.remove(unhurried[-1])
        self._paused.append(unhurried[-1])
        unhurried[-1].pause()
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

    def _take_idle_or_new(self, keys: set[int]) -> "_Worker":
        """Take the idle worker that holds most of these values, or start one if none is idle."""
        worker = max(reversed(self._idle), key=lambda idle: len(keys & idle.seen), default=None)
        if worker is None:
            return _Worker(self._quiet)
        self._idle.remove(worker)
        return worker

    def _next_ticket(self) -> "_Ticket":
        """The first urgent ticket of the line, which is not empty; else the first one."""
        return next((ticket for ticket in self._line if ticket.is_urgent), self._line[0])

    def _give_back(self, worker: "_Worker") -> None:
        """Free a worker for the next in line; end it if it takes no more, or once idle too long."""
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


class _Worker:
    """One process, for one question at a time."""

    def __init__(self, quiet: bool) -> None:
        """Start the process, and a thread that receives its answers."""
        self.seen: set[int] = set()  # keys of shared values that it was given
        self.last = False  # whether it takes no other question
        self.is_urgent = True  # whether its present work is
        self._sending = Lock()
        self._answers: SimpleQueue[tuple[int, object]] = SimpleQueue()
        # The same modules, wherever it starts.
        module_path = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            env=without_overwriting(os.environ) | _ONE_THREAD | module_path,
        )
        Thread(target=self._listen, daemon=True).start()

    def ask(self, call: Callable[..., V], report: Report, patience: float) -> V:
        """Ask for some work, and wait for its value.

        An error of the report stops the work, and is raised once it has stopped. A process that has
        ended, or was killed, takes no other question.

        Args:
            call: the work, which takes ``report``.
            report: told the progress many times a second; may raise to give up.
            patience: seconds until a process that does not stop is killed.

        Raises:
            DpldaError: what the work refuses.
            ProcessError: anything else that it ends with, or its process ended.
        """
        self._say(pickle.dumps(call, protocol=5))
        progress = (0.0, "Starting")
        report_error: BaseException | None = None
        kill_time = 0.0
        while True:
            with suppress(Empty):
                answer_kind, answer = self._answers.get(timeout=EVERY)
                if answer_kind != _PROGRESS:
                    break
                progress = cast("tuple[float, str]", answer)
            if report_error is None:
                try:
                    report(*progress)
                except BaseException as error:  # handed on once the process is free again
                    report_error = error
                    kill_time = time.monotonic() + patience
                    self._say(_Command.STOP)
            elif time.monotonic() > kill_time:
                self.process.kill()
        self.last |= answer_kind == _ENDED
        if report_error is not None:
            raise report_error
        if answer_kind == _ENDED:
            self.process.kill()  # where what it said cannot be read
            raise ProcessError(signal=-min(self.process.wait(), 0))
        if answer_kind == _ERROR:
            raise cast("DpldaError", answer)
        return cast("V", answer)

    def end(self) -> None:
        """Be rid of it."""
        self.process.kill()
        self.process.wait()
        with suppress(OSError):  # the rest of a question
            cast("IO[bytes]", self.process.stdin).close()

    def pause(self) -> None:
        """Let its work wait from its next report on."""
        self._say(_Command.PAUSE)

    def resume(self) -> None:
        """Let its work go on."""
        self._say(_Command.RESUME)

    def _say(self, question: "bytes | _Command") -> None:
        """Send a question or a command; from any thread."""
        assert self.process.stdin is not None
        with self._sending, suppress(OSError):  # it has ended, as its answer says
            pickle.dump(question, self.process.stdin, protocol=5)
            self.process.stdin.flush()

    def _listen(self) -> None:
        """Queue the process's answers, and last of all that it has ended."""
        assert self.process.stdout is not None
        with self.process.stdout as answers:
            try:
                while True:
                    self._answers.put(pickle.load(answers))
            except Exception:  # it has ended, in the middle of an answer perhaps
                self._answers.put((_ENDED, None))


def main() -> None:
    """Answer questions, one at a time, until the process that asks them is gone.

    Whatever the work prints goes to the standard error. Ctrl+C is ignored, and no core is dumped.
    """
    answers = os.fdopen(os.dup(1), "wb")
    stop = Event()
    may_go_on = Event()
    may_go_on.set()
    os.dup2(2, 1)  # whatever else is printed
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for who asks
    forbid_core_dumps()
    questions: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_take_in, args=(questions, stop, may_go_on), daemon=True).start()
    reported_at = 0.0
    reported_line = ""

    def say(*answer: object) -> None:
        answers.write(pickle.dumps(answer, protocol=5))
        answers.flush()

    def report(share: float, line: str) -> None:
        """Send progress, if the line is new or some time has passed; raise if asked to stop.

        Waits while the work is to pause.
        """
        nonlocal reported_at, reported_line
        if not stop.is_set():
            may_go_on.wait()
        if stop.is_set():
            raise _StopError
        if line != reported_line or time.monotonic() - reported_at > EVERY:
            say(_PROGRESS, (share, line))
            reported_at = time.monotonic()
            reported_line = line

    while True:
        question = questions.get()
        reported_at = 0.0
        try:
            say(*_answer(question, report))
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            say(_ERROR, ProcessError(type(error).__name__))


def _take_in(questions: "SimpleQueue[bytes]", stop: Event, may_go_on: Event) -> None:
    """Put questions in the queue, and set or clear events as commands say.

    A question clears ``stop``, which otherwise stays set.

    Ends the process when the parent is gone, or sends what cannot be read.
    """
    try:
        while True:
            match pickle.load(sys.stdin.buffer):
                case _Command.PAUSE:
                    may_go_on.clear()
                case _Command.RESUME:
                    may_go_on.set()
                case _Command.STOP:
                    stop.set()
                    may_go_on.set()  # so that it hears
                case question:
                    stop.clear()
                    questions.put(question)
    finally:
        os._exit(0)


def _answer(question: bytes, report: Report) -> tuple[int, object]:
    """Do the work of a question: the kind of answer, and the value or the error that it ended with.

    Of an error that is none of dplda's only its type is in the answer; the lines it passed, without
    values, are printed to the standard error.
    """
    try:
        return _RESULT, pickle.loads(question)(report=report)
    except DpldaError as refusal:
        return _ERROR, refusal
    except Exception as error:  # its words, and its frames' values, might quote a document
        if not isinstance(error, _StopError):
            traceback.print_tb(error.__traceback__)
        return _ERROR, ProcessError(type(error).__name__)


def _serially(call: Callable[..., V], report: Report) -> V:
    with using(Serial()):
        return call(report=report)


@lru_cache(maxsize=KEPT)
def _shared_value(
    key: int, path: str, parts: tuple[tuple[int, int], ...] | tuple[bytes, ...]
) -> object:
    """Load a shared value in the process that needs it, from mapped memory or from bytes.

    The last ``KEPT`` values are kept.

    Args:
        key: of the value, by which it is kept.
        path: of the memory; empty where the system maps none.
        parts: the pickle and then its buffers, as bytes, or as places (start, size) in the memory.
    """
    if not path:
        pickle_bytes, *buffer_bytes = cast("tuple[bytes, ...]", parts)
        return pickle.loads(pickle_bytes, buffers=buffer_bytes)
    with Path(path).open("rb") as memory_file:
        memory_map = mmap.mmap(memory_file.fileno(), 0, access=mmap.ACCESS_READ)
    mapped_memory = memoryview(memory_map)
    places = cast("tuple[tuple[int, int], ...]", parts)
    pickled_head, *buffers = (mapped_memory[start : start + size] for start, size in places)
    return pickle.loads(pickled_head, buffers=buffers)
