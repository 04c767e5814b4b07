"""What the predictor knows of a corpus: lengths and angles of its topics, and norms of typical documents.

Built once, in time O(d k²) and from a few thousand typical documents; every prediction after that costs milliseconds
whatever N and d are, because words that a topic treats alike are kept in groups.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, vstack

from dplda.core import checks
from dplda.core.types import Counts, Matrix, Tensor3, Vector
from dplda.methods.full_batch_vi.documents import Documents
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.documents import Lengths, lengths, pair_norms, triple_norm_bounds
from dplda.spectral.population import Population
from dplda.spectral.statistics import shifted
from dplda.theory.prediction import sampling
from dplda.theory.theorems.spectrum import Spectrum, from_population

N_TYPICAL = 2000
GROUPS = 128


@dataclass(frozen=True, slots=True, eq=False)
class WordGroups:
    """WordGroups in groups, for each topic its own: a group's words have about the same mass and error.

    Attributes:
        size: shape (k, B), number of words.
        mass: shape (k, B), probability of one word.
        inverse: shape (k, B), mean of ``h(x)²``, ``h = M2† μ_i``.
        leverage: shape (k, B), mean squared length of a word's row in the plane of the topics.
        sampling: shape (k, B), variance of the sampling error out of that plane, times N.
        differences: shape (k, k, B), ``μ_j − μ_i`` of topic i's groups.
        squares: shape (k, k, B), mean of ``(μ_j − μ_i)²``.
    """

    size: Matrix
    mass: Matrix
    inverse: Matrix
    leverage: Matrix
    sampling: Matrix
    differences: Tensor3
    squares: Tensor3


@dataclass(frozen=True, slots=True, eq=False)
class TypicalDocuments:
    """Documents drawn from the population, measured as the mechanism measures them.

    Attributes:
        proportions: θ, shape (n, k).
        pair_norms: ``‖f2‖_θ``, shape (n,), 0 for documents that are too short.
        triple_norms: norm of whitened, shifted triple frequencies, shape (n,), unit of ``T``.
        clipped_words: expected word counts of one document, clipped as the private unigram clips them, shape (d,);
            those of the typical documents, with what drawing few of them does taken off.
    """

    proportions: Matrix
    pair_norms: Vector
    triple_norms: Vector
    clipped_words: Vector


@dataclass(frozen=True, slots=True, eq=False)
class Geometry:
    """A population as the predictor sees it; topics in the order they were given.

    Attributes:
        topics: shape (k, d).
        alpha: shape (k,).
        eigenvalues: ``λ``, shape (k,), in the order of ``alpha``.
        frame: shape (k, k), column i is topic i's unit vector in the eigenbasis of ``M2``.
        gram: shape (k, k), ``g_i·g_j``, with ``g_i = √w_i M2† μ_i``.
        gram_22: shape (k, k), ``Σ_x g_i² g_j²``.
        gram_31: shape (k, k), ``Σ_x g_i³ g_j``.
        in_plane: shape (k, k), variance of the sampling error ``c_ij``, times N.
        unigram: shape (k,), L1 distance of every topic from the mean word distribution.
    """

    spectrum: Spectrum
    topics: Matrix
    alpha: Vector
    eigenvalues: Vector
    frame: Matrix
    gram: Matrix
    gram_22: Matrix
    gram_31: Matrix
    words: WordGroups
    in_plane: Matrix
    unigram: Vector
    typical: TypicalDocuments


def geometry_of(population: Population, document_lengths: Vector, *, groups: int = GROUPS) -> Geometry:
    """Measures a population and draws its typical documents.

    Args:
        population: topics and ``α``; those of an un-noised fit serve as well.
        document_lengths: shape (n,), lengths ``l`` to draw typical ones from, in words; ``poisson_lengths`` or those of
            a corpus.

    Raises:
        NoTopics: the topics are linearly dependent.
    """
    spectrum = from_population(population)
    topics, alpha = population.topics, population.alpha
    long = document_lengths[document_lengths >= 3]
    checks.integer_at_least("number of documents with three words", len(long), 1)
    coefficients = Coefficients(population.alpha0)
    w = alpha / (population.alpha0 * (population.alpha0 + 1))
    weighted = topics * np.sqrt(w)[:, None]
    gram = weighted @ weighted.T
    values, Q = np.linalg.eigh(gram)
    values, Q = values[::-1], Q[:, ::-1]
    U = (weighted.T @ Q) / np.sqrt(values)
    g: Matrix = np.asarray(np.linalg.solve(gram, weighted), dtype=np.float64)
    inverse = g / np.sqrt(w)[:, None]
    mean = population.mean_words()
    out = sampling.out_of_plane(topics, inverse, alpha, float(np.mean(1 / long)))
    return Geometry(
        spectrum=spectrum,
        topics=topics,
        alpha=alpha,
        eigenvalues=coefficients.eigenvalues(alpha),
        frame=Q.T,
        gram=g @ g.T,
        gram_22=g**2 @ (g**2).T,
        gram_31=g**3 @ g.T,
        words=_grouped(topics, inverse, np.sum(U**2, axis=1), out, groups),
        in_plane=sampling.in_plane(alpha),
        unigram=np.sum(np.abs(topics - mean), axis=1),
        typical=_typical(population, document_lengths, g.T, mean, coefficients),
    )


def poisson_lengths(mean_length: float) -> Vector:
    """Poisson lengths of typical documents, shape (n,)."""
    checks.positive("mean_length", mean_length)
    return np.random.default_rng(0).poisson(mean_length, size=N_TYPICAL).astype(np.float64)


def _typical(
    population: Population, lengths_: Vector, dual: Matrix, mean: Vector, coefficients: Coefficients
) -> TypicalDocuments:
    # The same documents every time: a prediction has no randomness of its own.
    rng = np.random.default_rng(0)
    theta = rng.dirichlet(population.alpha, size=N_TYPICAL)
    sizes = rng.choice(lengths_, size=N_TYPICAL).astype(np.int64)
    blocks = []
    for start in range(0, N_TYPICAL, 250):
        rows = slice(start, start + 250)
        p = theta[rows] @ population.topics
        drawn = rng.multinomial(sizes[rows], p / np.sum(p, axis=1, keepdims=True))
        blocks.append(csr_array(drawn.astype(np.int32)))
    counts: Counts = csr_array(vstack(blocks, format="csr"))
    length: Lengths = lengths(counts)
    directions = shifted(dual, mean @ dual, coefficients)
    triples = triple_norm_bounds(counts, length, directions)
    return TypicalDocuments(theta, pair_norms(counts, length), triples, _clipped_words(counts, mean))


def _clipped_words(counts: Counts, mean: Vector) -> Vector:
    clipped = Documents(counts, 1).word_counts(bound=Recipe().bound)
    drawn = np.asarray(counts.sum(axis=0), dtype=np.float64)
    frequencies = np.maximum(mean + clipped / np.sum(clipped) - drawn / np.sum(drawn), 0.0)
    result: Vector = frequencies * (np.sum(clipped) / counts.shape[0] / np.sum(frequencies))
    return result


def _grouped(topics: Matrix, inverse: Matrix, leverage: Vector, out: Matrix, groups: int) -> WordGroups:
    """Sorts each topic's words by mass, then by the mass of all topics, and cuts where enough has come together."""
    k, d = topics.shape
    count = min(groups, d)
    size, mass = np.zeros((k, count)), np.zeros((k, count))
    inverse_2, lever, sampled = np.zeros((k, count)), np.zeros((k, count)), np.zeros((k, count))
    differences, squares = np.zeros((k, k, count)), np.zeros((k, k, count))
    everyone = np.sum(topics, axis=0)
    for i in range(k):
        member = np.arange(d) if d <= groups else _labels(topics[i], everyone, count)
        number = np.maximum(np.bincount(member, minlength=count), 1).astype(np.float64)
        size[i] = np.bincount(member, minlength=count)

        # Rows: mass, leverage, h², sampling, then differences and their squares; averaged over each group.
        values = np.vstack(
            [topics[i], leverage, inverse[i] ** 2, out[i], topics - topics[i], (topics - topics[i]) ** 2]
        )
        means = np.array([np.bincount(member, weights=row, minlength=count) for row in values]) / number
        mass[i], lever[i], inverse_2[i], sampled[i] = means[:4]
        differences[i], squares[i] = means[4 : 4 + k], means[4 + k :]
    return WordGroups(size, mass, inverse_2, lever, sampled, differences, squares)


def _labels(topic: Vector, everyone: Vector, count: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Group of every word, shape (d,), values from 0 to count − 1; heavy words have groups of their own."""
    d = len(topic)
    share = (topic + 1 / d) / 2
    order = np.argsort(-topic, kind="stable")
    coarse = np.empty(d, dtype=np.intp)
    coarse[order] = np.minimum(np.cumsum(share[order]) * (count // 8), count // 8 - 1).astype(np.intp)
    order = np.lexsort((-everyone, coarse))
    labels = np.empty(d, dtype=np.intp)
    labels[order] = np.minimum((np.cumsum(share[order]) - share[order] / 2) * count, count - 1).astype(np.intp)
    return labels
