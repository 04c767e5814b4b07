import math

import numpy as np
import pytest

from dplda.spectral.cumulants import symmetrize
from dplda.spectral.tensor import decompose
from dplda.theory.gaps.turned_frames import best_frame, turn_frame, wave_tensor
from dplda.theory.theorems import sensitivities

AMPLITUDES = (1e-7, 1e-5, 1e-3, 0.1)


def value_at(tensor, angle: float) -> float:
    v = np.array([math.cos(angle), math.sin(angle)])
    return float(np.einsum("abc,a,b,c->", tensor, v, v, v))


@pytest.mark.parametrize("angle", [0.0, 0.4, 2.0, 5.5])
def test_wave_tensor_has_the_waves_of_its_card(angle) -> None:
    expected = 0.3 * math.cos(angle) + math.cos(3 * angle - math.radians(120))
    assert value_at(wave_tensor(0.3), angle) == pytest.approx(expected, abs=1e-14)


def test_wave_tensor_is_symmetric() -> None:
    tensor = wave_tensor(0.3)
    np.testing.assert_allclose(symmetrize(tensor), tensor, atol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_best_frame_explains_as_much_as_the_best_of_many_angles(seed) -> None:
    tensor = symmetrize(np.random.default_rng(seed).standard_normal((2, 2, 2)))
    values, vectors = best_frame(tensor)
    angles = np.linspace(0, math.pi / 2, 20_000)
    explained = [
        value_at(tensor, angle) ** 2 + value_at(tensor, angle + math.pi / 2) ** 2
        for angle in angles
    ]
    assert np.sum(values**2) == pytest.approx(max(explained), rel=1e-6)
    values_by_definition = [np.einsum("abc,a,b,c->", tensor, v, v, v) for v in vectors.T]
    np.testing.assert_allclose(values, values_by_definition, atol=1e-12)


@pytest.mark.parametrize("amplitude", [0.3, -0.3, 0.05, -0.05])
def test_best_frame_of_a_wave_is_what_the_decomposition_converges_to(amplitude) -> None:
    tensor = wave_tensor(amplitude)
    components = decompose(tensor, rng=np.random.default_rng(0))
    values, vectors = best_frame(tensor)
    assert components.converged
    np.testing.assert_allclose(components.eigenvalues, values, atol=1e-7)
    np.testing.assert_allclose(np.abs(np.sum(components.vectors * vectors, axis=0)), 1, atol=1e-7)


@pytest.mark.parametrize("amplitude", AMPLITUDES)
def test_turn_frame_moves_by_45_degrees_at_every_amplitude(amplitude) -> None:
    """By hand: T(θ)² + T(θ + 90°)² = 1 + A² + 2A cos(4θ − 120°), best at 30° or at 75°."""
    turned_frame = turn_frame(amplitude)
    assert turned_frame.frame_change == pytest.approx(math.sqrt(2 - math.sqrt(2)), abs=1e-7)
    gap = (math.cos(math.radians(30)) - 0.5) * (1 + amplitude)
    assert turned_frame.gamma_s == pytest.approx(gap / 4, abs=1e-8)
    assert turned_frame.distance == pytest.approx(2 * amplitude * math.sqrt(4 / 3), rel=1e-6)


@pytest.mark.parametrize("amplitude", AMPLITUDES[:3])
def test_turn_frame_by_deflation_moves_by_60_degrees_in_the_limit(amplitude) -> None:
    """The maxima of cos(3θ − 120°) at 40° and 160° change places; 120° are 60° up to sign."""
    assert turn_frame(amplitude).deflation_change == pytest.approx(1, abs=0.1 * amplitude + 1e-6)


@pytest.mark.parametrize("amplitude", AMPLITUDES[:3])
def test_turn_frame_allowed_change_is_theorem_6_with_the_factor_of_its_proof(amplitude) -> None:
    turned_frame = turn_frame(amplitude)
    theorem_6 = sensitivities.factors(
        tensor=turned_frame.distance, n_topics=2, gamma_s=turned_frame.gamma_s
    )
    assert turned_frame.allowed == pytest.approx(2 * theorem_6)
    assert turned_frame.frame_change > 10 * turned_frame.allowed


def test_turn_frame_card_numbers_are_those_of_one_hundred_thousandth() -> None:
    turned_frame = turn_frame(1e-5)
    assert turned_frame.allowed == pytest.approx(7.1e-4, rel=0.01)
    assert turned_frame.frame_change > 0.7
