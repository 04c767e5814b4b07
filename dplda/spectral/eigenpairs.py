"""The leading eigenpairs of a symmetric matrix or operator.

Operators use a block Lanczos iteration with full orthogonalization: a sparse matrix multiplies all
directions at once for a fraction of the cost. It runs in float32, which is usually enough, and
continues in float64 where it is not.
"""

import math
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
REGISTER = 8
"""Numbers that a processor multiplies at once; blocks are a multiple as wide."""
MIN_EXTRA_DIRECTIONS = 5
"""Least number of extra directions in a block."""
MAX_BLOCKS = 12
"""Blocks in a Lanczos basis, which then restarts from the best directions."""
MAX_RESTARTS = 20
"""Restarts before the matrix is written out."""
TOLERANCE = 1e-3
"""Residual over eigenvalue, about the subspace's error.

Sampling's is 0.1 (N = 1e5, d = 5e3, k = 50).
"""
MIN_POWER_GAIN = 0.1
"""Credited to the last power step; eigenvalues, which it leaves alone, are right to 1e-4."""
REFERENCE_SHARE = 1e-3
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
    eigenvalues = np.asarray(eigenvalues[order], dtype=np.float64)
    eigenvectors = np.asarray(eigenvectors[:, order], dtype=np.float64)
    return eigenvalues, _fix_signs(eigenvectors)


def _fix_signs(vectors: Matrix) -> Matrix:
    """Columns, shape (d, m), turned so that the largest entry of each by magnitude is positive."""
    columns = np.arange(vectors.shape[1])
    rows_of_largest = np.argmax(np.abs(vectors), axis=0)
    largest_entries = vectors[rows_of_largest, columns]
    return np.asarray(vectors * np.sign(largest_entries), dtype=np.float64)


def _iterate(pair_moment: Matrix | LinearOperator, count: int) -> tuple[Vector, Matrix] | None:
    """The largest pairs by an iteration, in any order.

    None where the direct solver is better: d is below three times ``count``, or at most
    ``DENSE_OPERATOR`` for an operator or ``DENSE_MATRIX`` for a matrix.
    None also where the iteration does not converge.
    """
    d = pair_moment.shape[0]
    if d < 3 * count:
        return None
    if isinstance(pair_moment, LinearOperator):
        return _by_blocks(pair_moment, count) if d > DENSE_OPERATOR else None
    return _by_vectors(pair_moment, count) if d > DENSE_MATRIX else None


def _by_vectors(matrix: Matrix, count: int) -> tuple[Vector, Matrix] | None:
    """Lanczos on a matrix, with products by rows on several threads.

    The start vector is always the same. Pairs come in any order.
    None where it does not converge or the matrix is 0.
    """
    d = len(matrix)
    rows_of_part = math.ceil(d / workers())
    row_parts = [matrix[rows] for rows in row_blocks(d, rows_of_part)]

    def multiply(v: Vector) -> Vector:
        """The matrix times a vector, shape (d,)."""
        products = map_threads(lambda part: part @ v, row_parts)
        return np.concatenate(products)

    operator = LinearOperator((d, d), matvec=multiply, dtype=np.float64)
    start_vector = np.random.default_rng(0).standard_normal(d)
    try:
        pairs: tuple[Vector, Matrix] = eigsh(
            operator,
            k=count,
            which="LA",
            v0=start_vector,
            tol=LANCZOS_TOLERANCE,
            ncv=min(d, 3 * count),
        )
    except ArpackError:  # no convergence, or a moment of zeros
        return None
    return pairs


def block_width(count: int, d: int) -> int:
    """Directions in a block for ``count`` eigenpairs of a (d, d) operator.

    They are some more than ``count`` and fill whole registers, but at most d/2.

    Args:
        count: number of eigenpairs wanted.
        d: size of the operator.
    """
    n_registers = math.ceil((count + MIN_EXTRA_DIRECTIONS) / REGISTER)
    return min(n_registers * REGISTER, d // 2)


def _by_blocks(operator: LinearOperator, count: int) -> tuple[Vector, Matrix] | None:
    """Block Lanczos on an operator; None if none of ``MAX_RESTARTS`` bases converges.

    The first basis is in float32. Where that is not enough, bases in float64 continue from its
    vectors. The start is always the same, and the vectors returned are orthonormal.
    """
    d = operator.shape[0]
    width = block_width(count, d)
    rng = np.random.default_rng(0)
    start_block = rng.standard_normal((d, width), dtype=np.float32)
    rough_pairs = _grow_basis(operator.matmat, start_block, count)
    eigenvalues = rough_pairs.values
    eigenvectors = rough_pairs.vectors.astype(np.float64)
    has_converged = rough_pairs.has_converged
    for _ in range(MAX_RESTARTS):
        if has_converged:
            wanted_vectors = eigenvectors[:, :count]
            orthonormal_vectors = np.linalg.qr(wanted_vectors)[0]
            return eigenvalues[:count], orthonormal_vectors
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
        converged in a precision that is enough. Vectors include the power step, so they are only
        nearly orthonormal. A full basis alone does not count as converged.
    """
    d, width = start.shape
    precision = start.dtype
    largest_basis = min(d, MAX_BLOCKS * width)
    V = np.linalg.qr(start)[0]
    projected_matrix = np.zeros((0, 0))
    while True:
        last_block = np.ascontiguousarray(V[:, -width:])
        E = np.asarray(product(last_block), dtype=precision)
        basis_coordinates = V.T @ E
        E -= V @ basis_coordinates
        projected_matrix = _append_block(projected_matrix, basis_coordinates)
        ritz_values, S, smallest = _solve_projected(projected_matrix, width)
        S = S.astype(precision)
        half_width = (ritz_values[count - 1] - smallest) / 2
        smallest_distance = half_width + np.finfo(precision).tiny
        from_middle = np.maximum(ritz_values - smallest - half_width, smallest_distance)
        residual_vectors = E @ S[-width:]
        limits = _ConvergenceLimits(ritz_values, smallest, count, precision)
        power_gain = np.maximum(half_width / from_middle[limits.wanted], MIN_POWER_GAIN)
        residual_norms = np.linalg.norm(residual_vectors[:, limits.wanted], axis=0)
        is_below_limits = limits.hold_for(residual_norms * power_gain)
        is_full = V.shape[1] + width > largest_basis
        if is_below_limits or is_full:
            power_step = residual_vectors / from_middle.astype(precision)
            return _BlockPairs(
                values=ritz_values,
                vectors=np.asarray(V @ S + power_step, dtype=precision),
                has_converged=is_below_limits and limits.precision_is_enough,
            )
        next_block = np.linalg.qr(E)[0]
        next_block -= V @ (V.T @ next_block)
        next_block = np.linalg.qr(next_block)[0]
        V = np.hstack([V, next_block])


def _append_block(projected_matrix: Matrix, basis_coordinates: Block) -> Matrix:
    """The projected matrix ``Vᵀ A V``, larger by the last block of the basis.

    Args:
        projected_matrix: of the blocks before the last, shape (size − width, size − width).
        basis_coordinates: ``Vᵀ A V_q`` of the last block, shape (size, width).

    Returns:
        Symmetric, shape (size, size), in float64.
    """
    width = basis_coordinates.shape[1]
    last_columns = basis_coordinates[:-width]
    last_rows = basis_coordinates.T.astype(np.float64)
    return np.block([[projected_matrix, last_columns], [last_rows]])


def _solve_projected(projected_matrix: Matrix, width: int) -> tuple[Vector, Matrix, float]:
    """The leading pairs of a projected matrix, and its smallest eigenvalue.

    Returns:
        The ``width`` largest eigenvalues, largest first; their vectors as columns, shape (size,
        width); the smallest of all eigenvalues.
    """
    size = len(projected_matrix)
    largest_pairs = [size - width, size - 1]
    ascending_values, ascending_vectors = scipy.linalg.eigh(
        projected_matrix, subset_by_index=largest_pairs
    )
    smallest_values = scipy.linalg.eigh(projected_matrix, eigvals_only=True, subset_by_index=[0, 0])
    return ascending_values[::-1], ascending_vectors[:, ::-1], smallest_values[0]


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
            in float64; single precision shows convergence only for pairs down to
            ``REFERENCE_SHARE``.
    """

    def __init__(
        self,
        values: Vector,
        smallest: float,
        count: int,
        precision: np.dtype[np.float32] | np.dtype[np.float64],
    ) -> None:
        """Work out every wanted pair's limit: ``TOLERANCE`` of its eigenvalue, or rounding.

        The larger of the two holds. An eigenvalue counts by magnitude.
        It counts as at least ``REFERENCE_SHARE`` of the largest magnitude.
        """
        largest_magnitude = max(values[0], -smallest)
        roundoff = float(np.finfo(precision).eps)
        rounding = 4 * roundoff * largest_magnitude
        self.wanted = slice(0, max(count - 1, 1))
        sizes = np.abs(values[self.wanted])
        reference_sizes = np.maximum(sizes, REFERENCE_SHARE * largest_magnitude)
        self._limits = np.maximum(TOLERANCE * reference_sizes, rounding)
        smallest_tolerance = np.min(TOLERANCE * sizes)
        is_double = precision == np.float64
        self.precision_is_enough = is_double or bool(smallest_tolerance >= rounding)

    def hold_for(self, residuals: Vector) -> bool:
        """Whether every residual is within its limit."""
        are_within = residuals <= self._limits
        return bool(np.all(are_within))


def _solve_directly(pair_moment: Matrix | LinearOperator, count: int) -> tuple[Vector, Matrix]:
    """The largest pairs by a dense solver, smallest first.

    An operator is written out as a matrix.
    """
    d = pair_moment.shape[0]
    matrix = pair_moment
    if isinstance(matrix, LinearOperator):
        columns = matrix @ np.eye(d)
        matrix = np.asarray(columns, dtype=np.float64)
    largest_pairs = [d - count, d - 1]
    eigenvalues, eigenvectors = scipy.linalg.eigh(matrix, subset_by_index=largest_pairs)
    return eigenvalues, eigenvectors
