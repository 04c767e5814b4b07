"""Decomposition of a symmetric k×k×k tensor into orthonormal rank-one parts."""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from dplda.core import checks
from dplda.core.engine import map_threads, row_blocks
from dplda.core.types import Matrix, Tensor3, Vector

Places: TypeAlias = tuple[np.ndarray[tuple[int], np.dtype[np.intp]], ...]

CELLS = 1 << 22  # numbers of a tensor processed at once
ALONE = (
    8  # smallest eigenvalue over the unexplained part, from which on no other frame does as well
)
EXACT = 1e-9  # of the tensor's norm: an unexplained part below this is zero
STARTS, SWEEPS = 12, 300  # at most, and sweeps for each
TOLERANCE = 1e-10  # a start has converged when no vector moves by more in a sweep
MOST_OPERATIONS = (
    1e13  # of all sweeps together, some minutes; above k = 200 this may cut the sweeps
)


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """``T ≈ Σ_i λ_i v_i⊗v_i⊗v_i`` with orthonormal ``v_i``.

    Attributes:
        eigenvalues: ``λ``, shape (k,), non-negative, largest first.
        vectors: ``V``, shape (k, k), column i is ``v_i``.
        residual: ``‖T − Σ λ_i v_i⊗v_i⊗v_i‖_F / ‖T‖_F``, in [0, 1]; 0 for the zero tensor.
    """

    eigenvalues: Vector
    vectors: Matrix
    residual: float
    converged: bool
    n_starts: int


def decompose(tensor: Tensor3, *, rng: np.random.Generator) -> Components:
    r"""The orthonormal frame that explains most of a symmetric tensor.

    Maximizes :math:`\sum_i T(v_i, v_i, v_i)^2` over orthonormal frames, which minimizes the residual, by moving all
    vectors at once to the nearest frame of :math:`\lambda_i T(I, v_i, v_i)`. On an orthogonally decomposable tensor
    this is the tensor power method on all components together: convergence is quadratic, and errors do not accumulate
    as in deflation. Half of the starts are eigenvectors of a random slice :math:`T(I, I, θ)`, exact without noise; half
    are random frames.

    A start that leaves :math:`ρ \le \min_i|λ_i|/8` unexplained is the last one. A frame that explains as much gives a
    tensor at most ``δ = 2ρ`` from that of the start. Contracted with ``v_i`` that is :math:`λ_i v_i v_i^⊤`; the other,
    which its own vectors diagonalize, then has one eigenvalue of at least :math:`λ_i - δ ≥ 3δ`, with a vector turned
    from ``v_i`` by a sine of at most ``δ/(λ_i − δ) ≤ 1/3``: both frames have the same parts.

    Source:
        Anandkumar et al., tensor power method; we differ in updating the frame jointly.
    """
    checks.finite("tensor", tensor)
    k = tensor.shape[0]
    norm = float(np.linalg.norm(tensor))
    if norm == 0:
        return Components(np.zeros(k), np.eye(k), 0.0, converged=True, n_starts=1)
    scaled = tensor / norm
    packed = _packed(scaled)
    best: tuple[float, Vector, Matrix, bool] | None = None
    left = max(1, int(MOST_OPERATIONS / float(k) ** 4))
    for start in range(STARTS):
        V, converged, sweeps = _climb(packed, _start(scaled, start, rng), min(left, SWEEPS))
        left -= sweeps
        eigenvalues = np.einsum("ia,ia->a", _contracted(packed, V), V)
        residual = _residual(scaled, eigenvalues, V)
        if best is None or residual < best[0]:
            best = (residual, eigenvalues, V, converged)
        if (
            converged and (residual < EXACT or ALONE * residual <= np.min(np.abs(eigenvalues)))
        ) or left <= 0:
            break
    assert best is not None
    residual, eigenvalues, V, converged = best
    signs = np.where(eigenvalues < 0, -1.0, 1.0)
    order = np.argsort(-np.abs(eigenvalues), kind="stable")
    return Components(
        eigenvalues=norm * (eigenvalues * signs)[order],
        vectors=(V * signs)[:, order],
        residual=residual,
        converged=converged,
        n_starts=start + 1,
    )


def _start(tensor: Tensor3, number: int, rng: np.random.Generator) -> Matrix:
    k = tensor.shape[0]
    if number % 2 == 0:
        slice_ = tensor @ rng.standard_normal(k)
        return np.asarray(np.linalg.eigh(slice_ + slice_.T)[1])
    return np.linalg.qr(rng.standard_normal((k, k)))[0]


def _climb(tensor: tuple[Matrix, Places], V: Matrix, most: int) -> tuple[Matrix, bool, int]:
    for sweep in range(1, most + 1):
        contracted = _contracted(tensor, V)
        eigenvalues = np.einsum("ia,ia->a", contracted, V)
        left, _, right = np.linalg.svd(contracted * eigenvalues)
        moved: Matrix = left @ right
        change = float(np.max(np.abs(moved - V)))
        V = moved
        if change < TOLERANCE:
            return V, True, sweep
    return V, False, most


def _packed(tensor: Tensor3) -> tuple[Matrix, Places]:
    """The tensor as a matrix, one column per ascending pair of its last two indices, and the pairs."""
    pairs = np.triu_indices(len(tensor))
    packed: Matrix = tensor[:, *pairs]
    packed *= np.where(pairs[0] == pairs[1], 1.0, 2.0)
    return packed, pairs


def _contracted(tensor: tuple[Matrix, Places], V: Matrix) -> Matrix:
    """``T(I, v_a, v_a)`` for every column of V, shape (k, k)."""
    packed, (first, second) = tensor

    def of(some: slice) -> Matrix:
        return np.asarray(packed[:, some] @ (V[first[some]] * V[second[some]]))

    total, *others = map_threads(of, list(row_blocks(len(first), max(1, CELLS // len(V)))))
    for other in others:
        total += other
    return total


def _residual(tensor: Tensor3, eigenvalues: Vector, V: Matrix) -> float:
    """Distance to the explained part; by subtraction, since 1 − Σλ² loses half the digits."""
    k = len(V)

    def of(rows: slice) -> float:
        explained = (V[rows, None, :] * (V * eigenvalues)).reshape(-1, k) @ V.T
        return float(np.linalg.norm(tensor[rows].reshape(-1, k) - explained))

    return math.hypot(*map_threads(of, list(row_blocks(k, max(1, CELLS // k**2)))))
