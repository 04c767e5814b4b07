r"""Spectral topics after the run: known noise filtered out, then combined with the aspect model's.

All of it is post-processing of released averages. The mean words were released twice, directly and as row sums of the
pair average, perhaps a third time before; readings are averaged by their noise and shrunk. The noise in every cell of a
topic is known to first order; cells are shrunk by it toward the mean words.

Where documents do not follow the model, topics are more negative than noise explains: in a cell that is truly
non-negative, noise ``s`` makes :math:`E\min(z, 0)^2 ≤ s^2/2`. The excess is misfit, seen in about half of the cells
that have it. The aspect model :math:`E_{vw} = \sum_{ij} R_{ij} A_{iv} A_{jw}` fits the same pair average, not only its
leading eigenvectors, by non-negative topics ``A`` and a joint distribution ``R`` of two words' topics, and shares its
noise. Its topics get the weight ``λ``, misfit over squared distance of the two readings, the best one if misfits are
independent. On documents of the model misfit and ``λ`` are 0.
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
from dplda.spectral.topics import RawTopics, project_to_simplex, unit_sum
from dplda.spectral.whitening import Whitening, noise_floor, shrink

OWN_TOPIC_WEIGHT = 0.8  # of a topic that the aspect model starts from; the rest is the mean, so that no word has probability 0
MIN_WORD_SHARE = 1e-12  # in place of 0, for a word that no release shows and an empty topic
N_RANK_CUTS = 2  # rounds of {no negative pair, no rank beyond the topics}
N_BALANCING_ROUNDS = 20  # rounds of scaling to given word frequencies
N_EM_ROUNDS = 40
BLOCK = 1_000_000  # cells processed together by one thread


def denoise_topics(
    raw: RawTopics,
    whitening: Whitening,
    averages: Averages,
    mean: Vector,
    alpha0: float,
    n_topics: int,
) -> RawTopics:
    """The same topics without known noise, rows on the simplex; without noise only projected, except for misfit.

    ``mean`` is that of ``mean_words``; the aspect model is used only if all ``k = n_topics`` are given.
    """
    if not len(raw.words):
        return replace(raw, mean_words=mean)
    cells = unit_sum(raw.words)
    noise = topic_noise_std(cells, whitening, averages, alpha0)
    likely = (
        fit_empirical_bayes(cells, noise, np.broadcast_to(mean, cells.shape)).mean
        + MIN_WORD_SHARE * mean
    )
    words = project_to_simplex(likely / np.minimum(1.0, likely.sum(axis=1, keepdims=True)))
    misfit = 2 * np.sum(np.minimum(cells, 0.0) ** 2 - noise**2 / 2, axis=1)
    if len(words) == n_topics and np.any(misfit > 0):
        start = OWN_TOPIC_WEIGHT * words + (1 - OWN_TOPIC_WEIGHT) * mean
        pairs, level = averages.pairs / averages.mass, averages.noise_level()
        fitted = _fit_aspect_model(pairs, level, mean, start, alpha0=alpha0)
        words = words + _aspect_weight(misfit, words, fitted) * (fitted - words)
    return replace(raw, words=words, mean_words=mean)


def estimate_word_frequencies(averages: Averages, first: NoisyWordCounts | None = None) -> Vector:
    """Word frequencies from every release of words or pairs (by row sums), shape (d,), on the simplex, > 0."""
    d = len(averages.words)
    words, rows = averages.words / averages.mass, np.sum(averages.pairs, axis=1) / averages.mass
    if not averages.entry_noise:
        positive = project_to_simplex(unit_sum(words[None, :]))[0] + MIN_WORD_SHARE / d
        return np.asarray(positive / np.sum(positive))
    summed = averages.noise_level() * math.sqrt(
        d + 3
    )  # a diagonal entry has four times the variance
    both = inverse_variance_mean(
        NoisyWordCounts(words, averages.word_noise / averages.mass), NoisyWordCounts(rows, summed)
    )
    return (both if first is None else inverse_variance_mean(first, both)).word_frequencies


def topic_noise_std(
    topics: Matrix, whitening: Whitening, averages: Averages, alpha0: float
) -> Matrix:
    """Standard deviation of known noise in every cell beyond the topics' plane, to first order, shape (m, d).

    Noise ``G`` on the pair average moves a topic by :math:`P_⊥ G M_2^† μ`, noise ``n`` on the word average by
    :math:`-α_0 P_⊥ n`. Within the plane noise moves all words of a topic together (tensor noise does nothing else), and
    shrinking single cells cannot remove it. ``topics`` have rows that sum to one, shape (m, d).
    """
    pulls = (topics @ whitening.whitener) @ whitening.whitener.T
    leverage = np.sum(whitening.unwhitener**2 / whitening.kept, axis=1)
    squares = np.sum(pulls**2, axis=1, keepdims=True) + 3 * pulls**2
    by_words = alpha0 * averages.word_noise / averages.mass
    variance = (averages.noise_level() ** 2 * squares + by_words**2) * np.maximum(1 - leverage, 0)
    return np.asarray(np.sqrt(variance))


def _aspect_weight(misfit: Vector, words: Matrix, fitted: Matrix) -> float:
    """``λ`` in [0, 1] for all topics, weighted by size; a topic's misfit is at most its distance."""
    apart, size = np.sum((fitted - words) ** 2, axis=1), np.sum(words**2, axis=1)
    distance = float(np.sum(apart / size))
    return (
        max(0.0, float(np.sum(np.minimum(misfit, apart) / size))) / distance
        if distance > 0
        else 0.0
    )


def _fit_aspect_model(
    pairs: Matrix, entry_noise: float, mean_words: Vector, start: Matrix, *, alpha0: float
) -> Matrix:
    """Topics of the aspect model of a noisy ``E2``, from a ``start`` above 0; row sums are scaled to ``mean_words``.

    ``entry_noise`` is the deviation of one off-diagonal entry; ``R`` starts from a symmetric Dirichlet's pairs.
    """
    d, k = pairs.shape[0], len(start)
    values, vectors = leading_eigenpairs(pairs, k)
    m = max(1, int(np.sum(values > noise_floor(d, entry_noise))))
    law = (vectors[:, :m] * shrink(values[:m], d, entry_noise)) @ vectors[:, :m].T
    for _ in range(N_RANK_CUTS):
        values, vectors = leading_eigenpairs(np.maximum(law, 0, out=law), m)
        np.matmul(vectors * values, vectors.T, out=law)
    _balance(np.maximum(law, 0, out=law), mean_words)
    joint = (np.eye(k) + alpha0 / k) / (k * (1 + alpha0))
    topics, blocks = start, list(row_blocks(d, max(1, BLOCK // d)))
    for _ in range(N_EM_ROUNDS):
        seen = sum(
            map_threads(partial(_pulled, law, topics, joint), blocks), start=np.zeros_like(topics)
        )
        grown = topics * (joint @ seen)
        joint = joint * (seen @ topics.T)
        joint = (joint + joint.T) / (2 * np.sum(joint))
        topics = grown / np.sum(grown, axis=1, keepdims=True)
    return topics


def _balance(law: Matrix, mean_words: Vector) -> None:
    """Scales the matrix symmetrically toward row sums equal to the word frequencies."""
    least = 1e-9 * mean_words  # a word whose pairs were all cut away stays rare
    scales = np.sqrt(mean_words / np.maximum(law.sum(axis=1), least))
    for _ in range(N_BALANCING_ROUNDS):
        scales = np.sqrt(scales * mean_words / np.maximum(law @ scales, least))
    law *= scales[:, None]
    law *= scales


def _pulled(law: Matrix, topics: Matrix, joint: Matrix, rows: slice) -> Matrix:
    expected = (topics[:, rows].T @ joint) @ topics
    np.divide(law[rows], np.maximum(expected, 1e-300, out=expected), out=expected)
    return np.asarray(topics[:, rows] @ expected)
