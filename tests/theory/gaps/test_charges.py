import math

import pytest
from scipy.stats import norm

from dplda.theory.gaps.charges import multipliers_on_pair_moment


def delta_of_gaussian(epsilon: float, mu: float) -> float:
    """δ of a Gaussian mechanism, by its closed form."""
    first_part = norm.cdf(mu / 2 - epsilon / mu)
    second = norm.cdf(-mu / 2 - epsilon / mu)
    return first_part - math.exp(epsilon) * second


@pytest.fixture
def found() -> dict[str, float]:
    return multipliers_on_pair_moment(1.0, 1e-7)


@pytest.mark.parametrize(("name", "parts"), [("three charges", 3), ("M₂ once", 2)])
def test_multipliers_on_pair_moment_published_ones_are_tau_of_a_part(name, parts, found) -> None:
    tau = math.sqrt(2 * math.log(1.25 * parts / 1e-7)) / (1 / parts)
    assert found[name] == pytest.approx(tau)


def test_multipliers_on_pair_moment_exact_noise_spends_its_part_of_delta(found) -> None:
    assert delta_of_gaussian(0.5, 1 / found["exact noise"]) == pytest.approx(0.5e-7, rel=1e-6)


def test_multipliers_on_pair_moment_exact_sum_spends_all_of_delta(found) -> None:
    combined_mu = math.sqrt(2) / found["exact sum"]
    assert delta_of_gaussian(1.0, combined_mu) == pytest.approx(1e-7, rel=1e-6)


def test_multipliers_on_pair_moment_each_repair_needs_less_noise(found) -> None:
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert found["three charges"] / found["exact sum"] == pytest.approx(2.68, abs=0.01)
