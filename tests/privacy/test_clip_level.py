"""The noisy binary search: its counts, its grid, its answer."""

import math

import numpy as np
import pytest
from scipy import stats

from dplda.core.errors import InputError
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.sources import NoiseSource, NoNoise
from tests.privacy.contract import LABEL
from tests.privacy.sources import ScaledNoise, TamperedNoise, seeded

LOW, HIGH = 1e-3, 1.0
NORMS = np.random.default_rng(0).beta(2, 5, size=100_000)


def level(
    norms: np.ndarray,
    source: NoiseSource,
    *,
    quantile: float = 0.9,
    mu: float = 0.1,
    steps: int = 8,
) -> float:
    mechanisms = Mechanisms(source)
    return mechanisms.clip_level(
        LABEL, norms, low=LOW, high=HIGH, quantile=quantile, mu=mu, steps=steps
    )


ONE_STEP_MU = math.sqrt(2) / 5  # standard deviation 5 on each count
ONE_STEP_CHANCE = float(stats.norm.cdf((30 - 25) / (5 * math.hypot(1, 0.25))))  # 0.83


@pytest.mark.parametrize("factor", [0.9, 1.0, 1.1])
def test_clip_level_counts_carry_noise_of_the_declared_scale(factor: float) -> None:
    """Binomial test of the exact chance of one answer, false-alarm rate 1e-4; other scales differ by 8 σ and more.

    HIGH is the answer of one step when 30 + e1 > (1/4)(100 + e0), each e of standard deviation √2/μ, since 30 of 100
    norms lie above LOW and 1/4 may. The noise is of one stream that goes on.
    """
    norms, source = (
        np.concatenate([np.full(70, LOW / 2), np.full(30, HIGH / 2)]),
        ScaledNoise(0, factor),
    )
    clip_levels = [
        level(norms, source, quantile=0.75, mu=ONE_STEP_MU, steps=1) for _ in range(20_000)
    ]
    upper = int(np.sum(np.array(clip_levels) == HIGH))
    assert (stats.binomtest(upper, 20_000, ONE_STEP_CHANCE).pvalue > 1e-4) == (factor == 1)


def test_clip_level_records_one_release_for_all_counts() -> None:
    """Nine counts of sensitivity 1: together √9, each with noise √9/μ; as many numbers are drawn."""
    source = TamperedNoise(0)
    mechanisms = Mechanisms(source)
    clip_level = mechanisms.clip_level(LABEL, NORMS, low=LOW, high=HIGH, quantile=0.5, mu=0.1)
    (release,) = mechanisms.releases
    assert source.sizes == [1] * 9
    assert release.sensitivity == 3
    assert release.scale == pytest.approx(30)
    assert release.scale >= 30
    assert release.mu == 0.1
    assert release.value == clip_level
    assert "9" in release.mechanism


def test_clip_level_lies_on_the_grid_at_any_noise() -> None:
    grid = np.geomspace(LOW, HIGH, 256)
    for seed in range(200):
        clip_level = level(NORMS[:50], ScaledNoise(seed, 1e3))
        assert np.min(np.abs(grid / clip_level - 1)) < 1e-12
        assert LOW <= clip_level <= HIGH * (1 + 1e-12)


@pytest.mark.parametrize("quantile", [0.02, 0.3, 0.5, 0.9, 0.99])
def test_clip_level_of_many_documents_is_near_the_quantile(quantile: float) -> None:
    """N = 100,000, counts with noise 90 (μ = 0.1 over 9 counts): ±0.5 %, and one step of the grid, 2.7 % in level."""
    clip_level = level(NORMS, seeded(1), quantile=quantile, mu=0.1)
    step = (HIGH / LOW) ** (1 / 255)
    assert np.mean(clip_level >= NORMS) >= quantile - 0.005
    assert np.mean(clip_level / step >= NORMS) <= quantile + 0.005


def test_documents_without_a_norm_do_not_count() -> None:
    padded = np.concatenate([NORMS, np.zeros(300_000)])
    assert level(padded, NoNoise(), quantile=0.5) == level(NORMS, NoNoise(), quantile=0.5)


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("quantile", -0.1),
        ("quantile", 1.1),
        ("quantile", math.nan),
        ("low", 0.0),
        ("high", LOW / 2),
        ("mu", 0.0),
        ("mu", math.nan),
    ],
)
def test_arguments_out_of_range_are_refused(name: str, bad: float) -> None:
    arguments = {"low": LOW, "high": HIGH, "quantile": 0.5, "mu": 1.0, name: bad}
    with pytest.raises(InputError, match=name):
        Mechanisms(seeded(0)).clip_level(LABEL, NORMS, **arguments)
