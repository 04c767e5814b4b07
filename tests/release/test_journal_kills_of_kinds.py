"""Kills where a release protects persons, or asks the documents about a public table."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from dplda.corpus import Corpus
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.methods.refined.plan.quantities import GATE
from dplda.methods.refined.refined_methods import refined_with
from dplda.privacy.noise.kept_answers import AnswerLabel
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import PERSON, Ledger
from dplda.release.workflow.journal.journal import Journal
from dplda.release.workflow.perform import release
from dplda.release.workflow.request import Request
from tests.release.conftest import asked
from tests.release.interrupted import kill, n_charges
from tests.release.test_journal_kills import (
    AFTER_THE_CHARGE,
    check_alike,
    check_finished,
    finished_twice,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*multi-threaded:DeprecationWarning"
)  # a child uses one thread
AT_AN_ANSWER = [
    "after noise was drawn",
    "within a record",
    "between record and count",
    "between head and table",
    "after the count",
]
SEEDS = PriorSource(PriorKind.SEEDS, "one: w0000, w0001")


@pytest.fixture
def persons(corpus: Corpus) -> Corpus:
    """Documents of which four each are one person's."""
    return replace(corpus, persons=np.arange(corpus.n_documents) // 4)


@pytest.fixture
def folder_of_persons(folder: Folder) -> Folder:
    Ledger(folder).declare("people", epsilon=3.0, delta=1e-5, protects=PERSON)
    return folder


def asked_of_persons(method: str = "private-unigram") -> Request:
    return replace(asked(method), dataset="people")


def asked_with_table() -> Request:
    request = asked(epsilon=2.0)
    method = refined_with(SEEDS, trusted=False).spec
    return replace(request, experiment=replace(request.experiment, method=method))


@pytest.fixture(scope="module")
def number_of_prior_test(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> int:
    """The place of the answer on the table among all answers of its release, from 1."""
    folder = Folder(Path(tmp_path_factory.mktemp("whole")) / "releases")
    Ledger(folder).declare("mail", epsilon=3.0, delta=1e-5)
    labels: list[str] = []
    keep_answer = Journal.keep_answer

    def keep(journal: Journal, label: AnswerLabel, answer: np.ndarray) -> None:
        labels.append(label.stream)
        keep_answer(journal, label, answer)

    with patch.object(Journal, "keep_answer", keep):
        release(corpus, asked_with_table(), folder)
    # a table that is let in is asked about once more, after the last step
    return next(i for i, label in enumerate(labels, start=1) if GATE.words in label)


@pytest.mark.parametrize("point", AFTER_THE_CHARGE)
def test_release_of_persons_killed_anywhere_is_finished_at_no_further_charge(
    point: str, persons: Corpus, folder_of_persons: Folder
) -> None:
    request = asked_of_persons("refined" if "error bars" in point else "private-unigram")
    used_answers = kill(persons, request, folder_of_persons, point)
    check_finished(persons, request, folder_of_persons, used_answers)
    assert n_charges(folder_of_persons) == 1


def test_finished_release_of_persons_protects_persons(
    persons: Corpus, folder_of_persons: Folder
) -> None:
    kill(persons, asked_of_persons(), folder_of_persons, "before the file")
    first_receipt, second_receipt = finished_twice(persons, asked_of_persons(), folder_of_persons)
    assert first_receipt.artefact.n_documents == persons.n_documents // 4
    assert first_receipt.artefact.guarantee.adjacency == "replace all documents of one person"
    assert first_receipt.path.read_bytes() == second_receipt.path.read_bytes()


@pytest.mark.parametrize("point", AT_AN_ANSWER)
def test_release_killed_at_its_prior_test_is_finished_free_of_charge(
    point: str, corpus: Corpus, folder: Folder, number_of_prior_test: int
) -> None:
    used_answers = kill(corpus, asked_with_table(), folder, point, n=number_of_prior_test)
    assert len(used_answers) >= number_of_prior_test - 1
    check_finished(corpus, asked_with_table(), folder, used_answers)
    assert n_charges(folder) == 1


def test_answer_on_a_table_that_was_counted_before_a_kill_stays(
    corpus: Corpus, folder: Folder, number_of_prior_test: int
) -> None:
    """The answer decides whether the table is used, so a second draw could decide otherwise."""
    used_answers = kill(
        corpus, asked_with_table(), folder, "after the count", n=number_of_prior_test
    )
    later = kill(corpus, asked_with_table(), folder, "before the file")
    check_alike(used_answers, later)
    first_receipt, second_receipt = finished_twice(corpus, asked_with_table(), folder)
    assert first_receipt.artefact.prior_use.asked
    assert first_receipt.path.read_bytes() == second_receipt.path.read_bytes()
