"""Groups chosen by size: what a document or person names, and what the choice costs."""

import math

import numpy as np
import pytest

from dplda.methods.shares.group_selection import (
    plan_group_selection,
    rows_naming_groups,
    smallest_group_found,
    table_mu,
)
from dplda.privacy.accounting import gaussian
from dplda.privacy.noise.exact import ExactNoise, delta_of_noise
from dplda.privacy.noise.fixed_point import count_resolution
from dplda.privacy.word_selection.row_weights import limit_words_per_row, sum_word_weights
from dplda.privacy.word_selection.selection import draw_selection_from_rows
from dplda.privacy.word_selection.thresholds import selection_thresholds

N_DOCUMENTS = 600
PERSONS = np.arange(N_DOCUMENTS) // 3


def weights_of(labels: list[str], persons: np.ndarray | None) -> dict[str, float]:
    """Weight of every group that is named."""
    n_units = N_DOCUMENTS if persons is None else int(persons.max()) + 1
    rows = rows_naming_groups(labels, persons, n_units)
    weights = sum_word_weights(limit_words_per_row(rows.counts, rows.words, rows.max_words_per_row))
    return dict(zip(rows.words, weights / count_resolution(n_units), strict=True))


def distance(first_weights: dict[str, float], second: dict[str, float]) -> float:
    names = first_weights.keys() | second.keys()
    return math.hypot(*(first_weights.get(name, 0.0) - second.get(name, 0.0) for name in names))


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 10.0])
@pytest.mark.parametrize("delta", [1e-10, 1e-7, 1e-3])
def test_choice_of_groups_leaves_the_table_what_its_guarantee_allows(
    epsilon: float, delta: float
) -> None:
    selection = plan_group_selection(20, epsilon=epsilon, delta=delta)
    thresholds = selection_thresholds(selection)
    mu = gaussian.compose([thresholds.mu, table_mu(selection, epsilon=epsilon, delta=delta)])
    spent_delta = gaussian.delta_of(epsilon, mu) + thresholds.selection_failure
    assert 0.9 * delta <= spent_delta <= delta_of_noise(delta)


@pytest.mark.parametrize("label", ["south", "new", "", "other", "OTHER"])
def test_neighbors_by_document_come_to_the_sensitivity_at_most(label: str) -> None:
    labels = ["north", "south"] * (N_DOCUMENTS // 2)
    other_labels = [label, *labels[1:]]
    moved_distance = distance(weights_of(labels, None), weights_of(other_labels, None))
    assert moved_distance <= math.sqrt(2)
    if label in ("south", "new"):
        assert moved_distance == pytest.approx(math.sqrt(2), rel=1e-6)


@pytest.mark.parametrize(
    "own_labels", [["a", "b", "c"], ["a", "a", "a"], ["", "", ""], ["north", "north", "south"]]
)
def test_neighbors_by_person_come_to_the_sensitivity_at_most(own_labels: list[str]) -> None:
    labels = ["north", "south", "east"] * (N_DOCUMENTS // 3)
    other_labels = [*own_labels, *labels[3:]]
    moved_distance = distance(weights_of(labels, PERSONS), weights_of(other_labels, PERSONS))
    assert moved_distance <= math.sqrt(2)
    if own_labels[0] == "a":
        assert moved_distance == pytest.approx(math.sqrt(2), rel=1e-6)


def test_person_of_more_than_300_groups_names_300() -> None:
    labels = [f"g{number:03}" for number in range(N_DOCUMENTS)]
    weights = weights_of(labels, np.zeros(N_DOCUMENTS, dtype=np.intp))
    named_weights = [weight for weight in weights.values() if weight > 0]
    assert len(named_weights) == 300
    assert math.hypot(*named_weights) <= 1


def test_rows_naming_groups_write_labels_as_tables_do() -> None:
    rows = rows_naming_groups([" north ", "north", "", "Other", 2001.0, None], None, 6)  # type: ignore[list-item]
    assert rows.words == ["2001", "north"]
    np.testing.assert_array_equal(
        rows.counts.toarray(), [[0, 1], [0, 1], [0, 0], [0, 0], [1, 0], [0, 0]]
    )


def test_group_selection_finds_groups_from_the_stated_size() -> None:
    selection = plan_group_selection(10, epsilon=1.0, delta=1e-6)
    size = smallest_group_found(selection, protects_persons=False)
    sizes = {"large": 2 * size, "large too": 2 * size, "small": size // 4}
    labels = [name for name, n_documents in sizes.items() for _ in range(n_documents)]
    labels += [f"alone {number}" for number in range(500)]
    rows = rows_naming_groups(labels, None, len(labels))
    noise = ExactNoise(epsilon=1.0, delta=1e-6)
    outcome = draw_selection_from_rows(rows, selection, noise)
    assert sorted(outcome.words) == ["large", "large too"]


def test_group_selection_with_fewer_groups_a_row_lowers_the_threshold_alone() -> None:
    selection = plan_group_selection(10, epsilon=1.0, delta=1e-6)
    of_documents = selection_thresholds(selection, max_words_per_row=1)
    of_persons = selection_thresholds(selection)
    assert of_documents.second.threshold < of_persons.second.threshold
    assert of_documents.mu == of_persons.mu
    assert of_documents.first == of_persons.first
