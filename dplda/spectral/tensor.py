"""Decomposition of a symmetric k×k×k tensor into orthonormal rank-one parts."""

from dataclasses import dataclass

import numpy as np

from dplda import _check
from dplda._types import Matrix, Tensor3, Vector


@dataclass(frozen=True, slots=True)
class Search:
    """How hard to look for the decomposition; nothing here touches a guarantee.

    Attributes:
        restarts: starting points tried, ≥ 1; the search ends early once one explains the tensor entirely.
        max_iterations: sweeps per start, ≥ 1.
        tolerance: > 0; a start has converged when no vector moves by more than this in a sweep.
    """

    restarts: int = 12
    max_iterations: int = 300
    tolerance: float = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """``T ≈ Σ_i λ_i v_i⊗v_i⊗v_i`` with orthonormal ``v_i``.

    Attributes:
        eigenvalues: ``λ``, shape (k,), non-negative, largest first.
        vectors: ``V``, shape (k, k), column i is ``v_i``.
        residual: ``‖T − Σ λ_i v_i⊗v_i⊗v_i‖_F / ‖T‖_F``, in [0, 1]; 0 for the zero tensor.
        converged: whether the best start stopped moving.
        agreeing: how many of the tried starts reached the same residual within 1 %.
        tried: how many starts were tried.
    """

    eigenvalues: Vector
    vectors: Matrix
    residual: float
    converged: bool
    agreeing: int
    tried: int


def decompose(tensor: Tensor3, *, rng: np.random.Generator, search: Search | None = None) -> Components:
    r"""The orthonormal frame that explains most of a symmetric tensor.

    Maximises :math:`\sum_i T(v_i, v_i, v_i)^2` over orthonormal frames, which minimises the residual, by moving all
    vectors at once to the nearest frame of :math:`\lambda_i T(I, v_i, v_i)`. On an orthogonally decomposable tensor
    this is the tensor power method run on all components together: convergence is quadratic and no component pays for
    the errors of those found before it, as deflation would make it. Half of the starts are eigenvectors of a random
    slice :math:`T(I, I, θ)`, exact when there is no noise; half are random frames.

    Args:
        tensor: ``T``, shape (k, k, k), symmetric, finite.
        rng: draws the starts.
        search: effort.

    Source:
        Anandkumar et al., tensor power method; we differ in updating the frame jointly.
    """
    search = search or Search()
    _check.integer_at_least("restarts", search.restarts, 1)
    _check.integer_at_least("max_iterations", search.max_iterations, 1)
    _check.positive("tolerance", search.tolerance)
    _check.finite("tensor", tensor)
    k = tensor.shape[0]
    norm = float(np.linalg.norm(tensor))
    if norm == 0:
        return Components(np.zeros(k), np.eye(k), 0.0, converged=True, agreeing=1, tried=1)
    scaled = tensor / norm
    residuals: list[float] = []
    best: tuple[float, Vector, Matrix, bool] | None = None
    for start in range(search.restarts):
        V, converged = _climb(scaled, _start(scaled, start, rng), search)
        eigenvalues = np.einsum("ia,ia->a", _contracted(scaled, V), V)
        residual = _residual(scaled, eigenvalues, V)
        residuals.append(residual)
        if best is None or residual < best[0]:
            best = (residual, eigenvalues, V, converged)
        if residual < 1e-9 and converged:
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
        agreeing=int(np.sum(np.array(residuals) <= residual * 1.01 + 1e-12)),
        tried=len(residuals),
    )


def _start(tensor: Tensor3, number: int, rng: np.random.Generator) -> Matrix:
    k = tensor.shape[0]
    if number % 2 == 0:
        slice_ = tensor @ rng.standard_normal(k)
        frame: Matrix = np.linalg.eigh(slice_ + slice_.T)[1]
        return frame
    return np.linalg.qr(rng.standard_normal((k, k)))[0]


def _climb(tensor: Tensor3, V: Matrix, search: Search) -> tuple[Matrix, bool]:
    for _ in range(search.max_iterations):
        contracted = _contracted(tensor, V)
        eigenvalues = np.einsum("ia,ia->a", contracted, V)
        left, _, right = np.linalg.svd(contracted * eigenvalues)
        moved: Matrix = left @ right
        change = float(np.max(np.abs(moved - V)))
        V = moved
        if change < search.tolerance:
            return V, True
    return V, False


def _contracted(tensor: Tensor3, V: Matrix) -> Matrix:
    """``T(I, v_a, v_a)`` for every column of V, shape (k, k)."""
    k = len(V)
    result: Matrix = np.einsum("ija,ja->ia", (tensor.reshape(k * k, k) @ V).reshape(k, k, k), V)
    return result


def _residual(tensor: Tensor3, eigenvalues: Vector, V: Matrix) -> float:
    """Distance to the explained part; by subtraction, since 1 − Σλ² loses half the digits."""
    k = len(V)
    explained = ((V[:, None, :] * (V * eigenvalues)).reshape(k * k, k) @ V.T).reshape(k, k, k)
    return float(np.linalg.norm(tensor - explained))
