"""One contract for all mechanisms: the release, its budget, its law, its symmetry, its refusals."""

import dataclasses
import math
import tracemalloc
from itertools import permutations, product

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise import sources
from dplda.privacy.noise.keys import SeedKey
from dplda.privacy.noise.layouts import PlainVector
from dplda.privacy.noise.sources import NoNoise, SimulatedNoise
from tests.privacy.contract import CASES, Case
from tests.privacy.sources import ScaledNoise, TamperedNoise, seeded
from tests.statistical.laws import follows, unit_scale

every_mechanism = pytest.mark.parametrize("case", CASES, ids=lambda case: case.method)


@every_mechanism
def test_noise_follows_the_declared_law(case: Case) -> None:
    """Scale, mean, shape and independence of coordinates: four checks of false-alarm rate 1e-4 each (laws.py)."""
    assert follows(case.standardised([seeded(seed) for seed in range(case.enough_draws())]))


@every_mechanism
@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_noise_of_another_scale_is_noticed(case: Case, factor: float) -> None:
    """The same measurement on noise 10 % off; a miss has probability below 1e-6 (laws.py)."""
    assert not unit_scale(
        case.standardised([ScaledNoise(seed, factor) for seed in range(case.enough_draws())])
    )


@every_mechanism
def test_mechanism_returns_the_value_that_it_records(case: Case) -> None:
    value, release = case.run(seeded(0))
    np.testing.assert_array_equal(value, release.value)
    assert release.shape == np.shape(case.value)
    assert (release.edge, release.quantity, release.symbol) == ("e2", "a quantity", "Q")
    assert release.adjacency is Adjacency.REPLACE_ONE
    assert release.noise == "simulated"


@every_mechanism
def test_scale_of_a_release_is_never_below_sensitivity_over_budget(case: Case) -> None:
    for sensitivity, budget_spent in product((1e-9, 1 / 3, 7.0), (1e-3, 0.1, 3.0)):
        _, release = case.run(seeded(0), sensitivity=sensitivity, spent_budget=budget_spent)
        assert release.sensitivity == sensitivity
        assert (release.mu, release.pure_epsilon) == (
            (budget_spent, 0) if case.budget == "mu" else (0, budget_spent)
        )
        assert release.scale >= sensitivity / budget_spent
        assert release.scale == pytest.approx(sensitivity / budget_spent, rel=1e-14)


@every_mechanism
def test_noise_does_not_depend_on_the_value(case: Case) -> None:
    noisy, _ = case.run(seeded(5))
    elsewhere = dataclasses.replace(case, value=case.value * 0 + 1.0)
    noisy_elsewhere, _ = elsewhere.run(seeded(5))
    np.testing.assert_allclose(noisy - case.value, noisy_elsewhere - elsewhere.value, atol=1e-12)


@every_mechanism
def test_release_of_a_tensor_ignores_differing_copies_of_an_entry(case: Case) -> None:
    """A value whose copies differ, as sums in another order make them, is released as the same bits, symmetric."""
    rng = np.random.default_rng(8)
    ruffled = np.array(case.value)
    if ruffled.ndim < 2 or not case.symmetric:
        return
    indices = np.sort(np.indices(ruffled.shape).reshape(ruffled.ndim, -1), axis=0)
    kept_places = np.unique(np.ravel_multi_index(tuple(indices), ruffled.shape))
    copies = np.setdiff1d(np.arange(ruffled.size), kept_places)
    ruffled.flat[copies] += rng.standard_normal(len(copies))
    assert not np.array_equal(ruffled, case.value)
    plain_release, ruffled_release = (
        dataclasses.replace(case, value=value).run(seeded(7))[0] for value in (case.value, ruffled)
    )
    np.testing.assert_array_equal(plain_release, ruffled_release)
    for order in permutations(range(ruffled.ndim)):
        np.testing.assert_array_equal(plain_release, plain_release.transpose(order))


@every_mechanism
def test_releases_of_one_run_share_no_noise(case: Case) -> None:
    mechanisms = Mechanisms(seeded(0))
    first_release, second = (case.release(mechanisms) for _ in range(2))
    assert np.all(np.asarray(first_release) != np.asarray(second))
    assert len(mechanisms.releases) == 2


@every_mechanism
def test_mechanism_without_noise_returns_the_value(case: Case) -> None:
    """To the rounding of coordinates: a root of 2, 3 or 6 and back."""
    value, release = case.run(NoNoise())
    np.testing.assert_allclose(value, case.value, rtol=5e-16)
    assert release.noise == "none"


@every_mechanism
@pytest.mark.parametrize("bad", [0, -1.0, math.nan, math.inf])
def test_mechanism_with_an_unusable_number_is_refused_before_any_draw(
    case: Case, bad: float
) -> None:
    for name, refusal in (("sensitivity", "sensitivity"), ("spent_budget", case.budget)):
        mechanisms = Mechanisms(source := TamperedNoise(0))
        with pytest.raises(InputError, match=f"{refusal} must be a finite number greater than 0"):
            case.release(mechanisms, **{name: bad})
        assert mechanisms.releases == ()
        assert source.sizes == []


def test_contract_covers_every_mechanism() -> None:
    public = {name for name in vars(Mechanisms) if not name.startswith("_")} - {
        "releases",
        "release_of",
        "noise_std_of",
        "is_exact",
        "is_noiseless",
        "minibatch",
    }
    tested_elsewhere = {"clip_level", "minibatch_matrix", "release_sum", "release_laplace_sum"}
    assert public == {case.method for case in CASES} | tested_elsewhere


def test_noise_drawn_in_parts_equals_noise_drawn_at_once() -> None:
    """So a matrix of d = 10,000 needs its coordinates and noisy ones, and nothing else of their size."""
    size, layout = 3 * sources.NUMBERS_PER_DRAW + 7, PlainVector()
    value = np.random.default_rng(0).standard_normal(size)
    source, at_once = (SimulatedNoise(SeedKey(0, ("a",))) for _ in range(2))
    tracemalloc.start()
    noisy_in_parts = source.perturb(value, 0.3, layout, "pairs")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * (size + 5 * sources.NUMBERS_PER_DRAW)
    np.testing.assert_array_equal(noisy_in_parts, value + 0.3 * at_once.normals("pairs", size))
    laplace = source.perturb_laplace(value, 0.3, layout, "words")
    np.testing.assert_array_equal(laplace, value + 0.3 * at_once.laplaces("words", size))
