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
COSINE_ENTRIES = (1.0, 0.0, -1.0, 0.0)
"""Entries of cos 3θ = x³ − 3xy² by the number of their indices that are the second."""
SINE_ENTRIES = (0.0, 1.0, 0.0, -1.0)
"""Entries of sin 3θ = 3x²y − y³, likewise."""
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
    gaps = eigenvalues - np.append(eigenvalues[1:], 0.0)
    gamma_s = float(np.min(gaps)) / 4
    direction = _largest_direction(tensor)
    opposite_direction = _largest_direction(opposite_tensor)
    return TurnedFrame(
        distance=distance,
        gamma_s=gamma_s,
        allowed=2 * math.sqrt(len(eigenvalues)) * distance / gamma_s,
        frame_change=_distance_up_to_sign(vectors[:, 0], opposite_vectors[:, 0]),
        deflation_change=_distance_up_to_sign(direction, opposite_direction),
    )


def wave_tensor(amplitude: float) -> Tensor3:
    """The symmetric tensor with ``T(v, v, v) = A cos θ + cos(3θ − 120°)``, shape (2, 2, 2).

    ``v`` is (cos θ, sin θ).

    Args:
        amplitude: ``A``, of either sign.
    """
    first_unit_vector = np.array([1.0, 0.0])
    single_wave: Tensor3 = three_positions(np.eye(2), first_unit_vector) / 3  # cos θ, as |v| is 1
    triple_wave = np.empty((2, 2, 2))
    for i, j, k in np.ndindex(2, 2, 2):
        n_second = i + j + k
        cosine_part = math.cos(PHASE) * COSINE_ENTRIES[n_second]
        sine_part = math.sin(PHASE) * SINE_ENTRIES[n_second]
        triple_wave[i, j, k] = cosine_part + sine_part
    return amplitude * single_wave + triple_wave


def best_frame(tensor: Tensor3) -> tuple[Vector, Matrix]:
    r"""Eigenvalues and vectors of the orthonormal frame that explains most of a 2×2×2 tensor.

    The explained part :math:`T(θ)^2 + T(θ + 90°)^2` is a constant plus one wave in 4θ, since waves
    in 2θ and 6θ cancel. So its maximum is exact, where sweeps over frames converge ever more
    slowly as the wave becomes small.

    Returns:
        Eigenvalues, not negative, largest first; and the vectors as columns, signed to match.
    """
    right_angle = math.pi / 2
    angles = np.linspace(0.0, right_angle, N_SAMPLES, endpoint=False)
    first_values = _values_at(tensor, angles)
    second_values = _values_at(tensor, angles + right_angle)
    explained_by_angle = first_values**2 + second_values**2
    waves = np.exp(4j * angles)
    fourier_coefficient = complex(np.sum(explained_by_angle * waves))
    best_angle = cmath.phase(fourier_coefficient) / 4
    frame_angles = np.array([best_angle, best_angle + right_angle])
    vectors = np.array([np.cos(frame_angles), np.sin(frame_angles)])
    eigenvalues = _values_at(tensor, frame_angles)
    sizes = np.abs(eigenvalues)
    order = np.argsort(-sizes)
    signs = np.where(eigenvalues < 0, -1.0, 1.0)
    signed_vectors = vectors * signs
    return sizes[order], signed_vectors[:, order]


def _largest_direction(tensor: Tensor3) -> Vector:
    """The unit vector with the largest ``T(v, v, v)``, by Newton's method from the best of many."""
    angles = np.linspace(0, 2 * math.pi, N_DIRECTIONS, endpoint=False)
    best_index = np.argmax(_values_at(tensor, angles))
    angle = float(angles[best_index])
    for _ in range(NEWTON_STEPS):
        v = _unit_vector(angle)
        tangent = np.array([-v[1], v[0]])
        first_derivative = 3 * _apply(tensor, v, v, tangent)
        second_derivative = 6 * _apply(tensor, v, tangent, tangent)
        second_derivative -= 3 * _apply(tensor, v, v, v)
        angle -= first_derivative / second_derivative
    return _unit_vector(angle)


def _unit_vector(angle: float) -> Vector:
    """The unit vector in a direction, shape (2,)."""
    return np.array([math.cos(angle), math.sin(angle)])


def _apply(tensor: Tensor3, x: Vector, y: Vector, z: Vector) -> float:
    """``T(x, y, z)``."""
    return float(np.einsum("abc,a,b,c->", tensor, x, y, z))


def _values_at(tensor: Tensor3, angles: Vector) -> Vector:
    """``T(v, v, v)`` at each angle."""
    v = np.array([np.cos(angles), np.sin(angles)])
    values: Vector = np.einsum("abc,at,bt,ct->t", tensor, v, v, v)
    return values


def _distance_up_to_sign(first: Vector, second: Vector) -> float:
    """Distance of two vectors, the smaller of those to either sign of the second."""
    to_same_sign = np.linalg.norm(first - second)
    to_other_sign = np.linalg.norm(first + second)
    return float(min(to_same_sign, to_other_sign))
