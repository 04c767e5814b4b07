"""The leading eigenpairs of a symmetric matrix or operator.

Operators use a block Lanczos iteration with full orthogonalization: a sparse matrix multiplies all directions at once
for a fraction of the cost. It runs in float32, which is usually enough, and continues in float64 where it is not.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from dplda.core.engine import map_threads, row_blocks, workers
from dplda.core.types import Matrix, Vector

DENSE_OPERATOR = 400  # up to this many words an operator is cheaper to write out than to iterate on
DENSE_MATRIX = 1500  # up to this many words a dense eigensolver beats Lanczos on a matrix
LANCZOS_TOLERANCE = (
    1e-7  # relative residual of an eigenvalue; the subspace is then right to about 1e-12
)
SPARE = 5  # least number of extra directions in a block
BLOCKS = 12  # blocks in a Lanczos basis, which then restarts from the best directions
BASES = 20  # restarts before the matrix is written out
TOLERANCE = 1e-3  # residual over eigenvalue, about the subspace's error; sampling's is 0.1 (N = 1e5, d = 5e3, k = 50)
LEAST_GAIN = (
    0.1  # credited to the last power step; eigenvalues, which it leaves alone, are right to 1e-4
)
WEAKEST = 1e-3  # of the largest eigenvalue: the reference for residuals of smaller ones

Block: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
B = TypeVar("B", NDArray[np.float32], NDArray[np.float64])


def leading_eigenpairs(
    pair_moment: Matrix | LinearOperator, count: int, *, direct: bool = False
) -> tuple[Vector, Matrix]:
    """The ``count`` algebraically largest eigenvalues, largest first, with vectors of fixed sign.

    An operator's last pair is the best in the subspace that the others need, up to a third too low in the bulk. An
    iteration may miss copies of a repeated eigenvalue, and which ones jumps with the data: a sensitivity of exact
    eigenvalues needs the ``direct`` solver.
    """
    d = pair_moment.shape[0]
    found = None
    if isinstance(pair_moment, LinearOperator):
        if not direct and DENSE_OPERATOR < d >= 3 * count:
            found = _by_blocks(pair_moment, count)
    elif not direct and DENSE_MATRIX < d >= 3 * count:
        found = _by_vectors(pair_moment, count)
    values, vectors = found or _direct(pair_moment, count)
    order = np.argsort(-values)
    values, vectors = values[order], vectors[:, order]
    strongest = np.argmax(np.abs(vectors), axis=0)
    vectors = vectors * np.sign(vectors[strongest, np.arange(count)])
    return np.asarray(values, dtype=np.float64), np.asarray(vectors, dtype=np.float64)


def _by_vectors(matrix: Matrix, count: int) -> tuple[Vector, Matrix] | None:
    """Lanczos, with products taken by rows on several threads; None where it does not converge."""
    d = len(matrix)
    parts = [matrix[rows] for rows in row_blocks(d, -(-d // workers()))]
    operator = LinearOperator(
        (d, d),
        matvec=lambda v: np.concatenate(map_threads(lambda part: part @ v, parts)),
        dtype=np.float64,
    )
    start = np.random.default_rng(0).standard_normal(d)
    try:
        found: tuple[Vector, Matrix] = eigsh(
            operator, k=count, which="LA", v0=start, tol=LANCZOS_TOLERANCE, ncv=min(d, 3 * count)
        )
    except ArpackError:  # no convergence, or a moment of zeros
        return None
    return found


def block_width(count: int, d: int) -> int:
    """Directions in a block for ``count`` eigenpairs of a (d, d) operator, in whole registers where possible."""
    return min(-(-(count + SPARE) // 8) * 8, d // 2)


def _by_blocks(operator: LinearOperator, count: int) -> tuple[Vector, Matrix] | None:
    """Block Lanczos, in float32 as far as possible; None where it does not converge."""
    d = operator.shape[0]
    start = np.random.default_rng(0).standard_normal((d, block_width(count, d)), dtype=np.float32)
    values, found, converged = _basis(operator.matmat, start, count)
    fine = found.astype(np.float64)
    for _ in range(BASES):
        if converged:
            return values[:count], np.linalg.qr(fine[:, :count])[0]
        values, fine, converged = _basis(operator.matmat, fine, count)
    return None


def _basis(product: Callable[[B], Block], start: B, count: int) -> tuple[Vector, B, bool]:
    """One Lanczos basis, grown block by block until all pairs but the last have converged.

    With ``V`` the basis and ``E`` the part of ``A V_q``, for its last block, outside it: a pair :math:`(θ, s)` of
    :math:`V^⊤ A V` has the residual :math:`r = E s_q` as a pair :math:`(θ, x = V s)` of A. One further power step costs
    no product: with σ and h the middle and half the width of the rest of the spectrum, :math:`x + r/(θ - σ) = (A -
    σ)x/(θ - σ)` has at most ``h/(θ − σ)`` of x's part in each of its directions. The last value says whether ``count −
    1`` pairs converged, which single precision shows only for pairs down to ``WEAKEST``.
    """
    d, width = start.shape
    kind, wanted = start.dtype, slice(0, max(count - 1, 1))
    V, H = np.linalg.qr(start)[0], np.zeros((0, 0))
    while True:
        size = V.shape[1]
        E = np.asarray(product(np.ascontiguousarray(V[:, -width:])), dtype=kind)
        C = V.T @ E
        E -= V @ C
        H = np.block([[H, C[:-width]], [C.T.astype(np.float64)]])
        values, S = scipy.linalg.eigh(H, subset_by_index=[size - width, size - 1])
        values, S = values[::-1], S[:, ::-1].astype(kind)
        lowest = scipy.linalg.eigh(H, eigvals_only=True, subset_by_index=[0, 0])[0]
        largest = max(values[0], -lowest)
        half = (values[count - 1] - lowest) / 2
        from_middle = np.maximum(values - lowest - half, half + np.finfo(kind).tiny)
        R = E @ S[-width:]
        residuals = np.linalg.norm(R[:, wanted], axis=0) * np.maximum(
            half / from_middle[wanted], LEAST_GAIN
        )
        scale = np.maximum(np.abs(values[wanted]), WEAKEST * largest)
        rounding = 4 * float(np.finfo(kind).eps) * largest
        there = bool(np.all(residuals <= np.maximum(TOLERANCE * scale, rounding)))
        if there or size + width > min(d, BLOCKS * width):
            carried = kind == np.float64 or bool(
                np.min(TOLERANCE * np.abs(values[wanted])) >= rounding
            )
            return (
                values,
                np.asarray(V @ S + R / from_middle.astype(kind), dtype=kind),
                there and carried,
            )
        Q = np.linalg.qr(E)[0]
        Q -= V @ (V.T @ Q)
        V = np.hstack([V, np.linalg.qr(Q)[0]])


def _direct(pair_moment: Matrix | LinearOperator, count: int) -> tuple[Vector, Matrix]:
    d = pair_moment.shape[0]
    matrix = pair_moment
    if isinstance(matrix, LinearOperator):
        matrix = np.asarray(matrix @ np.eye(d), dtype=np.float64)
    values, vectors = scipy.linalg.eigh(matrix, subset_by_index=[d - count, d - 1])
    return values, vectors
