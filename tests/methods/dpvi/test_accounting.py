"""Accounting of sampled minibatches: published numbers, two routes to one number, roots on the private side."""

import math

import pytest

from dplda.core.errors import InputError
from dplda.methods.dpvi import accounting, moments
from dplda.methods.dpvi.accounting import (
    Accountant,
    SamplingSchedule,
    epsilon_of_schedule,
    noise_multiplier_for,
)
from dplda.privacy.accounting import gaussian
from dplda.privacy.adjacency import Adjacency

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
CASES = [
    SamplingSchedule(1.24, 0.05, 20),
    SamplingSchedule(4.0, 0.2, 30),
    SamplingSchedule(0.8, 0.02, 50),
    SamplingSchedule(30.0, 0.5, 10),
    SamplingSchedule(3.0, 1.0, 4),
]

# One epoch over 400,000 documents at δ = 1e-4: minibatch, σ, and ε with capped orders, classic and improved conversion,
# and by loss distributions.
PUBLISHED = [
    (5_000, 1.0, (2.363, 1.448, 1.018, 0.607)),
    (5_000, 1.1, (1.895, 1.148, 0.786)),
    (5_000, 1.24, (1.578, 0.881, 0.587)),
    (5_000, 1.5, (1.185, 0.596, 0.378)),
    (5_000, 2.0, (0.686, 0.349, 0.213, 0.169)),
    (20_000, 1.0, (4.75, 2.63, 2.049, 1.506)),
    (20_000, 1.1, (3.225, 2.123, 1.629)),
    (20_000, 1.24, (2.441, 1.645, 1.215)),
    (20_000, 1.5, (1.938, 1.128, 0.815)),
    (20_000, 2.0, (1.104, 0.686, 0.482, 0.403)),
]


@pytest.mark.parametrize(("size", "sigma", "expected"), PUBLISHED)
def test_accountants_give_the_golden_numbers(
    size: int, sigma: float, expected: tuple[float, ...]
) -> None:
    schedule = SamplingSchedule(sigma, size / 400_000, 400_000 // size)
    tighter = (Accountant.CAPPED, Accountant.CLASSIC, Accountant.RDP, Accountant.PLD)
    for accountant, expected_epsilon in zip(tighter, expected, strict=False):
        epsilon = epsilon_of_schedule(schedule, delta=1e-4, accountant=accountant, adjacency=ADD)
        assert epsilon == pytest.approx(expected_epsilon, abs=6e-4)


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
@pytest.mark.parametrize("schedule", CASES, ids=str)
def test_accountants_are_in_order_of_waste(
    schedule: SamplingSchedule, adjacency: Adjacency
) -> None:
    tight = (Accountant.PLD, Accountant.RDP, Accountant.CLASSIC)
    all_epsilons = [
        epsilon_of_schedule(schedule, delta=1e-6, accountant=a, adjacency=adjacency) for a in tight
    ]
    assert all_epsilons == sorted(all_epsilons)
    assert all_epsilons[0] > 0


@pytest.mark.parametrize("accountant", [a for a in Accountant if a is not Accountant.CAPPED])
@pytest.mark.parametrize("schedule", CASES, ids=str)
def test_epsilon_of_replacement_lies_between_one_removal_or_two(
    schedule: SamplingSchedule, accountant: Accountant
) -> None:
    """Group privacy of two, the conversion that needs no analysis: (2ε, (1 + e^ε)δ) for every (ε, δ)."""
    single = epsilon_of_schedule(schedule, delta=1e-6, accountant=accountant, adjacency=ADD)
    replaced = epsilon_of_schedule(schedule, delta=1e-6, accountant=accountant, adjacency=REPLACE)
    assert single <= replaced
    assert replaced == epsilon_of_schedule(
        schedule, delta=1e-6, accountant=accountant, adjacency=Adjacency.REPLACE_PERSON
    )
    if accountant is Accountant.PLD:
        group_delta = (1 + math.exp(single)) * 1e-6
        assert epsilon_of_schedule(schedule, delta=group_delta, adjacency=REPLACE) <= 2 * single


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
@pytest.mark.parametrize("accountant", [Accountant.PLD, Accountant.RDP, Accountant.CLASSIC])
def test_epsilon_of_a_schedule_is_monotone_in_each_argument(
    accountant: Accountant, adjacency: Adjacency
) -> None:
    def found(sigma: float, rate: float, steps: int) -> float:
        return epsilon_of_schedule(
            SamplingSchedule(sigma, rate, steps),
            delta=1e-6,
            accountant=accountant,
            adjacency=adjacency,
        )

    assert found(2, 0.1, 10) > found(2.1, 0.1, 10)
    assert found(2, 0.1, 10) < found(2, 0.11, 10)
    assert found(2, 0.1, 10) < found(2, 0.1, 11)


@pytest.mark.parametrize(("rate", "steps", "epsilon"), [(0.05, 20, 0.5), (1.0, 5, 2.0)])
@pytest.mark.parametrize("accountant", [a for a in Accountant if a is not Accountant.CAPPED])
def test_calibrated_noise_multiplier_lies_just_on_the_private_side(
    accountant: Accountant, rate: float, steps: int, epsilon: float
) -> None:
    arguments = {"delta": 1e-6, "accountant": accountant}
    sigma = noise_multiplier_for(epsilon=epsilon, sampling_rate=rate, steps=steps, **arguments)
    assert epsilon_of_schedule(SamplingSchedule(sigma, rate, steps), **arguments) <= epsilon
    assert (
        epsilon_of_schedule(SamplingSchedule(sigma * (1 - 1e-3), rate, steps), **arguments)
        > epsilon
    )


def test_orders_end_at_the_cap() -> None:
    """σ² ln(1/(νσ)) at σ = 1.24, ν = 0.05: 1.5376 · 2.7806 = 4.28, so orders 1 to 4 and ε at order 4."""
    expected = (20 * moments.log_moment(4, 1.24, 0.05) + math.log(1e4)) / 4
    assert moments.capped_epsilon(1.24, 0.05, 20, 1e-4) == pytest.approx(expected, rel=1e-10)


def test_capped_accountant_out_of_reach_is_refused() -> None:
    with pytest.raises(InputError, match="smallest order"):
        epsilon_of_schedule(
            SamplingSchedule(3.0, 0.5, 10), delta=1e-6, accountant=Accountant.CAPPED
        )
    with pytest.raises(InputError, match="within reach"):
        noise_multiplier_for(
            epsilon=1.0, delta=1e-6, sampling_rate=0.5, steps=10, accountant=Accountant.CAPPED
        )


@pytest.mark.parametrize("highest", [1, 2, 7, 512])
@pytest.mark.parametrize("schedule", [*CASES, SamplingSchedule(200.0, 0.01, 5)], ids=str)
def test_classic_epsilon_is_the_best_of_all_orders(
    schedule: SamplingSchedule, highest: int
) -> None:
    sigma, rate, steps = schedule.noise_multiplier, schedule.sampling_rate, schedule.steps
    every = [
        (steps * moments.log_moment(n, sigma, rate) + math.log(1e6)) / n
        for n in range(1, highest + 1)
    ]
    epsilon = moments.classic_epsilon(sigma, rate, steps, 1e-6, highest_order=highest)
    assert epsilon == pytest.approx(min(every), rel=1e-11)


@pytest.mark.parametrize("order", [1, 2, 7])
@pytest.mark.parametrize(("sigma", "rate"), [(1.24, 0.05), (0.8, 0.3)])
def test_log_moment_equals_its_integral_above_the_other_direction(
    order: int, sigma: float, rate: float
) -> None:
    x = [-30 + 60 * i / 60_000 for i in range(60_001)]
    noise = [math.exp(-(z**2) / (2 * sigma**2)) for z in x]
    ratio = [1 - rate + rate * math.exp((2 * z - 1) / (2 * sigma**2)) for z in x]
    total = math.fsum(noise)
    forward = math.log(
        math.fsum(n * r ** (order + 1) for n, r in zip(noise, ratio, strict=True)) / total
    )
    backward = math.log(math.fsum(n * r**-order for n, r in zip(noise, ratio, strict=True)) / total)
    assert moments.log_moment(order, sigma, rate) == pytest.approx(forward, rel=1e-9)
    assert backward <= moments.log_moment(order, sigma, rate)


def test_epsilon_of_schedule_without_sampling_is_gaussian() -> None:
    assert epsilon_of_schedule(
        SamplingSchedule(3.0, 1.0, 4), delta=1e-6, adjacency=ADD
    ) == pytest.approx(gaussian.epsilon_for(2 / 3, 1e-6), rel=1e-12)
    assert epsilon_of_schedule(SamplingSchedule(3.0, 1.0, 4), delta=1e-6) == pytest.approx(
        gaussian.epsilon_for(2 * math.sqrt(2) / 3, 1e-6), rel=1e-12
    )
    assert moments.log_moment(3, 2.0, 1.0) == pytest.approx(
        moments.log_moment(3, 2.0, 1 - 1e-12), rel=1e-9
    )


def test_noise_multiplier_never_falls_below_the_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = {"epsilon": 60.0, "delta": 1e-2, "sampling_rate": 0.01, "steps": 1}
    assert noise_multiplier_for(**arguments, accountant=Accountant.CLASSIC) == pytest.approx(
        accounting.MIN_NOISE_MULTIPLIER
    )
    monkeypatch.setattr(
        accounting, "MIN_NOISE_MULTIPLIER", 2.0
    )  # less noise has more losses, over which time is spent
    assert noise_multiplier_for(**arguments | {"epsilon": 61.0}) == pytest.approx(2.0)


@pytest.mark.parametrize(
    "bad",
    [
        {"noise_multiplier": 0.0},
        {"sampling_rate": 0.0},
        {"sampling_rate": 1.1},
        {"steps": 0},
        {"steps": 2.0},
    ],
)
def test_schedule_or_budget_out_of_range_is_refused(bad: dict[str, float]) -> None:
    for wrong in ("epsilon", "delta"):
        with pytest.raises(InputError, match=wrong):
            noise_multiplier_for(
                **{"epsilon": 1.0, "delta": 1e-6, "sampling_rate": 0.1, "steps": 3, wrong: 0.0}
            )
    with pytest.raises(InputError, match=next(iter(bad))):
        SamplingSchedule(**{"noise_multiplier": 1.0, "sampling_rate": 0.1, "steps": 3} | bad)


@pytest.mark.parametrize("epsilon", [0.005, 0.02])
def test_noise_multiplier_for_a_small_epsilon_is_found_by_loss_distributions(
    epsilon: float,
) -> None:
    """Its orders end, and with them the ε it can speak of; the loss distribution goes on."""
    with pytest.raises(InputError, match="finds no noise"):
        noise_multiplier_for(
            epsilon=epsilon, delta=1e-7, sampling_rate=0.1, steps=60, accountant=Accountant.CLASSIC
        )
    sigma = noise_multiplier_for(epsilon=epsilon, delta=1e-7, sampling_rate=0.1, steps=60)
    assert epsilon_of_schedule(SamplingSchedule(sigma, 0.1, 60), delta=1e-7) <= epsilon
    unsampled = math.sqrt(120) / gaussian.mu_for(epsilon, 1e-7)
    assert 0.05 * unsampled < sigma < 0.3 * unsampled, "a tenth is sampled"
