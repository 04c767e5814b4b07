r"""The variational E-step over many documents at once, and each document's part of the statistic.

For a document with counts c and exponentiated expectations :math:`B_{kv} = e^{⟨\log β_{kv}⟩}` the responsibilities are
:math:`φ_{vk} = θ_k B_{kv} / \sum_j θ_j B_{jv}` with :math:`θ = e^{⟨\log θ⟩}`, and :math:`γ_k = α + \sum_v c_v φ_{vk}`;
the document's contribution is the k×d matrix :math:`c_v φ_{vk}`, entrywise non-negative.

Documents of one padded width iterate together until each has settled: the numbers of scikit-learn's loop over documents
in less than a third of its time.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array
from scipy.special import psi

from dplda.core.engine import sum_over
from dplda.core.types import Counts, Matrix, Tensor3, Vector
from dplda.methods.variational.padded import alike, exp_digamma, factors, gathered, laid_out, placed, row_sums

ROWS = 4096  # documents in a block; those of one width iterate together, and larger blocks have fewer groups
FINE = 32  # longest documents that are padded to a multiple of 8
CELLS = 1 << 18  # numbers in their largest array: two megabytes, for the processor's cache
COMPRESS_BELOW = 0.7  # fraction still iterating at which settled ones are removed
SMALLEST = float(np.finfo(np.float64).eps)  # added to Σ θB, as scikit-learn does


@dataclass(frozen=True, slots=True)
class Inference:
    """Settings of inference: ``prior`` α > 0 of every topic; longer documents are scaled down to ``longest`` words."""

    prior: float
    tolerance: float
    most_iterations: int
    longest: float = np.inf


@dataclass(frozen=True, slots=True, eq=False)
class Statistic:
    """The documents' summed contributions; ``total`` has shape (k, d), after clipping, in words."""

    total: Matrix
    documents: int
    clipped: int

    def plus(self, other: "Statistic") -> "Statistic":
        """The sum, in the memory of this one."""
        total = self.total
        total += other.total
        return Statistic(total, self.documents + other.documents, self.clipped + other.clipped)


def exponentiated_expectation(parameters: Matrix) -> Matrix:
    r""":math:`e^{⟨\log x⟩}` of Dirichlet rows, same shape, every entry in (0, 1)."""
    result: Matrix = np.exp(psi(parameters) - psi(parameters.sum(axis=1, keepdims=True)))
    return result


def statistic(counts: Counts, topics: Matrix, inference: Inference, *, bound: float = np.inf) -> Statistic:
    """The sum of the documents' contributions, each scaled down to a norm.

    Args:
        counts: shape (N, d); fastest if neighboring rows have about as many distinct words.
        topics: ``B``, shape (k, d), exponentiated expectations.
        inference: its settings.
        bound: ``C``, largest Frobenius norm of a contribution; infinite for none.

    Guarantee:
        A contribution is a function of its document and ``topics`` alone, is entrywise non-negative and has norm at
        most ``bound`` up to rounding, whether or not the iteration has settled.
    """
    if counts.shape[0] == 0:
        return Statistic(np.zeros(topics.shape), 0, 0)
    words = np.ascontiguousarray(topics.T)
    return sum_over(counts, lambda rows: partial(_block, words, inference, bound), Statistic.plus, rows=ROWS)


def _block(words: Matrix, inference: Inference, bound: float, counts: Counts) -> Statistic:
    total, clipped = np.zeros(words.shape), 0
    for width, which in alike(counts, CELLS // words.shape[1], FINE):
        laid = laid_out(counts, which, width, inference.longest)
        places, weights, norms = _contributions(*laid, words, inference)
        total += np.asarray(places @ (weights * factors(norms, bound)[:, None]))
        clipped += int(np.count_nonzero(norms > bound))
    return Statistic(np.ascontiguousarray((total * words).T), counts.shape[0], clipped)


def _contributions(
    words: NDArray[np.int32], padded: Matrix, by_word: Matrix, inference: Inference
) -> tuple[csc_array[np.float64], Matrix, Vector]:
    """For documents of one width: ``c/Σ θB`` at their words (d, n), topic weights ``θ`` (n, k), and norms (n,)."""
    seen = gathered(by_word, words)
    weights = _settled_weights(padded, seen, inference)
    ratios = padded / (np.vecmat(weights, seen) + SMALLEST)
    seen *= seen
    norms = np.sqrt(np.vecdot(ratios * ratios, np.vecmat(weights * weights, seen)))
    return placed(words, ratios, len(by_word)), weights, norms


def _settled_weights(padded: Matrix, seen: Tensor3, inference: Inference) -> Matrix:
    """``θ`` of every document once γ has settled or iterations are used up, shape (n, k), whatever its neighbors."""
    n, k, _ = seen.shape
    result, active, moving = np.empty((n, k)), np.arange(n), np.ones(n, dtype=np.bool_)
    gamma = np.ones((n, k))
    weights = exp_digamma(gamma)
    for _ in range(inference.most_iterations):
        ratios = np.vecmat(weights, seen)
        ratios += SMALLEST
        np.divide(padded, ratios, out=ratios)
        updated = weights * np.matvec(seen, ratios) + inference.prior
        settled = row_sums(np.abs(updated - gamma)) < inference.tolerance * k
        gamma = updated
        np.copyto(weights, exp_digamma(gamma), where=moving[:, None])
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
