"""Topic shares: the one maximum of a concave function, certified, and by a second route."""

import numpy as np
import pytest
from scipy.optimize import minimize

from dplda.core.errors import InputError
from dplda.evaluation.shares import shares
from tests.tiny_corpora import counts_of, random_rows


def drawn(seed=0, n_documents=30, n_words=12, n_topics=4, longest=25):
    rng = np.random.default_rng(seed)
    topics = rng.dirichlet(np.full(n_words, 0.5), size=n_topics) * 0.99 + 0.01 / n_words
    return (
        random_rows(seed, n_documents, n_words, longest),
        topics,
        rng.uniform(0.05, 0.6, n_topics),
    )


def objective(row, theta, topics, alpha):
    return row @ np.log(theta @ topics) + alpha @ np.log(theta)


def gaps(rows, shares, topics, alpha) -> np.ndarray:
    """How far each document may be from its maximum, in nats per token: its steepest slope, as f is concave."""
    slopes = (rows / (shares @ topics)) @ topics.T + alpha / shares
    return slopes.max(axis=1) / (rows.sum(axis=1) + alpha.sum()) - 1


def test_general_optimiser_finds_the_same_maximum() -> None:
    rows, topics, alpha = drawn(n_documents=8)
    inferred_shares = shares(counts_of(rows), topics, alpha, tolerance=1e-9, max_steps=200_000)
    assert np.all(gaps(rows, inferred_shares, topics, alpha) <= 1e-9)
    for row, theta in zip(rows, inferred_shares, strict=True):

        def loss(z, row=row):
            p = np.exp(z - z.max())
            return -objective(row, p / p.sum(), topics, alpha)

        best = minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-9})
        assert objective(row, theta, topics, alpha) == pytest.approx(-best.fun, abs=1e-6)


@pytest.mark.parametrize("tolerance", [1e-1, 1e-2, 1e-4])
def test_tolerance_bounds_what_is_lacking_where_steps_suffice(tolerance: float) -> None:
    rows, topics, alpha = drawn(1)
    early = shares(counts_of(rows), topics, alpha, tolerance=1e-12, max_steps=3)
    assert np.any(gaps(rows, early, topics, alpha) > 1e-12)
    assert early.sum(axis=1) == pytest.approx(np.ones(len(rows)))
    exact = shares(counts_of(rows), topics, alpha, tolerance=1e-10, max_steps=200_000)
    inferred_shares = shares(counts_of(rows), topics, alpha, tolerance=tolerance)
    for row, best, theta, gap in zip(
        rows, exact, inferred_shares, gaps(rows, inferred_shares, topics, alpha), strict=True
    ):
        lacking = objective(row, best, topics, alpha) - objective(row, theta, topics, alpha)
        assert lacking <= gap * (row.sum() + alpha.sum()) + 1e-9
        assert gap <= tolerance * (1 + 1e-9)


def test_topics_without_a_word_in_common_leave_nothing_to_infer() -> None:
    topics = np.array([[0.5, 0.5, 0, 0], [0, 0, 0.9, 0.1]])
    alpha = np.array([0.3, 0.7])
    inferred_shares = shares(
        counts_of([[1, 2, 0, 1], [0, 0, 3, 0], [0, 0, 0, 0]]), topics, alpha, tolerance=1e-9
    )
    expected = [[3.3 / 5, 1.7 / 5], [0.3 / 4, 3.7 / 4], [0.3, 0.7]]
    assert inferred_shares == pytest.approx(np.array(expected))
    assert shares(counts_of(np.zeros((3, 4), dtype=int)), topics, np.zeros(2)) == pytest.approx(0.5)


def test_shares_of_bad_input_are_refused() -> None:
    counts, topics = counts_of([[1, 1], [2, 0], [0, 1]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    with pytest.raises(InputError, match="above 0 somewhere"):
        shares(counts, topics, np.ones(2))
    with pytest.raises(InputError, match="alpha must be at least 0"):
        shares(counts, np.full((2, 2), 0.5), np.array([1.0, -1.0]))
    with pytest.raises(InputError, match="topics and alpha"):
        shares(counts, np.full((2, 3), 1 / 3), np.ones(2))
    with pytest.raises(InputError, match="tolerance"):
        shares(counts, np.full((2, 2), 0.5), np.ones(2), tolerance=0)
