"""A sum over documents carries its sensitivity into the release, whatever the noise."""

import math

import numpy as np
import pytest

from dplda.privacy.bounded_sum import BoundedL1Sum, BoundedSum, SumBound
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.named_quantity import NamedQuantity
from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.noise.sources import NoNoise

QUANTITY = NamedQuantity("sum", "S", "a sum", "steps")
COUNTS = SumBound.of_clipped_counts(n_documents=500, n_words=40, n_topics=3, clip_norm=2.0)
VECTORS = SumBound.of_vectors(
    n_documents=500, n_words=40, vector_norm=1.0, vector_distance=2.0, more_roundings=3
)


def exact_mechanisms() -> Mechanisms:
    return Mechanisms(ExactNoise(epsilon=1.0, delta=1e-6))


@pytest.mark.parametrize("bound", [COUNTS, VECTORS], ids=["counts", "vectors"])
@pytest.mark.parametrize("shape", [(40,), (3, 40)])
def test_release_sum_scales_floating_point_noise_to_the_carried_sensitivity(
    bound: SumBound, shape: tuple[int, ...]
) -> None:
    mechanisms = Mechanisms(NoNoise())
    value = np.arange(math.prod(shape), dtype=float).reshape(shape)
    noisy = mechanisms.release_sum(QUANTITY, bound.attach(value, is_exact=False), mu=0.5)
    (release,) = mechanisms.releases
    np.testing.assert_array_equal(noisy, value)
    assert release.sensitivity == bound.floating_point_sensitivity
    assert release.shape == shape


@pytest.mark.parametrize("bound", [COUNTS, VECTORS], ids=["counts", "vectors"])
def test_release_sum_scales_exact_noise_to_the_sensitivity_of_whole_numbers(
    bound: SumBound,
) -> None:
    mechanisms = exact_mechanisms()
    steps = np.full((3, 40), 7.0)
    mechanisms.release_sum(QUANTITY, bound.attach(steps, is_exact=True), mu=0.5)
    (release,) = mechanisms.releases
    assert release.sensitivity >= bound.part_distance * bound.part_norm
    assert release.sensitivity == pytest.approx(bound.exact_sensitivity, rel=1e-14)
    assert release.sensitivity == bound.sensitivity(is_exact=True)


@pytest.mark.parametrize("bound", [COUNTS, VECTORS], ids=["counts", "vectors"])
def test_sum_bound_leaves_room_for_roundings_in_floating_point_alone(bound: SumBound) -> None:
    proven = bound.part_distance * bound.part_norm
    assert proven < bound.exact_sensitivity < proven * (1 + 1e-15)
    assert proven * (1 + 1e-12) < bound.sensitivity(is_exact=False) < proven * (1 + 1e-6)


def test_attach_refuses_numbers_that_are_not_whole_for_exact_noise() -> None:
    with pytest.raises(ArithmeticError):
        COUNTS.attach(np.array([0.5, 1.0]), is_exact=True)


@pytest.mark.parametrize("shape", [(), (40,), (3, 40)])
def test_release_laplace_sum_scales_noise_to_the_carried_sensitivity(
    shape: tuple[int, ...],
) -> None:
    mechanisms = Mechanisms(NoNoise())
    value = np.ones(shape) if shape else 1.0
    noisy = mechanisms.release_laplace_sum(QUANTITY, BoundedL1Sum(value, 0.3), epsilon=0.5)
    (release,) = mechanisms.releases
    np.testing.assert_array_equal(noisy, value)
    assert (release.sensitivity, release.pure_epsilon, release.mu) == (0.3, 0.5, 0.0)
    assert release.scale >= 0.3 / 0.5
    assert release.shape == shape


def test_release_sum_of_a_number_gives_it_noise_of_its_own() -> None:
    mechanisms = Mechanisms(NoNoise())
    assert mechanisms.release_sum(QUANTITY, BoundedSum(2.5, 0.3), mu=0.5) == 2.5
    assert mechanisms.releases[0].shape == ()


def test_release_sum_of_whole_numbers_takes_their_own_sensitivity() -> None:
    mechanisms = exact_mechanisms()
    whole_counts = COUNTS.attach(np.full(40, 7.0), is_exact=True)
    mechanisms.release_sum(QUANTITY, BoundedSum(whole_counts.value, 1e-9), mu=0.5)
    assert mechanisms.releases[0].sensitivity == whole_counts.sensitivity
