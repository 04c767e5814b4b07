"""Norms of what one document contributes: exact for pairs, never too small for triples."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dplda.spectral import documents
from dplda.spectral.documents import measure_lengths, pair_norms, triple_norm_bounds
from tests.tiny_corpora import counts_of, random_rows, repeated_word, topical_corpus


def seen_tensor(row: np.ndarray, B: np.ndarray) -> np.ndarray:
    """``f3(B, B, B)`` from the formula with sums over words; a document may be long."""
    length = row.sum()
    S = row @ B
    Q = np.einsum("x,xi,xj->ij", row, B, B)
    K = np.einsum("x,xi,xj,xm->ijm", row, B, B, B)
    s3 = sum(np.einsum(order, Q, S) for order in ("ij,m->ijm", "im,j->ijm", "jm,i->ijm"))
    return (np.einsum("i,j,m->ijm", S, S, S) - s3 + 2 * K) / (
        length * (length - 1.0) * (length - 2.0)
    )


def test_pair_norms_that_are_known() -> None:
    """One word attains 1/√2; all words different have 1/√(l(l−1)); "u u v" has √(1 + 4)/3/√2 by hand."""
    rows = np.array(
        [
            repeated_word(0, 5, 3),
            repeated_word(1, 5, 1000),
            [1, 1, 1, 1, 1],
            [2, 1, 0, 0, 0],
            [2, 0, 0, 0, 0],
            [0] * 5,
        ]
    )
    expected = [np.sqrt(0.5), np.sqrt(0.5), 1 / np.sqrt(20), np.sqrt(5) / 3 / np.sqrt(2), 0, 0]
    np.testing.assert_allclose(
        pair_norms(counts_of(rows), measure_lengths(counts_of(rows))), expected, rtol=1e-12
    )


def partitions(total: int, largest: int) -> Iterator[list[int]]:
    """All ways to write a number as a sum, parts in falling order: every document of this length up to names."""
    if total == 0:
        yield []
    for part in range(min(total, largest), 0, -1):
        for remaining_parts in partitions(total - part, part):
            yield [part, *remaining_parts]


def excess(counts: list[int]) -> int:
    """``(2 ‖f2‖_θ² − ‖f1‖⁴) l⁴ (l − 1)²``, by Python's exact whole numbers."""
    length = sum(counts)
    s2, s3, s4 = (sum(count**power for count in counts) for power in (2, 3, 4))
    twice_theta = 2 * s2**2 - 2 * s3 + s2 - s4
    return length**2 * twice_theta - s2**2 * (length - 1) ** 2


@pytest.mark.parametrize("length", range(3, 13))
def test_words_are_never_longer_than_the_root_of_pairs(length: int) -> None:
    """‖f1‖² ≤ √2 ‖f2‖_θ for every document, with equality for one word; and the proof's form of the difference."""
    for counts in partitions(length, length):
        assert excess(counts) >= 0
        assert (excess(counts) == 0) == (len(counts) == 1)
        x = Fraction(1, length)
        p = [count * x for count in counts]
        products = [(p[i], p[j]) for i in range(len(p)) for j in range(len(p)) if i != j]
        terms = [a * a * b * b - x * a * b * (a - b) ** 2 for a, b in products]
        square = sum(a * a for a in p)
        assert min(terms, default=0) >= 0
        assert sum(terms) + x * x * (square - square**2) == Fraction(excess(counts), length**6)


def too_small(rows: np.ndarray, B: np.ndarray) -> tuple[int, int]:
    """How many norms of pairs, and how many bounds on triples, come out below the exact norms; in fractions."""
    counts = counts_of(rows)
    length = measure_lengths(counts)
    norms_of_rows = zip(
        rows, pair_norms(counts, length), triple_norm_bounds(counts, length, B), strict=True
    )
    pairs = triples = 0
    directions = [[Fraction(float(b)) for b in row] for row in B]
    for row, pair, triple in norms_of_rows:
        c = [int(count) for count in row]
        size = sum(c)
        if size < 3:
            continue
        s2, s3, s4 = (sum(count**power for count in c) for power in (2, 3, 4))
        square = Fraction(2 * s2**2 - 2 * s3 + s2 - s4, 2 * (size * (size - 1)) ** 2)
        pairs += Fraction(float(pair)) ** 2 < square
        ceiling = (
            float(np.max(np.linalg.norm(B, axis=1))) ** 3
        )  # itself rounded, which sensitivities allow for
        allowed_ratio = 1 + Fraction(1, 10**14) if triple == ceiling else 1
        triples += allowed_ratio * Fraction(float(triple)) ** 2 < square_norm(c, directions)
        assert triple <= ceiling
    return pairs, triples


def square_norm(c: list[int], B: list[list[Fraction]]) -> Fraction:
    """``‖f3(B, B, B)‖_F²`` from the definition, exactly."""
    k, size = range(len(B[0])), sum(c)
    S = [sum(n * y[i] for n, y in zip(c, B, strict=True)) for i in k]
    Q = [[sum(n * y[i] * y[j] for n, y in zip(c, B, strict=True)) for j in k] for i in k]
    total = Fraction(0)
    for i, j, m in product(k, repeat=3):
        K = sum(n * y[i] * y[j] * y[m] for n, y in zip(c, B, strict=True))
        total += (
            S[i] * S[j] * S[m] - Q[i][j] * S[m] - Q[i][m] * S[j] - Q[j][m] * S[i] + 2 * K
        ) ** 2
    return total / (size * (size - 1) * (size - 2)) ** 2


def hard_documents(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Documents of one word, of tokens that cancel, of huge counts; rows of very different and of opposite length."""
    rng = np.random.default_rng(seed)
    B = rng.standard_normal((5, 2)) * rng.lognormal(0, 2, (5, 1))
    B[1] = -B[0]
    rows = rng.integers(0, 4, (8, 5))
    rows[0], rows[1], rows[2] = (
        repeated_word(seed % 5, 5, 3 + seed),
        [30, 18, 0, 0, 0],
        [10**8, 10**8 + seed, 1, 0, 0],
    )
    rows[3] = rng.integers(0, 2**31 - 1, 5)
    rows[4] = repeated_word(0, 5, 2**31 - 1 - seed)
    return rows, B


@pytest.mark.parametrize("many_topics", [0, 10**9])
def test_computed_norms_are_never_below_the_exact_ones(
    many_topics: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "MANY_TOPICS", many_topics)
    assert not np.any([too_small(*hard_documents(seed)) for seed in range(60)])


def test_norms_without_their_slack_are_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "UNIT_ROUNDOFF", 0.0)
    assert np.all(np.sum([too_small(*hard_documents(seed)) for seed in range(60)], axis=0) > 0)


@pytest.mark.parametrize("many_topics", [0, 10**9])
def test_document_has_the_same_norms_wherever_it_stands(
    many_topics: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last bit: weights are functions of a document, so that a replaced one changes its own alone."""
    monkeypatch.setattr(documents, "MANY_TOPICS", many_topics)
    rows = random_rows(0, n_documents=203, n_words=7, longest=30)
    B = np.random.default_rng(1).standard_normal((7, 5))
    order = np.random.default_rng(2).permutation(203)
    all_counts, reordered_counts = counts_of(rows), counts_of(rows[order][:101])
    np.testing.assert_array_equal(
        pair_norms(all_counts, measure_lengths(all_counts))[order][:101],
        pair_norms(reordered_counts, measure_lengths(reordered_counts)),
    )
    bounds, reordered_bounds = (
        triple_norm_bounds(counts, measure_lengths(counts), B)
        for counts in (all_counts, reordered_counts)
    )
    np.testing.assert_array_equal(bounds[order][:101], reordered_bounds)


def test_document_of_one_word_attains_the_bound() -> None:
    B = np.random.default_rng(0).standard_normal((3, 2))
    rows = np.array([repeated_word(word, 3, times) for word in range(3) for times in (3, 4, 50)])
    bounds = triple_norm_bounds(counts_of(rows), measure_lengths(counts_of(rows)), B)
    exact = np.repeat(np.linalg.norm(B, axis=1) ** 3, 3)
    np.testing.assert_allclose(bounds, exact, rtol=1e-11)


def test_bound_on_usual_documents_is_close() -> None:
    """Documents of about 40 words seen along whitened directions: at most 1.3 times too large in the median, 2 in all.

    A looser bound would clip what need not be clipped; the noise would grow with it.
    """
    corpus = topical_corpus(1, n_documents=300)
    B = np.random.default_rng(3).standard_normal((corpus.n_words, 3)) + 0.5
    counts, length = corpus.counts, measure_lengths(corpus.counts)
    exact = np.array([np.linalg.norm(seen_tensor(row, B)) for row in counts.toarray()])
    ratio = triple_norm_bounds(counts, length, B) / exact
    assert np.all(ratio >= 1 - 1e-12)
    assert np.median(ratio) < 1.3
    assert np.quantile(ratio, 0.9) < 2


def test_lengths_do_not_overflow() -> None:
    huge = counts_of([[2**31 - 1, 2**31 - 1], [1, 2], [3, 0]])
    length = measure_lengths(huge)
    assert length.per_triple[0] == pytest.approx(1 / (2.0**32 - 2) ** 3, rel=1e-8)
    assert np.isfinite(pair_norms(huge, length)).all()
    assert np.isfinite(triple_norm_bounds(huge, length, np.ones((2, 2)))).all()
