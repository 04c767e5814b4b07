r"""The variational E-step: topics as a Dirichlet posterior has them, and scikit-learn's rounds of inference.

With :math:`B_{kv} = e^{⟨\log β_{kv}⟩}` in place of topics, documents contribute as in ``refined.documents``, but
each stops when its γ has settled: the numbers of scikit-learn's loop over documents, to float32.
"""

import numpy as np
from scipy.special import psi

from dplda.core.types import Matrix, Single
from dplda.methods.refined.constants import MIN_TOPIC_WEIGHT
from dplda.methods.refined.document_blocks import exp_digamma, gather_columns

COMPRESS_BELOW = 0.7  # fraction still iterating at which settled ones are removed


def exponentiated_expectation(parameters: Matrix) -> Matrix:
    r""":math:`e^{⟨\log x⟩}` of Dirichlet rows, same shape, every entry in (0, 1)."""
    return np.asarray(np.exp(psi(parameters) - psi(parameters.sum(axis=1, keepdims=True))))


def until_settled(
    seen: Single,
    counts: Single,
    added: Single,
    gamma: Single,
    *,
    tolerance: float,
    most_iterations: int,
) -> Single:
    """``γ`` of every document once it moves by less than a mean ``tolerance``, whatever its neighbors, shape (n, k)."""
    n, k = gamma.shape
    result, active, least = (
        gamma.copy(),
        np.arange(n),
        np.maximum(added := added[:1], MIN_TOPIC_WEIGHT),
    )
    moving = np.sum(np.abs(gamma - 1), axis=1) >= tolerance * k
    for _ in range(1, most_iterations):
        if np.count_nonzero(moving) < COMPRESS_BELOW * len(active):
            result[active] = gamma
            active, counts, gamma = active[moving], counts[moving], gamma[moving]
            seen = gather_columns(seen.swapaxes(0, 1), np.flatnonzero(moving))
            moving = moving[moving]
            if not len(active):
                break
        shares = exp_digamma(np.maximum(gamma, least))
        ratios = np.vecmat(shares, seen)
        np.divide(counts, ratios, out=ratios)
        found = np.matvec(seen, ratios)
        found *= shares
        found += added
        settled = np.sum(np.abs(found - gamma), axis=1) < tolerance * k
        np.copyto(gamma, found, where=moving[:, None])
        moving &= ~settled
    result[active] = gamma
    return result
