"""The full-batch statistic: a plain loop's numbers, each part bounded, the same bits whoever else is there."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import psi

from dplda.core import engine
from dplda.corpus.counts import canonical_counts
from dplda.methods.full_batch_vi import documents as module
from dplda.methods.full_batch_vi.documents import LONGEST, REACH, ROUNDS, Documents
from tests.tiny_corpora import only, random_rows

K, D = 3, 24
RNG = np.random.default_rng(0)
TOPICS = RNG.dirichlet(np.full(D, 0.3), size=K)
WEIGHTS = RNG.uniform(0.3, 3.0, D)
EXTREMES = np.array(
    [
        only(3, D, 10**6),
        only(3, D, 2 * 10**9),
        np.full(D, 10**9),
        np.arange(1, D + 1) ** 6,
        only(5, D, 1),
        np.zeros(D, dtype=int),
        np.ones(D, dtype=int),
        [2 * 10**9, *[1] * (D - 1)],
    ],
    dtype=np.int64,
)


def laid_out(rows):
    return Documents(canonical_counts(csr_array(np.asarray(rows))), K)


def by_loop(row, topics=TOPICS, weights=WEIGHTS, prior=0.2, bound=np.inf):
    """One document's contribution, word by word."""
    k, d = topics.shape
    counts = row * min(1.0, LONGEST / max(row.sum(), 1))
    gamma = np.full(k, np.mean(prior) + counts.sum() / k)

    def responsibilities():
        phi = np.zeros((d, k))
        for w in range(d):
            for i in range(k):
                phi[w, i] = np.exp(psi(gamma[i])) * topics[i, w]
            phi[w] /= phi[w].sum()
        return phi

    for n in range(ROUNDS):
        reach = REACH if n else 1.0  # the first is the same for all
        gamma = np.maximum(prior, gamma + reach * (prior + counts @ responsibilities() - gamma))
    part = (counts * weights)[:, None] * responsibilities()
    return min(1.0, bound / max(np.linalg.norm(part), 1e-300)) * part.T


def contribution(rows, **changes):
    given = {"prior": 0.2, "bound": np.inf} | changes
    return laid_out(rows).contributions(TOPICS, WEIGHTS, **given)


@pytest.mark.parametrize("bound", [np.inf, 3.0, 0.5])
@pytest.mark.parametrize("prior", [0.01, 0.2, 5.0, np.array([0.1, 3.0, 0.4])], ids=str)
def test_the_sum_is_a_plain_loops(bound: float, prior: float | np.ndarray) -> None:
    rows = random_rows(3, 40, D, 400)
    found = contribution(rows, bound=bound, prior=prior)
    np.testing.assert_allclose(found.total, sum(by_loop(row, prior=prior, bound=bound) for row in rows), rtol=1e-9)
    assert found.clipped == sum(np.linalg.norm(by_loop(row, prior=prior)) > bound for row in rows)


@pytest.mark.parametrize("bound", [1e-3, 3.0, 1e3])
def test_no_document_passes_the_bound_or_goes_below_zero_and_long_ones_attain_it(bound: float) -> None:
    norms = []
    for row in [*EXTREMES, *random_rows(1, 30, D, 50)]:
        part = contribution(np.array([row]), bound=bound).total
        assert np.all(part >= 0)
        norms.append(np.linalg.norm(part))
    assert max(norms) <= bound * (1 + 1e-12)
    if bound <= 3:
        assert max(norms) >= bound * (1 - 1e-12)


def test_words_that_no_topic_knows_are_bounded_too() -> None:
    topics = TOPICS.copy()
    topics[:, :4] = 0
    for row in EXTREMES:
        part = laid_out(row[None, :]).contributions(topics, WEIGHTS, prior=0.2, bound=3.0).total
        assert np.all(np.isfinite(part))
        assert np.linalg.norm(part) <= 3 * (1 + 1e-12)


def test_neighbours_attain_and_never_pass_the_sensitivity() -> None:
    """Two documents of one word each, sorted into one topic each, are √2 bounds apart; no pair is more."""
    rows = [*EXTREMES, *random_rows(2, 20, D, 80), only(0, D, 50), only(1, D, 50)]
    topics = np.full((K, D), 1e-6)
    topics[0, 0] = topics[1, 1] = 1.0
    parts = [laid_out(row[None, :]).contributions(topics, WEIGHTS, prior=1e-3, bound=2.0).total for row in rows]
    apart = max(np.linalg.norm(a - b) for a in parts for b in parts)
    assert apart <= np.sqrt(2) * 2 * (1 + 1e-12)
    assert apart >= np.sqrt(2) * 2 * (1 - 1e-3)


def test_a_document_has_the_same_bits_whoever_else_is_there() -> None:
    """Others that add exact zeros: their words have weight 0 and are no words of the document."""
    row = random_rows(7, 1, D, 60)[0]
    row[:6] = 0
    weights = WEIGHTS.copy()
    weights[:6] = 0
    others = random_rows(8, 700, D, 60)
    others[:, 6:] = 0
    alone = laid_out(row[None, :]).contributions(TOPICS, weights, prior=0.2, bound=3.0).total
    for place in (0, 350, 700):
        rows = np.insert(others, place, row, axis=0)
        among = laid_out(rows).contributions(TOPICS, weights, prior=0.2, bound=3.0).total
        np.testing.assert_array_equal(among, alone)


def test_the_sum_has_the_same_bits_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CELLS", 512)
    documents = laid_out(random_rows(4, 600, D, 60))
    assert len(documents._blocks) > 2 * module.AT_ONCE
    sums = []
    for threads in (1, 2, 5):
        engine._threads.cache_clear()
        monkeypatch.setattr(engine, "workers", lambda threads=threads: threads)
        sums.append(documents.contributions(TOPICS, WEIGHTS, prior=0.2, bound=3.0).total)
    engine._threads.cache_clear()
    np.testing.assert_array_equal(sums[0], sums[1])
    np.testing.assert_array_equal(sums[0], sums[2])


def test_topics_in_another_order_give_the_parts_in_that_order() -> None:
    rows, order = random_rows(5, 50, D, 60), [2, 0, 1]
    documents = laid_out(rows)
    total = documents.contributions(TOPICS, WEIGHTS, prior=0.2, bound=3.0).total
    turned = documents.contributions(TOPICS[order], WEIGHTS, prior=0.2, bound=3.0).total
    np.testing.assert_allclose(turned, total[order], rtol=1e-12)


@pytest.mark.parametrize("bound", [2.0, np.inf])
def test_word_counts_are_sums_of_bounded_documents(bound: float) -> None:
    rows = np.vstack([random_rows(6, 50, D, 300), EXTREMES])
    expected = np.zeros(D)
    for row in rows:
        counts = row * min(1.0, LONGEST / max(row.sum(), 1))
        expected += counts * min(1.0, bound / max(np.linalg.norm(counts), 1e-300))
    found = laid_out(rows).word_counts(bound=bound)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_no_document_at_all_adds_nothing() -> None:
    found = contribution(np.zeros((3, D), dtype=np.int64))
    assert not np.any(found.total)
    assert found.clipped == 0
