"""Releases whose process is killed at a given point, and the answers that it had used by then."""

import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO
from unittest.mock import patch

import numpy as np

from dplda.core.backends import computing_with
from dplda.corpus import Corpus
from dplda.methods.base.error_bars import Uncertainty
from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.noise.kept_answers import KeptNoise
from dplda.release.ledger.folder import HEAD, SUFFIX, Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow import perform
from dplda.release.workflow.journal import journal
from dplda.release.workflow.journal.journal import Journal
from dplda.release.workflow.journal.record import RecordDigest
from dplda.release.workflow.perform import release
from dplda.release.workflow.receipt import Receipt
from dplda.release.workflow.request import Request

FORK = multiprocessing.get_context("fork")
Answers = list[np.ndarray]


class Interrupted(BaseException):
    """A process that ends, as far as one that goes on can tell."""


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Deadly:
    """A function that is replaced by one that kills its process before or after the n-th call."""

    def __init__(self, honest: Callable, *, call: int, dies_after: bool) -> None:
        self._honest, self._after = honest, dies_after
        self._calls_left = call

    def __get__(self, owner: object, kind: type) -> Callable:
        return lambda *arguments, **options: self(owner, *arguments, **options)

    def __call__(self, *arguments: object, **options: object) -> object:
        self._calls_left -= 1
        if not self._calls_left and not self._after:
            die()
        result = self._honest(*arguments, **options)
        if not self._calls_left:
            die()
        return result


def _torn(n: int) -> Callable:
    """``write_record``, of which half of the n-th record is on the disk when the process dies."""
    calls = iter(range(1, n + 1))

    def write(file: BinaryIO, header: bytes, payload: memoryview, key: bytes) -> RecordDigest:
        start = file.tell()
        digest = WRITE_RECORD(file, header, payload, key)
        if next(calls) == n:
            file.truncate(start + digest.size // 2)
            file.flush()
            die()
        return digest

    return write


WRITE, WRITE_RECORD = Folder.write, journal.write_record


def _writing(ending: str, n: int, *, dies_after: bool) -> Callable:
    """``Folder.write``, deadly for the n-th name that ends so; of the head, where it counts an answer."""
    calls = iter(range(1, n + 1))

    def write(folder: Folder, name: str, content: bytes, **options: Path | None) -> Path:
        is_meant = name.endswith(ending) and (ending != HEAD or b"nonce" in content)
        is_last = is_meant and next(calls) == n
        if is_last and not dies_after:
            die()
        path = WRITE(folder, name, content, **options)
        if is_last:
            die()
        return path

    return write


POINTS = {
    "before the charge": lambda n: patch.object(Ledger, "charge", lambda *_, **__: die()),
    "after the charge": lambda n: patch.object(perform, "_perform", lambda *_, **__: die()),
    "after noise was drawn": lambda n: patch.object(
        ExactNoise, "draw", Deadly(ExactNoise.draw, call=n, dies_after=True)
    ),
    "within a record": lambda n: patch.object(journal, "write_record", _torn(n)),
    "between record and count": lambda n: patch.object(
        Ledger, "note_kept", Deadly(Ledger.note_kept, call=n, dies_after=False)
    ),
    "between head and table": lambda n: patch.object(
        Folder, "write", _writing(HEAD, n, dies_after=True)
    ),
    "after the count": lambda n: patch.object(
        Ledger, "note_kept", Deadly(Ledger.note_kept, call=n, dies_after=True)
    ),
    "while error bars are worked out": lambda n: patch.object(
        Uncertainty, "estimate_error_std", lambda *_: die()
    ),
    "before the file": lambda n: patch.object(
        Folder, "write", _writing(SUFFIX, 1, dies_after=False)
    ),
    "between file and journal": lambda n: patch.object(Journal, "delete", lambda _: die()),
}
"""Where a process can die, for the n-th answer."""


def recorded(answers: Answers, *, answers_file: Path | None = None) -> object:
    """While this holds, every answer that a run is given is noted, in a file too."""
    honest = KeptNoise.perturb

    def perturb(source: KeptNoise, *arguments: object) -> np.ndarray:
        answer = honest(source, *arguments)
        answers.append(answer.copy())
        if answers_file is not None:
            answers_file.write_bytes(pickle.dumps(answers))
        return answer

    return patch.object(KeptNoise, "perturb", perturb)


def _release_and_die(
    corpus: Corpus, request: Request, path: Path, point: str, n: int, answers_file: Path
) -> None:
    with computing_with("serial", None), recorded([], answers_file=answers_file), POINTS[point](n):
        release(corpus, request, Folder(path))


def kill(corpus: Corpus, request: Request, folder: Folder, point: str, n: int = 1) -> Answers:
    """Release in a process that dies at a point; the answers that it had used."""
    answers_file = folder.path.parent / "answers"
    answers_file.write_bytes(pickle.dumps([]))
    run_arguments = (corpus, request, folder.path, point, n, answers_file)
    process = FORK.Process(target=_release_and_die, args=run_arguments)
    process.start()
    process.join(120)
    assert process.exitcode == -signal.SIGKILL, point
    return pickle.loads(answers_file.read_bytes())


def repeat(corpus: Corpus, request: Request, folder: Folder) -> tuple[Receipt, Answers]:
    """Repeat a request; its receipt, and the answers that the run was given."""
    answers: Answers = []
    with recorded(answers):
        return release(corpus, request, folder), answers


def n_charges(folder: Folder) -> int:
    return [entry.kind for entry in Ledger(folder).entries()].count("charged")
