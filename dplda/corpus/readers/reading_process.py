"""Reading in a process that can be killed: a hostile file may take for ever, or all memory, and stops nobody else.

Questions and answers are pickled through pipes; nothing is on disk, not even where it crashes. A process answers one
question after the other, so that many small documents start it once. It ends where nobody asked for a while, with the
process that asks, or where it takes more processor time than it may. It is none of ``multiprocessing``, which would run
the script of a dashboard anew.
"""

import atexit
import contextlib
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread, Timer
from typing import IO, TypeAlias, TypeVar, cast

from dplda.core.errors import DpldaError
from dplda.core.types import Report

if sys.platform != "win32":  # where the limit by the clock is all there is
    import resource

MOST_MEMORY = 2**32  # bytes
MOST_SECONDS = 3600  # of processor time
IDLE, GRACE, EVERY = 60.0, 5.0, 0.05  # seconds; between two looks at whether anybody still waits
NO_MEMORY = "MemoryError"
_TOLD, _MADE, _REFUSED, _FAILED, _ENDED = range(5)
_START = "from dplda.corpus.readers.reading_process import main; main()"
_waiting: list["subprocess.Popen[bytes]"] = []

V = TypeVar("V")
Answer: TypeAlias = tuple[int, object]


class TooSlowError(Exception):
    """It took more than the seconds it may."""


class EndedError(Exception):
    """It gave no value; the text is the name of what was raised, empty where the process ended. It quotes nothing."""


def asked(
    work: Callable[..., V],
    watch: Report | None = None,
    *,
    reports: bool = False,
    seconds: int = 0,
    memory: int = MOST_MEMORY,
) -> V:
    """The value of some work, which pickles, as its value does.

    Args:
        watch: told in this thread, many times a second, how far it is; may raise to give up.
        reports: whether the work takes a ``report``, to say so.
        seconds: that it may take; 0 where whoever waits decides.
        memory: bytes of address space that it may take, where the system can limit them.

    Raises:
        DpldaError: what the work refuses.
        TooSlowError: it took more than the seconds.
        EndedError: anything else, too little memory among it.
    """
    worker = _taken()
    answers: SimpleQueue[Answer] = SimpleQueue()
    question = pickle.dumps((work, reports, seconds or MOST_SECONDS, memory))
    Thread(target=_converse, args=(worker, question, answers), daemon=True).start()
    try:
        kind, value = _last(answers, watch, seconds)
        if kind == _ENDED:
            worker.wait(GRACE)
            raise TooSlowError if -worker.returncode == getattr(signal, "SIGXCPU", None) else EndedError
    except BaseException:
        _end(worker)
        raise
    _keep(worker)
    if kind == _REFUSED:
        raise cast("DpldaError", value)
    if kind == _FAILED:
        raise EndedError(value)
    return cast("V", value)


def _taken() -> "subprocess.Popen[bytes]":
    while _waiting:
        worker = _waiting.pop()
        if worker.poll() is None:
            return worker
        _end(worker)
    quiet = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    found = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}  # the same modules, wherever it starts
    command, pipe = [sys.executable, "-P", "-c", _START], subprocess.PIPE
    # What libraries say may quote the document.
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=os.environ | quiet | found)


def _keep(worker: "subprocess.Popen[bytes]") -> None:
    """Have it wait for the next question, for a while."""
    _waiting.append(worker)
    idle = Timer(IDLE, _end_idle, (worker,))
    idle.daemon = True
    idle.start()


def _end_idle(worker: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ValueError):  # it works
        _waiting.remove(worker)
        _end(worker)


def _end(worker: "subprocess.Popen[bytes]") -> None:
    worker.kill()
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        with contextlib.suppress(OSError):  # the rest of a question
            cast("IO[bytes]", pipe).close()


@atexit.register
def _end_all() -> None:
    while _waiting:
        _end(_waiting.pop())


def _converse(worker: "subprocess.Popen[bytes]", question: bytes, answers: "SimpleQueue[Answer]") -> None:
    """Ask, and hand on what it answers."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        worker.stdin.write(b"%d\n" % len(question) + question)
        worker.stdin.flush()
        answer: Answer = (_TOLD, None)
        while answer[0] == _TOLD:
            answer = pickle.load(worker.stdout)
            answers.put(answer)
    except Exception:  # it has ended, in the middle of an answer perhaps
        answers.put((_ENDED, None))


def _last(answers: "SimpleQueue[Answer]", watch: Report | None, seconds: int) -> Answer:
    """What it answers in the end; until then whoever waits is told how far it is."""
    told, until = (0.0, "Reading"), time.monotonic() + seconds
    while True:
        if seconds and time.monotonic() > until:
            raise TooSlowError
        with contextlib.suppress(Empty):
            kind, value = answers.get(timeout=EVERY)
            if kind != _TOLD:
                return kind, value
            told = cast("tuple[float, str]", value)
        if watch is not None:
            watch(*told)


def main() -> None:
    """Answer until nobody asks."""
    answers, questions = os.fdopen(os.dup(1), "wb"), SimpleQueue[bytes]()
    os.dup2(2, 1)  # whatever else is printed
    if hasattr(os, "nice"):
        os.nice(5)  # pages come first
    Thread(target=_listen, args=(questions,), daemon=True).start()

    def say(*answer: object) -> None:
        answers.write(pickle.dumps(answer))
        answers.flush()

    while True:
        say(*_answer(questions.get(), lambda share, line: say(_TOLD, (share, line))))


def _listen(questions: "SimpleQueue[bytes]") -> None:
    """Take questions in, also while one is answered, so as to end with whoever asks."""
    try:
        while size := sys.stdin.buffer.readline():
            questions.put(sys.stdin.buffer.read(int(size)))
    finally:
        os._exit(0)


def _answer(question: bytes, report: Report) -> Answer:
    try:
        work, reports, seconds, memory = pickle.loads(question)
        _limit(seconds, memory)
        return _MADE, work(report=report) if reports else work()
    except DpldaError as refusal:
        return _REFUSED, refusal
    except Exception as error:  # libraries raise dozens of kinds, and the document may be anything
        return _FAILED, type(error).__name__


def _limit(seconds: int, memory: int) -> None:
    if sys.platform == "win32":
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime) + seconds + 1
    for what, limit in ((resource.RLIMIT_CPU, most), (resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
