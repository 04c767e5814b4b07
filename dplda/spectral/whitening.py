"""Pair moment → the space where topics are orthonormal, and the way back."""

import math
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from dplda import _check
from dplda._types import Matrix, Vector
from dplda.errors import ConvergenceError

DENSE_LIMIT = 400  # below this many words a dense eigensolver is faster than Lanczos
LANCZOS_TOLERANCE = 1e-7  # relative residual of an eigenvalue; the subspace is then right to about 1e-12
RELATIVE_FLOOR = 1e-12  # eigenvalues below this fraction of the largest one are rounding


@dataclass(frozen=True, slots=True, eq=False)
class Whitening:
    """A map to the space where topics are orthonormal, and the map back.

    ``m ≤ k`` directions are kept: those whose eigenvalue rises above the noise floor.

    Attributes:
        whitener: ``W``, shape (d, m); ``Wᵀ M2 W`` is the identity on the kept directions (before shrinking).
        unwhitener: ``B``, shape (d, m), the pseudo-inverse of ``Wᵀ``.
        spectrum: shape (min(k + 1, d),), leading algebraic eigenvalues of ``M2`` as they came, largest first.
        kept: shape (m,), the eigenvalues used, shrunk by what known noise adds to them.
        noise_floor: see the function of that name; 0 without noise.
        overlap: shape (m,), expected squared cosine between a kept direction and its noise-free counterpart.
    """

    whitener: Matrix
    unwhitener: Matrix
    spectrum: Vector
    kept: Vector
    noise_floor: float
    overlap: Vector

    @property
    def resolved(self) -> int:
        """``m``, how many of the k directions rise above the noise floor."""
        return len(self.kept)

    @property
    def gap(self) -> float:
        """Last eigenvalue kept minus the next one, unit of ``M2``; infinite when there is no next one."""
        m = self.resolved
        if m == 0 or m >= len(self.spectrum):
            return float("inf")
        return float(self.spectrum[m - 1] - self.spectrum[m])


def noise_edge(n_words: int, entry_noise: float) -> float:
    r"""The largest eigenvalue of a symmetric noise matrix, at its 99 % quantile.

    Args:
        n_words: ``d``.
        entry_noise: ``s``, standard deviation of one off-diagonal entry, ≥ 0.

    Returns:
        :math:`2 s\sqrt d\,(1 + 1.01\,d^{-2/3} + 1/d)`, same unit as ``s``.

    Source:
        Wigner's semicircle, then half the 99 % point (2.02) of the Tracy–Widom law of order one. That law is for
        diagonal entries of standard deviation ``√2 s``; on a histogram over unordered pairs they have ``2 s``, and
        the excess variance ``2 s²`` on the diagonal moves the edge by ``2 s² / (s √d)``, which is the last term.
    """
    return 2 * entry_noise * math.sqrt(n_words) * (1 + 1.01 * math.pow(n_words, -2 / 3) + 1 / n_words)


def noise_floor(n_words: int, entry_noise: float) -> float:
    r"""The level above which an eigenvalue counts as a topic: not noise alone, and more signal than noise.

    The larger of ``noise_edge`` and :math:`\tfrac{3}{\sqrt2} s\sqrt d`, 6 % above the edge of the semicircle. There
    the signal is :math:`\sqrt{2d}\,s`, and half of the direction (in squared cosine) is expected to be signal.

    Args:
        n_words: ``d``.
        entry_noise: ``s``, standard deviation of one off-diagonal entry, ≥ 0.
    """
    return max(noise_edge(n_words, entry_noise), 3 / math.sqrt(2) * entry_noise * math.sqrt(n_words))


def shrink(eigenvalues: Vector, n_words: int, entry_noise: float) -> Vector:
    r"""Undoes what symmetric noise adds to an eigenvalue above its edge.

    An eigenvalue :math:`\ell` of the signal appears at :math:`\ell + d s^2/\ell`; the inverse is
    :math:`(\lambda + \sqrt{\lambda^2 - 4 d s^2})/2`. Shapes (m,) → (m,), for eigenvalues above the edge.

    Source:
        The spiked Wigner model (Baik–Ben Arous–Péché); post-processing of a noisy matrix whose noise level is known.
    """
    inner = np.maximum(eigenvalues**2 - 4 * n_words * entry_noise**2, 0)
    result: Vector = (eigenvalues + np.sqrt(inner)) / 2
    return result


def whiten(pair_moment: Matrix | LinearOperator, n_topics: int, *, entry_noise: float = 0.0) -> Whitening:
    """Whitens with the leading eigenpairs of the pair moment that rise above its known noise.

    Algebraic eigenvalues, not singular values: on real text the pair moment has large negative ones. None is
    ever raised to a floor: directions at or below the noise floor are dropped, and ``resolved`` says how many
    are left.

    Args:
        pair_moment: ``M2``, shape (d, d), symmetric; a matrix or an operator.
        n_topics: ``k``, 2 ≤ k ≤ d.
        entry_noise: ``s``, standard deviation of the known noise on one off-diagonal entry, unit of ``M2``.

    Raises:
        ConvergenceError: the eigensolver gave up.
    """
    d = pair_moment.shape[0]
    _check.integer_at_least("n_topics", n_topics, 1)
    _check.between("n_topics", n_topics, 1, d, open_ends=False)
    values, vectors = _leading_eigenpairs(pair_moment, min(n_topics + 1, d))
    known = noise_floor(d, entry_noise)
    floor = max(known, RELATIVE_FLOOR * float(np.max(np.abs(values))))
    m = int(np.sum(values[:n_topics] > floor))
    kept = shrink(values[:m], d, entry_noise)
    U = vectors[:, :m]
    return Whitening(
        whitener=U / np.sqrt(kept),
        unwhitener=U * np.sqrt(kept),
        spectrum=values,
        kept=kept,
        noise_floor=known,
        overlap=1 - d * entry_noise**2 / kept**2,
    )


def _leading_eigenpairs(pair_moment: Matrix | LinearOperator, count: int) -> tuple[Vector, Matrix]:
    """The ``count`` algebraically largest eigenvalues, largest first, with vectors of fixed sign."""
    d = pair_moment.shape[0]
    if isinstance(pair_moment, LinearOperator) and (d <= DENSE_LIMIT or count > d // 3):
        pair_moment = np.asarray(pair_moment @ np.eye(d), dtype=np.float64)
    if isinstance(pair_moment, LinearOperator):
        start = np.random.default_rng(0).standard_normal(d)
        try:
            values, vectors = eigsh(
                pair_moment, k=count, which="LA", v0=start, tol=LANCZOS_TOLERANCE, ncv=min(d, 3 * count)
            )
        except scipy.sparse.linalg.ArpackNoConvergence as error:
            raise ConvergenceError(
                "the leading eigenvalues of the pair moment did not converge", "Ask for fewer topics."
            ) from error
    else:
        values, vectors = scipy.linalg.eigh(pair_moment, subset_by_index=[d - count, d - 1])
    order = np.argsort(-values)
    values, vectors = values[order], vectors[:, order]
    strongest = np.argmax(np.abs(vectors), axis=0)
    vectors = vectors * np.sign(vectors[strongest, np.arange(count)])
    return np.asarray(values, dtype=np.float64), np.asarray(vectors, dtype=np.float64)
