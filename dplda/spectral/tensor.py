"""Decomposition of a symmetric k×k×k tensor into orthonormal rank-one parts."""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from dplda.core import checks
from dplda.core.engine import map_threads, row_blocks
from dplda.core.types import Matrix, Tensor3, Vector

Places: TypeAlias = tuple[np.ndarray[tuple[int], np.dtype[np.intp]], ...]
PackedTensor: TypeAlias = tuple[Matrix, Places]

CELLS = 1 << 22
"""Numbers of a tensor processed at once."""
ALONE = 8
"""Smallest eigenvalue over the unexplained part, from which on no other frame does as well."""
EXACT = 1e-9
"""Fraction of the tensor's norm: an unexplained part below this is zero."""
STARTS = 12
"""Starts at most."""
SWEEPS = 300
"""Sweeps of one start at most."""
TOLERANCE = 1e-10
"""A start has converged when no entry of a vector moves by this much in a sweep."""
MOST_OPERATIONS = 1e13
"""Operations of all sweeps together, some minutes; above k = 200 this may cut the sweeps."""


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """``T ≈ Σ_i λ_i v_i⊗v_i⊗v_i`` with orthonormal ``v_i``.

    Attributes:
        eigenvalues: ``λ``, shape (k,), non-negative, largest first.
        vectors: ``V``, shape (k, k), column i is ``v_i``.
        residual: ``‖T − Σ λ_i v_i⊗v_i⊗v_i‖_F / ‖T‖_F``, in [0, 1]; 0 for the zero tensor.
        converged: whether the start that gave these vectors converged.
        n_starts: starts that were tried; 0 where there was no tensor to decompose.
    """

    eigenvalues: Vector
    vectors: Matrix
    residual: float
    converged: bool
    n_starts: int


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """The orthonormal frame that one start reached, on a tensor of norm 1.

    Attributes:
        vectors: shape (k, k), as columns.
        eigenvalues: ``T(v_i, v_i, v_i)``, shape (k,), of either sign.
        residual: Frobenius norm of the unexplained part.
        has_converged: whether the last sweep hardly moved it.
    """

    vectors: Matrix
    eigenvalues: Vector
    residual: float
    has_converged: bool

    @property
    def is_final(self) -> bool:
        """Whether no other frame does as well: it converged and leaves little unexplained."""
        if not self.has_converged:
            return False
        weakest = np.min(np.abs(self.eigenvalues))
        return self.residual < EXACT or bool(ALONE * self.residual <= weakest)


def decompose(tensor: Tensor3, *, rng: np.random.Generator) -> Components:
    r"""The orthonormal frame that explains most of a symmetric tensor.

    Maximizes :math:`\sum_i T(v_i, v_i, v_i)^2` over orthonormal frames, which minimizes the
    residual, by moving all vectors at once to the nearest frame of :math:`\lambda_i T(I, v_i,
    v_i)`. On an orthogonally decomposable tensor this is the tensor power method on all components
    together: convergence is quadratic, and errors do not accumulate as in deflation. Half of the
    starts are eigenvectors of a random slice :math:`T(I, I, θ)`, exact without noise; half are
    random frames. The start with the smallest residual counts, whether it has converged or not; all
    stop when ``MOST_OPERATIONS`` are used up. The zero tensor gives the unit vectors with
    eigenvalues 0.

    A start that leaves :math:`ρ \le \min_i|λ_i|/8` unexplained is the last one. A frame that
    explains as much gives a tensor at most ``δ = 2ρ`` from that of the start. Contracted with
    ``v_i`` that is :math:`λ_i v_i v_i^⊤`; the other, which its own vectors diagonalize, then has
    one eigenvalue of at least :math:`λ_i - δ ≥ 3δ`, with a vector turned from ``v_i`` by a sine of
    at most ``δ/(λ_i − δ) ≤ 1/3``: both frames have the same parts.

    Args:
        tensor: shape (k, k, k), symmetric and finite.
        rng: draws the starts.

    Returns:
        Eigenvalues made positive, with the signs in the vectors, the largest first.

    Raises:
        InputError: the tensor is not finite.

    Source:
        Anandkumar et al., tensor power method; we differ in updating the frame jointly.
    """
    checks.finite("tensor", tensor)
    k = tensor.shape[0]
    norm = float(np.linalg.norm(tensor))
    if norm == 0:
        return Components(np.zeros(k), np.eye(k), 0.0, converged=True, n_starts=1)
    unit_tensor = tensor / norm
    packed_tensor = _pack(unit_tensor)
    best_frame: _Frame | None = None
    n_sweeps_left = max(1, int(MOST_OPERATIONS / float(k) ** 4))
    for start_number in range(STARTS):
        initial_vectors = _draw_start(unit_tensor, start_number, rng)
        V, has_converged, n_sweeps = _climb(
            packed_tensor, initial_vectors, min(n_sweeps_left, SWEEPS)
        )
        n_sweeps_left -= n_sweeps
        frame = _measure_frame(unit_tensor, packed_tensor, V, has_converged=has_converged)
        if best_frame is None or frame.residual < best_frame.residual:
            best_frame = frame
        if frame.is_final or n_sweeps_left <= 0:
            break
    assert best_frame is not None
    eigenvalues = best_frame.eigenvalues
    signs = np.where(eigenvalues < 0, -1.0, 1.0)
    eigenvalue_order = np.argsort(-np.abs(eigenvalues), kind="stable")
    return Components(
        eigenvalues=norm * (eigenvalues * signs)[eigenvalue_order],
        vectors=(best_frame.vectors * signs)[:, eigenvalue_order],
        residual=best_frame.residual,
        converged=best_frame.has_converged,
        n_starts=start_number + 1,
    )


def _measure_frame(
    unit_tensor: Tensor3, packed_tensor: PackedTensor, V: Matrix, *, has_converged: bool
) -> _Frame:
    """Eigenvalues ``T(v, v, v)`` of a frame and its residual, with the frame itself."""
    eigenvalues = np.einsum("ia,ia->a", _contract(packed_tensor, V), V)
    return _Frame(
        vectors=V,
        eigenvalues=eigenvalues,
        residual=_residual(unit_tensor, eigenvalues, V),
        has_converged=has_converged,
    )


def _draw_start(tensor: Tensor3, number: int, rng: np.random.Generator) -> Matrix:
    """Draw an orthonormal frame: random for an odd number, else a random slice's eigenvectors."""
    k = tensor.shape[0]
    if number % 2 == 0:
        random_slice = tensor @ rng.standard_normal(k)
        return np.asarray(np.linalg.eigh(random_slice + random_slice.T)[1])
    return np.linalg.qr(rng.standard_normal((k, k)))[0]


def _climb(tensor: PackedTensor, V: Matrix, max_sweeps: int) -> tuple[Matrix, bool, int]:
    """Move a frame to the nearest frame of ``λ_i T(I, v_i, v_i)``, again and again, until it stays.

    Args:
        tensor: with each pair of indices once.
        V: first frame, columns, (k, k).
        max_sweeps: after which it stops anyway.

    Returns:
        The last frame, whether it has converged, and the number of sweeps.
    """
    for sweep in range(1, max_sweeps + 1):
        contracted = _contract(tensor, V)
        eigenvalues = np.einsum("ia,ia->a", contracted, V)
        left_vectors, _, right_vectors = np.linalg.svd(contracted * eigenvalues)
        nearest_frame: Matrix = left_vectors @ right_vectors
        change = float(np.max(np.abs(nearest_frame - V)))
        V = nearest_frame
        if change < TOLERANCE:
            return V, True, sweep
    return V, False, max_sweeps


def _pack(tensor: Tensor3) -> PackedTensor:
    """A symmetric tensor as a matrix, a column per ascending pair of last indices; the pairs.

    Columns of two different indices are doubled, since they stand for both orders.
    """
    pairs = np.triu_indices(len(tensor))
    packed_entries: Matrix = tensor[:, *pairs]
    packed_entries *= np.where(pairs[0] == pairs[1], 1.0, 2.0)
    return packed_entries, pairs


def _contract(tensor: PackedTensor, V: Matrix) -> Matrix:
    """``T(I, v_a, v_a)`` for every column of V, shape (k, k)."""
    packed_entries, (first_indices, second_indices) = tensor

    def contract_pairs(pairs: slice) -> Matrix:
        """The sum over a block of index pairs, shape (k, k)."""
        products = V[first_indices[pairs]] * V[second_indices[pairs]]
        return np.asarray(packed_entries[:, pairs] @ products)

    n_pairs_of_block = max(1, CELLS // len(V))
    pair_blocks = list(row_blocks(len(first_indices), n_pairs_of_block))
    contracted, *other_sums = map_threads(contract_pairs, pair_blocks)
    for block_sum in other_sums:
        contracted += block_sum
    return contracted


def _residual(tensor: Tensor3, eigenvalues: Vector, V: Matrix) -> float:
    """Distance to the explained part; by subtraction, since 1 − Σλ² loses half the digits."""
    k = len(V)

    def residual_of_rows(rows: slice) -> float:
        explained = (V[rows, None, :] * (V * eigenvalues)).reshape(-1, k) @ V.T
        return float(np.linalg.norm(tensor[rows].reshape(-1, k) - explained))

    n_rows = max(1, CELLS // k**2)
    return math.hypot(*map_threads(residual_of_rows, list(row_blocks(k, n_rows))))
