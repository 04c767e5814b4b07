"""Tables whose groups are chosen by noisy size: their price, their names, and what neighbors see."""

import json
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest

from dplda.core.errors import InputError, ReadError
from dplda.corpus import Corpus
from dplda.corpus.group_columns import GroupColumn
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.methods.shares.topic_shares import GROUPS_SENTENCE
from dplda.privacy.accounting import gaussian
from dplda.privacy.noise.kept_answers import KeptNoise
from dplda.privacy.word_selection.selection import SelectionOutcome
from dplda.privacy.word_selection.thresholds import selection_thresholds
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.report.share_chart import share_chart
from dplda.release.shares import perform
from dplda.release.shares.perform import NoGroupFoundError, release_shares
from dplda.release.shares.price import describe_shares_price, epsilon_with_parent
from dplda.release.shares.request import SharesRequest
from dplda.release.shares.shares_file import read_shares, write_shares
from dplda.release.shares.shares_store import SharesReceipt
from dplda.release.workflow.journal.journal import Journal
from dplda.release.workflow.journal.progress import Progress, progress_of
from tests.release.interrupted import n_charges
from tests.release.shares.conftest import BY_DISTRICT

FROM_ALL = 7.0  # the noisy table that runs are given, in steps


def relabeled(corpus: Corpus, labels: list[str]) -> Corpus:
    """The corpus with other labels."""
    values = tuple(dict.fromkeys(labels))
    codes = np.array([values.index(label) for label in labels], dtype=np.int32)
    return replace(corpus, group_columns=(GroupColumn("district", values, codes),))


@pytest.fixture
def made(letters: Corpus, request_by_size: SharesRequest, folder: Folder) -> SharesReceipt:
    return release_shares(letters, request_by_size, folder)


def test_groups_are_the_largest_by_noisy_size(made: SharesReceipt) -> None:
    chosen_axis = made.shares.groups.axes[0]
    assert len(chosen_axis.labels) == 2
    assert set(chosen_axis.labels) < {"north", "south", "west"}
    assert made.shares.noisy_table.shape[0] == 3


def test_group_that_was_not_chosen_has_its_name_in_no_file(
    made: SharesReceipt, folder: Folder
) -> None:
    (left_out,) = {"north", "south", "west"} - set(made.shares.groups.labels)
    for path in folder.path.iterdir():
        assert left_out.encode() not in path.read_bytes(), path.name


def test_choice_of_groups_is_in_the_one_charge(
    made: SharesReceipt, request_by_size: SharesRequest, folder: Folder
) -> None:
    assert n_charges(folder) == 2
    charge = [entry for entry in Ledger(folder).entries() if entry.kind == "charged"][-1]
    thresholds = selection_thresholds(request_by_size.selection)
    mu = gaussian.compose([thresholds.mu, request_by_size.mu])
    squared_mu, failure, _ = json.loads(charge.detail)["adds"]
    assert squared_mu / 1e15 == pytest.approx(mu**2, rel=1e-9)
    assert failure / 1e18 == pytest.approx(thresholds.selection_failure, rel=1e-6)
    assert gaussian.delta_of(0.5, mu) + thresholds.selection_failure <= 1e-6


def test_file_says_that_groups_were_chosen(made: SharesReceipt) -> None:
    table = read_shares(write_shares(made.shares), "a.json")
    assert table.selection == made.shares.selection
    assert table.groups.axes[0].is_selected
    sentences = " ".join(table.guarantee.rests_on)
    assert "chosen privately by their size" in sentences
    assert GROUPS_SENTENCE not in sentences


def test_file_that_hides_the_choice_is_refused(made: SharesReceipt) -> None:
    stored_json = json.loads(write_shares(made.shares))
    del stored_json["shares"]["selected"]
    with pytest.raises(ReadError):
        read_shares(json.dumps(stored_json).encode(), "a.json")


def test_chart_says_that_groups_were_chosen(made: SharesReceipt, parent) -> None:
    assert "chosen by size" in share_chart(made.shares, parent).note


def test_shares_of_chosen_groups_asked_again_are_free_of_charge(
    made: SharesReceipt, letters: Corpus, request_by_size: SharesRequest, folder: Folder
) -> None:
    assert not release_shares(letters, request_by_size, folder).charged
    assert n_charges(folder) == 2


def test_listing_the_placeholders_is_another_request(request_by_size: SharesRequest) -> None:
    placeholders = GroupAxis(request_by_size.groups.axes[0].labels)
    request_with_list = replace(request_by_size, groups=Groups((placeholders,)))
    assert request_with_list.canonical_text() != request_by_size.canonical_text()


def test_request_that_chooses_the_second_list_by_size_is_refused(
    request_by_size: SharesRequest,
) -> None:
    groups = Groups((GroupAxis(("a",)), GroupAxis.to_select(2)))
    with pytest.raises(InputError, match="on the second"):
        replace(request_by_size, groups=groups, sources=BY_DISTRICT * 2)


def test_price_says_how_large_a_group_must_be(
    request_by_size: SharesRequest, folder: Folder
) -> None:
    balance = Ledger(folder).balance("mail")
    lines = list(describe_shares_price(request_by_size, 2_000, "document", balance, None))
    assert "% of the budget" in lines[0]
    assert "at most 2 groups by size" in lines[-1]
    assert "documents or more" in lines[-1]


def test_choosing_costs_no_more_with_the_topics_than_a_public_list(
    request_by_size: SharesRequest,
) -> None:
    """The same ε of the table: its noise is wider, and the sum is at most what is promised."""
    request_with_list = replace(request_by_size, groups=Groups((GroupAxis(("north", "south")),)))
    assert request_by_size.noise_std(2_000) > request_with_list.noise_std(2_000)
    assert epsilon_with_parent(request_by_size) == pytest.approx(
        epsilon_with_parent(request_with_list), rel=0.01
    )


def test_request_without_a_large_enough_group_is_charged_once(
    letters: Corpus, request_by_size: SharesRequest, folder: Folder
) -> None:
    letters_of_single_groups = relabeled(
        letters, [f"own {number}" for number in range(letters.n_documents)]
    )
    for _ in range(2):
        with pytest.raises(NoGroupFoundError, match="No group was large enough"):
            release_shares(letters_of_single_groups, request_by_size, folder)
    assert n_charges(folder) == 2
    charge = [entry for entry in Ledger(folder).entries() if entry.kind == "charged"][-1]
    assert progress_of(charge, folder) is Progress.WITHOUT_TOPICS


@pytest.mark.parametrize(
    "labels",
    [
        pytest.param([""] * 2_000, id="no labels at all"),
        pytest.param(["Other"] * 2_000, id="the reserved one alone"),
        pytest.param(["half \ud800"] * 2_000, id="one that no file could hold"),
        pytest.param(["north"] * 2_000, id="one group"),
    ],
)
def test_request_by_size_is_charged_whatever_the_labels_are(
    labels: list[str], letters: Corpus, request_by_size: SharesRequest, folder: Folder
) -> None:
    try:
        receipt = release_shares(relabeled(letters, labels), request_by_size, folder)
    except NoGroupFoundError:
        assert labels[0] != "north"
    else:
        assert receipt.shares.groups.labels == ("north", "other")
    assert n_charges(folder) == 2


def file_given(
    corpus: Corpus, request: SharesRequest, folder: Folder
) -> tuple[bytes, list[object]]:
    """The file that a run writes where its groups and noisy table are given, and what it keeps."""
    records: list[object] = []
    charge = next(entry for entry in Ledger(folder).entries() if entry.kind == "charged")
    outcome = SelectionOutcome(("north", "south"), np.ones((2, 2)))

    def keep(self: Journal, header: object, payload: memoryview) -> None:
        records.append((header, bytes(payload)))

    def table(source: KeptNoise, coordinates: np.ndarray, *_: object) -> np.ndarray:
        return np.full(len(coordinates), FROM_ALL)

    with (
        patch.object(Journal, "_keep", keep),
        patch.object(Journal, "_next_payload", lambda *_: None),
        patch.object(KeptNoise, "perturb", table),
        patch.object(perform, "draw_selection_from_rows", lambda *_: outcome),
    ):
        room = folder.reserve(100_000)
        _, path = perform._perform(corpus, request, charge, folder, room, lambda *_: None)
    content = path.read_bytes()
    path.unlink()
    return content, records


@pytest.mark.parametrize("label", ["a new one", "north", "", "south"])
def test_neighbor_gives_the_same_file_where_the_same_groups_come_out(
    label: str, letters: Corpus, request_by_size: SharesRequest, folder: Folder
) -> None:
    labels = letters.labels_in("district")
    neighbor = relabeled(letters, [labels[0], label, *labels[2:]])
    assert neighbor.labels_in("district") != labels
    expected_file = file_given(letters, request_by_size, folder)
    assert file_given(neighbor, request_by_size, folder) == expected_file
    assert len(expected_file[1]) == 1
