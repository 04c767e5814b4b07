"""The leading eigenpairs of a symmetric matrix or operator.

Operators use a block Lanczos iteration with full orthogonalization: a sparse matrix multiplies all
directions at once for a fraction of the cost. It runs in float32, which is usually enough, and
continues in float64 where it is not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from dplda.core.engine import map_threads, row_blocks, workers
from dplda.core.types import Matrix, Vector

DENSE_OPERATOR = 400
"""Up to this many words an operator is cheaper to write out than to iterate on."""
DENSE_MATRIX = 1500
"""Up to this many words a dense eigensolver beats Lanczos on a matrix."""
LANCZOS_TOLERANCE = 1e-7
"""Relative residual of an eigenvalue; the subspace is then right to about 1e-12."""
SPARE = 5
"""Least number of extra directions in a block."""
BLOCKS = 12
"""Blocks in a Lanczos basis, which then restarts from the best directions."""
BASES = 20
"""Restarts before the matrix is written out."""
TOLERANCE = 1e-3
"""Residual over eigenvalue, about the subspace's error.

Sampling's is 0.1 (N = 1e5, d = 5e3, k = 50).
"""
LEAST_GAIN = 0.1
"""Credited to the last power step; eigenvalues, which it leaves alone, are right to 1e-4."""
WEAKEST = 1e-3
"""Fraction of the largest eigenvalue that is the reference for residuals of smaller ones."""

Block: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
B = TypeVar("B", NDArray[np.float32], NDArray[np.float64])


def leading_eigenpairs(
    pair_moment: Matrix | LinearOperator, count: int, *, direct: bool = False
) -> tuple[Vector, Matrix]:
    """The ``count`` algebraically largest eigenvalues, largest first, with vectors of fixed sign.

    Operators and matrices of many words are iterated on; the direct solver is used for small ones,
    for more than a third of all pairs, and where an iteration does not converge.

    An operator's last pair is the best in the subspace that the others need, up to a third too low
    in the bulk. An iteration may miss copies of a repeated eigenvalue, and which ones jumps with
    the data: a sensitivity of exact eigenvalues needs the ``direct`` solver.

    Args:
        pair_moment: symmetric, shape (d, d).
        count: at most d.
        direct: whether to use the direct solver in any case.

    Returns:
        Eigenvalues, shape (count,), and vectors as columns, shape (d, count), whose largest entry
        in absolute value is positive.
    """
    pairs = None if direct else _iterate(pair_moment, count)
    eigenvalues, eigenvectors = pairs or _solve_directly(pair_moment, count)
    order = np.argsort(-eigenvalues)
    eigenvalues = eigenvalues[order]
    eigenvectors = eigenvectors[:, order]
    largest_entries = eigenvectors[np.argmax(np.abs(eigenvectors), axis=0), np.arange(count)]
    eigenvectors = eigenvectors * np.sign(largest_entries)
    return np.asarray(eigenvalues, dtype=np.float64), np.asarray(eigenvectors, dtype=np.float64)


def _iterate(pair_moment: Matrix | LinearOperator, count: int) -> tuple[Vector, Matrix] | None:
    """The largest pairs by an iteration, in any order.

    None where the direct solver is better or the iteration does not converge.
    """
    d = pair_moment.shape[0]
    if d < 3 * count:
        return None
    if isinstance(pair_moment, LinearOperator):
        return _by_blocks(pair_moment, count) if d > DENSE_OPERATOR else None
    return _by_vectors(pair_moment, count) if d > DENSE_MATRIX else None


def _by_vectors(matrix: Matrix, count: int) -> tuple[Vector, Matrix] | None:
    """Lanczos on a matrix, with products by rows on several threads.

    None where it does not converge.
    """
    d = len(matrix)
    row_parts = [matrix[rows] for rows in row_blocks(d, -(-d // workers()))]
    operator = LinearOperator(
        (d, d),
        matvec=lambda v: np.concatenate(map_threads(lambda part: part @ v, row_parts)),
        dtype=np.float64,
    )
    start_vector = np.random.default_rng(0).standard_normal(d)
    n_basis = min(d, 3 * count)
    try:
        pairs: tuple[Vector, Matrix] = eigsh(
            operator, k=count, which="LA", v0=start_vector, tol=LANCZOS_TOLERANCE, ncv=n_basis
        )
    except ArpackError:  # no convergence, or a moment of zeros
        return None
    return pairs


def block_width(count: int, d: int) -> int:
    """Directions in a block for ``count`` eigenpairs of a (d, d) operator.

    They fill whole registers where possible.

    Args:
        count: number of eigenpairs wanted.
        d: size of the operator.
    """
    return min(-(-(count + SPARE) // 8) * 8, d // 2)


def _by_blocks(operator: LinearOperator, count: int) -> tuple[Vector, Matrix] | None:
    """Block Lanczos on an operator; None where it does not converge in ``BASES`` restarts.

    The first basis is in float32. Where that is not enough, bases in float64 continue from its
    vectors.
    """
    d = operator.shape[0]
    start_block = np.random.default_rng(0).standard_normal(
        (d, block_width(count, d)), dtype=np.float32
    )
    rough_pairs = _grow_basis(operator.matmat, start_block, count)
    eigenvalues = rough_pairs.values
    eigenvectors = rough_pairs.vectors.astype(np.float64)
    has_converged = rough_pairs.has_converged
    for _ in range(BASES):
        if has_converged:
            return eigenvalues[:count], np.linalg.qr(eigenvectors[:, :count])[0]
        pairs = _grow_basis(operator.matmat, eigenvectors, count)
        eigenvalues = pairs.values
        eigenvectors = pairs.vectors
        has_converged = pairs.has_converged
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _BlockPairs(Generic[B]):
    """Leading eigenpairs of one Lanczos basis, after one further power step.

    Attributes:
        values: shape (width,), largest first.
        vectors: shape (d, width), nearly orthonormal, in the basis' precision.
        has_converged: whether all wanted pairs but the last have converged, and the precision can
            show that.
    """

    values: Vector
    vectors: B
    has_converged: bool


def _grow_basis(product: Callable[[B], Block], start: B, count: int) -> _BlockPairs[B]:
    """One Lanczos basis, grown by blocks until all pairs but the last converge, or it is full.

    With ``V`` the basis and ``E`` the part of ``A V_q``, for its last block, outside it: a pair
    :math:`(θ, s)` of the projected matrix :math:`V^⊤ A V`, where s is a column of ``S``, has the
    residual :math:`r = E s_q` as a pair :math:`(θ, x = V s)` of A. One further power step costs no
    product: with σ and h the middle and half the width of the rest of the spectrum, :math:`x + r/(θ
    - σ) = (A - σ)x/(θ - σ)` has at most ``h/(θ − σ)`` of x's part in each of its directions.

    Args:
        product: multiplies A by a block.
        start: the first block, shape (d, width), of the precision to compute in.
        count: wanted pairs; ``max(count - 1, 1)`` of them must converge.

    Returns:
        As many pairs as a block is wide, the largest first, and whether the wanted ones have
        converged in a precision that is enough.
    """
    d, width = start.shape
    precision = start.dtype
    V = np.linalg.qr(start)[0]
    projected_matrix = np.zeros((0, 0))
    while True:
        size = V.shape[1]
        E = np.asarray(product(np.ascontiguousarray(V[:, -width:])), dtype=precision)
        basis_coordinates = V.T @ E
        E -= V @ basis_coordinates
        projected_matrix = np.block(
            [
                [projected_matrix, basis_coordinates[:-width]],
                [basis_coordinates.T.astype(np.float64)],
            ]
        )
        ritz_values, S = scipy.linalg.eigh(
            projected_matrix, subset_by_index=[size - width, size - 1]
        )
        ritz_values = ritz_values[::-1]
        S = S[:, ::-1].astype(precision)
        smallest = scipy.linalg.eigh(projected_matrix, eigvals_only=True, subset_by_index=[0, 0])[0]
        half_width = (ritz_values[count - 1] - smallest) / 2
        from_middle = np.maximum(
            ritz_values - smallest - half_width, half_width + np.finfo(precision).tiny
        )
        residual_vectors = E @ S[-width:]
        convergence_limits = _ConvergenceLimits(ritz_values, smallest, count, precision)
        power_gain = np.maximum(half_width / from_middle[convergence_limits.wanted], LEAST_GAIN)
        residuals = (
            np.linalg.norm(residual_vectors[:, convergence_limits.wanted], axis=0) * power_gain
        )
        is_below_limits = convergence_limits.hold_for(residuals)
        is_full = size + width > min(d, BLOCKS * width)
        if is_below_limits or is_full:
            return _BlockPairs(
                values=ritz_values,
                vectors=np.asarray(
                    V @ S + residual_vectors / from_middle.astype(precision), dtype=precision
                ),
                has_converged=is_below_limits and convergence_limits.precision_is_enough,
            )
        next_block = np.linalg.qr(E)[0]
        next_block -= V @ (V.T @ next_block)
        V = np.hstack([V, np.linalg.qr(next_block)[0]])


class _ConvergenceLimits:
    """Limits on the residuals of the pairs that must converge.

    Args:
        values: eigenvalues of the basis, largest first.
        smallest: its smallest eigenvalue.
        count: wanted pairs.
        precision: that the basis is computed in.

    Attributes:
        wanted: the pairs that must converge, all wanted ones but the last.
        precision_is_enough: whether rounding is below the tolerance of every pair, as it always is
            in float64; single precision shows convergence only for pairs down to ``WEAKEST``.
    """

    def __init__(
        self,
        values: Vector,
        smallest: float,
        count: int,
        precision: np.dtype[np.float32] | np.dtype[np.float64],
    ) -> None:
        """Work out every wanted pair's limit: ``TOLERANCE`` of its eigenvalue, or rounding."""
        largest_magnitude = max(values[0], -smallest)
        rounding = 4 * float(np.finfo(precision).eps) * largest_magnitude
        self.wanted = slice(0, max(count - 1, 1))
        sizes = np.abs(values[self.wanted])
        self._limits = np.maximum(
            TOLERANCE * np.maximum(sizes, WEAKEST * largest_magnitude), rounding
        )
        self.precision_is_enough = precision == np.float64 or bool(
            np.min(TOLERANCE * sizes) >= rounding
        )

    def hold_for(self, residuals: Vector) -> bool:
        """Whether every residual is within its limit."""
        return bool(np.all(residuals <= self._limits))


def _solve_directly(pair_moment: Matrix | LinearOperator, count: int) -> tuple[Vector, Matrix]:
    """The largest pairs by a dense solver, smallest first.

    An operator is written out as a matrix.
    """
    d = pair_moment.shape[0]
    matrix = pair_moment
    if isinstance(matrix, LinearOperator):
        matrix = np.asarray(matrix @ np.eye(d), dtype=np.float64)
    eigenvalues, eigenvectors = scipy.linalg.eigh(matrix, subset_by_index=[d - count, d - 1])
    return eigenvalues, eigenvectors
