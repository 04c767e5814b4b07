"""A start beside steps: what these are shrunk toward, and both weighed, with least error where errors are as taken."""

import numpy as np
import pytest

from dplda.methods.base.previous_release import SpectralStart
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.stages.running_mean import RunningMean
from dplda.methods.refined.stages.spectral_start import mixing_weight

D = 400
RNG = np.random.default_rng(2)
TRUTH = RNG.dirichlet(np.ones(D), size=2)
SCALE = np.linalg.norm(TRUTH, axis=1)[:, None] / np.sqrt(D)


def weight(refined, moments, v_refined, v_moments, misfit=0.1, trust=1.0):
    start = SpectralStart(
        topics=moments,
        error_variance=np.full(2, v_moments),
        was_found=np.ones(2, bool),
        unclipped_share=trust,
    )
    return mixing_weight(start, refined, np.full(2, v_refined), misfit)


def test_shrinkage_target_is_the_start_where_it_is_surer() -> None:
    """Of a step that says nothing; a start did not find the second topic."""
    start = SpectralStart(
        topics=TRUTH,
        error_variance=np.full(2, 1e-4),
        was_found=np.arange(2) < 1,
        unclipped_share=1.0,
    )
    steps = RunningMean(NoisyWordCounts(1e6 * np.mean(TRUTH, axis=0), 1.0), TRUTH, 3.0, start=start)
    steps.add_release(1e5 * RNG.standard_normal(TRUTH.shape), 1e5)
    near, far = np.sum(np.abs(steps.topics - TRUTH), axis=1)
    assert near < 0.2 < 0.4 < far


def test_mixing_weight_of_equal_topics_follows_their_noise() -> None:
    np.testing.assert_allclose(weight(TRUTH, TRUTH, 3e-4, 1e-4), 0.75)


def test_reorder_topics_keeps_each_topics_error() -> None:
    start = SpectralStart(
        topics=TRUTH,
        error_variance=np.array([1e-4, 3e-4]),
        was_found=np.ones(2, bool),
        unclipped_share=1.0,
    )
    reordered_weights = mixing_weight(
        start.reorder_topics([1, 0]), TRUTH[::-1], np.full(2, 1e-4), 0.1
    )[::-1]
    np.testing.assert_array_equal(
        mixing_weight(start, TRUTH, np.full(2, 1e-4), 0.1), reordered_weights
    )


def test_mixing_weight_of_noiseless_moments_falls_with_disagreement() -> None:
    near = TRUTH + 0.02 * SCALE * RNG.standard_normal(TRUTH.shape)
    far = TRUTH + 0.5 * SCALE * RNG.standard_normal(TRUTH.shape)
    assert np.all(weight(TRUTH, near, 0.0, 0.0) > 0.98)
    assert np.all(weight(TRUTH, far, 0.0, 0.0) < 0.01)
    for none in ({"misfit": 0.0}, {"trust": 0.0}):
        assert np.all(weight(TRUTH, near, 0.0, 0.0, **none) == 0)


@pytest.mark.parametrize(("noise", "bias"), [(0.3, 0.0), (0.05, 0.03), (0.01, 0.02)])
def test_mixing_weight_is_near_the_best_one(noise: float, bias: float) -> None:
    """Moments have noise; refined ones have a tenth of it, and a bias well below what counts as misfit."""
    moments = TRUTH + noise * SCALE * RNG.standard_normal(TRUTH.shape)
    refined = (
        TRUTH
        + (noise / 10 * RNG.standard_normal(TRUTH.shape) + bias * RNG.standard_normal((2, D)))
        * SCALE
    )
    size = float(np.mean(SCALE**2)) * D
    found_weight = weight(refined, moments, noise**2 / 100 * size, noise**2 * size)

    def error(at):
        return float(
            np.sum((refined + np.asarray(at).reshape(-1, 1) * (moments - refined) - TRUTH) ** 2)
        )

    best = min(error([at, at]) for at in np.linspace(0, 1, 101))
    assert error(found_weight) < 1.1 * best
    assert error(found_weight) < 0.7 * max(error([0, 0]), error([1, 1]))
