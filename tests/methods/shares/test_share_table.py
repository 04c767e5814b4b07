"""The table of shares moves by √2 at most when one document, or one person, is replaced."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda.methods.shares.share_table import (
    GroupedDocuments,
    release_table,
    share_bound,
    sum_shares,
)
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.noise.sources import NoNoise

N_ROWS = 5
K = 4


def grouped(generator: np.random.Generator, n_documents: int, persons=None) -> GroupedDocuments:
    topics = generator.dirichlet(np.full(K, 0.3), n_documents)
    topics[generator.random(n_documents) < 0.1] = 0.0
    return GroupedDocuments(topics, generator.integers(0, N_ROWS, n_documents), N_ROWS, persons)


def distance(
    first_documents: GroupedDocuments, second: GroupedDocuments, *, is_exact: bool
) -> float:
    tables = [
        sum_shares(documents, is_exact=is_exact).value for documents in (first_documents, second)
    ]
    if is_exact:
        steps = tables[0].numbers - tables[1].numbers
        return math.sqrt(sum(int(step) ** 2 for step in steps)) * tables[0].unit
    return float(np.linalg.norm(tables[0] - tables[1]))


@pytest.mark.parametrize("is_exact", [True, False])
@given(seed=st.integers(0, 2**32 - 1), document=st.integers(0, 29))
@settings(max_examples=60, deadline=None)
def test_replacing_a_document_moves_the_table_by_no_more_than_its_sensitivity(
    is_exact: bool, seed: int, document: int
) -> None:
    generator = np.random.default_rng(seed)
    first_documents = grouped(generator, 30)
    topics = first_documents.document_topics.copy()
    rows = first_documents.rows.copy()
    topics[document] = generator.dirichlet(np.full(K, 0.1))
    rows[document] = generator.integers(0, N_ROWS)
    second = GroupedDocuments(topics, rows, N_ROWS)
    bound = share_bound(30, K).sensitivity(is_exact=is_exact)
    assert distance(first_documents, second, is_exact=is_exact) <= bound


@pytest.mark.parametrize("is_exact", [True, False])
@given(seed=st.integers(0, 2**32 - 1), person=st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_replacing_a_person_moves_the_table_by_no_more_than_its_sensitivity(
    is_exact: bool, seed: int, person: int
) -> None:
    """All documents of one person change: words, groups, and how many there are."""
    generator = np.random.default_rng(seed)
    persons = np.concatenate([np.arange(6), generator.integers(0, 6, 24)])
    first_documents = grouped(generator, 30, persons)
    kept_rows = persons != person
    n_new = int(generator.integers(1, 9))
    new_documents = grouped(generator, n_new)
    second = GroupedDocuments(
        np.concatenate([first_documents.document_topics[kept_rows], new_documents.document_topics]),
        np.concatenate([first_documents.rows[kept_rows], new_documents.rows]),
        N_ROWS,
        np.concatenate([persons[kept_rows], np.full(n_new, person)]),
    )
    bound = share_bound(6, K).sensitivity(is_exact=is_exact)
    assert distance(first_documents, second, is_exact=is_exact) <= bound


def test_person_of_many_documents_adds_at_most_one_to_the_table() -> None:
    """Cut to whole steps, not rounded: hundreds of roundings would add up."""
    for n_own in range(1, 400, 7):
        topics = np.zeros((n_own + 2, K))
        topics[:, 0] = 1.0
        rows = np.array([0] * n_own + [1, 2])
        persons = np.array([0] * n_own + [1, 2])
        table = sum_shares(GroupedDocuments(topics, rows, N_ROWS, persons), is_exact=True).value
        assert table.numbers[0] <= 1 / share_bound(3, K).grid_step


def of_one_topic(rows: np.ndarray, topic: np.ndarray, persons=None) -> GroupedDocuments:
    return GroupedDocuments(np.eye(K)[topic], rows, N_ROWS, persons)


@pytest.mark.parametrize("is_exact", [True, False])
@pytest.mark.parametrize("persons", [None, np.array([0, 1, 2, 2])])
def test_share_table_neighbor_of_another_group_attains_the_sensitivity(
    is_exact: bool, persons
) -> None:
    groups = np.array([0, 1, 2, 2])
    topic = np.array([0, 1, 2, 2])
    other_topic = np.array([0, 1, 3, 3])
    first_documents, second = (
        of_one_topic(topic_of_rows, topic_of_rows, persons)
        for topic_of_rows in (topic, other_topic)
    )
    del groups
    moved_distance = distance(first_documents, second, is_exact=is_exact)
    bound = share_bound(first_documents.n_units, K).sensitivity(is_exact=is_exact)
    expected = bound if persons is not None else 2 * math.sqrt(2)  # two documents are replaced
    assert moved_distance == pytest.approx(expected, rel=0.01)


def test_rows_of_the_table_sum_to_the_documents_with_words() -> None:
    generator = np.random.default_rng(3)
    documents = grouped(generator, 200)
    table = sum_shares(documents, is_exact=False).value
    has_words = documents.document_topics.sum(axis=1) > 0
    expected = np.bincount(documents.rows[has_words], minlength=N_ROWS)
    np.testing.assert_allclose(table.sum(axis=1), expected, rtol=1e-12)


def test_rows_of_persons_sum_to_the_persons_with_words() -> None:
    generator = np.random.default_rng(4)
    persons = np.concatenate([np.arange(40), generator.integers(0, 40, 160)])
    documents = grouped(generator, 200, persons)
    table = sum_shares(documents, is_exact=False).value
    assert table.sum() == pytest.approx(len(np.unique(persons[documents.document_topics.any(1)])))


def test_empty_group_keeps_the_shape_with_the_noise_of_the_table() -> None:
    generator = np.random.default_rng(5)
    documents = grouped(generator, 50)
    everyone_elsewhere = GroupedDocuments(
        documents.document_topics, np.where(documents.rows == 2, 1, documents.rows), N_ROWS
    )
    for case in (documents, everyone_elsewhere):
        mechanisms = Mechanisms(ExactNoise(epsilon=1.0, delta=1e-6))
        noisy = release_table(mechanisms, case, mu=0.3)
        (release,) = mechanisms.releases
        assert noisy.shape == (N_ROWS, K)
        assert release.scale == pytest.approx(math.sqrt(2) / 0.3)


def test_noise_has_the_same_scale_whatever_the_number_of_groups() -> None:
    generator = np.random.default_rng(6)
    scales = set()
    for n_rows in (2, 50):
        mechanisms = Mechanisms(NoNoise())
        topics = generator.dirichlet(np.full(K, 0.3), 40)
        documents = GroupedDocuments(topics, generator.integers(0, n_rows, 40), n_rows)
        release_table(mechanisms, documents, mu=0.3)
        scales.add(mechanisms.releases[0].scale)
    assert len(scales) == 1
