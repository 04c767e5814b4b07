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
    """Compare two tensors that share a wave in 3θ and whose small waves in θ have opposite signs.

    It tells how far the first vectors turn: of the best frames, and where deflation begins.

    Args:
        amplitude: ``A``, above 0; of the tensors, not of collections of documents.

    Source:
        The published Theorem 6 claims a change of at most ``O(√k Δ_T/γs)``; its proof has the
        factor 2√k.
    """
    tensor = wave_tensor(amplitude)
    opposite_tensor = wave_tensor(-amplitude)
    eigenvalues, vectors = best_frame(tensor)
    _, opposite_vectors = best_frame(opposite_tensor)
    distance = float(np.linalg.norm(tensor - opposite_tensor))
    gamma_s = float(np.min(eigenvalues - np.append(eigenvalues[1:], 0.0))) / 4
    return TurnedFrame(
        distance=distance,
        gamma_s=gamma_s,
        allowed=2 * math.sqrt(len(eigenvalues)) * distance / gamma_s,
        frame_change=_distance_up_to_sign(vectors[:, 0], opposite_vectors[:, 0]),
        deflation_change=_distance_up_to_sign(
            _largest_direction(tensor), _largest_direction(opposite_tensor)
        ),
    )


def wave_tensor(amplitude: float) -> Tensor3:
    """The symmetric tensor with ``T(v, v, v) = A cos θ + cos(3θ − 120°)``, shape (2, 2, 2)."""
    first_unit_vector = np.array([1.0, 0.0])
    single_wave: Tensor3 = three_positions(np.eye(2), first_unit_vector) / 3  # cos θ, as |v| is 1
    triple_wave = np.empty((2, 2, 2))
    for i, j, k in np.ndindex(2, 2, 2):
        # cos 3θ = x³ − 3xy² and sin 3θ = 3x²y − y³.
        n_second = i + j + k
        cosine = (1.0, 0.0, -1.0, 0.0)[n_second]
        sine = (0.0, 1.0, 0.0, -1.0)[n_second]
        triple_wave[i, j, k] = math.cos(PHASE) * cosine + math.sin(PHASE) * sine
    return amplitude * single_wave + triple_wave


def best_frame(tensor: Tensor3) -> tuple[Vector, Matrix]:
    r"""Eigenvalues and vectors of the orthonormal frame that explains most of a 2×2×2 tensor.

    The explained part :math:`T(θ)^2 + T(θ + 90°)^2` is a constant plus one wave in 4θ, since waves
    in 2θ and 6θ cancel. So its maximum is exact, where sweeps over frames converge ever more
    slowly as the wave becomes small.

    Returns:
        Eigenvalues, not negative, largest first; and the vectors as columns, signed to match.
    """
    angles = np.linspace(0.0, math.pi / 2, N_SAMPLES, endpoint=False)
    explained = _values_at(tensor, angles) ** 2 + _values_at(tensor, angles + math.pi / 2) ** 2
    fourier_coefficient = np.sum(explained * np.exp(4j * angles))
    best_angle = cmath.phase(complex(fourier_coefficient)) / 4
    frame_angles = np.array([best_angle, best_angle + math.pi / 2])
    vectors = np.array([np.cos(frame_angles), np.sin(frame_angles)])
    eigenvalues = _values_at(tensor, frame_angles)
    order = np.argsort(-np.abs(eigenvalues))
    signs = np.where(eigenvalues < 0, -1.0, 1.0)
    return np.abs(eigenvalues)[order], (vectors * signs)[:, order]


def _largest_direction(tensor: Tensor3) -> Vector:
    """The unit vector with the largest ``T(v, v, v)``, by Newton's method from the best of many."""
    angles = np.linspace(0, 2 * math.pi, N_DIRECTIONS, endpoint=False)
    angle = float(angles[np.argmax(_values_at(tensor, angles))])
    for _ in range(NEWTON_STEPS):
        v = np.array([math.cos(angle), math.sin(angle)])
        tangent = np.array([-v[1], v[0]])
        first_derivative = 3 * float(np.einsum("abc,a,b,c->", tensor, v, v, tangent))
        second_derivative = 6 * float(np.einsum("abc,a,b,c->", tensor, v, tangent, tangent))
        second_derivative -= 3 * float(np.einsum("abc,a,b,c->", tensor, v, v, v))
        angle -= first_derivative / second_derivative
    return np.array([math.cos(angle), math.sin(angle)])


def _values_at(tensor: Tensor3, angles: Vector) -> Vector:
    """``T(v, v, v)`` at each angle."""
    v = np.array([np.cos(angles), np.sin(angles)])
    values: Vector = np.einsum("abc,at,bt,ct->t", tensor, v, v, v)
    return values


def _distance_up_to_sign(first: Vector, second: Vector) -> float:
    return float(min(np.linalg.norm(first - second), np.linalg.norm(first + second)))
