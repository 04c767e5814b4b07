"""Components back to topics: unwhitening, the simplex, Dirichlet parameters, order and matching."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment, nnls

from dplda.core.types import Matrix, Vector
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.tensor import Components
from dplda.spectral.whitening import Whitening

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

        Args:
            words: topics ``μ``, shape (k, d), rows on the simplex.
            alpha: ``α``, shape (k,).
            mean_words: word frequencies, shape (d,).
        """
        unknown = np.full(len(words), np.nan)
        return cls(words, alpha, unknown, unknown, resolved=len(words), mean_words=mean_words)


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

    The paper's prefactor is corrected. ``α`` follows from the absolute eigenvalues; the mean words
    are passed on.
    """
    scale = coefficients.eigenvalue_to_topic() * components.eigenvalues
    positive_eigenvalues = np.maximum(np.abs(components.eigenvalues), 1e-100)  # squares above 0
    topic_columns = whitening.unwhitener @ (components.vectors * scale)
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

    Rows are scaled to sum one and projected onto the simplex. Topics are in the order of their
    Dirichlet parameters, the largest first. The missing topics, those below the noise, come last:
    they are the mean words, with Dirichlet parameter and overlap 0.

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
    mean_words = project_to_simplex(scale_to_unit_sum(raw.mean_words[None, :]))[0]
    words = np.empty((0, len(mean_words)))
    if n_resolved:
        words = project_to_simplex(scale_to_unit_sum(raw.words))
    alpha = _fit_alpha(words, mean_words, coefficients.alpha0)
    overlap = _overlap_of_topics(components, whitening)
    topic_order = np.argsort(-alpha, kind="stable")
    n_unresolved = n_topics - n_resolved
    unresolved_words = np.repeat(mean_words[None, :], n_unresolved, axis=0)
    return Topics(
        words=np.vstack([words[topic_order], unresolved_words]),
        alpha=np.concatenate([alpha[topic_order], np.zeros(n_unresolved)]),
        eigenvalues=raw.eigenvalues[topic_order],
        overlap=np.concatenate([overlap[topic_order], np.zeros(n_unresolved)]),
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
    parts[parts < SMALLEST_PART * np.sum(parts)] = 0
    return parts


def _fit_alpha(words: Matrix, mean_words: Vector, alpha0: float) -> Vector:
    """Dirichlet parameters with ``E1 = Σ (α_i/α0) μ_i``, scaled to sum ``alpha0``.

    All are 0 where no topic has a part of the mean words.
    """
    if not len(words):
        return np.empty(0)
    parts = parts_of_mean_words(words, mean_words)
    sum_of_parts = float(np.sum(parts))
    return alpha0 * parts / sum_of_parts if sum_of_parts > 0 else parts


def _overlap_of_topics(components: Components, whitening: Whitening) -> Vector:
    """Expected signal in each component's direction.

    It is that of the whitened directions, weighted by their energy in it.
    """
    energy = whitening.kept[:, None] * components.vectors**2
    total_energy = np.maximum(np.sum(energy, axis=0), np.finfo(float).tiny)
    return np.asarray((whitening.overlap @ energy) / total_energy)


def project_to_simplex(rows: Matrix) -> Matrix:
    """Find the nearest distribution to each row, in Euclidean distance.

    Cutting at zero and rescaling, which is simpler, would keep more noise.
    """
    descending = -np.sort(-rows, axis=1)
    excess = np.cumsum(descending, axis=1) - 1
    ranks = np.arange(1, rows.shape[1] + 1)
    n_positive = np.sum(descending - excess / ranks > 0, axis=1)
    threshold = excess[np.arange(len(rows)), n_positive - 1] / n_positive
    projected = np.maximum(rows - threshold[:, None], 0)
    return np.asarray(projected / np.sum(projected, axis=1, keepdims=True))


def match(reference: Matrix, estimate: Matrix) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Order of rows closest in total L1: ``estimate[order[i]]`` belongs to ``reference[i]``.

    Args:
        reference: shape (k, d).
        estimate: shape (k, d).
    """
    distances = np.array(
        [np.sum(np.abs(estimate - reference_row), axis=1) for reference_row in reference]
    )
    return np.asarray(linear_sum_assignment(distances)[1])


def scale_to_unit_sum(rows: Matrix) -> Matrix:
    """Scale rows to sum one, which also fixes the sign.

    A row stays as it is where its sum is lost in rounding.
    """
    sums = np.sum(rows, axis=1, keepdims=True)
    is_lost = np.abs(sums) <= 1e-12 * np.sum(np.abs(rows), axis=1, keepdims=True)
    return np.asarray(rows / np.where(is_lost, 1.0, sums))
