"""Releases whose processes are killed at random moments: what the next request makes of each, and of a tampered journal.

*Kills*: processes declare a budget, release, and continue the release step by step without end, until they are killed.
Others repeat the same requests. In the end each request that was charged is repeated once more.

*Tampering*: a process that releases is killed; then the journal, which nothing but a kill leaves behind, is deleted,
cut, set back, replaced by another, or comes back after its release has ended and the file was taken away. The request
is repeated. If any answer was counted, that has to be charged again.
"""

import json
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from dplda import simulate
from dplda.core.errors import DpldaError
from dplda.corpus import Corpus, Label
from dplda.corpus.corpus import VocabularySource
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.registry import parse_method_spec
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import SUFFIX, read_release_file
from dplda.release.ledger.folder import JOURNAL, Folder, FolderError
from dplda.release.ledger.ledger import Ledger, LedgerEntry, noted_in
from dplda.release.workflow.journal.progress import Progress, progress_of
from dplda.release.workflow.perform import release
from dplda.release.workflow.recovery import recover_interrupted
from dplda.release.workflow.release_store import find_existing, find_unfinished_charge
from dplda.release.workflow.request import Request

KILLS = 60
RACE_EVERY, N_RACERS = 10, 8  # kills, and processes that are at it at once then
LONGEST_CHAIN = 3  # releases, which a budget has room for
SAME = 3  # kills in a row of the same documents
METHODS = ("private-unigram", "refined")
FIRST_EPSILON = 0.1  # of a release, and of each that continues it
CHARGED, FINISHED, COMPLETE, SAME_FILE = OUTCOMES = (
    "charged_again",
    "finished_free",  # with answers drawn anew: never where a counted one was taken away
    "complete_but_for_error_bars",  # a file that waited for these, and is given out without them
    "same_file_again",  # of answers that came back whole
)
FORK = multiprocessing.get_context("fork")

Row = dict[str, str | int | float]


@dataclass(frozen=True)
class Documents:
    """A dataset of the benchmark.

    Attributes:
        number: decides its method.
        part: of the documents with this number; each is a dataset of its own.
    """

    number: int
    part: int = 0

    @property
    def name(self) -> str:
        """Its name in the ledger."""
        return f"mail {self.number}, part {self.part}"

    @property
    def next_part(self) -> "Documents":
        """The documents to go on with when no more releases of these are continued."""
        return Documents(self.number, self.part + 1)

    @property
    def method(self) -> str:
        """The method that releases its topics."""
        return METHODS[self.number % len(METHODS)]

    def corpus(self) -> Corpus:
        """Its documents."""
        known = simulate(
            n_documents=2000,
            n_words=100,
            n_topics=3,
            alpha0=0.5,
            mean_length=50,
            seed=1000 * self.number + self.part,
        )
        return Corpus(
            known.counts, known.vocabulary, Label.SENSITIVE, "letters", VocabularySource.FIXED
        )

    def request(self, step: int, since: Artefact | None) -> Request:
        """The request of a step from 1 on, which continues the one before it."""
        budget = Budget(FIRST_EPSILON * step, 1e-6)
        settings = Experiment(
            corpus=HeldDocuments(),
            method=parse_method_spec(self.method),
            problem=Problem(3, 0.5),
            budget=budget,
        )
        return Request(self.name, "letters", settings, previous=since)


def run_kills(path: Path) -> Row:
    """Kill releases, repeat what was charged, and count what is left; files and charges are one to one."""
    rng = np.random.default_rng(0)
    seconds = _seconds_of_releases(path.with_name(f"{path.name}, timed"))
    n_answers_of: dict[int, int] = {}  # of each interrupted charge
    numbers = []
    for number in range(KILLS):
        is_race = number % RACE_EVERY == 0
        documents = Documents(KILLS if is_race else number // SAME)
        processes = [
            FORK.Process(target=_release_for_ever, args=(path, documents))
            for _ in range(N_RACERS if is_race else 1)
        ]
        for process in processes:
            process.start()
        time.sleep(seconds[documents.method] * rng.random())
        _kill(*processes)
        numbers.append(documents.number)
        n_answers_of |= {one.number: _n_answers(path, one) for one in _unfinished(path)}
    for number in sorted(set(numbers)):
        _in_child(_repeat_what_was_charged, path, Documents(number))
    return {
        "section": "kills",
        "kills": KILLS,
        "interrupted": len(n_answers_of),
        "after_an_answer": sum(number > 0 for number in n_answers_of.values()),
        **_what_is_left(path),
    }


def run_tampering(path: Path) -> Row:
    """Tamper with the journals of killed releases, and count how often the same request is charged again."""
    rng = np.random.default_rng(1)
    seconds = _seconds_of_releases(path.with_name(f"{path.name}, timed"))
    n_of: dict[str, int] = dict.fromkeys(("tampered", "left_alone", *OUTCOMES), 0)
    journals: list[bytes] = []
    for number in range(KILLS):
        documents = Documents(2 * number + 1)  # by the method of many answers
        process = FORK.Process(target=_release_once, args=(path, documents))
        process.start()
        time.sleep(seconds[documents.method] * rng.random())
        _kill(process)
        unfinished = [
            one for one in _unfinished(path) if one.dataset == documents.name
        ]  # none where it was too early or too late
        if not unfinished or not _n_answers(path, unfinished[0]):
            continue
        journal = path / f"{noted_in(unfinished[0])['receipt']}{JOURNAL}"
        answers = journal.read_bytes()
        if number % 6 == 5:  # left alone: it is finished free
            n_of["left_alone"] += _in_child(_repeat, path, documents) != CHARGED
            continue
        journals.append(answers)
        ended = _tamper(path, journal, documents, number % 5, journals[0], rng)
        outcome = _in_child(_repeat, path, documents)
        if outcome == FINISHED and _last_file(path, documents).read_bytes() == ended:
            outcome = SAME_FILE
        n_of["tampered"] += 1
        n_of[outcome] += 1
        for left in path.glob(f"*{JOURNAL}"):
            left.unlink()
    return {"section": "tampering", "kills": KILLS, **n_of}


def _tamper(
    path: Path,
    journal: Path,
    documents: Documents,
    way: int,
    other: bytes,
    rng: np.random.Generator,
) -> bytes:
    """Take away what was counted: the whole journal, its end, its last records, or its place for another's.

    Returns:
        The file that was taken away in the last way; empty otherwise.
    """
    answers = journal.read_bytes()
    if way == 0:
        journal.unlink()
    elif way == 1:
        n_counted = sum(_sizes(path, documents))
        journal.write_bytes(answers[: int(rng.integers(n_counted))])
    elif way == 2:
        flipped = bytearray(answers)
        counted = sum(_sizes(path, documents))
        flipped[int(rng.integers(counted))] ^= 1
        journal.write_bytes(flipped)
    elif way == 3 and other != answers:
        journal.write_bytes(other)
    else:  # its release ends, the file is taken away, and the journal of before comes back
        _in_child(_repeat, path, documents)
        file = _last_file(path, documents)
        ended = file.read_bytes()
        file.unlink()
        journal.write_bytes(answers)
        return ended
    return b""


def _sizes(path: Path, documents: Documents) -> list[int]:
    """Bytes of each record that the ledger counts."""
    kept = Ledger(Folder(path)).kept_entries(documents.name)
    return [json.loads(entry.detail)["bytes"] for entry in kept]


def _last_file(path: Path, documents: Documents) -> Path:
    *_, charge = (
        one for one in Ledger(Folder(path)).entries(documents.name) if one.kind == "charged"
    )
    return path / f"{noted_in(charge)['receipt']}{SUFFIX}"


def _unfinished(path: Path) -> list[LedgerEntry]:
    folder = Folder(path)
    return [
        entry
        for entry in Ledger(folder).entries()
        if progress_of(entry, folder) is Progress.UNFINISHED
    ]


def _n_answers(path: Path, charge: LedgerEntry) -> int:
    receipt = noted_in(charge)["receipt"]
    kept = Ledger(Folder(path)).kept_entries(charge.dataset)
    return sum(json.loads(entry.detail)["receipt"] == receipt for entry in kept)


def _what_is_left(path: Path) -> Row:
    """Counts over the whole folder: charges, files, and every way in which they may not fit each other."""
    folder = Folder(path)
    recover_interrupted(folder)
    ledger = Ledger(folder)
    noted = [noted_in(entry) for entry in ledger.entries() if entry.kind == "charged"]
    charged = [each["receipt"] for each in noted]
    requests = [each["request"] for each in noted]
    files = [read_release_file(file) for file in path.glob(f"*{SUFFIX}")]
    parents = [one.resumable.parent for one in files if one.resumable is not None]
    written = {one.receipt_number for one in files}
    return {
        "charges": len(charged),
        "files": len(written),
        "continued": sum(parent is not None for parent in parents),
        "charges_without_file": len(set(charged) - written),
        "files_without_charge": len(written - set(charged)),
        "parents_without_charge": sum(
            parent is not None and parent.receipt_number not in charged for parent in parents
        ),
        "requests_charged_twice": len(requests) - len(set(requests)),
        "journals_left": len(list(path.glob(f"*{JOURNAL}"))),
        "faults": len(ledger.faults()),
    }


def _declare(path: Path, documents: Documents) -> None:
    with suppress(DpldaError):
        Ledger(Folder(path)).declare(documents.name, epsilon=1000.0, delta=1e-3)


def _release_for_ever(path: Path, documents: Documents) -> None:
    """Declare a budget, release, and continue; what a killed process left is taken up on the way."""
    while True:
        _declare(path, documents)
        corpus, since = documents.corpus(), None
        for step in range(1, 1 + LONGEST_CHAIN):
            while True:
                with suppress(FolderError):  # another is at it
                    since = release(corpus, documents.request(step, since), Folder(path)).artefact
                    break
        documents = documents.next_part


def _release_once(path: Path, documents: Documents) -> None:
    _declare(path, documents)
    release(documents.corpus(), documents.request(1, None), Folder(path))


def _repeat_what_was_charged(path: Path, documents: Documents) -> str:
    """Repeat requests in their order, up to the first that was never charged."""
    folder = Folder(path)
    while documents.name in Ledger(folder).datasets():
        corpus, since = documents.corpus(), None
        for step in range(1, 1 + LONGEST_CHAIN):
            request = documents.request(step, since)
            is_known = find_existing(corpus, request, folder) is not None
            if not is_known and find_unfinished_charge(corpus, request, folder) is None:
                break
            since = release(corpus, request, folder).artefact
        documents = documents.next_part
    return ""


def _seconds_of_releases(path: Path) -> dict[str, float]:
    """How long a first release takes by each method, in a process of its own, on this machine as it is."""
    seconds = {}
    for number, method in enumerate(METHODS):
        begin = time.perf_counter()
        _in_child(_release_timed, path.with_name(f"{path.name} {method}"), Documents(number))
        seconds[method] = time.perf_counter() - begin
    return seconds


def _release_timed(path: Path, documents: Documents) -> str:
    _release_once(path, documents)
    return ""


def _repeat(path: Path, documents: Documents) -> str:
    """Repeat the request of the first step; what came of it."""
    receipt = release(documents.corpus(), documents.request(1, None), Folder(path))
    if receipt.charged:
        return CHARGED
    return FINISHED if receipt.was_finished else COMPLETE


def _kill(*processes: multiprocessing.process.BaseProcess) -> None:
    for process in processes:
        if process.pid is not None:
            os.kill(process.pid, signal.SIGKILL)
        process.join()


def _in_child(work: Callable[[Path, Documents], str], path: Path, documents: Documents) -> str:
    """What a function returns in a process of its own: threads here would be missing in later ones."""
    receiving, sending = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_send_result, args=(sending, work, path, documents))
    process.start()
    sending.close()
    result = receiving.recv()
    process.join()
    return str(result)


def _send_result(
    sending: Connection, work: Callable[[Path, Documents], str], path: Path, documents: Documents
) -> None:
    sending.send(work(path, documents))
