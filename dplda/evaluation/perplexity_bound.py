r"""Upper bound on the perplexity of whole documents, by variational inference with fixed topics.

Papers on variational inference report it: each held-out document's topic shares are inferred from
all of its words, and the same words are scored. ``perplexity.completion`` scores one half of a
document by the other instead; the two are on different scales.
"""

import numpy as np
from scipy.sparse import csr_array
from scipy.special import gammaln, psi

from dplda.core import checks
from dplda.core.engine import CHUNK_ROWS, row_blocks
from dplda.core.errors import CorpusError, InputError
from dplda.core.types import Counts, Matrix, Vector

N_ROUNDS = 200  # rounds of inference on a block of documents, at most
TOLERANCE = 1e-4  # mean change of γ, in words, below which inference stops
MIN_ALPHA = 1e-6  # smallest parameter of a topic: the bound needs it above 0


def bound_perplexity(topics: Matrix, alpha: Vector, documents: Counts) -> float:
    r"""Bound the perplexity of documents, :math:`\exp(-\sum_d L_d / \text{tokens})`.

    Args:
        topics: ``μ``, shape (k, d), rows on the simplex; a word of probability 0 in every topic
            makes the bound infinite.
        alpha: ``α`` of the Dirichlet distribution of topic shares, shape (k,), at least 0; smaller
            parameters than 1e-6 count as that.
        documents: word counts, shape (N, d).

    Returns:
        An upper bound on the perplexity of the model with these topics.

    Guarantee:
        :math:`L_d = \sum_v c_v \log\sum_i e^{ψ(γ_i) - ψ(\sum γ)} μ_{iv} - KL(q(θ) ‖ p(θ))` with
        :math:`q = \mathrm{Dir}(γ)` is at most the log-likelihood of a document, for every γ.

    Raises:
        InputError: the shapes do not fit, or a topic holds a number that is not finite.
        CorpusError: no document has a word.
    """
    n_documents, d = documents.shape
    has_table_shape = topics.ndim == 2 and topics.shape[1] == d
    if not has_table_shape or alpha.shape != topics.shape[:1]:
        requirement = f"of shapes (k, {d}) and (k,)"
        raise InputError("topics and alpha", requirement, f"{topics.shape} and {alpha.shape}")
    checks.finite("topics", topics)
    n_tokens = int(documents.sum(dtype=np.int64))
    if not n_tokens:
        raise CorpusError("The documents have no words", "Hold out more documents.")
    positive_alpha = np.maximum(alpha, MIN_ALPHA)
    topics_by_word = np.ascontiguousarray(topics.T)
    sum_of_bounds = 0.0
    for block_rows in row_blocks(n_documents, CHUNK_ROWS):
        block = documents[block_rows]
        sum_of_bounds += _bound_of_block(block, topics_by_word, positive_alpha)
    return float(np.exp(-sum_of_bounds / n_tokens))


def _bound_of_block(block: Counts, topics_by_word: Matrix, prior: Vector) -> float:
    """Sum of ``L_d`` over a block of documents, in nats, after inference of their γ.

    −∞ if a word that occurs has probability 0 in every topic.

    Args:
        block: word counts.
        topics_by_word: shape (d, k).
        prior: α, shape (k,), above 0.
    """
    n_documents = block.shape[0]
    k = len(prior)
    entries_per_document = np.diff(block.indptr)
    document_of_entry = np.repeat(np.arange(n_documents), entries_per_document)
    topics_of_entry = topics_by_word[block.indices]
    entry_counts = block.data.astype(np.float64)

    def word_probabilities(shares: Matrix) -> Vector:
        """``Σ_i θ_i μ_iw`` of every entry, for shares ``θ`` that need not sum to 1."""
        shares_of_entry = shares[document_of_entry]
        return np.asarray(np.einsum("nk,nk->n", shares_of_entry, topics_of_entry))

    lengths: Vector = block.sum(axis=1)
    gamma = prior + lengths[:, None] / k
    for _ in range(N_ROUNDS):
        expected_shares = _expected_shares(gamma)
        probabilities = word_probabilities(expected_shares)
        zeros = np.zeros_like(entry_counts)
        ratios = np.divide(entry_counts, probabilities, where=probabilities > 0, out=zeros)
        ratios_of_words = csr_array((ratios, block.indices, block.indptr), shape=block.shape)
        slope = ratios_of_words @ topics_by_word
        new_gamma = prior + expected_shares * slope
        change = float(np.mean(np.abs(new_gamma - gamma)))
        gamma = new_gamma
        if change < TOLERANCE:
            break
    probabilities = word_probabilities(_expected_shares(gamma))
    with np.errstate(divide="ignore"):
        log_probabilities = np.log(probabilities)
    log_likelihood_bound = float(entry_counts @ log_probabilities)
    return log_likelihood_bound - _divergence_from_prior(gamma, prior)


def _expected_logs(gamma: Matrix) -> Matrix:
    r""":math:`E[\log θ_i] = ψ(γ_i) - ψ(\sum γ)` of every document, shape (N, k)."""
    gamma_sums = gamma.sum(axis=1, keepdims=True)
    return np.asarray(psi(gamma) - psi(gamma_sums))


def _expected_shares(gamma: Matrix) -> Matrix:
    r""":math:`e^{ψ(γ_i) - ψ(\sum γ)}` of every document, shape (N, k)."""
    return np.asarray(np.exp(_expected_logs(gamma)))


def _divergence_from_prior(gamma: Matrix, prior: Vector) -> float:
    """Sum of ``KL(Dir(γ) ‖ Dir(α))`` over documents."""
    log_of_sums = gammaln(gamma.sum(axis=1))
    sums_of_logs = np.sum(gammaln(gamma), axis=1)
    log_normalizers = log_of_sums - sums_of_logs
    prior_normalizer = float(gammaln(prior.sum()) - np.sum(gammaln(prior)))
    weighted_logs = (gamma - prior) * _expected_logs(gamma)
    divergences = log_normalizers - prior_normalizer + np.sum(weighted_logs, axis=1)
    return float(np.sum(divergences))
