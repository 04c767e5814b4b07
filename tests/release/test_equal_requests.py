"""Requests of equal numbers are one request, however the numbers are written."""

from dataclasses import replace

import numpy as np
import pytest

from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.methods.base.problem import Budget, Problem, alpha0_of_person
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow.draft import Draft
from dplda.release.workflow.perform import release
from dplda.release.workflow.release_store import find_unfinished_charge
from dplda.release.workflow.request import Request
from tests.release.conftest import asked
from tests.release.interrupted import kill, n_charges

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*multi-threaded:DeprecationWarning"
)  # a child uses one thread
FLOATS = asked("private-unigram")
INTEGERS = replace(
    FLOATS,
    experiment=replace(FLOATS.experiment, problem=Problem(3, 1), budget=Budget(1, 1e-6)),
)


@pytest.fixture
def spelled_as_given(monkeypatch: pytest.MonkeyPatch) -> Request:
    """The request as earlier versions had it, where 1 was not 1.0."""
    with monkeypatch.context() as patched:
        patched.setattr(Request, "__post_init__", lambda _: None, raising=False)
        return replace(
            FLOATS,
            experiment=replace(FLOATS.experiment, problem=Problem(3, 1), budget=Budget(1, 1e-6)),
        )


@pytest.mark.parametrize("equal_number", [1, np.int64(1), np.float32(1.0)], ids=repr)
def test_request_repeated_with_equal_numbers_is_free(
    equal_number, corpus: Corpus, folder: Folder
) -> None:
    experiment = replace(
        FLOATS.experiment, problem=Problem(3, equal_number), budget=Budget(equal_number, 1e-6)
    )
    assert release(corpus, FLOATS, folder).charged
    repeated_receipt = release(corpus, replace(FLOATS, experiment=experiment), folder)
    assert not repeated_receipt.charged
    assert n_charges(folder) == 1


def test_selection_with_equal_numbers_is_free(corpus: Corpus, folder: Folder) -> None:
    met = Corpus(corpus.counts, corpus.vocabulary, Label.SENSITIVE, "letters", VocabularySource.MET)
    word_list = corpus.vocabulary[:6]
    picked = replace(FLOATS, selection=Selection(12, 1.0, listed=word_list))
    assert release(met, picked, folder).charged
    equal_request = replace(FLOATS, selection=Selection(12, 1, listed=word_list))
    assert not release(met, equal_request, folder).charged


def test_request_charged_with_integers_before_is_found(
    spelled_as_given: Request, corpus: Corpus, folder: Folder
) -> None:
    assert spelled_as_given.canonical_text() != FLOATS.canonical_text()
    first_receipt = release(corpus, spelled_as_given, folder)
    assert first_receipt.charged
    repeated_receipt = release(corpus, FLOATS, folder)
    assert not repeated_receipt.charged
    assert repeated_receipt.path == first_receipt.path


def test_request_killed_with_integers_before_is_finished(
    spelled_as_given: Request, corpus: Corpus, folder: Folder
) -> None:
    kill(corpus, spelled_as_given, folder, "after the count")
    assert find_unfinished_charge(corpus, FLOATS, folder) is not None
    finished = release(corpus, FLOATS, folder)
    assert finished.was_finished
    assert n_charges(folder) == 1


def test_request_of_another_epsilon_is_charged(corpus: Corpus, folder: Folder) -> None:
    assert release(corpus, FLOATS, folder).charged
    other_request = replace(
        FLOATS, experiment=replace(FLOATS.experiment, budget=Budget(1.25, 1e-6))
    )
    assert release(corpus, other_request, folder).charged


@pytest.fixture
def draft_of_persons(corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> Draft:
    """A release of persons by today's α0, ready to be paid."""
    monkeypatch.setenv("DPLDA_RELEASES", str(folder.path))
    ledger = Ledger(folder)
    ledger.declare("people", epsilon=3.0, delta=1e-5, protects="person")
    persons = replace(corpus, persons=np.arange(corpus.n_documents) // 4)
    experiment = replace(FLOATS.experiment, problem=Problem(3, alpha0_of_person(1.0, 4)))
    return Draft(
        corpus=persons,
        unit="person",
        datasets={"people": ledger.balance("people")},
        request=replace(FLOATS, dataset="people", experiment=experiment),
        new_budget=None,
        is_started=False,
        document_alpha0=1.0,
    )


def test_receipt_of_earlier_alpha0_is_that_of_the_same_controls(
    draft_of_persons: Draft, folder: Folder
) -> None:
    assert draft_of_persons.receipt_of_earlier_alpha0() is None, "nothing is released yet"
    request = replace(draft_of_persons.request, experiment=draft_of_persons.experiment_on_documents)
    released_receipt = release(draft_of_persons.corpus, request, folder)
    assert draft_of_persons.receipt() is None
    found_receipt = draft_of_persons.receipt_of_earlier_alpha0()
    assert found_receipt is not None
    assert found_receipt.artefact.receipt_number == released_receipt.artefact.receipt_number


def test_receipt_of_earlier_alpha0_needs_all_other_controls_equal(
    draft_of_persons: Draft, folder: Folder
) -> None:
    request = replace(draft_of_persons.request, experiment=draft_of_persons.experiment_on_documents)
    release(draft_of_persons.corpus, request, folder)
    assert draft_of_persons.with_epsilon(0.5).receipt_of_earlier_alpha0() is None
    of_documents = replace(draft_of_persons, document_alpha0=None)
    assert of_documents.receipt_of_earlier_alpha0() is None
