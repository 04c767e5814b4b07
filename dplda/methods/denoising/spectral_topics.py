r"""Spectral topics after the run: known noise filtered out, then combined with the aspect model's.

All of it is post-processing of released averages. The mean words were released twice, directly and
as row sums of the pair average, perhaps a third time before; they are averaged by their noise and
shrunk. The noise in every cell of a topic is known to first order; cells are shrunk by it toward
the mean words.

Where documents do not follow the model, topics are more negative than noise explains: in a cell
that is truly non-negative, noise ``s`` makes :math:`E\min(z, 0)^2 ≤ s^2/2`. The excess is misfit,
seen in about half of the cells that have it. The aspect model
:math:`E_{vw} = \sum_{ij} R_{ij} A_{iv} A_{jw}` fits the same pair average, not only its leading
eigenvectors, by non-negative topics ``A`` and a joint distribution ``R`` of two words' topics, and
shares its noise. Its topics get the weight ``λ``, misfit over squared distance of the two
estimates, the best one if misfits are independent. On documents of the model misfit and ``λ`` are
0.
"""

import math
from dataclasses import replace
from functools import partial

import numpy as np

from dplda.core.engine import map_threads, row_blocks
from dplda.core.types import Matrix, Vector
from dplda.methods.denoising.empirical_bayes import fit_empirical_bayes
from dplda.methods.denoising.word_frequencies import NoisyWordCounts, inverse_variance_mean
from dplda.spectral.eigenpairs import leading_eigenpairs
from dplda.spectral.statistics import Averages
from dplda.spectral.topics import RawTopics, project_to_simplex, scale_to_unit_sum
from dplda.spectral.whitening import Whitening, noise_floor, shrink

OWN_TOPIC_WEIGHT = 0.8
"""Of a topic that the aspect model starts from; the rest is the mean, so that no cell is 0."""
MIN_WORD_SHARE = 1e-12  # in place of 0, for a word that no release shows and an empty topic
MIN_EXPECTED_PAIR = 1e-300  # of the aspect model, so that no observed pair is divided by 0
N_RANK_CUTS = 2  # rounds of {no negative pair, no rank beyond the topics}
N_BALANCING_ROUNDS = 20  # rounds of scaling to given word frequencies
N_EM_ROUNDS = 40
BLOCK = 1_000_000  # cells processed together by one thread


def denoise_topics(
    raw: RawTopics,
    whitening: Whitening,
    averages: Averages,
    word_frequencies: Vector,
    alpha0: float,
    n_topics: int,
) -> RawTopics:
    """Filter known noise from topics; without noise they are only projected, except for misfit.

    Every word keeps at least about ``MIN_WORD_SHARE`` of its frequency. Where some entries are
    negative beyond the noise, and all k topics are there, topics of an aspect model are mixed in;
    its fit starts between the topics and the word frequencies. Without any topic only the mean
    words are set.

    Args:
        raw: topics after unwhitening, m of them.
        whitening: whose unwhitener gave them.
        averages: released averages behind the whitening.
        word_frequencies: as ``estimate_word_frequencies`` gives them, shape (d,).
        alpha0: of the documents by their weights.
        n_topics: number ``k`` of topics asked for; the aspect model is used only if m = k.

    Returns:
        The same topics, rows on the simplex, with these mean words.
    """
    if not len(raw.words):
        return replace(raw, mean_words=word_frequencies)
    scaled_topics = scale_to_unit_sum(raw.words)
    noise_std = topic_noise_std(scaled_topics, whitening, averages, alpha0)
    expected_topics = np.broadcast_to(word_frequencies, scaled_topics.shape)
    posterior = fit_empirical_bayes(scaled_topics, noise_std, expected_topics)
    positive_means = posterior.mean + MIN_WORD_SHARE * word_frequencies
    topics = project_to_simplex(
        positive_means / np.minimum(1.0, positive_means.sum(axis=1, keepdims=True))
    )
    misfit_of_topics = 2 * np.sum(np.minimum(scaled_topics, 0.0) ** 2 - noise_std**2 / 2, axis=1)
    if len(topics) == n_topics and np.any(misfit_of_topics > 0):
        aspect_topics = _fit_aspect_model(
            averages.pairs / averages.mass,
            averages.noise_level(),
            word_frequencies,
            OWN_TOPIC_WEIGHT * topics + (1 - OWN_TOPIC_WEIGHT) * word_frequencies,
            alpha0=alpha0,
        )
        aspect_weight = _aspect_weight(misfit_of_topics, topics, aspect_topics)
        topics = topics + aspect_weight * (aspect_topics - topics)
    return replace(raw, words=topics, mean_words=word_frequencies)


def estimate_word_frequencies(
    averages: Averages, word_counts: NoisyWordCounts | None = None
) -> Vector:
    """Estimate word frequencies from every release of words or pairs.

    Without noise on pairs the word average alone counts.

    Args:
        averages: released averages of words and pairs; row sums of pairs are word frequencies too.
        word_counts: released before them; None without.

    Returns:
        Shape (d,), on the simplex, above 0.
    """
    d = len(averages.words)
    frequencies_by_words = averages.words / averages.mass
    frequencies_by_pairs = np.sum(averages.pairs, axis=1) / averages.mass
    if not averages.entry_noise:
        positive_frequencies = (
            project_to_simplex(scale_to_unit_sum(frequencies_by_words[None, :]))[0]
            + MIN_WORD_SHARE / d
        )
        return np.asarray(positive_frequencies / np.sum(positive_frequencies))
    noise_by_pairs = averages.noise_level() * math.sqrt(d + 3)  # a diagonal entry counts four times
    estimate = inverse_variance_mean(
        NoisyWordCounts(frequencies_by_words, averages.word_noise / averages.mass),
        NoisyWordCounts(frequencies_by_pairs, noise_by_pairs),
    )
    if word_counts is not None:
        estimate = inverse_variance_mean(word_counts, estimate)
    return estimate.word_frequencies


def topic_noise_std(
    topics: Matrix, whitening: Whitening, averages: Averages, alpha0: float
) -> Matrix:
    """Standard deviation of known noise in every cell beyond the topics' plane, to first order.

    Noise ``G`` on the pair average moves a topic by :math:`P_⊥ G M_2^† μ`, noise ``n`` on the word
    average by :math:`-α_0 P_⊥ n`. Within the plane noise moves all words of a topic together
    (tensor noise does nothing else), and shrinking single cells cannot remove it.

    Args:
        topics: rows that sum to one, shape (m, d).
        whitening: whose unwhitener gave them.
        averages: released averages behind the whitening.
        alpha0: of the documents by their weights.

    Returns:
        Shape (m, d).
    """
    M2_inverse_topics = (topics @ whitening.whitener) @ whitening.whitener.T
    leverage_of_words = np.sum(whitening.unwhitener**2 / whitening.kept, axis=1)
    squared_norms = np.sum(M2_inverse_topics**2, axis=1, keepdims=True)
    pair_factors = squared_norms + 3 * M2_inverse_topics**2
    word_noise = alpha0 * averages.word_noise / averages.mass
    variances_of_cells = averages.noise_level() ** 2 * pair_factors + word_noise**2
    return np.asarray(np.sqrt(variances_of_cells * np.maximum(1 - leverage_of_words, 0)))


def _aspect_weight(misfit: Vector, topics: Matrix, aspect_topics: Matrix) -> float:
    """``λ`` in [0, 1], total misfit over total squared distance of the two kinds of topics.

    There is one for all topics. Both sums divide a topic's part by its squared length.
    ``λ`` is 0 if both kinds are equal.
    ``misfit``: of every topic, shape (k,); at most its squared distance counts.
    """
    squared_distances = np.sum((aspect_topics - topics) ** 2, axis=1)
    squared_lengths = np.sum(topics**2, axis=1)
    total_distance = float(np.sum(squared_distances / squared_lengths))
    if total_distance <= 0:
        return 0.0
    total_misfit = float(np.sum(np.minimum(misfit, squared_distances) / squared_lengths))
    return max(0.0, total_misfit) / total_distance


def _fit_aspect_model(
    pairs: Matrix,
    entry_noise: float,
    word_frequencies: Vector,
    initial_topics: Matrix,
    *,
    alpha0: float,
) -> Matrix:
    """Fit the aspect model to a noisy ``E2`` by EM: topics, shape (k, d), rows on the simplex.

    Known noise is removed from the pairs first, and they are scaled to the word frequencies.
    ``entry_noise``: standard deviation on one off-diagonal entry; ``initial_topics``: above 0.
    ``R`` starts from a symmetric Dirichlet's pairs of topics.
    """
    d = pairs.shape[0]
    k = len(initial_topics)
    pair_distribution = _low_rank_pairs(pairs, k, entry_noise)
    _scale_to_frequencies(pair_distribution, word_frequencies)
    topics = initial_topics
    topic_pair_shares = (np.eye(k) + alpha0 / k) / (k * (1 + alpha0))
    blocks = list(row_blocks(d, max(1, BLOCK // d)))
    for _ in range(N_EM_ROUNDS):
        ratio_sums_of_blocks = map_threads(
            partial(_em_sums, pair_distribution, topics, topic_pair_shares), blocks
        )
        ratio_sums = sum(ratio_sums_of_blocks, start=np.zeros_like(topics))
        new_topics = topics * (topic_pair_shares @ ratio_sums)
        topic_pair_shares = topic_pair_shares * (ratio_sums @ topics.T)
        topic_pair_shares = (topic_pair_shares + topic_pair_shares.T) / (
            2 * np.sum(topic_pair_shares)
        )
        topics = new_topics / np.sum(new_topics, axis=1, keepdims=True)
    return topics


def _low_rank_pairs(pairs: Matrix, k: int, entry_noise: float) -> Matrix:
    """Remove known noise from pairs: a non-negative matrix of about low rank, shape (d, d).

    Keeps eigenvalues above the noise, shrunk, at most k and at least one; then cuts at 0 and to
    that rank in turn.
    """
    d = pairs.shape[0]
    eigenvalues, eigenvectors = leading_eigenpairs(pairs, k)
    rank = max(1, int(np.sum(eigenvalues > noise_floor(d, entry_noise))))
    kept_vectors = eigenvectors[:, :rank]
    cleaned_pairs = (kept_vectors * shrink(eigenvalues[:rank], d, entry_noise)) @ kept_vectors.T
    for _ in range(N_RANK_CUTS):
        eigenvalues, eigenvectors = leading_eigenpairs(
            np.maximum(cleaned_pairs, 0, out=cleaned_pairs), rank
        )
        np.matmul(eigenvectors * eigenvalues, eigenvectors.T, out=cleaned_pairs)
    return np.maximum(cleaned_pairs, 0, out=cleaned_pairs)


def _scale_to_frequencies(pair_distribution: Matrix, word_frequencies: Vector) -> None:
    """Scale a matrix in place, symmetrically, toward row sums equal to the word frequencies."""
    smallest_row_sums = 1e-9 * word_frequencies  # a word whose pairs were all cut away stays rare
    row_sums = pair_distribution.sum(axis=1)
    word_scales = np.sqrt(word_frequencies / np.maximum(row_sums, smallest_row_sums))
    for _ in range(N_BALANCING_ROUNDS):
        scaled_row_sums = np.maximum(pair_distribution @ word_scales, smallest_row_sums)
        word_scales = np.sqrt(word_scales * word_frequencies / scaled_row_sums)
    pair_distribution *= word_scales[:, None]
    pair_distribution *= word_scales


def _em_sums(pair_distribution: Matrix, topics: Matrix, joint: Matrix, rows: slice) -> Matrix:
    """Part of some rows in an EM step: topics times observed over expected pairs, shape (k, d)."""
    ratios = (topics[:, rows].T @ joint) @ topics
    np.maximum(ratios, MIN_EXPECTED_PAIR, out=ratios)
    np.divide(pair_distribution[rows], ratios, out=ratios)
    return np.asarray(topics[:, rows] @ ratios)
