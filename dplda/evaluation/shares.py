"""Topic shares of documents for given topics: one inference for every method."""

import numpy as np
from scipy.sparse import csr_array

from dplda.core import checks
from dplda.core.engine import map_threads, row_blocks
from dplda.core.errors import InputError
from dplda.core.types import Counts, Matrix, Vector

_BLOCK_ROWS = 256  # so that a block's word probabilities stay in the processor's cache
_TRIM_EVERY = 8  # steps between checks for finished documents


def shares(
    counts: Counts, topics: Matrix, alpha: Vector, *, tolerance: float = 1e-3, max_steps: int = 1000
) -> Matrix:
    r"""Topic shares that maximize each document's penalized log-likelihood.

    .. math::
        f(θ) = \sum_w c_w \log \sum_i θ_i μ_{iw} + \sum_i α_i \log θ_i

    is concave, so its maximum does not depend on the order of topics or the start. EM climbs it:
    :math:`θ_i ← (α_i + \sum_w c_w φ_{wi}) / (α_0 + l)` with :math:`φ_{wi} ∝ θ_i μ_{iw}`. Since
    ``f`` is concave and the shares sum to one, ``f`` at its maximum exceeds ``f(θ)`` by at most
    :math:`\max_i ∂_i f - \sum_i θ_i ∂_i f`, where the sum is ``α0 + l``: EM stops when that bound,
    over ``α0 + l``, is within the tolerance.

    Args:
        counts: shape (N, d).
        topics: ``μ``, shape (k, d), rows on the simplex; every word that occurs must be above 0 in
            one.
        alpha: ``α``, shape (k,), at least 0; a document without a word gets ``α / α0``, or equal
            shares if α is 0.
        tolerance: largest distance from the maximum, in nats per token, unless a document would
            need more steps.
        max_steps: largest number of steps for each document.

    Returns:
        ``θ``, shape (N, k), rows on the simplex.

    Raises:
        InputError: the shapes do not fit, or a word that occurs has probability 0 in all topics.

    Source:
        MacKay (1998), "Choice of basis for Laplace approximation": the Dirichlet in the softmax
        basis, where its density has the exponents α_i instead of α_i − 1; Asuncion et al. (2009),
        on smoothing
        and inference: predictions hardly depend on the choice of inference.
    """
    n_documents, d = counts.shape
    k = len(topics)
    if topics.shape != (k, d) or alpha.shape != (k,):
        given_shapes = f"shapes {topics.shape} and {alpha.shape}"
        raise InputError("topics and alpha", f"of shapes (k, {d}) and (k,)", given_shapes)
    checks.positive("tolerance", tolerance)
    checks.integer_at_least("max_steps", max_steps, 1)
    checks.finite("alpha", alpha)
    if np.any(alpha < 0):
        raise InputError("alpha", "at least 0", "a negative entry")
    has_topic = np.any(topics > 0, axis=0)
    if not np.all(has_topic[counts.indices]):
        requirement = "above 0 somewhere for every word that occurs"
        raise InputError("topics", requirement, "zeros", "Smooth the topics first.")
    topics_by_word = np.ascontiguousarray(topics.T)

    def shares_of_block(rows: slice) -> Matrix:
        """Topic shares of these documents."""
        return _climb(counts[rows], topics_by_word, alpha, tolerance, max_steps)

    row_slices = list(row_blocks(n_documents, _BLOCK_ROWS))
    shares_of_blocks = map_threads(shares_of_block, row_slices)
    no_documents = np.empty((0, k))
    return np.concatenate([no_documents, *shares_of_blocks])


def _climb(
    counts: Counts, topics_by_word: Matrix, alpha: Vector, tolerance: float, max_steps: int
) -> Matrix:
    """Topic shares of a block of documents by EM, shape (n, k), rows on the simplex.

    They maximize the posterior density in the softmax basis. A document without a word gets
    ``α / α0``, or equal shares if α is 0.

    Args:
        counts: of the block, (n, d).
        topics_by_word: ``μ`` transposed, (d, k).
        alpha: ``α``, (k,).
        tolerance: largest distance from the maximum, in nats per token.
        max_steps: after which a document stops anyway.
    """
    n_tokens = np.asarray(counts.sum(axis=1), dtype=np.float64)
    n_documents = len(n_tokens)
    alpha0 = float(np.sum(alpha))
    k = len(alpha)
    prior_mean = np.full(k, 1 / k)
    if alpha0 > 0:
        prior_mean = alpha / alpha0
    shares_of_documents = np.tile(prior_mean, (n_documents, 1))
    active_documents = np.flatnonzero(n_tokens > 0)
    active_lengths = n_tokens[active_documents, None]
    total_weight = alpha0 + active_lengths
    theta = (alpha + active_lengths / k) / total_weight
    block = _Block(counts[active_documents], topics_by_word)
    for step in range(1, max_steps + 1):
        scaled_slope = block.slope(theta)
        expected_counts = alpha + theta * scaled_slope
        is_last = step == max_steps
        if step % _TRIM_EVERY == 0 or is_last:
            largest_derivative = _largest_derivative(theta, scaled_slope, alpha)
            bound_on_distance = largest_derivative / total_weight[:, 0] - 1
            is_done = (bound_on_distance <= tolerance) | is_last
            finished_documents = active_documents[is_done]
            shares_of_documents[finished_documents] = theta[is_done]
            active_documents = active_documents[~is_done]
            total_weight = total_weight[~is_done]
            expected_counts = expected_counts[~is_done]
            if not active_documents.size:
                break
            if np.any(is_done):
                block = _Block(counts[active_documents], topics_by_word)
        theta = expected_counts / total_weight
    return shares_of_documents


def _largest_derivative(theta: Matrix, slope: Matrix, alpha: Vector) -> Vector:
    """Largest derivative of each document's objective, ``max_i ∂_i f``, shape (n,)."""
    smallest_positive = np.finfo(float).tiny
    positive_theta = np.maximum(theta, smallest_positive)
    derivatives = slope + alpha / positive_theta
    return np.asarray(np.max(derivatives, axis=1))


class _Block:
    """Words of some documents, with their probability in every topic.

    Args:
        counts: shape (n, d).
        topics_by_word: shape (d, k).
    """

    def __init__(self, counts: Counts, topics_by_word: Matrix) -> None:
        """Gather the topics of every entry, shape (entries, k), once for all steps."""
        self._counts = counts.data.astype(np.float64)
        self._topics_of_entry = topics_by_word[counts.indices]
        self._entries_per_document = np.diff(counts.indptr)
        self._indptr = counts.indptr
        self._positions = np.arange(counts.nnz)

    def slope(self, theta: Matrix) -> Matrix:
        """``Σ_w c_w μ_iw / p_w`` of every document and topic, shape (n, k); one term per entry."""
        theta_of_entry = np.repeat(theta, self._entries_per_document, axis=0)
        probabilities = np.einsum("nk,nk->n", self._topics_of_entry, theta_of_entry)
        ratios = self._counts / probabilities
        shape = (len(theta), len(self._counts))
        ratio_of_entry = csr_array((ratios, self._positions, self._indptr), shape=shape)
        return np.asarray(ratio_of_entry @ self._topics_of_entry)
