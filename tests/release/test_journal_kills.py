"""A release that was killed: the same request finishes it at no further charge, from the answers it had."""

from dataclasses import replace

import numpy as np
import pytest

from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.privacy.release import Caveat
from dplda.release.artefact.released_file import read_release
from dplda.release.ledger.folder import JOURNAL, Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow.receipt import Receipt
from dplda.release.workflow.request import Request
from tests.release.conftest import asked
from tests.release.interrupted import POINTS, Answers, kill, n_charges, repeat

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*multi-threaded:DeprecationWarning"
)  # a child uses one thread
AFTER_THE_CHARGE = [point for point in POINTS if point != "before the charge"]
WITH_ANSWERS = [
    "within a record",
    "between record and count",
    "between head and table",
    "after the count",
    "while error bars are worked out",
]


def check_alike(used_answers: Answers, answers: Answers) -> None:
    """Check that a run was given the answers that another one had used before."""
    assert len(answers) >= len(used_answers)
    for used_answer, answer in zip(used_answers, answers, strict=False):
        np.testing.assert_array_equal(used_answer, answer)


def check_finished(corpus: Corpus, request: Request, folder: Folder, used_answers: Answers) -> None:
    """Check that a repeated request goes on from the answers that were used, and leaves a file alone."""
    n_charges_before = n_charges(folder)
    receipt, answers = repeat(corpus, request, folder)
    assert not receipt.charged
    assert n_charges(folder) == n_charges_before
    assert (
        read_release(receipt.path.read_bytes(), "a file").receipt_number
        == receipt.artefact.receipt_number
    )
    if receipt.was_finished:
        check_alike(used_answers, answers)
    assert not list(folder.path.glob(f"*{JOURNAL}"))
    assert folder.rooms() == []
    assert Ledger(folder).faults() == ()


@pytest.mark.parametrize("point", AFTER_THE_CHARGE)
def test_release_of_one_answer_killed_anywhere_is_finished_at_no_further_charge(
    point: str, corpus: Corpus, folder: Folder
) -> None:
    method = "refined" if "error bars" in point else "private-unigram"
    used_answers = kill(corpus, asked(method), folder, point)
    check_finished(corpus, asked(method), folder, used_answers)
    assert n_charges(folder) == 1


@pytest.mark.parametrize("point", WITH_ANSWERS)
def test_release_killed_after_many_answers_goes_on_from_them(
    point: str, corpus: Corpus, folder: Folder
) -> None:
    used_answers = kill(corpus, asked(), folder, point, n=14)
    assert len(used_answers) >= 13
    check_finished(corpus, asked(), folder, used_answers)


def test_release_killed_before_its_charge_is_charged_once(corpus: Corpus, folder: Folder) -> None:
    request = asked("private-unigram")
    assert kill(corpus, request, folder, "before the charge") == []
    receipt, _ = repeat(corpus, request, folder)
    assert receipt.charged
    assert n_charges(folder) == 1
    assert not list(folder.path.glob(f"*{JOURNAL}")), "one was begun by the process that died"


def test_release_killed_again_where_it_went_on_is_finished(corpus: Corpus, folder: Folder) -> None:
    used_answers: Answers = []
    for n, point in ((3, "after the count"), (1, "within a record"), (4, "between head and table")):
        further_answers = kill(corpus, asked(), folder, point, n)
        check_alike(used_answers, further_answers)
        used_answers = further_answers
    check_finished(corpus, asked(), folder, used_answers)


def finished_twice(corpus: Corpus, request: Request, folder: Folder) -> list[Receipt]:
    """Receipts of a release that is finished, lost with its file, and finished from the same answers."""
    (path,) = folder.path.glob(f"*{JOURNAL}")
    answers = path.read_bytes()
    receipts = []
    for _ in range(2):
        path.write_bytes(answers)
        path.chmod(0o600)
        receipt, _ = repeat(corpus, request, folder)
        assert receipt.was_finished
        receipts.append(
            replace(receipt, path=receipt.path.rename(f"{receipt.path}.{len(receipts)}"))
        )
    return receipts


def test_finished_files_of_the_same_answers_have_the_same_bytes(
    corpus: Corpus, folder: Folder
) -> None:
    """With error bars, which are worked out again."""
    kill(corpus, asked(), folder, "while error bars are worked out")
    first_receipt, second_receipt = finished_twice(corpus, asked(), folder)
    assert first_receipt.artefact.lower is not None
    assert first_receipt.path.read_bytes() == second_receipt.path.read_bytes()


def test_finished_file_states_what_was_seen_before_its_charge(
    corpus: Corpus, folder: Folder
) -> None:
    """Neither a session that has forgotten it nor another title changes what was asked for."""
    request_with_caveats = replace(asked("private-unigram"), caveats=(Caveat.LOOKED, Caveat.TRIED))
    kill(corpus, request_with_caveats, folder, "after the count")
    later = replace(asked("private-unigram"), title="other letters")
    receipt, _ = repeat(corpus, later, folder)
    assert receipt.artefact.guarantee.caveats == (Caveat.LOOKED, Caveat.TRIED)
    assert receipt.artefact.documents == "letters"


def test_killed_continuation_resumes_within_its_total(corpus: Corpus, folder: Folder) -> None:
    first_receipt, _ = repeat(corpus, asked("private-unigram", epsilon=0.5), folder)
    continuation = replace(asked("private-unigram", epsilon=1.0), previous=first_receipt.artefact)
    used_answers = kill(corpus, continuation, folder, "after the count")
    totals_after_kill = Ledger(folder).balance("mail").used_totals
    receipt, answers = repeat(corpus, continuation, folder)
    check_alike(used_answers, answers)
    assert receipt.artefact.guarantee.epsilon == 1.0
    assert receipt.artefact.resumable.parent.receipt_number == first_receipt.artefact.receipt_number
    assert Ledger(folder).balance("mail").used_totals == totals_after_kill


def selecting(corpus: Corpus, **choices) -> tuple[Corpus, Request]:
    """The documents over every word met, and a request that selects words."""
    met = Corpus(corpus.counts, corpus.vocabulary, Label.SENSITIVE, "letters", VocabularySource.MET)
    usual = {"n_words": 12, "epsilon": 0.5, "listed": corpus.vocabulary[:6]}
    return met, replace(asked("private-unigram"), selection=Selection(**usual | choices))


def test_words_that_were_selected_before_a_kill_stay_selected(
    corpus: Corpus, folder: Folder
) -> None:
    """Noise would rank them otherwise the next time: it hides which of thirty words are the most used."""
    met, request = selecting(corpus, listed=corpus.vocabulary, epsilon=0.1)
    kill(met, request, folder, "before the file")
    first_receipt, second_receipt = finished_twice(met, request, folder)
    assert first_receipt.artefact.vocabulary == second_receipt.artefact.vocabulary


def test_selection_killed_between_its_rounds_is_drawn_anew_as_one(
    corpus: Corpus, folder: Folder
) -> None:
    met, request = selecting(corpus)
    kill(met, request, folder, "after noise was drawn")
    assert Ledger(folder).kept_entries("mail") == ()
    (path,) = folder.path.glob(f"*{JOURNAL}")
    assert path.stat().st_size == 0
    check_finished(met, request, folder, [])
