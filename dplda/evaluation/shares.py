"""Topic shares of documents for given topics: one inference for every method."""

import numpy as np
from scipy.sparse import csr_array

from dplda.core import checks
from dplda.core.engine import map_threads, row_blocks
from dplda.core.errors import InputError
from dplda.core.types import Counts, Matrix, Vector

_ROWS = 256  # a block's word probabilities stay in the processor's cache
_TRIM_EVERY = 8  # steps between checks for finished documents


def shares(
    counts: Counts, topics: Matrix, alpha: Vector, *, tolerance: float = 1e-3, max_steps: int = 1000
) -> Matrix:
    r"""The shares ``θ``, shape (N, k), rows on the simplex, that maximize each document's penalized log-likelihood.

    .. math::
        f(θ) = \sum_w c_w \log \sum_i θ_i μ_{iw} + \sum_i α_i \log θ_i

    is concave, so its maximum does not depend on the order of topics or the start. EM climbs it:
    :math:`θ_i ← (α_i + \sum_w c_w φ_{wi}) / (α_0 + l)` with :math:`φ_{wi} ∝ θ_i μ_{iw}`. Since ``f`` is concave and
    the shares sum to one, ``f`` at its maximum exceeds ``f(θ)`` by at most :math:`\max_i ∂_i f - \sum_i θ_i ∂_i f`,
    where the sum is ``α0 + l``: EM stops when that bound, over ``α0 + l``, is within the tolerance.

    Args:
        topics: ``μ``, shape (k, d), rows on the simplex; every word that occurs must be above 0 in one.
        alpha: ``α``, shape (k,), at least 0; a document without a word gets ``α / α0``, or equal shares where α is 0.
        tolerance: largest distance from the maximum, in nats per token, unless a document would need more steps.

    Source:
        MacKay (1998), "Choice of basis for Laplace approximation": the Dirichlet in the softmax basis, where its
        density has the exponents α_i instead of α_i − 1; Asuncion et al. (2009), on smoothing and inference:
        predictions hardly depend on the choice of inference.
    """
    n_documents, d = counts.shape
    k = len(topics)
    if topics.shape != (k, d) or alpha.shape != (k,):
        raise InputError(
            "topics and alpha",
            f"of shapes (k, {d}) and (k,)",
            f"shapes {topics.shape} and {alpha.shape}",
        )
    checks.positive("tolerance", tolerance)
    checks.integer_at_least("max_steps", max_steps, 1)
    checks.finite("alpha", alpha)
    if np.any(alpha < 0):
        raise InputError("alpha", "at least 0", "a negative entry")
    unknown = ~np.any(topics > 0, axis=0)
    if np.any(unknown[counts.indices]):
        raise InputError(
            "topics",
            "above 0 somewhere for every word that occurs",
            "zeros",
            "Smooth the topics first.",
        )
    by_word = np.ascontiguousarray(topics.T)

    def of_block(rows: slice) -> Matrix:
        return _climb(counts[rows], by_word, alpha, tolerance, max_steps)

    return np.concatenate(
        [np.empty((0, k)), *map_threads(of_block, list(row_blocks(n_documents, _ROWS)))]
    )


def _climb(
    counts: Counts, by_word: Matrix, alpha: Vector, tolerance: float, max_steps: int
) -> Matrix:
    """EM on a block of documents; finished documents leave it."""
    tokens = np.asarray(counts.sum(axis=1), dtype=np.float64)
    alpha0 = float(np.sum(alpha))
    k = len(alpha)
    prior = alpha / alpha0 if alpha0 > 0 else np.full(k, 1 / k)
    values = np.tile(prior, (len(tokens), 1))
    active = np.flatnonzero(tokens > 0)
    total = alpha0 + tokens[active, None]
    theta = (alpha + tokens[active, None] / k) / total
    block = _Block(counts[active], by_word)
    for step in range(1, max_steps + 1):
        slope = block.slope(theta)
        grown = alpha + theta * slope
        if step % _TRIM_EVERY == 0 or step == max_steps:
            steepest = np.max(
                slope + alpha / np.maximum(theta, np.finfo(float).tiny), axis=1, keepdims=True
            )
            bound = (steepest / total - 1)[:, 0]
            done = (bound <= tolerance) | (step == max_steps)
            values[active[done]] = theta[done]
            active, total, theta, grown = active[~done], total[~done], theta[~done], grown[~done]
            if not active.size:
                break
            if np.any(done):
                block = _Block(counts[active], by_word)
        theta = grown / total
    return values


class _Block:
    """The words of some documents, with their probability in every topic."""

    def __init__(self, counts: Counts, by_word: Matrix) -> None:
        self._times = counts.data.astype(np.float64)
        self._given = by_word[counts.indices]
        self._words_of = np.diff(counts.indptr)
        self._indptr = counts.indptr
        self._positions = np.arange(counts.nnz)

    def slope(self, theta: Matrix) -> Matrix:
        """``Σ_w c_w μ_iw / p_w`` of every document and topic, shape (documents, k)."""
        likely = np.einsum("nk,nk->n", self._given, np.repeat(theta, self._words_of, axis=0))
        weights = csr_array(
            (self._times / likely, self._positions, self._indptr),
            shape=(len(theta), len(self._times)),
        )
        return np.asarray(weights @ self._given)
