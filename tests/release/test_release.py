"""From documents to a released file: what is refused before it is charged, what leaves, and what never does."""

import inspect
import itertools
import json
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from dplda.cli.ledger import unpaid
from dplda.core.errors import InputError, MissingPackageError, NoTopics, NotReleasable, ReadError
from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.methods.base.problem import Origin, Problem, ProblemSize
from dplda.methods.configurations.adaptive import ADAPTIVE, budget_fractions
from dplda.methods.configurations.chain import memory
from dplda.methods.configurations.plan import Plan
from dplda.methods.refined.documents.documents import Documents
from dplda.methods.refined.plan.constants import (
    MIN_SIZE_FOR_PRIOR_TEST,
    PRIOR_TEST_SHARE_FACTOR,
    RefinedConstants,
)
from dplda.methods.refined.plan.run_path import RunPath
from dplda.methods.refined.plan.schedule import RefinedSchedule
from dplda.methods.registry import AUTHORS_METHODS, METHODS, releasable_methods
from dplda.privacy.noise.exact import load_sampler
from dplda.privacy.noise.fixed_point import grid_resolution
from dplda.privacy.release import Caveat
from dplda.release.artefact import released_file as artefacts
from dplda.release.artefact.released_file import (
    SUFFIX,
    read_release,
    read_release_file,
    write_release,
)
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.report.page import render_report
from dplda.release.report.released import contents_of_release
from dplda.release.workflow import checks, release_store
from dplda.release.workflow.checks import check_request
from dplda.release.workflow.perform import release
from dplda.release.workflow.price import describe_price
from dplda.release.workflow.publish import make_artefact
from dplda.release.workflow.receipt import Receipt
from tests.asking import fitted_by
from tests.release.conftest import asked


@pytest.fixture(scope="module")
def receipt(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Receipt:
    folder = Folder(tmp_path_factory.mktemp("kept") / "releases")
    Ledger(folder).declare("mail", epsilon=3.0, delta=1e-5)
    return release(corpus, asked(), folder)


def test_release_without_the_sampler_of_noise_is_not_charged(
    corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_sampler.cache_clear()
    monkeypatch.setitem(sys.modules, "opendp.mod", None)
    with pytest.raises(MissingPackageError, match="opendp"):
        release(corpus, asked(), folder)
    assert len(Ledger(folder).entries("mail")) == 1  # the declaration


@pytest.mark.parametrize("method", [method.name for method in releasable_methods()])
def test_release_asked_again_is_returned_free_of_charge(
    method: str, corpus: Corpus, folder: Folder
) -> None:
    Ledger(folder).declare("much", epsilon=12.0, delta=1e-5)
    request = replace(
        asked(method, epsilon=10.0), dataset="much"
    )  # where Adaptive hardly ever finds no topics
    first_receipt = release(corpus, request, folder)
    assert first_receipt.charged
    assert 0 < first_receipt.balance.remaining[0] < 10
    repeated_receipt = release(corpus, request, folder)
    assert not repeated_receipt.charged
    assert repeated_receipt.balance == first_receipt.balance
    assert repeated_receipt.path == first_receipt.path
    assert (
        write_release(repeated_receipt.artefact)
        == write_release(first_receipt.artefact)
        == first_receipt.path.read_bytes()
    )
    assert repeated_receipt.artefact.guarantee.delta == 1e-6
    assert repeated_receipt.artefact.receipt_number == release_store.receipt_of(
        Ledger(folder).entries("much")[-1]
    )
    assert unpaid(folder, Ledger(folder)) == ()


def test_release_of_another_request_is_charged_until_the_budget_is_used_up(
    corpus: Corpus, folder: Folder
) -> None:
    """Three at ε = 1 count as 1.72, so a budget of 1.9 has no room for the fourth."""
    Ledger(folder).lower("mail", epsilon=1.9, delta=3e-6)
    for alpha0 in (1.0, 1.5, 2.0):
        assert release(corpus, asked("private-unigram", alpha0=alpha0), folder).charged
    with pytest.raises(LedgerError, match="this would cost"):
        release(corpus, asked("private-unigram", alpha0=3.0), folder)
    price_text, next_text, *_ = describe_price(
        corpus, asked("private-unigram", alpha0=3.0), Ledger(folder).balance("mail"), "document"
    )
    assert (price_text[:15], "permanently" in price_text) == ("This would use ", False)
    assert next_text.startswith("That is more than the 14% that is left")
    assert len(list(folder.path.glob(f"*{SUFFIX}"))) == 3


def test_numbers_of_numpy_are_released_as_pythons(corpus: Corpus, folder: Folder) -> None:
    """They were charged, and then could not be written."""
    changes = {
        "n_topics": np.int64(3),
        "alpha0": np.float32(0.5),
        "epsilon": np.float32(0.5),
        "delta": np.float64(1e-6),
    }
    receipt = release(corpus, asked(**changes), folder)
    assert receipt.path.exists()
    assert (receipt.artefact.guarantee.epsilon, type(receipt.artefact.guarantee.epsilon)) == (
        0.5,
        float,
    )


def test_release_ignores_the_seed_of_its_request(
    corpus: Corpus, folder: Folder, tmp_path: Path
) -> None:
    for function in (release, check_request, make_artefact, release_store.find_existing):
        assert not any("seed" in name for name in inspect.signature(function).parameters)
    other_folder = Folder(tmp_path / "other")
    Ledger(other_folder).declare("mail", epsilon=3.0, delta=1e-5)
    first_release, second_release = (
        release(corpus, asked("private-unigram", seed=7), release_folder).artefact
        for release_folder in (folder, other_folder)
    )
    assert not np.array_equal(first_release.word_frequencies, second_release.word_frequencies)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"method": "refined-english", "n_topics": 25}, InputError),  # no such table
        ({"alpha0": 1e300}, InputError),
        ({"epsilon": 1e300}, InputError),
        ({"chosen": Origin.DOCUMENTS}, NotReleasable),
        ({"epsilon": 0.001}, NotReleasable),  # too wide for the grid
        ({"epsilon": 200.0}, NotReleasable),  # too fine
        *[
            ({"method": text}, NotReleasable)
            for text, method in (METHODS | AUTHORS_METHODS).items()
            if not method.is_releasable
        ],
    ],
)
def test_release_that_cannot_be_made_is_refused_uncharged(
    changes, error, corpus: Corpus, folder: Folder
) -> None:
    with pytest.raises(error):
        release(corpus, asked(**changes), folder)
    assert Ledger(folder).balance("mail").added_up == (0, 0)


@pytest.mark.parametrize("epsilon", [0.05, 12.0])
@pytest.mark.parametrize("method", ["refined", "adaptive"])
def test_release_that_passes_the_check_is_drawn_at_any_epsilon(
    method: str, epsilon: float, corpus, folder: Folder
) -> None:
    """Where noise is next to nothing, and where it hides everything: refused beforehand, if at all, never after."""
    Ledger(folder).declare("any", epsilon=100.0, delta=1e-5)
    request = replace(asked(method, epsilon=epsilon), dataset="any")
    try:
        assert release(corpus, request, folder).charged
    except NoTopics:  # which is worked out from what was released, and paid for
        assert epsilon < 1


def test_largest_noise_factor_bounds_every_planned_share() -> None:
    """Whatever a first release or the public numbers say: noise is at most so much wider than the whole's."""
    smallest_fractions = [min(fraction for _, fraction in ADAPTIVE.recommended.default_split)]
    largest_prior_test_share = PRIOR_TEST_SHARE_FACTOR / MIN_SIZE_FOR_PRIOR_TEST
    for rho in np.geomspace(1e-6, 1e6, 100):
        schedule = RefinedSchedule(
            constants=RefinedConstants(prior_test_share=largest_prior_test_share),
            n_documents=1,
            n_words=1,
            problem=Problem(10, 1.0),
            total_mu=2 / rho,
            run_mu=2 / rho,
            tests_prior=True,
        )
        assert schedule.noise_edge == pytest.approx(rho)
        for start_share in (0.0, *schedule.start_share_range):
            planned_releases = schedule.planned_releases(RunPath(start_share=start_share))
            smallest_fractions += [release.share for release in planned_releases]
    for n_documents, epsilon in itertools.product((3, 10**3, 10**9), (1e-12, 1.0, 1e6)):
        shape = ProblemSize(n_documents, n_words=500, n_topics=5, alpha0=1.0)
        smallest_fractions += budget_fractions(Plan("adaptive", epsilon), shape).values()
    assert (
        0.9 * checks.LARGEST_NOISE_FACTOR
        < 1 / np.sqrt(min(smallest_fractions))
        <= checks.LARGEST_NOISE_FACTOR
    )


def test_release_with_too_many_words_for_memory_is_refused_uncharged(
    corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "total_memory", lambda: 1e4)
    for method in ("refined", "adaptive/corrected"):
        with pytest.raises(InputError, match="n_words must be at most"):
            release(corpus, asked(method), folder)
    assert Ledger(folder).balance("mail").added_up == (0, 0)


@pytest.mark.parametrize("method", ["refined", "adaptive/corrected"])
def test_release_check_ignores_how_much_memory_is_free(
    method: str, corpus: Corpus, folder: Folder, monkeypatch
) -> None:
    """It hangs on the documents that lie in memory; and after the charge a refusal would come too late."""
    monkeypatch.setattr(memory, "free_memory", lambda: 1e4)
    Ledger(folder).declare("much", epsilon=12.0, delta=1e-5)
    assert release(corpus, replace(asked(method, epsilon=10.0), dataset="much"), folder).charged


def test_words_from_the_documents_or_selected_from_fixed_ones_are_refused(
    corpus: Corpus, folder: Folder
) -> None:
    documents_of_found_words = Corpus(
        corpus.counts, corpus.vocabulary, Label.SENSITIVE, "letters", VocabularySource.FROM_DATA
    )
    with pytest.raises(NotReleasable, match="vocabulary"):
        release(documents_of_found_words, asked(), folder)
    with pytest.raises(InputError, match="over every word met"):
        release(corpus, replace(asked(), selection=Selection(n_words=10)), folder)
    assert Ledger(folder).balance("mail").added_up == (0, 0)


def test_artefact_of_a_run_with_simulated_noise_is_refused(corpus: Corpus, folder: Folder) -> None:
    request = asked("private-unigram")
    entry = Ledger(folder).charge("mail", epsilon=1.0, delta=1e-6, detail="")
    run = fitted_by(request.experiment, corpus)
    with pytest.raises(NotReleasable, match="not exact"):
        make_artefact(run, corpus, request, entry)
    forged = replace(run, guarantee=replace(run.guarantee, releasable=True, caveats=()))
    with pytest.raises(NotReleasable, match="not exact"):
        make_artefact(forged, corpus, request, entry)


def test_release_whose_fit_is_interrupted_stays_charged(corpus: Corpus, folder: Folder) -> None:
    with pytest.raises(KeyboardInterrupt):
        release(corpus, asked(), folder, report=Mock(side_effect=KeyboardInterrupt))
    assert Ledger(folder).balance("mail").added_up[0] > 0
    assert not list(folder.path.glob(f"*{SUFFIX}"))


def test_release_canceled_at_its_error_bars_keeps_the_topics(
    corpus: Corpus, folder: Folder
) -> None:
    def report(share: float, step: str) -> None:
        assert not step.startswith("Error bars")

    with pytest.raises(AssertionError):
        release(corpus, asked(), folder, report=report)
    receipt = release(corpus, asked(), folder)
    assert (receipt.charged, receipt.artefact.lower, receipt.artefact.topics.shape) == (
        False,
        None,
        (3, corpus.n_words),
    )


def test_release_file_reads_back_to_the_same_bytes(receipt: Receipt) -> None:
    file = receipt.path.read_bytes()
    released = read_release(file, "a file")
    assert write_release(released) == file
    arrays = ("topics", "word_frequencies", "topic_shares", "lower", "upper", "prior_topics")
    for name in arrays:
        np.testing.assert_array_equal(getattr(released, name), getattr(receipt.artefact, name))
    assert released.noisy_values == receipt.artefact.noisy_values
    assert sum(value.mu**2 * value.times for value in released.noisy_values) > 0
    content = json.loads(file)
    assert content["format"] == "dplda release"
    assert content["release"]["promise"]["epsilon"] == 1.0
    assert "pickle" not in inspect.getsource(artefacts).replace("no pickles", "")


@pytest.mark.parametrize("place", [0.02, 0.3, 0.6, 0.9, 0.99])
def test_release_file_with_a_flipped_bit_is_refused(place: float, receipt: Receipt) -> None:
    file = bytearray(receipt.path.read_bytes())
    at = int(place * len(file))
    while not chr(file[at]).isalpha():  # two numbers of 17 digits may be one float
        at += 1
    file[at] ^= 1
    with pytest.raises(ReadError):
        read_release(bytes(file), "a file")


@pytest.mark.parametrize(
    "file", [b"", b"{}", b"[1]", b"\xff\xfe", b'{"format": "dplda run card"}', b"[" * 100_000]
)
def test_read_release_of_another_format_is_refused(file: bytes) -> None:
    with pytest.raises(ReadError):
        read_release(file, "a file")


def test_release_file_states_what_was_seen_of_the_documents(corpus: Corpus, folder: Folder) -> None:
    blind, statement = asked("private-unigram"), "chosen without looking at the documents"
    for method in releasable_methods():
        assert statement in " ".join(method.guarantee(corpus, blind.experiment.budget).rests_on)
    receipt = release(corpus, replace(blind, caveats=(Caveat.LOOKED, Caveat.TRIED)), folder)
    released = read_release_file(receipt.path)
    assert released.guarantee.caveats == (Caveat.LOOKED, Caveat.TRIED)
    report = render_report(contents_of_release(released))
    assert statement not in report
    assert "Before you read on.</strong> Its owner saw results without noise" in report
    assert not release(corpus, blind, folder).charged, "the same request, whatever was seen since"


def test_release_that_protects_persons_speaks_of_persons_throughout(corpus, folder: Folder) -> None:
    ledger = Ledger(folder)
    ledger.declare("people", epsilon=3.0, delta=1e-5, protects="person")
    asked_for = replace(
        asked("refined"), dataset="people"
    )  # Adaptive finds no topics in one run of a hundred here
    with pytest.raises(NotReleasable, match="no column names the authors"):
        release(corpus, asked_for, folder)
    assert ledger.balance("people").added_up == (0, 0)
    documents_of_persons = replace(corpus, persons=np.arange(corpus.n_documents) // 4)
    released = release(documents_of_persons, asked_for, folder).artefact
    assert released.n_documents == corpus.n_documents // 4
    assert released.guarantee.adjacency == "replace all documents of one person"
    assert "when all documents of one person are replaced" in released.guarantee_text
    assert "The number of persons is public" in released.guarantee.rests_on[0]
    assert not any("one document, replaced" in sentence for sentence in released.guarantee.rests_on)
    report = render_report(contents_of_release(released))
    assert "which of two equally likely persons was in" in report.replace("&#39;", "'")
    assert not any(
        sentence in report
        for sentence in ("covers one document", "single document", "one document moves")
    )
    assert json.loads(ledger.entries("people")[-1].detail)["persons"] == released.n_documents
    with pytest.raises(LedgerError, match="a document or a person"):
        ledger.declare("others", epsilon=3.0, delta=1e-5, protects="crowd")
    ledger.lower("people", epsilon=2.0, delta=1e-5)
    assert (ledger.protects("people"), ledger.protects("mail")) == ("person", "document"), (
        "which is decided once"
    )


def test_corpora_that_differ_in_one_person_differ_in_one_bounded_row(
    corpus: Corpus,
) -> None:
    """All ten documents of a person replaced: what moves is one part of bounded norm, not ten."""
    persons = np.repeat(np.arange(corpus.n_documents // 10), 10)
    bounds, sums = {}, {}
    for name, word in (("one", 3), ("other", 17)):
        counts = corpus.counts.toarray()
        counts[persons == 7] = 0
        counts[persons == 7, word] = 500
        changed_corpus = Corpus.from_counts(
            counts, corpus.vocabulary, label=Label.PUBLIC, name="x", persons=persons
        )
        for unit, rows in (("person", changed_corpus.by_person()), ("document", changed_corpus)):
            bounds[unit] = int(grid_resolution(rows.n_documents))
            sums[unit, name] = Documents(rows.counts, 3).sum_word_counts(
                clip_norm=2.0, grid_step=2 / bounds[unit]
            )
    squared_distances = {
        unit: sum(int(x) ** 2 for x in sums[unit, "one"] - sums[unit, "other"]) / bounds[unit] ** 2
        for unit in bounds
    }
    assert squared_distances["person"] <= 2
    assert squared_distances["person"] == pytest.approx(2, rel=1e-6)
    assert squared_distances["document"] == pytest.approx(200, rel=1e-6), (
        "ten documents at once are ten times as far"
    )
