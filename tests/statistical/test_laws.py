"""The checks themselves: they accept what is right and refuse what is wrong, or no test built on them means a thing."""

import numpy as np
import pytest

from tests.statistical.laws import (
    ENOUGH,
    centred,
    follows,
    gaussian,
    histogram_cells,
    orthonormal_coordinates,
    uncorrelated,
    unit_scale,
)


def normals(seed: int, coordinates: int = 10) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((ENOUGH // coordinates, coordinates))


def test_law_check_accepts_the_declared_law() -> None:
    """200 draws: more than two alarms in 800 checks would happen once in ten thousand runs of other seeds."""
    assert sum(not follows(normals(seed)) for seed in range(200)) <= 2


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_scale_check_refuses_ten_percent_off(factor: float) -> None:
    assert not any(unit_scale(factor * normals(seed)) for seed in range(200))


def test_law_check_refuses_other_laws_of_the_same_variance() -> None:
    rng = np.random.default_rng(0)
    assert not gaussian(rng.laplace(scale=np.sqrt(0.5), size=ENOUGH))
    assert not gaussian(rng.choice([-1.0, 1.0], size=ENOUGH))
    assert not centred(normals(0) + 0.1)


def test_shared_noise_is_refused() -> None:
    draws = normals(0)
    draws[:, 1] = draws[:, 0]
    assert unit_scale(draws)
    assert not uncorrelated(draws)


def test_scale_check_of_too_few_coordinates_raises() -> None:
    with pytest.raises(ValueError, match="too few"):
        unit_scale(np.ones(ENOUGH - 1))


def test_coordinates_keep_the_norms_that_sensitivities_are_stated_in() -> None:
    """The Frobenius norm of a symmetric tensor; of a matrix √(2‖A‖² − ‖diag A‖²)."""
    rng = np.random.default_rng(0)
    A = rng.standard_normal((4, 4))
    A += A.T
    assert np.linalg.norm(histogram_cells(A)) ** 2 == pytest.approx(
        2 * np.sum(A**2) - np.sum(np.diag(A) ** 2)
    )
    T = rng.standard_normal((3, 3, 3))
    T = sum(
        T.transpose(o) for o in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    )
    assert np.linalg.norm(orthonormal_coordinates(T)) == pytest.approx(np.linalg.norm(T))
