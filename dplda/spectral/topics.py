"""Components back to topics: unwhitening, the simplex, Dirichlet parameters, order and matching."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment, nnls

from dplda.core.types import Matrix, Vector
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.tensor import Components
from dplda.spectral.whitening import Whitening

SMALLEST_EIGENVALUE = 1e-100
"""Its square, which Dirichlet parameters are divided by, is still above 0."""
SMALLEST_PART = 1e-12  # of the mean words; anything smaller is rounding


@dataclass(frozen=True, slots=True, eq=False)
class Topics:
    """k distributions over words, the largest first.

    Attributes:
        words: shape (k, d), rows on the simplex; those from ``resolved`` on, below the noise, are
            the mean words.
        alpha: shape (k,), Dirichlet parameters, descending over the resolved topics, 0 for the
            others; sum ``alpha0``.
        eigenvalues: shape (resolved,), ``λ`` of the whitened tensor, in topic order; NaN without
            such a tensor.
        overlap: shape (k,), in [0, 1]: expected signal in the topic's direction; NaN if unknown.
        resolved: number of directions kept: those above the noise floor, or all k where they are
            used as is.
        mean_words: ``E1``, shape (d,), on the simplex.
    """

    words: Matrix
    alpha: Vector
    eigenvalues: Vector
    overlap: Vector
    resolved: int
    mean_words: Vector

    @classmethod
    def without_spectrum(cls, words: Matrix, alpha: Vector, mean_words: Vector) -> "Topics":
        """Topics of a method that has no whitened tensor; all are resolved.

        They keep the given order. Eigenvalues and overlap are NaN, shape (k,).

        Args:
            words: topics ``μ``, shape (k, d), rows on the simplex.
            alpha: ``α``, shape (k,).
            mean_words: word frequencies, shape (d,).
        """
        n_topics = len(words)
        unknown = np.full(n_topics, np.nan)
        return cls(
            words=words,
            alpha=alpha,
            eigenvalues=unknown,
            overlap=unknown,
            resolved=n_topics,
            mean_words=mean_words,
        )


@dataclass(frozen=True, slots=True, eq=False)
class RawTopics:
    """Topics after unwhitening, in the order of the components.

    Attributes:
        words: shape (m, d), rows that sum to about one, with entries of either sign.
        alpha: shape (m,), Dirichlet parameters as eigenvalues tell them.
        mean_words: ``E1``, shape (d,), not projected.
        eigenvalues: ``λ``, shape (m,).
    """

    words: Matrix
    alpha: Vector
    mean_words: Vector
    eigenvalues: Vector


def unwhiten(
    components: Components, whitening: Whitening, coefficients: Coefficients, mean_words: Vector
) -> RawTopics:
    r"""Turn components into topics, :math:`μ_i = \frac{α_0+2}{2} λ_i B v_i`.

    The paper's prefactor is corrected. ``α`` follows from the absolute eigenvalues, raised to
    ``SMALLEST_EIGENVALUE``; topics keep the eigenvalues' signs. The mean words are passed on.
    """
    magnitudes = np.abs(components.eigenvalues)
    positive_eigenvalues = np.maximum(magnitudes, SMALLEST_EIGENVALUE)
    scale = coefficients.eigenvalue_to_topic() * components.eigenvalues
    scaled_vectors = components.vectors * scale
    topic_columns = whitening.unwhitener @ scaled_vectors
    return RawTopics(
        words=np.ascontiguousarray(topic_columns.T),
        alpha=coefficients.alpha(positive_eigenvalues),
        mean_words=mean_words,
        eigenvalues=components.eigenvalues,
    )


def finish_topics(
    raw: RawTopics,
    components: Components,
    whitening: Whitening,
    coefficients: Coefficients,
    n_topics: int,
) -> Topics:
    """Make distributions over words, Dirichlet parameters and an order from raw topics.

    Rows are scaled to sum one and projected onto the simplex, and so are the mean words. Dirichlet
    parameters are fitted to the mean words; ``raw.alpha`` is not used. Topics are in the order of
    their Dirichlet parameters, the largest first. The missing topics, those below the noise, come
    last: they are the mean words, with Dirichlet parameter and overlap 0.

    Args:
        raw: m topics after unwhitening.
        components: of the whitened tensor, for their directions.
        whitening: for the expected signal in each direction.
        coefficients: of the moments.
        n_topics: ``k``, at least m.

    Source:
        The paper reads ``α_i`` off ``λ_i``; ``E1`` gives the same in the population, with far less
        error than a third moment.
    """
    n_resolved = len(raw.words)
    n_unresolved = n_topics - n_resolved
    mean_words_row = scale_to_unit_sum(raw.mean_words[None, :])
    mean_words = project_to_simplex(mean_words_row)[0]
    words = np.empty((0, len(mean_words)))
    if n_resolved:
        unit_rows = scale_to_unit_sum(raw.words)
        words = project_to_simplex(unit_rows)
    alpha = _fit_alpha(words, mean_words, coefficients.alpha0)
    overlap = _overlap_of_topics(components, whitening)
    topic_order = np.argsort(-alpha, kind="stable")
    unresolved_words = np.repeat(mean_words[None, :], n_unresolved, axis=0)
    zeros = np.zeros(n_unresolved)
    return Topics(
        words=np.vstack([words[topic_order], unresolved_words]),
        alpha=np.concatenate([alpha[topic_order], zeros]),
        eigenvalues=raw.eigenvalues[topic_order],
        overlap=np.concatenate([overlap[topic_order], zeros]),
        resolved=n_resolved,
        mean_words=mean_words,
    )


def parts_of_mean_words(words: Matrix, mean_words: Vector) -> Vector:
    """Part of the mean words that each topic makes up, by non-negative least squares.

    A part within rounding of 0 is 0. Else the processor would decide which of two topics without
    a part comes first, and which words look special to them.

    Args:
        words: topics, shape (k, d), at least one, rows on the simplex.
        mean_words: word frequencies, shape (d,), on the simplex.

    Returns:
        Shape (k,), not negative, with a sum of about 1; all 0 where no topic has a part.
    """
    parts: Vector = nnls(words.T, mean_words)[0]
    smallest_part = SMALLEST_PART * np.sum(parts)
    parts[parts < smallest_part] = 0
    return parts


def _fit_alpha(words: Matrix, mean_words: Vector, alpha0: float) -> Vector:
    """Dirichlet parameters with ``E1 = Σ (α_i/α0) μ_i``, scaled to sum ``alpha0``.

    All are 0 where no topic has a part of the mean words. Without topics the result is empty.
    """
    if not len(words):
        return np.empty(0)
    parts = parts_of_mean_words(words, mean_words)
    sum_of_parts = float(np.sum(parts))
    if sum_of_parts > 0:
        return alpha0 * parts / sum_of_parts
    return parts


def _overlap_of_topics(components: Components, whitening: Whitening) -> Vector:
    """Expected signal in each component's direction, shape (m,); 0 where there is no energy.

    It is that of the whitened directions, weighted by their energy in it.
    """
    energy = whitening.kept[:, None] * components.vectors**2
    signal_energy = whitening.overlap @ energy
    total_energy = np.sum(energy, axis=0)
    positive_energy = np.maximum(total_energy, np.finfo(float).tiny)
    return np.asarray(signal_energy / positive_energy)


def project_to_simplex(rows: Matrix) -> Matrix:
    """Find the nearest distribution to each row, in Euclidean distance.

    A row becomes ``max(row − threshold, 0)``, with the threshold that makes it sum to one. Cutting
    at zero and rescaling, which is simpler, would keep more noise.

    Args:
        rows: shape (m, d), finite.

    Returns:
        Shape (m, d), rows on the simplex.
    """
    n_rows, d = rows.shape
    descending = -np.sort(-rows, axis=1)
    excess = np.cumsum(descending, axis=1) - 1
    ranks = np.arange(1, d + 1)
    is_positive = descending - excess / ranks > 0
    n_positive = np.sum(is_positive, axis=1)
    excess_of_positive = excess[np.arange(n_rows), n_positive - 1]
    threshold = excess_of_positive / n_positive
    projected = np.maximum(rows - threshold[:, None], 0)
    sums = np.sum(projected, axis=1, keepdims=True)
    return np.asarray(projected / sums)


def match(reference: Matrix, estimate: Matrix) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Order of rows closest in total L1: ``estimate[order[i]]`` belongs to ``reference[i]``.

    Args:
        reference: shape (m, d).
        estimate: shape (k, d), with k ≥ m.

    Returns:
        Shape (m,), different rows of the estimate; in total, no others are closer.
    """
    distances = []
    for reference_row in reference:
        differences = np.abs(estimate - reference_row)
        distances.append(np.sum(differences, axis=1))
    _, order = linear_sum_assignment(np.array(distances))
    return np.asarray(order)


def scale_to_unit_sum(rows: Matrix) -> Matrix:
    """Scale rows to sum one, which also fixes the sign.

    A row stays as it is where its sum is lost in rounding.
    """
    sums = np.sum(rows, axis=1, keepdims=True)
    sums_of_magnitudes = np.sum(np.abs(rows), axis=1, keepdims=True)
    is_lost = np.abs(sums) <= 1e-12 * sums_of_magnitudes
    divisors = np.where(is_lost, 1.0, sums)
    return np.asarray(rows / divisors)
