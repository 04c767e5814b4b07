"""The process that does the work: it answers questions from its standard input, one at a time."""

import os
import pickle
import signal
import sys
import time
import traceback
from enum import Enum, IntEnum, auto
from queue import SimpleQueue
from threading import Event, Thread

from dplda.core.errors import DpldaError
from dplda.core.memory import forbid_core_dumps
from dplda.core.types import Report

REPORT_INTERVAL = 0.05  # seconds between two reports of one step


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
        """One sentence on the failure, by the error's name if known, and one on what to do.

        Without a name, it says that the process was stopped each time, perhaps for lack of memory.
        The signal is never told.
        """
        if self.name:
            return f"The computation failed with {self.name}. Try again, or choose another method."
        return (
            "The process that computes this was stopped each time, perhaps because memory ran out."
            " Choose fewer words or topics, or try again later."
        )


class _StopError(Exception):
    """Ends work in its own process: nobody waits any more."""


class AnswerKind(IntEnum):
    """Kinds of what a process says, and that it has ended."""

    PROGRESS = auto()
    RESULT = auto()
    ERROR = auto()
    ENDED = auto()


class Instruction(Enum):
    """Instructions to a process about the work that it does."""

    STOP = auto()
    PAUSE = auto()
    RESUME = auto()


def main() -> None:
    """Answer questions, one at a time, until the process that asks them is gone.

    A value that cannot be pickled is answered as an error. Whatever the work prints goes to the
    standard error. Ctrl+C is ignored, and no core is dumped.
    """
    answers = os.fdopen(os.dup(1), "wb")
    stop_event = Event()
    go_on_event = Event()
    go_on_event.set()
    os.dup2(2, 1)  # whatever else is printed
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for who asks
    forbid_core_dumps()
    questions: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_take_in, args=(questions, stop_event, go_on_event), daemon=True).start()
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
        if not stop_event.is_set():
            go_on_event.wait()
        if stop_event.is_set():
            raise _StopError
        if line != reported_line or time.monotonic() - reported_at > REPORT_INTERVAL:
            say(AnswerKind.PROGRESS, (share, line))
            reported_at = time.monotonic()
            reported_line = line

    while True:
        question = questions.get()
        reported_at = 0.0
        try:
            say(*_answer(question, report))
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            say(AnswerKind.ERROR, ProcessError(type(error).__name__))


def _take_in(questions: "SimpleQueue[bytes]", stop: Event, may_go_on: Event) -> None:
    """Put questions in the queue, and set or clear events as instructions say.

    A question clears ``stop``, which otherwise stays set. To stop also lets paused work go on.

    Ends the process when the parent is gone, or sends what cannot be read.
    """
    try:
        while True:
            match pickle.load(sys.stdin.buffer):
                case Instruction.PAUSE:
                    may_go_on.clear()
                case Instruction.RESUME:
                    may_go_on.set()
                case Instruction.STOP:
                    stop.set()
                    may_go_on.set()  # so that it hears
                case question:
                    stop.clear()
                    questions.put(question)
    finally:
        os._exit(0)


def _answer(question: bytes, report: Report) -> tuple[AnswerKind, object]:
    """Do the work of a question: the kind of answer, and the value or the error that it ended with.

    Of an error that is none of dplda's only its type is in the answer, as a ``ProcessError``.
    The lines it passed, without values, are printed to the standard error.
    Nothing is printed for work that was told to stop.
    """
    try:
        return AnswerKind.RESULT, pickle.loads(question)(report=report)
    except DpldaError as refusal:
        return AnswerKind.ERROR, refusal
    except Exception as error:  # its words, and its frames' values, might quote a document
        if not isinstance(error, _StopError):
            traceback.print_tb(error.__traceback__)
        return AnswerKind.ERROR, ProcessError(type(error).__name__)
