"""Rounding in sums: what is computed against exact fractions, and what neighbours can make of the difference."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dplda.core import engine
from dplda.privacy import sensitivity
from dplda.spectral.corpus_statistics import CorpusStatistics, StatisticsCache
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.documents import LARGEST_PAIR_NORM
from dplda.spectral.statistics import ExactMoments
from dplda.spectral.whitening import whiten
from tests.tiny_corpora import Rows, counts_of, random_rows, repeated_word, topical_corpus

C = Coefficients(1.0)
D, K = 5, 2
LEVEL = 0.2  # clips some of the documents
Numbers = dict[tuple[int, ...], Fraction]


def documents(copies: int) -> Rows:
    """Tokens that cancel along opposite directions, one word, short and empty documents, huge counts, usual ones."""
    hard = [
        [30, 18, 0, 0, 0],
        [18, 30, 0, 0, 0],
        [2, 2, 0, 0, 1],
        [10**6, 10**6, 1, 0, 0],
        [2**31 - 1, 3, 0, 0, 7],
    ]
    plain = [
        repeated_word(0, D),
        repeated_word(1, D, 1000),
        repeated_word(2, D, 2),
        np.zeros(D),
        *random_rows(3, 7, D, longest=40, shortest=3),
    ]
    return np.tile(np.vstack([hard, plain]).astype(np.int64), (copies, 1))


def opposite(seed: int) -> np.ndarray:
    """Directions that see words 0 and 1 opposite to each other, the rest at other lengths."""
    B = np.random.default_rng(seed).standard_normal((D, K)) * [[3], [3], [1], [0.1], [2]]
    B[1] = -B[0]
    return B


def fraction(number: float) -> Fraction:
    return Fraction(float(number))


def frequencies(row: Rows, order: int, B: list[list[Fraction]]) -> Numbers:
    """Of ordered tuples of distinct positions seen along B; exact."""
    c, d, k = [int(count) for count in row], range(len(B)), range(len(B[0]))
    length = sum(c)
    if length < 3:
        return dict.fromkeys(product(k, repeat=order), Fraction(0))
    tuples = math.perm(length, order)
    S = [sum(c[x] * B[x][i] for x in d) for i in k]
    if order == 1:
        return {(i,): S[i] / tuples for i in k}
    Q = [[sum(c[x] * B[x][i] * B[x][j] for x in d) for j in k] for i in k]
    if order == 2:
        return {(i, j): (S[i] * S[j] - Q[i][j]) / tuples for i, j in product(k, k)}
    sums_by_words = {}
    for i, j, m in product(k, k, k):
        thrice = sum(c[x] * B[x][i] * B[x][j] * B[x][m] for x in d)
        sums_by_words[i, j, m] = (
            S[i] * S[j] * S[m] - Q[i][j] * S[m] - Q[i][m] * S[j] - Q[j][m] * S[i] + 2 * thrice
        ) / tuples
    return sums_by_words


def average(rows: Rows, weights: np.ndarray, order: int, B: np.ndarray) -> Numbers:
    """``Σ w f / N`` exactly; the same document with the same weight is counted once."""
    directions = [[fraction(b) for b in y] for y in B]
    parts: dict[tuple[tuple[int, ...], float], int] = {}
    for row, weight in zip(rows, weights, strict=True):
        key = (tuple(int(count) for count in row), float(weight))
        parts[key] = parts.get(key, 0) + 1
    total: Numbers = {}
    for (row_, weight), times in parts.items():
        for index, value in frequencies(np.array(row_), order, directions).items():
            total[index] = total.get(index, Fraction(0)) + times * fraction(weight) * value / len(
                rows
            )
    return total


def distance(
    rounded: np.ndarray, exact: Numbers, scale: Callable[[tuple[int, ...]], float] = lambda _: 1.0
) -> float:
    """Euclidean, every entry in its own unit."""
    return math.sqrt(
        math.fsum((float(fraction(rounded[i]) - x) * scale(i)) ** 2 for i, x in exact.items())
    )


def cell(index: tuple[int, ...]) -> float:
    """Length of a histogram over unordered pairs, from all entries of a symmetric matrix."""
    return 1.0 if index[0] == index[1] else math.sqrt(2)


def errors(rows: Rows, seed: int) -> dict[str, float]:
    """How far every statistic is from the exact one, over half of what its sensitivity allows for rounding."""
    n, counts, B = len(rows), counts_of(rows), opposite(seed)
    sums = StatisticsCache(counts)
    view, weights = CorpusStatistics(sums, C, keep_short=True), sums.weights(LEVEL)
    averages, eye, ones = view.averages(LEVEL), np.eye(D), np.ones(n)
    ceiling = float(np.max(np.linalg.norm(B, axis=1))) ** 3
    limit = 0.01 * ceiling
    clipped = limit / np.maximum(view.triple_norms(LEVEL, B), limit)
    moments_ = ExactMoments(counts, C, keep_short=True)
    M2, M3 = u_statistics(rows, B)
    whitener = whiten(moments_.pair_matrix, K).whitener
    triples = view.triple_average(LARGEST_PAIR_NORM, whitener, np.inf)
    lengths = np.linalg.norm(whitener, axis=0)
    slack = {
        "words": sensitivity.word_average(n_documents=n, clip=LEVEL)
        - math.sqrt(2 * math.sqrt(2) * LEVEL) / n,
        "pairs": sensitivity.pair_average(n_documents=n, clip=LEVEL) - 2 * LEVEL / n,
        "mass": sensitivity.mass(n_documents=n) - 1 / n,
        "triples": sensitivity.tensor_average(n_documents=n, n_words=D, clip=limit, ceiling=ceiling)
        - 2 * limit / n,
        "histogram": sensitivity.triple_histogram(n_documents=n, n_words=D) - math.sqrt(2) / n,
        "M2": sensitivity.direct_pair_moment(n_documents=n, a=C.a) - math.sqrt(2 + 4 * C.a**2) / n,
        "M3": sensitivity.direct_triple_moment(n_documents=n, n_words=D, b=C.b, c=C.c) * ceiling
        - (math.sqrt(2) + 2 * math.sqrt(3) * abs(C.b) + 3 * math.sqrt(2) * math.hypot(C.b, C.c))
        / n
        * ceiling,
    }
    off = {
        "words": distance(averages.words, average(rows, weights, 1, eye)),
        "pairs": distance(averages.pairs, average(rows, weights, 2, eye), cell),
        "mass": abs(float(fraction(averages.mass) - sum(map(fraction, weights)) / n)),
        "triples": distance(
            view.triple_average(LEVEL, B, limit), average(rows, weights * clipped, 3, B)
        ),
        "histogram": math.sqrt(6)
        * distance(
            triples, average(rows, ones, 3, whitener), lambda i: 1 / math.prod(lengths[list(i)])
        ),
        "M2": distance(moments_.pair_matrix, M2),
        "M3": distance(moments_.third_moment(B), M3),
    }
    return {name: 2 * off[name] / slack[name] for name in off}


def u_statistics(rows: Rows, B: np.ndarray) -> tuple[Numbers, Numbers]:
    """M2, and M3 seen along B, by sums over distinct documents written as sums over all less what is not distinct."""
    n, ones = len(rows), np.ones(len(rows))
    k, pairs, triples = range(B.shape[1]), n * (n - 1), n * (n - 1) * (n - 2)
    a, b, c = (fraction(x) for x in (C.a, C.b, C.c))
    eye = [[Fraction(int(i == j)) for j in range(D)] for i in range(D)]
    directions = [[fraction(x) for x in y] for y in B]
    distinct, times = np.unique(rows, axis=0, return_counts=True)
    plain = [frequencies(row, 1, eye) for row in distinct]
    E1, E2 = average(rows, ones, 1, np.eye(D)), average(rows, ones, 2, np.eye(D))
    M2 = {}
    for i, j in product(range(D), repeat=2):
        sums_of_equal = sum(int(t) * f[i,] * f[j,] for t, f in zip(times, plain, strict=True))
        M2[i, j] = E2[i, j] - a * (n**2 * E1[i,] * E1[j,] - sums_of_equal) / pairs
    first_order, second_order = (
        [frequencies(row, order, directions) for row in distinct] for order in (1, 2)
    )
    F1, F2, F3 = (average(rows, ones, order, B) for order in (1, 2, 3))
    own_frequencies = [
        (int(t), f, g) for t, f, g in zip(times, first_order, second_order, strict=True)
    ]
    M3 = {}
    for i, j, m in product(k, repeat=3):
        value = F3[i, j, m]
        for x, y, z in ((i, j, m), (i, m, j), (j, m, i)):
            value += (
                b
                * (
                    n**2 * F2[x, y] * F1[z,]
                    - sum(t * g[x, y] * f[z,] for t, f, g in own_frequencies)
                )
                / pairs
            )
            value -= (
                c * n * F1[z,] * sum(t * f[x,] * f[y,] for t, f, _ in own_frequencies) / triples
            )
        cubes = sum(t * f[i,] * f[j,] * f[m,] for t, f, _ in own_frequencies)
        M3[i, j, m] = value + c * (n**3 * F1[i,] * F1[j,] * F1[m,] + 2 * cubes) / triples
    return M2, M3


@pytest.mark.parametrize("copies", [1, 4, 600])
@pytest.mark.parametrize("threads", [1, 3])
def test_rounding_of_statistics_is_within_half_of_its_allowance(
    copies: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "workers", lambda: threads)
    rows = np.random.default_rng(copies).permutation(documents(copies))
    errors_by_seed = [errors(rows, seed) for seed in range(3 if copies < 100 else 1)]
    worst = {
        name: max(errors_of_seed[name] for errors_of_seed in errors_by_seed)
        for name in errors_by_seed[0]
    }
    assert all(ratio <= 1 for ratio in worst.values()), worst
    assert all(ratio > 0 for name, ratio in worst.items() if name != "mass"), (
        "floating point is not exact"
    )


def moved(R: float, n: int = 3, threads: int = 1) -> tuple[float, float, float]:
    """How far "u u u" to "v v v" moves the clipped triple average, the clip level, and the ceiling.

    Words u and v are seen in opposite directions. The other documents hold 30 times u and 18 times v: their tensor is
    nearly zero, ``S³ − 3QS`` with ``S² ≈ 3Q``, and made of terms more than thirty times the clip level.
    """
    B = np.array([[R], [-R], [R / 2]])
    rows = np.tile([30, 18, 0], (n, 1))
    first_rows, second_rows = rows.copy(), rows.copy()
    first_rows[0], second_rows[0] = [3, 0, 0], [0, 3, 0]
    views = [
        CorpusStatistics(StatisticsCache(counts_of(x)), C, keep_short=True)
        for x in (first_rows, np.roll(second_rows, threads - 1, axis=0))
    ]
    limit = max(1e-3 * R**3, float(np.max(views[0].triple_norms(LARGEST_PAIR_NORM, B)[1:])))
    values = []
    for view, workers in zip(views, (1, threads), strict=True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engine, "workers", lambda workers=workers: workers)
            values.append(view.triple_average(LARGEST_PAIR_NORM, B, limit))
    return float(np.linalg.norm(values[0] - values[1])), limit, R**3


SCALES = 1 + np.random.default_rng(0).random(200)


def test_neighbours_whose_sums_cancel_never_pass_the_sensitivity() -> None:
    """Whatever the order of the documents and the number of threads."""
    for R in SCALES:
        for n, threads in ((3, 1), (3, 2), (4, 1), (700, 3)) if R < 1.05 else ((3, 1),):
            change, limit, ceiling = moved(R, n, threads)
            assert change <= sensitivity.tensor_average(
                n_documents=n, n_words=3, clip=limit, ceiling=ceiling
            )


def test_whitener_columns_are_near_enough_to_orthogonal_for_the_rounding_proof() -> None:
    """For both solvers: W's columns are orthogonal up to what the proof leaves, so its rows in their unit are short."""
    counts = topical_corpus(0, n_words=450, n_topics=4).counts
    M2 = ExactMoments(counts, C).pair_matrix
    for direct in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("dplda.spectral.eigenpairs.DENSE_MATRIX", 10)
            W = whiten(M2, 4, direct=direct).whitener
        U = W / np.linalg.norm(W, axis=0)
        assert 10 * math.sqrt(6) * np.linalg.cond(U) ** 3 < 25
        assert np.max(np.linalg.norm(U, axis=1)) <= 1
