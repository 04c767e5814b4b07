"""Components back to topics: unwhitening, the simplex, Dirichlet parameters, order and matching."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment, nnls

from dplda.core.types import Matrix, Vector
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.tensor import Components
from dplda.spectral.whitening import Whitening


@dataclass(frozen=True, slots=True, eq=False)
class Topics:
    """k distributions over words, the largest first.

    Attributes:
        words: shape (k, d), rows on the simplex; those from ``resolved`` on, below the noise, are the mean words.
        alpha: shape (k,), Dirichlet parameters, descending over the resolved topics, 0 for the others; sum ``alpha0``.
        eigenvalues: shape (resolved,), ``λ`` of the whitened tensor, in topic order; NaN without such a tensor.
        overlap: shape (k,), in [0, 1]: expected signal in the topic's direction; NaN if unknown.
        resolved: number of directions kept: those above the noise floor, or all k where they are used as is.
    """

    words: Matrix
    alpha: Vector
    eigenvalues: Vector
    overlap: Vector
    resolved: int
    mean_words: Vector

    @classmethod
    def without_spectrum(cls, words: Matrix, alpha: Vector, mean_words: Vector) -> "Topics":
        """Topics of a method that has no whitened tensor; all are resolved."""
        unknown = np.full(len(words), np.nan)
        return cls(words, alpha, unknown, unknown, resolved=len(words), mean_words=mean_words)


@dataclass(frozen=True, slots=True, eq=False)
class RawTopics:
    """Topics after unwhitening, rows that sum to about one, with entries of either sign."""

    words: Matrix
    alpha: Vector
    mean_words: Vector
    eigenvalues: Vector


def unwhiten(
    components: Components, whitening: Whitening, coefficients: Coefficients, mean_words: Vector
) -> RawTopics:
    r""":math:`μ_i = \frac{α_0+2}{2} λ_i B v_i`, the paper's unwhitening with its prefactor corrected."""
    scale = coefficients.eigenvalue_to_topic() * components.eigenvalues
    positive = np.maximum(np.abs(components.eigenvalues), 1e-100)  # its square must not vanish
    return RawTopics(
        words=np.ascontiguousarray((whitening.unwhitener @ (components.vectors * scale)).T),
        alpha=coefficients.alpha(positive),
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
    """Distributions over words, Dirichlet parameters and order from raw topics.

    Rows are scaled to sum one and projected onto the simplex; then :math:`α` comes from ``E1 = Σ (α_i/α0) μ_i`` by
    non-negative least squares, scaled to sum ``α0``.

    Source:
        The paper reads ``α_i`` off ``λ_i``; ``E1`` gives the same in the population, with far less error than a third
        moment.
    """
    m = len(raw.words)
    average = project_to_simplex(scale_to_unit_sum(raw.mean_words[None, :]))[0]
    words = project_to_simplex(scale_to_unit_sum(raw.words)) if m else np.empty((0, len(average)))
    shares = nnls(words.T, average)[0] if m else np.empty(0)
    total = float(np.sum(shares))
    alpha = coefficients.alpha0 * shares / total if total > 0 else shares
    energy = whitening.kept[:, None] * components.vectors**2
    overlap = (whitening.overlap @ energy) / np.maximum(
        np.sum(energy, axis=0), np.finfo(float).tiny
    )
    order = np.argsort(-alpha, kind="stable")
    missing = n_topics - m
    return Topics(
        words=np.vstack([words[order], np.repeat(average[None, :], missing, axis=0)]),
        alpha=np.concatenate([alpha[order], np.zeros(missing)]),
        eigenvalues=raw.eigenvalues[order],
        overlap=np.concatenate([overlap[order], np.zeros(missing)]),
        resolved=m,
        mean_words=average,
    )


def project_to_simplex(rows: Matrix) -> Matrix:
    """The nearest distribution to each row, in Euclidean distance; cutting at zero and rescaling keeps more noise."""
    descending = -np.sort(-rows, axis=1)
    excess = np.cumsum(descending, axis=1) - 1
    ranks = np.arange(1, rows.shape[1] + 1)
    last = np.sum(descending - excess / ranks > 0, axis=1)
    threshold = excess[np.arange(len(rows)), last - 1] / last
    projected = np.maximum(rows - threshold[:, None], 0)
    return np.asarray(projected / np.sum(projected, axis=1, keepdims=True))


def match(reference: Matrix, estimate: Matrix) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Order of ``estimate``'s rows closest in total L1: ``estimate[order[i]]`` belongs to ``reference[i]``."""
    distances = np.array([np.sum(np.abs(estimate - row), axis=1) for row in reference])
    return np.asarray(linear_sum_assignment(distances)[1])


def scale_to_unit_sum(rows: Matrix) -> Matrix:
    """Rows scaled to sum one, which also fixes the sign; unchanged where the sum is lost in rounding."""
    sums = np.sum(rows, axis=1, keepdims=True)
    lost = np.abs(sums) <= 1e-12 * np.sum(np.abs(rows), axis=1, keepdims=True)
    return np.asarray(rows / np.where(lost, 1.0, sums))
