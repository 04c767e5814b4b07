"""Rounded normal numbers follow the law that is proved of them, and what would change it is noticed.

Numbers have no seed. On the right law each check fails with probability ``FALSE_ALARM``, all of this file with less
than 1e-6: the file fails by chance once in 1,000,000.
"""

import inspect
import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from dplda.core.errors import InputError
from dplda.privacy.noise import exact, exact_normals
from dplda.privacy.noise.exact_normals import (
    MAX_DEVIATIONS,
    N_LOOKS,
    NOISE_STD_LIMIT,
    STRIPS,
    TAIL_PROBABILITY,
    draw_rounded_normals,
)

pytestmark = pytest.mark.fresh_noise

FALSE_ALARM = 1e-8


def cells(scale: float) -> np.ndarray:
    """Bounds between whole numbers, out to where some dozens of 400,000 draws lie beyond."""
    far = math.ceil(3.5 * scale)
    return np.arange(-far, far + 2) - 0.5


def chances(bounds: np.ndarray, scale: float) -> np.ndarray:
    """Of a normal number to lie between each two, and beyond them all."""
    inside = np.diff(stats.norm.cdf(bounds / scale))
    return np.append(inside, 1 - inside.sum())


def counted(numbers: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    inside = np.histogram(numbers, bounds)[0]
    return np.append(inside, len(numbers) - inside.sum())


def follows(numbers: np.ndarray, scale: float) -> bool:
    """Chi-square against exact chances of every whole number."""
    bounds = cells(scale)
    expected = chances(bounds, scale) * len(numbers)
    return bool(stats.chisquare(counted(numbers, bounds), expected).pvalue > FALSE_ALARM)


def alike(first_draws: np.ndarray, second_draws: np.ndarray, bounds: np.ndarray) -> bool:
    table = np.array([counted(first_draws, bounds), counted(second_draws, bounds)])
    return bool(stats.chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue > FALSE_ALARM)


@pytest.mark.parametrize("scale", [1.0, 1.75, 4.3])
def test_rounded_normals_have_the_chance_of_each_whole_number(scale: float) -> None:
    assert follows(draw_rounded_normals(400_000, scale), scale)


def test_rounded_normals_of_each_mutant_fail_the_law(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each is missed with probability below 1e-6: noncentralities are 320, 5,000 and 640."""
    scale = 4.3
    assert not follows(draw_rounded_normals(400_000, 1.02 * scale), scale)
    floored = draw_rounded_normals(400_000, 64 * 10 * scale) // 640
    assert not follows(floored, scale)
    words = exact_normals._draw_words

    def biased(n_words_drawn: int, kind: type) -> np.ndarray:
        drawn_words = words(n_words_drawn, kind)
        raised = (
            (words(n_words_drawn, np.uint16) < 2**16 // 25)
            if kind is np.uint16
            else np.zeros(n_words_drawn, bool)
        )
        return drawn_words | (raised.astype(kind) << 15 if kind is np.uint16 else 0)

    monkeypatch.setattr(exact_normals, "_draw_words", biased)
    assert not follows(draw_rounded_normals(400_000, scale), scale)


@pytest.mark.parametrize("scale", [40.3, 2.0**31 + 0.37])
def test_rounded_normals_agree_with_the_discrete_gaussian_of_opendp(scale: float) -> None:
    """OpenDP's discrete Gaussian, which is within 2e-5 of it at the smaller scale: two samples, in sixty cells."""
    oracle, drawn_normals = exact._discrete(30_000, scale), draw_rounded_normals(30_000, scale)
    bounds = np.linspace(-3.2, 3.2, 60) * scale
    assert alike(drawn_normals, oracle, bounds)
    assert not alike(drawn_normals, np.round(oracle * 1.1), bounds)


def test_low_bits_of_rounded_normals_are_uniform() -> None:
    """Which of 64 remainders a wide number leaves is uniform."""
    for drawn_normals in (
        draw_rounded_normals(64_000, 2.0**24),
        draw_rounded_normals(64_000, NOISE_STD_LIMIT * (1 - 2**-53)),
    ):
        assert stats.chisquare(np.bincount(drawn_normals % 64, minlength=64)).pvalue > FALSE_ALARM


def kept_share(strip: int, offset: int, cells_: int, room: int) -> float:
    """Chance to be kept, given k and t: e^-λ over the x that begin with t."""

    def rate(x: float) -> float:
        return math.exp(-x * (2 * strip + x) / room)

    return integrate.quad(rate, offset / cells_, (offset + 1) / cells_)[0] * cells_


CASES = [(0, 0, 1, 2), (0, 1, 2, 2), (3, 2, 3, 8), (1, 0, 1, 3), (40, 1, 2, 100)]


def tried(strip: int, offset: int, cells_: int, draws: int = 12_000) -> np.ndarray:
    looked = np.random.default_rng().integers(exact_normals.N_LOOKS, size=draws).astype(np.uint16)
    return exact_normals._are_kept(np.full(draws, strip), np.full(draws, offset), cells_, looked)


@pytest.mark.parametrize(("strip", "offset", "cells_", "room"), CASES)
def test_candidates_are_kept_as_often_as_they_should(
    strip, offset, cells_, room, monkeypatch
) -> None:
    """In strips so wide, on grids so coarse, that every branch is taken often."""
    monkeypatch.setattr(exact_normals, "N_LOOKS", room)
    was_kept = tried(strip, offset, cells_)
    assert (
        stats.binomtest(
            int(was_kept.sum()), len(was_kept), kept_share(strip, offset, cells_, room)
        ).pvalue
        > FALSE_ALARM
    )


_is_below = exact_normals._draws_below


@pytest.mark.parametrize(
    "mutant",
    [
        lambda x, cells_: exact_normals.secrets.randbelow(cells_) < x[0],
        lambda x, cells_: _is_below([x[0]], cells_),
    ],
    ids=["a tie is above", "digits are forgotten"],
)
def test_ties_decided_in_another_way_are_noticed(mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the grid of one cell, where all is ties: 40,000 draws tell e^-1 averaged from what either mutant keeps."""
    monkeypatch.setattr(exact_normals, "N_LOOKS", 2)
    monkeypatch.setattr(exact_normals, "_draws_below", mutant)
    was_kept = tried(0, 0, 1, 40_000)
    assert (
        stats.binomtest(int(was_kept.sum()), len(was_kept), kept_share(0, 0, 1, 2)).pvalue
        < FALSE_ALARM
    )


def test_strips_have_their_chances_however_few_bits_are_shown_first() -> None:
    """Three bits leave nearly every number undecided; the second bound of few bits is right to within 1."""
    weights = np.exp(-(np.arange(MAX_DEVIATIONS * STRIPS) ** 2) / N_LOOKS)
    expected = np.add.reduceat(weights / weights.sum(), np.arange(0, len(weights), 16))
    shown_bits = np.random.default_rng().integers(8, size=8000)
    slow = np.array([exact_normals._decide_strip(int(number), 3) for number in shown_bits])
    for drawn_strips, cells_ in (
        (slow, 13),
        (exact_normals._draw_strips(100_000), 16),
    ):  # of at least five numbers each
        strip_counts = np.bincount(drawn_strips // 16, minlength=60)[:cells_]
        observed = np.append(strip_counts, len(drawn_strips) - strip_counts.sum())
        chance = np.append(expected[:cells_], 1 - expected[:cells_].sum())
        assert stats.chisquare(observed, chance * len(drawn_strips)).pvalue > FALSE_ALARM


def test_strip_bounds_of_two_precisions_are_nested() -> None:
    coarse, fine_bounds = exact_normals._strip_bounds(64), exact_normals._strip_bounds(192)
    assert all(
        abs(coarse_bound - (fine_bound >> 128)) <= 1
        for coarse_bound, fine_bound in zip(coarse, fine_bounds, strict=True)
    )
    assert all(a <= b for a, b in pairwise(coarse))


def test_first_strip_bound_equals_the_exact_sum() -> None:
    bounds = exact_normals._strip_bounds(64)
    exact_sum = math.fsum(math.exp(-k * k / N_LOOKS) for k in range(MAX_DEVIATIONS * STRIPS))
    assert bounds[0] / 2**64 == pytest.approx(1 / exact_sum, rel=1e-14)


def test_strips_within_one_of_a_bound_are_decided_by_more_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And no other: the bound's own bits are not decided by 64 of them."""
    bounds, asked_numbers = exact_normals._strip_bounds(64), []
    shown_numbers = [bounds[5] + step for step in (-2, -1, 0, 1, 2)]
    monkeypatch.setattr(
        exact_normals, "_draw_words", lambda n_words, kind: np.array(shown_numbers, dtype=kind)
    )
    monkeypatch.setattr(
        exact_normals, "_decide_strip", lambda number, bits: asked_numbers.append(number) or 7
    )
    assert list(exact_normals._draw_strips(5)) == [5, 7, 7, 7, 6]
    assert asked_numbers == shown_numbers[1:4]


def test_numbers_come_from_the_operating_system_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    source = inspect.getsource(exact_normals)
    assert not any(word in source for word in ("np.random", "import random", "seed", "Generator"))
    assert not np.array_equal(draw_rounded_normals(4, 2.0**30), draw_rounded_normals(4, 2.0**30))
    bytes_drawn, system = [], exact_normals.os.urandom
    monkeypatch.setattr(
        exact_normals.os, "urandom", lambda n_bytes: bytes_drawn.append(n_bytes) or system(n_bytes)
    )
    draw_rounded_normals(1000, 2.0**30)
    assert sum(bytes_drawn) >= 1000 * (8 + 8 + 2)


def test_widest_rounded_normals_stay_within_64_bits() -> None:
    assert (
        2 * stats.norm.sf(MAX_DEVIATIONS) < TAIL_PROBABILITY < 2 * 2 * stats.norm.sf(MAX_DEVIATIONS)
    )
    largest = MAX_DEVIATIONS * STRIPS * 2**53  # kG + t of the last strip
    assert largest < 2**63
    scale = math.nextafter(NOISE_STD_LIMIT, 0)
    assert abs(draw_rounded_normals(20_000, scale) / scale).max() < 8


def test_rounded_normals_of_a_scale_out_of_limits_are_refused() -> None:
    for wrong in (NOISE_STD_LIMIT, 0.5, math.nan):
        with pytest.raises(InputError):
            draw_rounded_normals(1, wrong)
