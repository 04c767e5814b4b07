r"""The variational E-step over many documents at once, and what each document adds to the statistic.

For a document with counts c and exponentiated expectations :math:`B_{kv} = e^{⟨\log β_{kv}⟩}` the responsibilities are
:math:`φ_{vk} = θ_k B_{kv} / \sum_j θ_j B_{jv}` with :math:`θ = e^{⟨\log θ⟩}`, and :math:`γ_k = α + \sum_v c_v φ_{vk}`;
the document's contribution is the k×d matrix :math:`c_v φ_{vk}`, entrywise non-negative.

Scikit-learn's compiled routine iterates in Python over documents. Here documents of similar size are laid side by
side, padded to the same number of distinct words, and iterate together until each one has settled: the same numbers
as scikit-learn's, in a tenth to a third of its time, on as many threads as there are processors.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import psi

from dplda.core import checks
from dplda.core.engine import sum_over
from dplda.core.types import Counts, Matrix, Tensor3, Vector

STRIDE = 8  # documents are padded to a multiple of this many distinct words
ROWS = 512  # documents that iterate together: their arrays fit the processor's cache
COMPRESS_BELOW = 0.7  # fraction still iterating at which the settled ones are put aside
SMALLEST = float(np.finfo(np.float64).eps)  # added to Σ θB, as scikit-learn does


@dataclass(frozen=True, slots=True)
class Inference:
    """How documents are inferred.

    Attributes:
        prior: α > 0, of every topic.
        longest: ``N_max``; a longer document has all its counts scaled down to this many words, which is what drawing
            ``N_max`` of its words gives on average. Infinite for none.
    """

    prior: float
    tolerance: float
    most_iterations: int
    longest: float = np.inf

    def __post_init__(self) -> None:
        """Check every limit."""
        checks.positive("prior", self.prior)
        checks.positive("tolerance", self.tolerance)
        checks.integer_at_least("most_iterations", self.most_iterations, 1)
        if self.longest != np.inf:
            checks.at_least("longest", self.longest, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Statistic:
    """What documents add up to.

    Attributes:
        total: ``Σ_n s_n``, shape (k, d), after clipping; unit of words.
    """

    total: Matrix
    documents: int
    clipped: int

    def plus(self, other: "Statistic") -> "Statistic":
        """The sum; reuses the memory of this one."""
        total = self.total
        total += other.total
        return Statistic(total, self.documents + other.documents, self.clipped + other.clipped)


def exponentiated_expectation(parameters: Matrix) -> Matrix:
    r""":math:`e^{⟨\log x⟩}` of Dirichlet rows, same shape, every entry in (0, 1)."""
    result: Matrix = np.exp(psi(parameters) - psi(parameters.sum(axis=1, keepdims=True)))
    return result


def statistic(
    counts: Counts, topics: Matrix, inference: Inference, *, bound: float = np.inf, start: Matrix | None = None
) -> Statistic:
    """The sum of the documents' contributions, each scaled down to a norm.

    Args:
        counts: shape (N, d); fastest where neighbouring rows have about as many distinct words.
        topics: ``B``, shape (k, d), exponentiated expectations.
        bound: ``C``, Frobenius norm that no contribution exceeds; infinite for none.
        start: first γ of every document, shape (N, k); uniform where None.

    Guarantee:
        Without ``start`` a contribution is a function of its document and ``topics`` alone, is entrywise
        non-negative and has norm at most ``bound`` up to rounding, whether or not the iteration has settled.
    """
    if counts.shape[0] == 0:
        return Statistic(np.zeros(topics.shape), 0, 0)
    words = np.ascontiguousarray(topics.T)

    def part(rows: slice) -> Callable[[Counts], Statistic]:
        return partial(_block, words, inference, bound, None if start is None else start[rows])

    return sum_over(counts, part, Statistic.plus, rows=ROWS)


@dataclass(frozen=True, slots=True, eq=False)
class _Contributions:
    """Of a block of documents: topic weights ``θ`` (n, k), ``c/Σ θB`` in the cells of the counts, and norms (n,)."""

    weights: Matrix
    ratios: csr_array[np.float64, tuple[int, int]]
    norms: Vector


def _block(words: Matrix, inference: Inference, bound: float, start: Matrix | None, counts: Counts) -> Statistic:
    total, clipped = np.zeros(words.shape), 0
    for which in _alike(counts):
        found = _contributions(counts[which], words, inference, None if start is None else start[which])
        over = found.norms > bound
        weights = found.weights
        if np.any(over):
            weights = weights * np.where(over, bound / np.where(over, found.norms, 1.0), 1.0)[:, None]
        total += np.asarray(found.ratios.T @ weights)
        clipped += int(np.count_nonzero(over))
    return Statistic(np.ascontiguousarray((total * words).T), counts.shape[0], clipped)


def _alike(counts: Counts) -> list[NDArray[np.intp]]:
    """Rows by padded width, which depends on a document's own words alone, so that its numbers do too."""
    widths = _padded_width(np.diff(counts.indptr))
    return [np.flatnonzero(widths == width) for width in np.unique(widths)]


def _padded_width(distinct: NDArray[np.integer]) -> NDArray[np.integer]:
    widths: NDArray[np.integer] = np.maximum(1, -(-distinct // STRIDE)) * STRIDE
    return widths


def _contributions(counts: Counts, words: Matrix, inference: Inference, start: Matrix | None) -> _Contributions:
    """Infer documents of one padded width."""
    distinct = np.diff(counts.indptr)
    n, width, k = counts.shape[0], int(_padded_width(distinct)[0]), words.shape[1]
    filled = np.arange(width) < distinct[:, None]
    columns = np.zeros((n, width), dtype=np.intp)
    columns[filled] = counts.indices
    padded = np.zeros((n, width))
    padded[filled] = counts.data
    if np.isfinite(inference.longest):
        padded *= np.minimum(1.0, inference.longest / np.maximum(padded.sum(axis=1), 1.0))[:, None]
    seen: Tensor3 = words[columns]
    weights = _settled_weights(padded, seen, inference, np.ones((n, k)) if start is None else start)
    ratios = padded / (_mixture(seen, weights) + SMALLEST)
    squares = _mixture(seen * seen, weights * weights)
    norms = np.sqrt(np.einsum("nw,nw,nw->n", ratios, ratios, squares))
    cells = csr_array((ratios[filled], counts.indices, counts.indptr), shape=counts.shape)
    return _Contributions(weights, cells, norms)


def _settled_weights(padded: Matrix, seen: Tensor3, inference: Inference, start: Matrix) -> Matrix:
    """``θ`` of every document when its γ has settled or its iterations are used up, shape (n, k).

    A settled document waits, unchanged, until enough others have settled for the arrays to be compressed: what it
    ends with does not depend on its neighbours.
    """
    result = np.empty_like(start)
    active, moving = np.arange(len(start)), np.ones(len(start), dtype=np.bool_)
    gamma, weights = start, exponentiated_expectation(start)
    for _ in range(inference.most_iterations):
        ratios = padded / (_mixture(seen, weights) + SMALLEST)
        updated = weights * np.matmul(ratios[:, None, :], seen)[:, 0, :] + inference.prior
        settled = np.abs(updated - gamma).mean(axis=1) < inference.tolerance
        gamma = np.where(moving[:, None], updated, gamma)
        weights = np.where(moving[:, None], exponentiated_expectation(updated), weights)
        moving &= ~settled
        n_moving = np.count_nonzero(moving)
        if n_moving < COMPRESS_BELOW * len(active):
            result[active[~moving]] = weights[~moving]
            active, padded, seen = active[moving], padded[moving], seen[moving]
            gamma, weights, moving = gamma[moving], weights[moving], moving[moving]
            if not n_moving:
                break
    result[active] = weights
    return result


def _mixture(seen: Tensor3, weights: Matrix) -> Matrix:
    """``Σ_k θ_k B_kv`` for every document and each of its words, shape (n, width)."""
    result: Matrix = np.matmul(seen, weights[:, :, None])[:, :, 0]
    return result
