"""The full-batch statistic: a plain loop's numbers, each part bounded, the same bits whoever else is there."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import psi

from dplda.core import engine
from dplda.corpus.counts import canonical_counts
from dplda.methods.dpvi.e_step import until_settled
from dplda.methods.refined.documents import document_blocks
from dplda.methods.refined.documents import documents as module
from dplda.methods.refined.documents.document_blocks import exp_digamma
from dplda.methods.refined.documents.documents import (
    Documents,
    EStep,
    over_relaxed_e_step,
)
from dplda.methods.refined.plan.constants import MAX_DOCUMENT_LENGTH, OVER_RELAXATION
from tests.tiny_corpora import random_rows, repeated_word

K, D = 3, 24
SETTLING = [
    partial(until_settled, tolerance=tolerance, most_iterations=20) for tolerance in (1e-2, 1.0)
]
RNG = np.random.default_rng(0)
TOPICS = RNG.dirichlet(np.full(D, 0.3), size=K)
WEIGHTS = RNG.uniform(0.3, 3.0, D)
EXTREMES = np.array(
    [
        repeated_word(3, D, 10**6),
        repeated_word(3, D, 2 * 10**9),
        np.full(D, 10**9),
        np.arange(1, D + 1) ** 6,
        repeated_word(5, D, 1),
        np.zeros(D, dtype=int),
        np.ones(D, dtype=int),
        [2 * 10**9, *[1] * (D - 1)],
    ],
    dtype=np.int64,
)


def laid_out(rows, k=K, rounds=None):
    return Documents(canonical_counts(csr_array(np.asarray(rows))), k, e_step=rounds)


def by_loop(row, topics=TOPICS, weights=WEIGHTS, prior=0.2, bound=np.inf, pulls=OVER_RELAXATION):
    """One document's contribution, in float64 and by itself."""
    k = len(topics)
    counts = row * min(1.0, MAX_DOCUMENT_LENGTH / max(row.sum(), 1))
    gamma = np.full(k, np.mean(prior) + counts.sum() / k)

    def responsibilities():
        phi = np.exp(psi(gamma)) * topics.T
        return phi / phi.sum(axis=1, keepdims=True)

    for reach in (1.0, *pulls):
        gamma = np.maximum(prior, gamma + reach * (prior + counts @ responsibilities() - gamma))
    part = (counts * weights)[:, None] * responsibilities()
    return min(1.0, bound / max(np.linalg.norm(part), 1e-300)) * part.T


@pytest.mark.parametrize("bound", [np.inf, 3.0, 0.5])
@pytest.mark.parametrize("prior", [0.01, 0.2, 5.0, np.array([0.1, 3.0, 0.4])], ids=str)
def test_sum_contributions_is_that_of_a_plain_loop(bound: float, prior: float | np.ndarray) -> None:
    rows = random_rows(3, 40, D, 400)
    total = laid_out(rows).sum_contributions(TOPICS, WEIGHTS, prior=prior, clip_norm=bound)
    np.testing.assert_allclose(
        total, sum(by_loop(row, prior=prior, bound=bound) for row in rows), rtol=1e-5
    )


def test_e_step_in_four_rounds_reaches_as_far_as_fourteen_plain_ones() -> None:
    """Towards where plain rounds end: nearly equal topics lead there slowly."""
    rows, topics = random_rows(3, 40, D, 400), 0.3 * TOPICS + 0.7 * np.mean(TOPICS, axis=0)
    sum_of_contributions = laid_out(rows).sum_contributions(
        topics, WEIGHTS, prior=0.2, clip_norm=3.0
    )
    plain, settled = (
        sum(by_loop(row, topics, bound=3.0, pulls=(1.0,) * n_rounds) for row in rows)
        for n_rounds in (14, 200)
    )
    assert np.linalg.norm(sum_of_contributions - settled) < np.linalg.norm(plain - settled)


@pytest.mark.parametrize("known_by_none", [0, 4])
@pytest.mark.parametrize("bound", [1e-3, 3.0, 1e3])
def test_contribution_of_any_document_stays_within_the_clip_norm(
    bound: float, known_by_none: int
) -> None:
    norms, topics = [], TOPICS.copy()
    topics[:, :known_by_none] = 0
    for row in [*EXTREMES, *random_rows(1, 30, D, 50)]:
        part = laid_out(row[None, :]).sum_contributions(topics, WEIGHTS, prior=0.2, clip_norm=bound)
        assert np.all(part >= 0)
        norms.append(np.linalg.norm(part))
    assert max(norms) <= bound * (1 + 1e-12)
    if bound <= 3:
        assert max(norms) >= bound * (1 - 1e-6)


def test_sum_contributions_of_neighbors_attains_the_sensitivity() -> None:
    """Two documents of one word each, sorted into one topic each, are √2 bounds apart; no pair is more."""
    rows = [*EXTREMES, *random_rows(2, 20, D, 80), repeated_word(0, D, 50), repeated_word(1, D, 50)]
    topics = np.full((K, D), 1e-6)
    topics[0, 0] = topics[1, 1] = 1.0
    parts = [
        laid_out(row[None, :]).sum_contributions(topics, WEIGHTS, prior=1e-3, clip_norm=2.0)
        for row in rows
    ]
    largest_distance = max(np.linalg.norm(a - b) for a in parts for b in parts)
    assert largest_distance <= np.sqrt(2) * 2 * (1 + 1e-12)
    assert largest_distance >= np.sqrt(2) * 2 * (1 - 1e-3)


def test_gather_columns_of_a_lone_document_lays_them_out_as_of_many() -> None:
    """Libraries choose the order of additions by whether a row begins right after the one before it."""
    topic_table, words = (
        module.topic_posteriors(RNG.dirichlet(np.ones(D), size=K)),
        np.arange(16, dtype=np.int32).reshape(2, 8),
    )
    column_starts = []
    for documents in (words, words[:1]):
        gathered = document_blocks.gather_columns(topic_table, documents)
        np.testing.assert_array_equal(gathered, topic_table[:, documents].swapaxes(0, 1))
        column_starts.append([stride == 8 * gathered.itemsize for stride in gathered.strides[1:]])
    assert column_starts[0] == column_starts[1]


@pytest.mark.parametrize("k", [K, 40])
@pytest.mark.parametrize("distinct", [3, 8, 41, 90])
@pytest.mark.parametrize("rounds", [None, *SETTLING])
def test_contribution_has_the_same_bits_whoever_else_is_there(
    monkeypatch: pytest.MonkeyPatch, k: int, distinct: int, rounds: EStep | None
) -> None:
    """Others that add exact zeros: their words have weight 0 and are no words of the document."""
    d, rng = 200, np.random.default_rng(distinct)
    topics, weights = rng.dirichlet(np.full(d, 0.3), size=k), rng.uniform(0.3, 3.0, d)
    weights[:100] = 0
    row = np.zeros(d, dtype=np.int64)
    row[rng.choice(np.arange(100, d), distinct, replace=False)] = rng.integers(1, 9, distinct)
    other_rows = np.zeros((60, d), dtype=np.int64)
    for other_part, size in zip(other_rows, rng.integers(0, 100, 60), strict=True):
        other_part[rng.choice(100, size, replace=False)] = rng.integers(1, 9, size)
    other_rows[::3, 100 - distinct :] = 0
    other_rows[::3, 100 - distinct : 100] = 1  # of its very width

    def parts(rows, cells):
        monkeypatch.setattr(module, "MAX_BLOCK_CELLS", cells)
        documents = laid_out(rows, k, rounds)
        by_float = documents.sum_contributions(topics, weights, prior=0.2, clip_norm=3.0)
        return by_float, documents.sum_word_counts(clip_norm=2.0)[100:]

    parts_alone = parts(row[None, :], 1)
    blocks = product((0, 30, 60), (1 << 12, 3001, 1 << 18))
    for place, cells in (
        (30, 1),
        *blocks,
    ):  # a block for each document, wherever it is; then several in one
        among = parts(np.insert(other_rows, place, row, axis=0), cells)
        for own_part, other_part in zip(parts_alone, among, strict=True):
            np.testing.assert_array_equal(own_part, other_part)


def test_clip_norm_holds_for_the_numbers_that_are_summed() -> None:
    """In exact fractions, where float32 loses most: many topics, next to unknown words, a prior near 0."""
    rng = np.random.default_rng(0)
    for k, prior, rounds in (
        (3, 1e-8, None),
        (60, 1e-3, None),
        (300, 5.0, None),
        (60, 1e-3, SETTLING[0]),
    ):
        topics = (
            rng.dirichlet(np.full(D, 0.02), size=k) * rng.choice([1.0, 1e-30, 0.0], (k, D)) + 1e-60
        )
        for row in EXTREMES:
            (blocks,) = laid_out(row[None, :], k)._runs
            for block in blocks:
                of_words = module.topic_posteriors(topics)
                pulled, shares = module._infer_block(
                    rounds or over_relaxed_e_step, of_words, WEIGHTS, np.full(k, prior), 2.0, block
                )
                weights_of_words = of_words[:, block.word_ids[0]].T.astype(float)
                cells = [
                    Fraction(r) * Fraction(t) * Fraction(a)
                    for r, line in zip(pulled[0], weights_of_words, strict=True)
                    for t, a in zip(shares[0], line, strict=True)
                    if r and a
                ]
                assert sum(cell * cell for cell in cells) <= Fraction(4) * (1 + Fraction(1, 10**12))


def test_sum_contributions_has_the_same_bits_on_any_number_of_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_BLOCK_CELLS", 512)
    monkeypatch.setattr(module, "DOCUMENTS_AT_ONCE", 550)
    documents = laid_out(random_rows(4, 600, D, 60))
    assert [len(run) > 2 * module.BLOCKS_AT_ONCE for run in documents._runs] == [True, False]
    sums = []
    for threads in (1, 2, 5):
        engine._threads.cache_clear()
        monkeypatch.setattr(engine, "workers", lambda threads=threads: threads)
        sums.append(documents.sum_contributions(TOPICS, WEIGHTS, prior=0.2, clip_norm=3.0))
    engine._threads.cache_clear()
    np.testing.assert_array_equal(sums[0], sums[1])
    np.testing.assert_array_equal(sums[0], sums[2])


@pytest.mark.parametrize("bound", [2.0, np.inf])
def test_sum_word_counts_adds_clipped_documents(bound: float) -> None:
    rows = np.vstack([random_rows(6, 50, D, 300), EXTREMES])
    expected = np.zeros(D)
    for row in rows:
        counts = row * min(1.0, MAX_DOCUMENT_LENGTH / max(row.sum(), 1))
        expected += counts * min(1.0, bound / max(np.linalg.norm(counts), 1e-300))
    counts_sum = laid_out(rows).sum_word_counts(clip_norm=bound)
    np.testing.assert_allclose(counts_sum, expected, rtol=1e-12)


def test_exp_digamma_is_the_exponential_of_the_digamma_function() -> None:
    x = np.geomspace(0.02, 1e9, 20_001).astype(np.float32)
    np.testing.assert_allclose(exp_digamma(x), np.exp(psi(x.astype(float))), rtol=4e-6)
    assert not np.any(exp_digamma(np.array([1e-4, 1e-12, 1e-30], np.float32)))


def test_exp_digamma_has_the_same_bits_in_any_company() -> None:
    x = np.random.default_rng(0).gamma(2.0, 3.0, (37, 5)).astype(np.float32)
    values_alone = [exp_digamma(np.array([[entry]]))[0, 0] for entry in x.ravel()]
    np.testing.assert_array_equal(exp_digamma(x).ravel(), values_alone)
