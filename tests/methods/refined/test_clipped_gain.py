"""What clipping takes from a mean gain is estimated, and never more than gains could have lost."""

import numpy as np
import pytest

from dplda.methods.refined.results.clipped_gain import estimate_clipped_gain


@pytest.mark.parametrize("mean", [0.5, 2.0, 6.0, 12.0])
def test_exponential_gains_get_back_what_clipping_took(mean: float) -> None:
    gains = np.random.default_rng(0).exponential(mean, 400_000)
    clipped_mean = float(np.mean(np.minimum(gains, 10.0)))
    clipped = estimate_clipped_gain(clipped_mean, 0.0, 10.0)
    assert clipped_mean + clipped.nats == pytest.approx(mean, rel=0.02)


def test_gains_that_vary_more_get_back_less_than_clipping_took() -> None:
    gains = np.random.default_rng(1).gamma(0.44, 5.0 / 0.44, 400_000)
    clipped_mean = float(np.mean(np.minimum(gains, 10.0)))
    clipped = estimate_clipped_gain(clipped_mean, 0.0, 10.0)
    assert 0 < clipped.nats < np.mean(gains) - clipped_mean


def test_error_holds_the_noise_that_the_estimate_adds() -> None:
    mean, noise, clip = 4.0, 0.3, 8.0
    estimates = [
        released + estimate_clipped_gain(released, noise, clip).nats
        for released in mean + noise * np.random.default_rng(2).standard_normal(4000)
    ]
    clipped = estimate_clipped_gain(mean, noise, clip)
    added_noise = np.sqrt(np.var(estimates) - noise**2)
    assert clipped.error == pytest.approx(np.hypot(0.5 * clipped.nats, added_noise), rel=0.1)


@pytest.mark.parametrize(("mean", "clip"), [(-1.0, 5.0), (0.0, 5.0), (3.0, np.inf), (0.01, 50.0)])
def test_small_gains_lose_nothing_to_clipping(mean: float, clip: float) -> None:
    clipped = estimate_clipped_gain(mean, 0.1, clip)
    assert clipped.nats == pytest.approx(0.0, abs=1e-9)
    assert clipped.error == pytest.approx(0.0, abs=1e-9)


def test_gains_near_the_clip_are_doubled_at_most() -> None:
    clipped = estimate_clipped_gain(4.9, 0.1, 5.0)
    assert clipped.nats == pytest.approx(4.9)
    assert clipped.error > 0.5 * 4.9
