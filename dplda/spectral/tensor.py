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

BLOCK_ENTRIES = 1 << 22
"""Numbers of a tensor processed at once."""
FINAL_RATIO = 8
"""Smallest eigenvalue over the unexplained part, from which on no other frame does as well."""
MAX_EXACT_RESIDUAL = 1e-9
"""Fraction of the tensor's norm: an unexplained part below this is zero."""
MAX_STARTS = 12
"""Starts at most."""
MAX_SWEEPS = 300
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
        """Whether no other frame does as well: it converged and leaves little unexplained.

        Little is below ``MAX_EXACT_RESIDUAL``, or at most the smallest eigenvalue by magnitude
        over ``FINAL_RATIO``.
        """
        if not self.has_converged:
            return False
        if self.residual < MAX_EXACT_RESIDUAL:
            return True
        weakest = np.min(np.abs(self.eigenvalues))
        return bool(FINAL_RATIO * self.residual <= weakest)


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
        return Components(
            eigenvalues=np.zeros(k),
            vectors=np.eye(k),
            residual=0.0,
            converged=True,
            n_starts=1,
        )
    unit_tensor = tensor / norm
    packed_tensor = _pack(unit_tensor)
    best_frame: _Frame | None = None
    operations_of_sweep = float(k) ** 4
    n_sweeps_left = max(1, int(MOST_OPERATIONS / operations_of_sweep))
    for start_number in range(MAX_STARTS):
        initial_vectors = _draw_start(unit_tensor, start_number, rng)
        max_sweeps = min(n_sweeps_left, MAX_SWEEPS)
        V, has_converged, n_sweeps = _improve_frame(packed_tensor, initial_vectors, max_sweeps)
        n_sweeps_left -= n_sweeps
        frame = _measure_frame(unit_tensor, packed_tensor, V, has_converged=has_converged)
        if best_frame is None or frame.residual < best_frame.residual:
            best_frame = frame
        if frame.is_final or n_sweeps_left <= 0:
            break
    assert best_frame is not None
    return _in_order(best_frame, norm, n_starts=start_number + 1)


def _in_order(frame: _Frame, norm: float, *, n_starts: int) -> Components:
    """Components of a frame: eigenvalues made positive and descending, in the tensor's scale.

    Args:
        frame: of the tensor divided by its norm.
        norm: ``‖T‖_F``.
        n_starts: starts that were tried.
    """
    eigenvalues = frame.eigenvalues
    signs = np.where(eigenvalues < 0, -1.0, 1.0)
    positive_eigenvalues = eigenvalues * signs
    signed_vectors = frame.vectors * signs
    eigenvalue_order = np.argsort(-np.abs(eigenvalues), kind="stable")
    return Components(
        eigenvalues=norm * positive_eigenvalues[eigenvalue_order],
        vectors=signed_vectors[:, eigenvalue_order],
        residual=frame.residual,
        converged=frame.has_converged,
        n_starts=n_starts,
    )


def _measure_frame(
    unit_tensor: Tensor3, packed_tensor: PackedTensor, V: Matrix, *, has_converged: bool
) -> _Frame:
    """Eigenvalues ``T(v, v, v)`` of a frame and its residual, with the frame itself."""
    contracted = _contract(packed_tensor, V)
    eigenvalues = np.einsum("ia,ia->a", contracted, V)
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
        weights = rng.standard_normal(k)
        random_slice = tensor @ weights
        symmetric_slice = random_slice + random_slice.T
        _, eigenvectors = np.linalg.eigh(symmetric_slice)
        return np.asarray(eigenvectors)
    random_matrix = rng.standard_normal((k, k))
    return np.linalg.qr(random_matrix)[0]


def _improve_frame(tensor: PackedTensor, V: Matrix, max_sweeps: int) -> tuple[Matrix, bool, int]:
    """Move a frame to the nearest frame of ``λ_i T(I, v_i, v_i)``, again and again, until it stays.

    Args:
        tensor: with each pair of indices once.
        V: first frame, columns, (k, k).
        max_sweeps: after which it stops anyway.

    Returns:
        The last frame, whether it has converged, and the number of sweeps. It has converged when no
        entry moves by ``TOLERANCE`` in a sweep.
    """
    for sweep in range(1, max_sweeps + 1):
        contracted = _contract(tensor, V)
        eigenvalues = np.einsum("ia,ia->a", contracted, V)
        target = contracted * eigenvalues
        left_vectors, _, right_vectors = np.linalg.svd(target)
        nearest_frame: Matrix = left_vectors @ right_vectors
        movement = np.abs(nearest_frame - V)
        change = float(np.max(movement))
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
    first_indices, second_indices = pairs
    is_diagonal = first_indices == second_indices
    packed_entries *= np.where(is_diagonal, 1.0, 2.0)
    return packed_entries, pairs


def _contract(tensor: PackedTensor, V: Matrix) -> Matrix:
    """``T(I, v_a, v_a)`` for every column of V, shape (k, k)."""
    packed_entries, (first_indices, second_indices) = tensor

    def contract_pairs(pairs: slice) -> Matrix:
        """The sum over a block of index pairs, shape (k, k)."""
        products = V[first_indices[pairs]] * V[second_indices[pairs]]
        return np.asarray(packed_entries[:, pairs] @ products)

    n_pairs_of_block = max(1, BLOCK_ENTRIES // len(V))
    pair_blocks = list(row_blocks(len(first_indices), n_pairs_of_block))
    contracted, *other_sums = map_threads(contract_pairs, pair_blocks)
    for block_sum in other_sums:
        contracted += block_sum
    return contracted


def _residual(tensor: Tensor3, eigenvalues: Vector, V: Matrix) -> float:
    """Distance to the explained part; by subtraction, since 1 − Σλ² loses half the digits.

    Args:
        tensor: ``T``, shape (k, k, k).
        eigenvalues: ``λ``, shape (k,).
        V: orthonormal vectors as columns, shape (k, k).

    Returns:
        ``‖T − Σ λ_i v_i⊗v_i⊗v_i‖_F``.
    """
    k = len(V)
    scaled_vectors = V * eigenvalues

    def residual_of_rows(rows: slice) -> float:
        """The Frobenius norm of some slabs of the residual."""
        vector_products = V[rows, None, :] * scaled_vectors
        explained = vector_products.reshape(-1, k) @ V.T
        actual = tensor[rows].reshape(-1, k)
        return float(np.linalg.norm(actual - explained))

    n_rows = max(1, BLOCK_ENTRIES // k**2)
    blocks = list(row_blocks(k, n_rows))
    residuals = map_threads(residual_of_rows, blocks)
    return math.hypot(*residuals)
