r"""Two tensors at any small distance whose first eigenvectors are far apart, with γs above 0.

On the circle :math:`v = (\cos θ, \sin θ)` a symmetric 2×2×2 tensor is the function
:math:`T(v, v, v)`, a sum of waves in θ and 3θ. The tensor of :math:`\cos(3θ - 120°)` is explained
equally well by every orthonormal frame. So a wave :math:`A\cos θ` of any size decides which frame
is best, and its sign turns that frame by 45°.
"""

import cmath
import math
from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix, Tensor3, Vector
from dplda.spectral.cumulants import three_positions

PHASE = math.radians(120)  # of the wave in 3θ
N_SAMPLES = 8  # of one period of the explained part, which has a single frequency
N_DIRECTIONS = 3600  # of the circle, from which the search for a maximum starts
NEWTON_STEPS = 8  # from a tenth of a degree they reach the last digit


@dataclass(frozen=True, slots=True, eq=False)
class TurnedFrame:
    """Two tensors and their first eigenvectors.

    Attributes:
        distance: ``‖T − T'‖_F``.
        gamma_s: a quarter of the smallest gap between the eigenvalues of ``T``.
        allowed: Theorem 6's bound on the change of an eigenvector, ``2√k ‖T − T'‖_F / γs``.
        frame_change: distance of the first vectors of the frames that explain most, least over
            signs.
        deflation_change: the same for the directions of the largest ``T(v, v, v)``, with which the
            power method with deflation begins.
    """

    distance: float
    gamma_s: float
    allowed: float
    frame_change: float
    deflation_change: float


def turn_frame(amplitude: float) -> TurnedFrame:
    """Compare the tensor of a small wave in θ with that of its negative.

    Args:
        amplitude: ``A``, above 0; of the tensors, not of collections of documents.

    Source:
        The published Theorem 6 claims a change of at most ``O(√k Δ_T/γs)``; its proof has the
        factor 2√k.
    """
    tensor = wave_tensor(amplitude)
    other = wave_tensor(-amplitude)
    values, vectors = best_frame(tensor)
    _, other_vectors = best_frame(other)
    distance = float(np.linalg.norm(tensor - other))
    gamma_s = float(np.min(values - np.append(values[1:], 0.0))) / 4
    return TurnedFrame(
        distance=distance,
        gamma_s=gamma_s,
        allowed=2 * math.sqrt(len(values)) * distance / gamma_s,
        frame_change=_distance_up_to_sign(vectors[:, 0], other_vectors[:, 0]),
        deflation_change=_distance_up_to_sign(
            _largest_direction(tensor), _largest_direction(other)
        ),
    )


def wave_tensor(amplitude: float) -> Tensor3:
    """The symmetric tensor with ``T(v, v, v) = A cos θ + cos(3θ − 120°)``, shape (2, 2, 2)."""
    across = np.array([1.0, 0.0])
    slow: Tensor3 = three_positions(np.eye(2), across) / 3  # cos θ, as |v| is 1
    fast = np.empty((2, 2, 2))
    for i, j, k in np.ndindex(2, 2, 2):
        # cos 3θ = x³ − 3xy² and sin 3θ = 3x²y − y³.
        n_second = i + j + k
        cosine = (1.0, 0.0, -1.0, 0.0)[n_second]
        sine = (0.0, 1.0, 0.0, -1.0)[n_second]
        fast[i, j, k] = math.cos(PHASE) * cosine + math.sin(PHASE) * sine
    return amplitude * slow + fast


def best_frame(tensor: Tensor3) -> tuple[Vector, Matrix]:
    r"""Eigenvalues and vectors of the orthonormal frame that explains most of a 2×2×2 tensor.

    The explained part :math:`T(θ)^2 + T(θ + 90°)^2` is a constant plus one wave in 4θ, since waves
    in 2θ and 6θ cancel. So its maximum is exact, where sweeps over frames converge ever more
    slowly as the wave becomes small.

    Returns:
        Eigenvalues, not negative, largest first; and the vectors as columns, signed to match.
    """
    angles = np.linspace(0.0, math.pi / 2, N_SAMPLES, endpoint=False)
    explained = _wave(tensor, angles) ** 2 + _wave(tensor, angles + math.pi / 2) ** 2
    wave = np.sum(explained * np.exp(4j * angles))
    first = cmath.phase(complex(wave)) / 4
    directions = np.array([first, first + math.pi / 2])
    vectors = np.array([np.cos(directions), np.sin(directions)])
    values = _wave(tensor, directions)
    order = np.argsort(-np.abs(values))
    signs = np.where(values < 0, -1.0, 1.0)
    return np.abs(values)[order], (vectors * signs)[:, order]


def _largest_direction(tensor: Tensor3) -> Vector:
    """The unit vector with the largest ``T(v, v, v)``, by Newton's method from the best of many."""
    angles = np.linspace(0, 2 * math.pi, N_DIRECTIONS, endpoint=False)
    angle = float(angles[np.argmax(_wave(tensor, angles))])
    for _ in range(NEWTON_STEPS):
        v = np.array([math.cos(angle), math.sin(angle)])
        turned = np.array([-v[1], v[0]])
        slope = 3 * float(np.einsum("abc,a,b,c->", tensor, v, v, turned))
        bend = 6 * float(np.einsum("abc,a,b,c->", tensor, v, turned, turned))
        bend -= 3 * float(np.einsum("abc,a,b,c->", tensor, v, v, v))
        angle -= slope / bend
    return np.array([math.cos(angle), math.sin(angle)])


def _wave(tensor: Tensor3, angles: Vector) -> Vector:
    """``T(v, v, v)`` at each angle."""
    v = np.array([np.cos(angles), np.sin(angles)])
    values: Vector = np.einsum("abc,at,bt,ct->t", tensor, v, v, v)
    return values


def _distance_up_to_sign(first: Vector, second: Vector) -> float:
    return float(min(np.linalg.norm(first - second), np.linalg.norm(first + second)))
