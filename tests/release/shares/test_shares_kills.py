"""A table of shares whose process was killed: finished at no further charge, from what was drawn."""

import multiprocessing
import signal
from unittest.mock import patch

import numpy as np
import pytest

from dplda.core.backends import computing_with
from dplda.corpus import Corpus
from dplda.privacy.noise.exact import ExactNoise
from dplda.release.ledger.folder import HEAD, JOURNAL, SHARES_SUFFIX, Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.shares import perform
from dplda.release.shares.perform import release_shares
from dplda.release.shares.request import SharesRequest
from dplda.release.workflow.journal import journal
from dplda.release.workflow.journal.journal import Journal
from tests.release.interrupted import Deadly, _torn, _writing, die, n_charges

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
FORK = multiprocessing.get_context("fork")
POINTS = {
    "before the charge": lambda: patch.object(Ledger, "charge", lambda *_, **__: die()),
    "after the charge": lambda: patch.object(perform, "_perform", lambda *_, **__: die()),
    "after noise was drawn": lambda: patch.object(
        ExactNoise, "draw", Deadly(ExactNoise.draw, call=1, dies_after=True)
    ),
    "within the record": lambda: patch.object(journal, "write_record", _torn(1)),
    "between record and count": lambda: patch.object(
        Ledger, "note_kept", Deadly(Ledger.note_kept, call=1, dies_after=False)
    ),
    "between head and table": lambda: patch.object(
        Folder, "write", _writing(HEAD, 1, dies_after=True)
    ),
    "after the count": lambda: patch.object(
        Ledger, "note_kept", Deadly(Ledger.note_kept, call=1, dies_after=True)
    ),
    "before the file": lambda: patch.object(
        Folder, "write", _writing(SHARES_SUFFIX, 1, dies_after=False)
    ),
    "between file and journal": lambda: patch.object(Journal, "delete", lambda _: die()),
}
POINTS_BY_SIZE = {
    "after groups were drawn": lambda: patch.object(
        ExactNoise, "draw", Deadly(ExactNoise.draw, call=2, dies_after=True)
    ),
    "within the record of groups": POINTS["within the record"],
    "between groups and their count": POINTS["between record and count"],
    "after the count of groups": POINTS["after the count"],
    "after the table was drawn": lambda: patch.object(
        ExactNoise, "draw", Deadly(ExactNoise.draw, call=3, dies_after=True)
    ),
    "after the count of the table": lambda: patch.object(
        Ledger, "note_kept", Deadly(Ledger.note_kept, call=2, dies_after=True)
    ),
}
WITH_ANSWER = ["after the count", "before the file"]


def _release_and_die(corpus: Corpus, request: SharesRequest, folder: Folder, point: str) -> None:
    with computing_with("serial", None), (POINTS | POINTS_BY_SIZE)[point]():
        release_shares(corpus, request, folder)


def kill(corpus: Corpus, request: SharesRequest, folder: Folder, point: str) -> None:
    process = FORK.Process(target=_release_and_die, args=(corpus, request, folder, point))
    process.start()
    process.join(120)
    assert process.exitcode == -signal.SIGKILL, point


@pytest.mark.parametrize("point", POINTS)
def test_table_killed_anywhere_is_finished_at_one_charge(
    point: str,
    letters: Corpus,
    request_of_shares: SharesRequest,
    folder: Folder,
) -> None:
    kill(letters, request_of_shares, folder, point)
    receipt = release_shares(letters, request_of_shares, folder)
    assert n_charges(folder) == 2
    assert receipt.charged == (point == "before the charge")
    assert not list(folder.path.glob(f"*{JOURNAL}"))
    assert folder.rooms() == []
    assert Ledger(folder).faults() == ()


@pytest.mark.parametrize("point", WITH_ANSWER)
def test_table_killed_after_its_answer_is_that_answer(
    point: str,
    letters: Corpus,
    request_of_shares: SharesRequest,
    folder: Folder,
) -> None:
    drawn_answers = []
    honest = ExactNoise.draw

    def note(source: ExactNoise, *arguments: object) -> np.ndarray:
        drawn_answers.append(honest(source, *arguments))
        return drawn_answers[-1]

    kill(letters, request_of_shares, folder, point)
    with patch.object(ExactNoise, "draw", note):
        receipt = release_shares(letters, request_of_shares, folder)
    assert receipt.was_finished
    assert drawn_answers == []


def test_table_whose_journal_was_deleted_is_charged_again(
    letters: Corpus,
    request_of_shares: SharesRequest,
    folder: Folder,
) -> None:
    kill(letters, request_of_shares, folder, "after the count")
    for path in folder.path.glob(f"*{JOURNAL}"):
        path.unlink()
    receipt = release_shares(letters, request_of_shares, folder)
    assert receipt.charged
    assert n_charges(folder) == 3


@pytest.mark.parametrize("point", POINTS_BY_SIZE)
def test_groups_chosen_before_a_kill_are_those_of_the_finished_table(
    point: str, letters: Corpus, request_by_size: SharesRequest, folder: Folder
) -> None:
    """Noise that the ledger counted is not drawn again: three draws in all are two rounds and a table."""
    kill(letters, request_by_size, folder, point)
    n_left = {"after the count of groups": 1, "after the count of the table": 0}.get(point)
    n_left = 1 if point == "after the table was drawn" else n_left
    draws = []
    honest = ExactNoise.draw

    def note(source: ExactNoise, *arguments: object) -> np.ndarray:
        draws.append(len(arguments[0]))  # type: ignore[arg-type]
        return honest(source, *arguments)  # type: ignore[arg-type]

    with patch.object(ExactNoise, "draw", note):
        receipt = release_shares(letters, request_by_size, folder)
    assert receipt.was_finished
    assert len(draws) == (3 if n_left is None else n_left)
    assert n_charges(folder) == 2
    assert Ledger(folder).faults() == ()
