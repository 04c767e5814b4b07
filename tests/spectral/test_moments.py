"""One sum, several ways through the machine: sparse or dense blocks, many blocks or one, one thread or two."""

import numpy as np
import pytest

from dplda.core import engine
from dplda.spectral import moments
from dplda.spectral.documents import measure_lengths, triple_norm_bounds
from tests.tiny_corpora import counts_of, random_rows


@pytest.mark.parametrize("fill_share", [1.0, 0.0], ids=["sparse blocks", "dense blocks"])
def test_pair_sum_of_both_kinds_of_block_is_the_same(
    fill_share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moments, "MIN_DENSE_SHARE", fill_share)
    monkeypatch.setattr(moments, "STRIP_WORDS", 4)
    rows = random_rows(0, n_documents=60, n_words=9, longest=8)
    weights = np.random.default_rng(1).uniform(size=60)
    total = moments.pair_sum(counts_of(rows), weights)
    expected = np.einsum("n,ni,nj->ij", weights, rows, rows) - np.diag(weights @ rows)
    np.testing.assert_allclose(total, expected, rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(total, total.T)
    assert total.flags.c_contiguous, "the bits of what is made of it would depend on the way taken"


def seen(counts, B: np.ndarray, *weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of documents seen along directions, those of their outer products weighted."""
    none = np.zeros(counts.shape[0])
    outers = np.column_stack(weights)
    return moments.triple_sums(counts, B, cubes=none, crosses=none, diagonals=none, outers=outers)


def test_moment_sums_in_any_blocks_or_threads_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = random_rows(2, n_documents=700, n_words=12, longest=9)
    counts, weights = counts_of(rows), np.random.default_rng(3).uniform(size=700)
    B = np.random.default_rng(4).standard_normal((12, 3))

    def everything() -> list[np.ndarray]:
        return [
            moments.pair_sum(counts, weights),
            moments.triple_sums(counts, B, cubes=weights, crosses=-weights, diagonals=2 * weights)[
                0
            ],
            seen(counts, B, weights)[1],
            triple_norm_bounds(counts, measure_lengths(counts), B),
        ]

    expected_sums = everything()
    plain = engine.sum_over
    for rows_in_block, threads in ((1, 1), (64, 2), (699, 3), (50, 4)):
        monkeypatch.setattr(engine, "workers", lambda n=threads: n)

        def in_small_blocks(*args, rows=0, size=rows_in_block, **kwargs):
            return plain(*args, rows=size, **kwargs)

        monkeypatch.setattr(moments, "sum_over", in_small_blocks)
        for sums, expected in zip(everything(), expected_sums, strict=True):
            np.testing.assert_allclose(
                sums, expected, rtol=1e-11, atol=1e-12 * np.max(np.abs(expected))
            )


@pytest.mark.filterwarnings(
    "ignore:invalid value encountered in matmul"
)  # of lanes that BLAS does not use
@pytest.mark.parametrize(("precision", "rounding"), [(np.float64, 1e-11), (np.float32, 1e-5)])
@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_triple_sum_is_the_sum_of_its_three_parts(k: int, precision, rounding: float) -> None:
    rows = random_rows(5, n_documents=20, n_words=5, longest=7)
    rng = np.random.default_rng(6)
    B, (u, v, w) = rng.standard_normal((5, k)), rng.standard_normal((3, 20))
    S = rows @ B
    Q = np.einsum("nx,xi,xj->nij", rows, B, B)
    expected = np.einsum("n,ni,nj,nm->ijm", u, S, S, S)
    for order in ("n,nij,nm->ijm", "n,nim,nj->ijm", "n,njm,ni->ijm"):
        expected += np.einsum(order, v, Q, S)
    expected += np.einsum("n,nx,xi,xj,xm->ijm", w, rows, B, B, B)
    triple_sum = moments.triple_sums(
        counts_of(rows), B.astype(precision), cubes=u, crosses=v, diagonals=w
    )[0]
    np.testing.assert_allclose(
        triple_sum, expected, rtol=rounding, atol=rounding * np.max(np.abs(expected))
    )


def test_pair_sums_are_not_negative() -> None:
    """Beyond rounding: an entry is a sum of products of counts. Sensitivities rest on it."""
    rows = random_rows(7, n_documents=300, n_words=6, longest=40)
    weights = np.random.default_rng(8).uniform(size=300)
    total = moments.pair_sum(counts_of(rows), weights)
    assert total.min() >= -1e-14 * total.max()
