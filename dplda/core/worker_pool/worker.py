"""A process of the pool as its parent sees it."""

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import IO, TypeVar, cast

from dplda.core.errors import DpldaError
from dplda.core.memory import without_overwriting
from dplda.core.types import Report
from dplda.core.worker_pool.process import AnswerKind, Instruction, ProcessError

V = TypeVar("V")

GLANCE = 0.05  # seconds between two looks at an answer
_START = "from dplda.core.worker_pool.process import main; main()"
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Worker:
    """One process, for one question at a time."""

    def __init__(self, quiet: bool) -> None:
        """Start the process, and a thread that receives its answers.

        Its linear algebra takes one thread. It does not overwrite the memory that it frees.

        Args:
            quiet: whether what the process prints to the standard error is dropped.
        """
        self.seen: set[int] = set()  # keys of shared values that it was given
        self.last = False  # whether it takes no other question
        self.is_urgent = True  # whether its present work is
        self._sending = Lock()
        self._answers: SimpleQueue[tuple[AnswerKind, object]] = SimpleQueue()
        # The same modules, wherever it starts.
        path_setting = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            env=without_overwriting(os.environ) | _ONE_THREAD | path_setting,
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
                answer_kind, answer = self._answers.get(timeout=GLANCE)
                if answer_kind != AnswerKind.PROGRESS:
                    break
                progress = cast("tuple[float, str]", answer)
            if report_error is None:
                try:
                    report(*progress)
                except BaseException as error:  # handed on once the process is free again
                    report_error = error
                    kill_time = time.monotonic() + patience
                    self._say(Instruction.STOP)
            elif time.monotonic() > kill_time:
                self.process.kill()
        self.last |= answer_kind == AnswerKind.ENDED
        if report_error is not None:
            raise report_error
        if answer_kind == AnswerKind.ENDED:
            self.process.kill()  # where what it said cannot be read
            raise ProcessError(signal=-min(self.process.wait(), 0))
        if answer_kind == AnswerKind.ERROR:
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
        self._say(Instruction.PAUSE)

    def resume(self) -> None:
        """Let its work go on."""
        self._say(Instruction.RESUME)

    def _say(self, question: "bytes | Instruction") -> None:
        """Send a question or an instruction; from any thread."""
        assert self.process.stdin is not None
        with self._sending, suppress(OSError):  # it has ended, as its answer says
            pickle.dump(question, self.process.stdin, protocol=5)
            self.process.stdin.flush()

    def _listen(self) -> None:
        """Queue the process's answers, and last of all that it has ended.

        An answer that cannot be read counts as its end.
        """
        assert self.process.stdout is not None
        with self.process.stdout as answers:
            try:
                while True:
                    self._answers.put(pickle.load(answers))
            except Exception:  # it has ended, in the middle of an answer perhaps
                self._answers.put((AnswerKind.ENDED, None))
