"""Noisy sums over random minibatches: their record, and what the record does not claim."""

import itertools
import math

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.methods.configurations.sizes import Quantity
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.bounded_sum import BoundedSum
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.sources import NoiseSource
from tests.privacy.sources import TamperedNoise, seeded

LABEL = Quantity("a statistic", "s", "a statistic", "minibatch")
VALUE = np.random.default_rng(0).standard_normal((5, 10))


def noisy(
    source: NoiseSource | Mechanisms,
    *,
    sensitivity: float = 0.7,
    sigma: float = 4.0,
    rate: float = 0.1,
):
    mechanisms = source if isinstance(source, Mechanisms) else Mechanisms(source)
    value = mechanisms.minibatch_matrix(
        LABEL, BoundedSum(VALUE, sensitivity), noise_multiplier=sigma, sampling_rate=rate
    )
    return value, mechanisms.releases[-1]


def test_minibatch_release_claims_no_gaussian_budget() -> None:
    value, release = noisy(seeded(0))
    np.testing.assert_array_equal(value, release.value)
    assert (release.mu, release.pure_epsilon) == (0, 0)
    assert (release.sampling_rate, release.steps, release.shape) == (0.1, 1, (5, 10))


def test_minibatch_release_protects_presence() -> None:
    _, release = noisy(seeded(0))
    assert release.adjacency is Adjacency.ADD_OR_REMOVE_ONE


def test_steps_of_one_schedule_are_one_release_that_holds_the_last() -> None:
    mechanisms = Mechanisms(seeded(0))
    values = [noisy(mechanisms)[0] for _ in range(4)]
    assert len(mechanisms.releases) == 1
    assert mechanisms.releases[0].steps == 4
    np.testing.assert_array_equal(mechanisms.releases[0].value, values[-1])
    assert all(
        np.all(first_step != second_step) for first_step, second_step in itertools.pairwise(values)
    )


@pytest.mark.parametrize("change", [{"sensitivity": 0.8}, {"sigma": 5.0}, {"rate": 0.2}])
def test_minibatch_step_of_another_schedule_is_another_release(change: dict[str, float]) -> None:
    mechanisms = Mechanisms(seeded(0))
    noisy(mechanisms)
    noisy(mechanisms, **change)
    noisy(mechanisms)
    assert [release.steps for release in mechanisms.releases] == [1, 1, 1]


@pytest.mark.parametrize("bad", [0, -1.0, math.nan, math.inf])
def test_minibatch_noise_with_an_unusable_number_is_refused_before_any_draw(bad: float) -> None:
    for name, reason in (
        ("sensitivity", "sensitivity"),
        ("sigma", "noise_multiplier"),
        ("rate", "sampling_rate"),
    ):
        mechanisms = Mechanisms(source := TamperedNoise(0))
        with pytest.raises(InputError, match=reason):
            noisy(mechanisms, **{name: bad})
        assert (mechanisms.releases, source.sizes) == ((), [])
