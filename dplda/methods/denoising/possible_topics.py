r"""Topics that the noise leaves possible: how often a word stays among a topic's first ones.

A released topic has for each word a probability m, which known noise was filtered out of, and the
ends of an interval about the reading u before that. Both give back u and the standard deviation s
of its error. Readings and errors have a posterior (``empirical_bayes``), relative to the word
frequencies of all documents and with a prior that is learned from the topic itself. Twenty topics
are drawn from it, scaled so that a word's mean is its released probability, whose prior was learned
from all topics. Then a word's place among the first is counted. Words are ranked by their own
scores, which add a constant to the logarithm of the probability.

An interval of a word that leads a topic holds the truth too rarely, because it leads by its noise,
too. A posterior takes that into account. Everything is computed from released values, so it is
post-processing.
"""

import hashlib

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls
from scipy.special import ndtri

from dplda.core.bounded_cache import BoundedCache
from dplda.core.types import Matrix, Vector
from dplda.methods.denoising.empirical_bayes import fit_empirical_bayes
from dplda.methods.denoising.word_frequencies import NoisyWordCounts

N_POSSIBLE_TOPICS = 20
N_FIRST_WORDS = 10
INTERVAL_DEVIATIONS = float(ndtri(0.95))  # from the reading to an end of an interval at level 0.9
MIN_WORDS_OF_FIT = 5  # whole intervals from which others' errors are fitted
TINY = 1e-12  # a probability that counts as none
CACHE_BYTES = 8_000_000
SEED = 0  # public: released values are drawn about

_COUNTS: BoundedCache[NDArray[np.intp]] = BoundedCache(CACHE_BYTES)


def count_stays(
    topics: Matrix, scores: Matrix, lower: Matrix, upper: Matrix, word_frequencies: Vector
) -> NDArray[np.intp]:
    """Number of twenty possible topics in which each word is among the first ten, shape (k, d).

    A topic's numbers depend on that topic alone, not on the others. Draws have a fixed seed. A
    word that is not shown, or of probability 0, has the number 0. In a topic of ten shown words or
    fewer, each has twenty.

    Args:
        topics: released topics, (k, d), rows on the simplex.
        scores: by which their words are ranked (``choose_words``), (k, d); minus infinity for words
            that are not shown.
        lower: lower ends of intervals at level 0.9, (k, d).
        upper: upper ends, (k, d).
        word_frequencies: of all documents, (d,).
    """
    counts_by_topic = [
        _count_once(*topic_vectors, word_frequencies)
        for topic_vectors in zip(topics, scores, lower, upper, strict=True)
    ]
    return np.array(counts_by_topic, dtype=np.intp).reshape(topics.shape)


def _count_once(*vectors: Vector) -> NDArray[np.intp]:
    """Counts of one topic; the last ones are kept, as pages draw them again and again.

    Args:
        vectors: arguments of ``_count_in_topic``, in its order.
    """
    digest = hashlib.sha256()
    for vector in vectors:
        digest.update(np.ascontiguousarray(vector).data)
    return _COUNTS.made(
        (digest.digest(), len(vectors[0])),
        lambda: _count_in_topic(*vectors),
        lambda counts: counts.nbytes,
    )


def _count_in_topic(
    topic: Vector, scores: Vector, lower: Vector, upper: Vector, word_frequencies: Vector
) -> NDArray[np.intp]:
    """Number of draws in which each word of one topic is among the first ten, shape (d,).

    Words without a finite score or of probability 0 never are. Of ten words or fewer, each always
    is.

    Args:
        topic: as released, (d,), on the simplex.
        scores: relevance of each word, (d,), by which words are ranked.
        lower: lower ends of the words' intervals, (d,).
        upper: upper ends, (d,).
        word_frequencies: of all documents, (d,).
    """
    n_draws_of_word = np.zeros(len(topic), dtype=np.intp)
    is_ranked = np.isfinite(scores) & (topic > 0)
    if np.sum(is_ranked) <= N_FIRST_WORDS:
        n_draws_of_word[is_ranked] = N_POSSIBLE_TOPICS
        return n_draws_of_word
    draws = _draw_topics(topic, lower, upper, word_frequencies)[:, is_ranked]
    log_score_factors = scores[is_ranked] - np.log(topic[is_ranked])
    with np.errstate(divide="ignore"):  # a draw of 0 ranks last
        drawn_scores = np.log(draws) + log_score_factors
    tenth_scores = np.partition(drawn_scores, -N_FIRST_WORDS, axis=1)[:, [-N_FIRST_WORDS]]
    is_first = (drawn_scores >= tenth_scores) & (draws > 0)
    n_draws_of_word[is_ranked] = np.sum(is_first, axis=0)
    return n_draws_of_word


def _draw_topics(topic: Vector, lower: Vector, upper: Vector, word_frequencies: Vector) -> Matrix:
    """Draw twenty topics that the noise leaves possible, (20, d); rows need not sum to 1.

    A word's noisy value is read from its interval: its middle, or its upper end less 1.6 errors if
    it was cut. Draws are scaled so that their mean is the released topic. The seed is fixed.
    """
    is_whole = _is_whole(topic, lower, upper)
    error_std = _error_std(topic, lower, upper, is_whole, word_frequencies)
    readings = np.where(is_whole, (lower + upper) / 2, upper - INTERVAL_DEVIATIONS * error_std)
    posterior = fit_empirical_bayes(readings, error_std, np.maximum(word_frequencies, TINY))
    draws = posterior.draw(N_POSSIBLE_TOPICS, np.random.default_rng(SEED))
    return draws * (topic / np.maximum(posterior.mean, TINY))


def _is_whole(topic: Vector, lower: Vector, upper: Vector) -> NDArray[np.bool_]:
    """Whether an interval was neither cut at 0 or 1 nor stretched to hold the topic."""
    return np.asarray((lower > 0) & (lower < topic) & (upper > topic) & (upper < 1))


def _error_std(
    topic: Vector,
    lower: Vector,
    upper: Vector,
    is_whole: NDArray[np.bool_],
    word_frequencies: Vector,
) -> Vector:
    """Standard deviation of each reading's error, shape (d,).

    Half a whole interval says it. Of others it is fitted as error bars are smoothed: squared errors
    are a sum of the noise's variance, which grows with the root of a word's frequency, of the
    probabilities, and of a constant. Where hardly any interval is whole, upper ends are fitted: one
    of a word that a topic does not have is ``1.6 s`` plus an error of the reading. No value is less
    than half its interval.

    Args:
        topic: as released, (d,).
        lower: lower ends of the words' intervals, (d,).
        upper: upper ends, (d,).
        is_whole: mask of the words whose interval was not cut at 0 or 1, (d,).
        word_frequencies: of all documents, (d,).
    """
    half_widths = (upper - lower) / (2 * INTERVAL_DEVIATIONS)
    noise_shape = 1 / NoisyWordCounts(word_frequencies, 0.0).word_weights ** 2
    variance_shapes = np.stack(
        [noise_shape, topic * np.sum(noise_shape), np.full(len(topic), np.mean(noise_shape))],
        axis=1,
    )
    if np.sum(is_whole) >= MIN_WORDS_OF_FIT:
        is_in_fit = is_whole
        variances = half_widths**2
    else:
        is_in_fit = np.full(len(topic), True)
        variances = (upper - topic) ** 2 / (INTERVAL_DEVIATIONS**2 + 1)
    fit_weights = 1 / np.sum(variance_shapes[is_in_fit], axis=1)
    coefficients, _ = nnls(
        variance_shapes[is_in_fit] * fit_weights[:, None],
        variances[is_in_fit] * fit_weights,
    )
    fitted_std = np.sqrt(np.maximum(variance_shapes @ coefficients, TINY**2))
    return np.where(is_whole, half_widths, np.maximum(fitted_std, half_widths))
