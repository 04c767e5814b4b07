"""Tables of shares as releases: charged once, repeated free, and of the topics' own documents alone."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dplda.cli.ledger import unpaid
from dplda.core.errors import CorpusError, NotReleasable, ReadError
from dplda.corpus import Corpus, Selection, VocabularySource
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import Spending
from dplda.privacy.noise.exact import max_tv_slack
from dplda.privacy.word_selection.thresholds import selection_thresholds
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import read_release_file
from dplda.release.artefact.resumable import SelectedWords
from dplda.release.ledger.folder import JOURNAL, Folder
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.shares.perform import release_shares
from dplda.release.shares.price import epsilon_with_parent
from dplda.release.shares.request import SharesRequest
from dplda.release.shares.shares_file import (
    SHARES_SUFFIX,
    read_shares,
    write_shares,
)
from dplda.release.shares.shares_store import SharesReceipt, shares_of, shares_of_chain
from dplda.release.shares.together import epsilon_together, guarantee_together
from dplda.release.workflow.perform import release
from tests.release.conftest import asked
from tests.release.interrupted import n_charges
from tests.release.shares.conftest import BY_DISTRICT, DISTRICTS, with_labels


def test_release_of_shares_is_charged_beside_the_topics(made, folder: Folder) -> None:
    assert made.charged
    assert n_charges(folder) == 2
    assert made.path.name.endswith(SHARES_SUFFIX)
    assert Ledger(folder).faults() == ()
    assert not list(folder.path.glob(f"*{JOURNAL}"))


def test_released_shares_have_a_row_for_each_group_beside_others(made, parent) -> None:
    shares = made.shares.topic_shares(parent.guarantee)
    assert shares.groups == ("north", "south", "other")
    assert shares.shares.shape == (3, len(parent.topics))
    assert shares.epsilon_with_topics == pytest.approx(1.05, abs=0.01)


def test_noise_of_the_table_is_root_two_over_its_budget(made) -> None:
    mu = gaussian.mu_for(0.3, 1e-6)
    assert made.shares.noise_std == pytest.approx(np.sqrt(2) / mu, rel=2e-3)
    assert made.shares.noise_std >= np.sqrt(2) / mu


def test_charge_of_shares_adds_its_square_to_the_topics(
    made, parent, letters, request_of_shares, folder: Folder
) -> None:
    charges = [entry for entry in Ledger(folder).entries() if entry.kind == "charged"]
    added_budgets = [json.loads(charge.detail)["adds"][0] / 1e15 for charge in charges]
    assert added_budgets[1] == pytest.approx(request_of_shares.mu**2, rel=1e-9)


def test_release_of_shares_asked_again_is_returned_free_of_charge(
    made, letters, request_of_shares, folder: Folder
) -> None:
    repeated_receipt = release_shares(letters, request_of_shares, folder)
    assert not repeated_receipt.charged
    assert n_charges(folder) == 2
    assert write_shares(repeated_receipt.shares) == write_shares(made.shares)


@pytest.mark.parametrize("change", ["labels", "groups", "epsilon"])
def test_release_of_shares_for_another_request_is_charged(
    change: str, made, letters, request_of_shares, folder: Folder
) -> None:
    changes = {
        "groups": {"groups": Groups((GroupAxis(("north", "south", "east")),))},
        "epsilon": {"epsilon": 0.31},
    }
    documents = with_labels(letters, seed=1) if change == "labels" else letters
    request = replace(request_of_shares, **changes.get(change, {}))
    assert release_shares(documents, request, folder).charged
    assert n_charges(folder) == 3


def test_tables_of_a_release_are_found_by_its_receipt(made, parent, folder: Folder) -> None:
    (shares,) = shares_of(parent.receipt_number, folder)
    np.testing.assert_array_equal(shares.noisy_table, made.shares.noisy_table)
    assert shares_of("0" * 32, folder) == []


def test_release_of_shares_with_an_edited_parent_is_refused(
    letters, request_of_shares, parent, folder: Folder
) -> None:
    topics = parent.topics[::-1].copy()
    edited = replace(request_of_shares, parent=replace(parent, topics=topics))
    with pytest.raises(NotReleasable, match="the file was edited"):
        release_shares(letters, edited, folder)
    assert n_charges(folder) == 1


def test_release_of_shares_with_a_missing_parent_is_refused(
    letters, request_of_shares, folder: Folder
) -> None:
    for path in folder.path.glob("*.dplda.json"):
        path.unlink()
    with pytest.raises(NotReleasable, match="missing from the release folder"):
        release_shares(letters, request_of_shares, folder)
    assert n_charges(folder) == 1


def test_topics_of_other_documents_are_refused(letters, request_of_shares, folder: Folder) -> None:
    reversed_letters = with_labels(replace(letters, counts=letters.counts[::-1]))
    with pytest.raises(NotReleasable, match="made of other documents"):
        release_shares(reversed_letters, request_of_shares, folder)
    assert n_charges(folder) == 1


def test_topics_of_another_dataset_are_refused(letters, request_of_shares, folder: Folder) -> None:
    Ledger(folder).declare("post", epsilon=3.0, delta=1e-5)
    with pytest.raises(NotReleasable, match="never charged"):
        release_shares(letters, replace(request_of_shares, dataset="post"), folder)


def test_documents_without_the_column_are_refused(
    corpus, request_of_shares, folder: Folder
) -> None:
    with pytest.raises(CorpusError, match="No labels were read in a column 'district'"):
        release_shares(corpus, request_of_shares, folder)
    assert n_charges(folder) == 1


def test_release_of_shares_beyond_the_budget_is_refused_uncharged(
    letters, request_of_shares, folder: Folder
) -> None:
    with pytest.raises(LedgerError, match="left"):
        release_shares(letters, replace(request_of_shares, epsilon=9.0), folder)
    assert n_charges(folder) == 1
    assert not list(folder.path.glob(f"*{SHARES_SUFFIX}"))


@pytest.mark.parametrize("part", ["table", "epsilon", "seal", "format"])
def test_shares_file_that_was_edited_is_refused(part: str, made) -> None:
    stored_json = json.loads(write_shares(made.shares))
    if part == "table":
        stored_json["shares"]["table"]["float64"] = stored_json["shares"]["table"]["float64"][::-1]
    elif part == "epsilon":
        stored_json["shares"]["epsilon"] = 0.001
    elif part == "format":
        stored_json["format"] = "another"
    else:
        del stored_json["seal"]
    with pytest.raises(ReadError):
        read_shares(json.dumps(stored_json).encode(), "a.json")


def test_release_of_shares_beside_a_forged_file_is_refused(
    made, letters, request_of_shares, folder: Folder
) -> None:
    forged = replace(made.shares, noisy_table=made.shares.noisy_table + 1)
    made.path.write_bytes(write_shares(forged))
    with pytest.raises(ReadError, match="edited or forged"):
        release_shares(letters, request_of_shares, folder)


def test_shares_file_under_the_name_of_another_is_refused(
    letters: Corpus, request_of_shares: SharesRequest, made, folder: Folder
) -> None:
    """Both are sealed here; each was given out as the answer to the other's request."""
    other_request = replace(request_of_shares, epsilon=0.2)
    other_receipt = release_shares(letters, other_request, folder)
    made.path.write_bytes(other_receipt.path.read_bytes())
    with pytest.raises(ReadError, match="belongs to another charge"):
        release_shares(letters, request_of_shares, folder)
    with pytest.raises(ReadError, match="belongs to another charge"):
        shares_of(request_of_shares.parent.receipt_number, folder)
    (fault,) = unpaid(folder, Ledger(folder))
    assert f"holds table {other_receipt.shares.receipt_number}" in fault


def test_shares_file_reads_back_to_the_same_bytes(made) -> None:
    content = write_shares(made.shares)
    assert write_shares(read_shares(content, "a.json")) == content


def test_shares_file_holds_no_exact_count_or_unlisted_label(made, letters) -> None:
    """Neither sizes of groups nor labels off the public list."""
    text = write_shares(made.shares).decode()
    assert "west" not in text
    sizes = {str(letters.labels_in("district").count(name)) for name in ("north", "south")}
    numbers = {str(cell) for cell in made.shares.noisy_table.ravel()}
    assert not sizes & numbers


def test_persons_are_protected_where_the_dataset_protects_them(
    letters: Corpus, tmp_path: Path
) -> None:
    folder = Folder(tmp_path / "of people")
    persons = np.arange(letters.n_documents) // 2
    documents = replace(letters, persons=persons)
    Ledger(folder).declare("people", epsilon=3.0, delta=1e-5, protects="person")
    parent = release(documents, replace(asked(), dataset="people"), folder).artefact
    request = SharesRequest("people", parent, DISTRICTS, BY_DISTRICT, epsilon=1.0, delta=1e-6)
    receipt = release_shares(documents, request, folder)
    assert receipt.shares.unit == "person"
    assert receipt.shares.n_units == len(np.unique(persons))
    assert "all documents of one person" in receipt.shares.guarantee.in_words()


def test_epsilon_with_parent_of_selected_words_leaves_delta_for_their_failure(
    request_of_shares: SharesRequest,
) -> None:
    words = SelectedWords(
        n_words=50, epsilon=0.5, delta=5e-7, topics_epsilon=0.8, topics_delta=5e-7
    )
    parent = request_of_shares.parent
    assert parent.resumable is not None
    of_selected_words = replace(parent, resumable=replace(parent.resumable, selected_words=words))
    request_over_selected_words = replace(request_of_shares, parent=of_selected_words)
    total = epsilon_with_parent(request_over_selected_words)
    assert total > epsilon_with_parent(request_of_shares)
    mus = [math.sqrt(value.times) * value.mu for value in parent.noisy_values]
    total_mu = gaussian.compose([*mus, request_over_selected_words.mu])
    failure = selection_thresholds(Selection(50, 0.5, 5e-7)).selection_failure
    assert gaussian.delta_of(total, total_mu) + failure <= parent.guarantee.claimed_delta


@pytest.fixture
def adaptive_parent(letters: Corpus, folder: Folder) -> tuple[Corpus, Artefact]:
    """Documents over every word met, and topics over selected words whose file holds no state."""
    met = replace(letters, vocabulary_source=VocabularySource.MET)
    request = replace(
        asked("adaptive", epsilon=0.8),
        selection=Selection(10, 1.0, 1e-6, listed=met.vocabulary[:12]),
    )
    return met, release(met, request, folder).artefact


def test_shares_of_topics_over_selected_words_are_released_without_a_state(
    adaptive_parent: tuple[Corpus, Artefact], folder: Folder
) -> None:
    """They were charged, and then refused however often they were asked for."""
    documents, parent = adaptive_parent
    assert parent.resumable is None
    assert parent.vocabulary != documents.vocabulary
    request = SharesRequest("mail", parent, DISTRICTS, BY_DISTRICT, epsilon=0.5, delta=1e-6)
    receipt = release_shares(documents, request, folder)
    assert not release_shares(documents, request, folder).charged
    total_mu = gaussian.compose(
        [*(math.sqrt(value.times) * value.mu for value in parent.noisy_values), request.mu]
    )
    failure = selection_thresholds(Selection(10, 1.0, 1e-6)).selection_failure
    total = guarantee_together(parent, [receipt.shares])
    noise_delta = gaussian.delta_of(total.claimed_epsilon, total_mu)
    assert noise_delta + failure <= parent.guarantee.claimed_delta


@pytest.fixture
def far_parent(parent: Artefact) -> Artefact:
    """Topics whose exact noise is as far from Gaussian noise as their own ε and δ allow."""
    guarantee = parent.guarantee
    assert parent.resumable is not None
    tv_slack = max_tv_slack(guarantee.claimed_epsilon, guarantee.claimed_delta)
    return replace(parent, resumable=replace(parent.resumable, tv_slack=tv_slack))


def test_epsilon_of_topics_with_a_table_pays_for_the_distance_of_exact_noise(
    far_parent: Artefact,
) -> None:
    """The distance counts 1 + e^ε times, so what the topics set aside for it is too little."""
    spending = Spending(1.1, tv_slack=1e-13)
    total = epsilon_together(far_parent, [spending])
    mus = [math.sqrt(value.times) * value.mu for value in far_parent.noisy_values]
    noise_delta = gaussian.delta_of(total, gaussian.compose([*mus, spending.mu]))
    assert far_parent.resumable is not None
    distance = far_parent.resumable.tv_slack + spending.tv_slack
    assert noise_delta + (1 + math.exp(total)) * distance <= far_parent.guarantee.claimed_delta
    assert total < 6


def test_epsilon_together_counts_what_was_planned_where_a_start_ended_early(
    parent: Artefact,
) -> None:
    """Noise decides whether a spectral start ends early: what it left must not lower a total."""
    ended_early = replace(parent, noisy_values=parent.noisy_values[:1])
    total = epsilon_together(ended_early, [Spending(0.1)])
    assert total >= epsilon_together(parent, [Spending(0.1)]) * (1 - 1e-9)
    assert total > parent.guarantee.claimed_epsilon


def test_price_of_a_second_table_counts_the_first(
    made: SharesReceipt, letters: Corpus, request_of_shares: SharesRequest, folder: Folder
) -> None:
    """Readers have both tables, so the risk before the charge is that of both with the topics."""
    second_request = replace(request_of_shares, epsilon=0.5)
    tables = shares_of(made.shares.parent_receipt, folder)
    total = epsilon_with_parent(second_request, tables)
    second_table = release_shares(letters, second_request, folder).shares
    guarantee = guarantee_together(request_of_shares.parent, [*tables, second_table])
    assert total == pytest.approx(guarantee.claimed_epsilon, rel=1e-6)
    assert total > epsilon_with_parent(second_request)


def test_tables_of_a_release_are_found_with_the_release_that_continues_it(
    made: SharesReceipt, corpus: Corpus, folder: Folder
) -> None:
    """Readers of the continued topics have the table of the first ones, too."""
    first_number = made.shares.parent_receipt
    topics = read_release_file(folder.path / f"{first_number}.dplda.json")
    continued = release(corpus, asked().continuing(topics, 1.2), folder).artefact
    assert not shares_of(continued.receipt_number, folder)
    (table,) = shares_of_chain(continued.receipt_number, folder)
    assert table.receipt_number == made.shares.receipt_number
    assert len(shares_of_chain(first_number, folder)) == 1


def test_epsilon_together_is_infinite_where_the_distance_takes_all_delta(
    far_parent: Artefact,
) -> None:
    assert epsilon_together(far_parent, [Spending(4.0, tv_slack=1e-13)]) == math.inf
