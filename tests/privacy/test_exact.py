"""Noise that may leave: its law, what it refuses, and that nothing of a seed leads to it.

Nine checks of laws err with ``UNSEEDED`` = 1e-9 each, products of coordinates with six times as much. The file fails by
chance once in 10,000,000.
"""

import inspect
import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from dplda.core.errors import InputError, NotReleasable
from dplda.privacy.accounting import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise import exact, layouts
from dplda.privacy.noise.exact import ExactNoise, delta_of_noise, max_tv_slack, tv_slack_of
from dplda.privacy.noise.fixed_point import (
    ANY_SIGN_DISTANCE,
    MAX_DOCUMENTS,
    MAX_RESOLUTION_BITS,
    MAX_WORDS,
    NON_NEGATIVE_DISTANCE,
    FixedPointSum,
    grid_resolution,
    truncate_to_grid,
)
from dplda.privacy.noise.keys import NoiseKind
from tests.privacy.contract import CASES, LABEL
from tests.statistical.laws import UNSEEDED, follows, unit_scale

pytestmark = pytest.mark.fresh_noise

SCALE = 2.0**31 + 0.37
PLAIN = layouts.PlainVector()


def noise() -> ExactNoise:
    return ExactNoise(epsilon=1.0, delta=1e-7)


def whole(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


def test_exact_noise_at_any_center_has_the_declared_gaussian_law() -> None:
    """Six hundred draws of forty coordinates; a scale 10 % off is noticed."""
    centres = np.arange(40, dtype=np.int64) * 2**40 - 2**44
    draws = np.array(
        [noise().perturb(centres, SCALE, PLAIN, "a quantity") - centres for _ in range(600)]
    )
    assert follows(draws / SCALE, UNSEEDED)
    assert not unit_scale(draws / SCALE * 1.1, UNSEEDED)
    assert not unit_scale(draws / SCALE * 0.9, UNSEEDED)


def test_exact_noise_of_two_draws_is_never_equal() -> None:
    two_draws = [noise().perturb(whole(3, 4), SCALE, PLAIN, "a quantity") for _ in range(2)]
    assert not np.any(two_draws[0] == two_draws[1])


def test_exact_noise_gives_whole_numbers() -> None:
    two_draws = [noise().perturb(whole(3, 4), SCALE, PLAIN, "a quantity") for _ in range(2)]
    assert np.array_equal(two_draws, np.round(two_draws))


def test_low_bits_tell_nothing_of_the_value() -> None:
    """The released number modulo a small one is uniform, whatever is under the noise: floating-point noise fails here.

    Of 12,000 draws a share of odd numbers outside 0.5 ± 0.031 has probability 1e-11 each.
    """
    for value in (0, 1, 2**40 + 1):
        draws = noise().perturb(np.full(12_000, value, dtype=np.int64), SCALE, PLAIN, "a quantity")
        assert abs(np.mean(draws % 2) - 0.5) < 0.031


def test_exact_noise_takes_no_seed() -> None:
    assert set(inspect.signature(ExactNoise).parameters) == {
        "epsilon",
        "delta",
        "max_charged_slack",
    }
    assert "random" not in inspect.getsource(exact).replace("system's random numbers", "")


@pytest.mark.parametrize("sigma", [2.0, 5.5, 40.0])
def test_tv_slack_bounds_the_distance_of_the_two_laws(sigma: float) -> None:
    """Added up at scales where the sum can be taken; and no nearer than half of that, or the bound would be idle."""
    x = np.arange(-int(30 * sigma), int(30 * sigma) + 1)
    discrete = np.exp(-(x**2) / (2 * sigma**2))
    discrete /= discrete.sum()
    edges = np.array([math.erf((e - 0.5) / sigma / math.sqrt(2)) for e in [*x, x[-1] + 1]])
    total_variation = 0.5 * np.sum(np.abs(discrete - np.diff(edges) / 2))
    assert 0.5 * tv_slack_of(1, sigma) < total_variation < tv_slack_of(1, sigma)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_reserved_delta_pays_for_the_distance_of_exact_noise(epsilon: float) -> None:
    delta = 1e-7
    spent_delta = delta_of_noise(delta) + (1 + math.exp(epsilon)) * max_tv_slack(epsilon, delta)
    assert 0.9999 * delta < spent_delta <= delta
    assert gaussian.mu_for(epsilon, delta_of_noise(delta)) > 0.999 * gaussian.mu_for(epsilon, delta)


def test_exact_noise_beyond_its_tv_slack_is_refused() -> None:
    source = ExactNoise(epsilon=1.0, delta=1e-7)
    n_releases = math.floor(max_tv_slack(1.0, 1e-7) / tv_slack_of(1, 2.0**24))
    source._tv_slack_left = tv_slack_of(
        3, 2.0**24
    )  # as if all but three coordinates' worth had been drawn
    assert n_releases > 100_000
    source.perturb(whole(0, 0), 2.0**24, PLAIN, "a quantity")
    with pytest.raises(NotReleasable, match="too coarse"):
        source.perturb(whole(0, 0), 2.0**24, PLAIN, "a quantity")


def said(
    law_names: list[str], law: Callable[[int, float], np.ndarray], size: int, scale: float
) -> np.ndarray:
    law_names.append(law.__name__)
    return law(size, scale)


def test_exact_noise_of_many_coordinates_is_drawn_as_rounded_normals(monkeypatch) -> None:
    """Which law it is, is said in one place: ten coordinates are one too many here."""
    drawn_laws: list[str] = []
    monkeypatch.setattr(exact, "MAX_DISCRETE_NUMBERS", 9)
    for law in (exact._discrete, exact.draw_rounded_normals):
        monkeypatch.setattr(exact, law.__name__, partial(said, drawn_laws, law))
    for size in (9, 10):
        source, slack_before = noise(), max_tv_slack(1.0, 1e-7)
        source.perturb(np.zeros(size, dtype=np.int64), 2.0**24, PLAIN, "a quantity")
        assert slack_before - source._tv_slack_left == pytest.approx(
            tv_slack_of(size, 2.0**24), rel=1e-3
        )
    assert drawn_laws == ["_discrete", "draw_rounded_normals"]


def test_rounded_normal_noise_costs_next_to_no_delta() -> None:
    assert tv_slack_of(10, 2.0**24) == pytest.approx(10 * 2.0**-166, rel=1e-9)


def test_rounded_normal_noise_follows_the_normal_law(monkeypatch) -> None:
    monkeypatch.setattr(exact, "MAX_DISCRETE_NUMBERS", 9)
    draws = np.array([noise().perturb(whole(*[7] * 50), SCALE, PLAIN, "a") - 7 for _ in range(360)])
    assert follows(draws / SCALE, UNSEEDED)


def test_exact_noise_of_inexact_values_is_refused() -> None:
    with pytest.raises(NotReleasable, match="not a sum of whole numbers"):
        noise().perturb(np.array([1.0, 2.0]), SCALE, PLAIN, "e2 pair average")
    with pytest.raises(NotReleasable, match="steps wide"):
        noise().perturb(whole(1), 1000.0, PLAIN, "a quantity")
    with pytest.raises(NotReleasable, match="Laplace"):
        noise().perturb_laplace(whole(1), SCALE, PLAIN, "a quantity")

    class Coloured(layouts.PlainVector):
        isotropic = False

    with pytest.raises(NotReleasable, match="independent"):
        noise().perturb(whole(1), SCALE, Coloured(), "a quantity")
    for number in (0.5, 2.0**54):
        with pytest.raises(ArithmeticError):
            FixedPointSum.from_whole_floats(np.array([number]), 1.0, neighbor_distance=1.0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.method)
def test_mechanism_with_exact_noise_refuses_a_value_off_the_grid(case) -> None:
    with pytest.raises(NotReleasable):
        case.run(noise())


def test_exact_release_records_sensitivity_of_the_sum() -> None:
    mechanisms = Mechanisms(noise())
    unit = 2.0**-36 / 7
    value = FixedPointSum(np.full(15_000, 2**30, dtype=np.int64), unit, 0.7 / unit, (15_000,))
    mechanisms.vector(LABEL, value, sensitivity=123.0, mu=0.25)
    (release,) = mechanisms.releases
    assert 0.7 <= release.sensitivity < 0.7 * (1 + 1e-15), "the sum's own, not that of floats"
    assert release.noise is NoiseKind.EXACT
    assert release.mu == 0.25


def test_exact_release_has_the_declared_scale_in_its_unit() -> None:
    mechanisms = Mechanisms(noise())
    unit = 2.0**-36 / 7
    value = FixedPointSum(np.full(15_000, 2**30, dtype=np.int64), unit, 0.7 / unit, (15_000,))
    noisy = mechanisms.vector(LABEL, value, sensitivity=123.0, mu=0.25)
    (release,) = mechanisms.releases
    assert unit_scale((noisy - 2**30 * unit) / release.scale, UNSEEDED)
    steps = noisy / unit
    np.testing.assert_allclose(steps, np.round(steps), rtol=0, atol=1e-2)


@pytest.mark.parametrize("n", [1, 2, 3, 4096, 100_000, MAX_DOCUMENTS])
def test_sums_of_so_many_documents_stay_exact_in_floating_point(n: int) -> None:
    resolution = grid_resolution(n)
    assert 2.0**26 <= resolution <= 2.0**MAX_RESOLUTION_BITS
    assert n * resolution <= 2.0**52


@pytest.mark.parametrize("n_words", [0, 2**20 + 1])
def test_fineness_refuses_more_words_than_its_proof_covers(n_words: int) -> None:
    with pytest.raises(InputError, match="n_words"):
        grid_resolution(10, n_words)


def test_sensitivity_of_a_count_is_one_document() -> None:
    for n in (1, 1000, MAX_DOCUMENTS):
        assert 1.0 <= FixedPointSum.from_count(0, n).sensitivity <= 1 + 2**-50


@pytest.mark.parametrize("n", [3, 10**7, MAX_DOCUMENTS])
@pytest.mark.parametrize(
    "distance_of_parts", [NON_NEGATIVE_DISTANCE, ANY_SIGN_DISTANCE, math.sqrt(10)]
)
def test_noise_in_steps_is_never_finer_than_their_exact_distance_asks_for(
    n: int, distance_of_parts: float
) -> None:
    """Through every rounding on the way, and no rounding of N documents is paid for."""
    steps = []

    class Recorded(ExactNoise):
        def perturb(self, coordinates, scale, spread, of):
            steps.append(scale)
            return coordinates.astype(float)

    rng = np.random.default_rng(0)
    for bound, mu in zip(rng.uniform(0.1, 3, 200), rng.uniform(0.01, 5, 200), strict=True):
        unit = bound / grid_resolution(n) / n
        exact_distance = distance_of_parts * grid_resolution(n)
        value = FixedPointSum(whole(0), unit, exact_distance, (1,))
        Mechanisms(Recorded(epsilon=1.0, delta=1e-7)).vector(LABEL, value, sensitivity=9.0, mu=mu)
        assert Fraction(steps[-1]) * Fraction(mu) >= Fraction(exact_distance)
        assert steps[-1] * mu < exact_distance * (1 + 1e-14)


@pytest.mark.parametrize("fewest", [1, 4096, 10**5, MAX_WORDS - 20])
def test_cut_parts_of_equal_entries_stay_within_their_norm(fewest: int) -> None:
    """Rounding makes all entries of some of them larger, and so their norm, by more than the room for roundings."""
    largest_norm = 2**MAX_RESOLUTION_BITS
    for size in range(fewest, fewest + 20):
        (step,) = truncate_to_grid(np.array([1 / math.sqrt(size)]), 1 / largest_norm)
        assert size * int(step) ** 2 <= largest_norm**2


def test_truncate_to_grid_only_shrinks_parts() -> None:
    """Whatever rounding did to it, within the room that is left, a part of norm 1 is at most as long in steps."""
    rng = np.random.default_rng(0)
    for size in (1, 2, 1000):
        parts = rng.standard_normal((50, size))
        parts *= (1 + 2.0**-33) / np.linalg.norm(parts, axis=1)[:, None]
        steps = truncate_to_grid(parts, 2.0**-40)
        assert np.array_equal(steps, np.round(steps))
        assert max(sum(int(x) ** 2 for x in row) for row in steps) <= 4**40
        assert np.all(np.abs(steps) <= np.abs(parts) * 2.0**40)
