"""Configuration 1 with Laplace noise: pure ε, no δ, and a limit on the vocabulary."""

import math

import pytest

from dplda import Plan
from dplda.core.errors import InputError
from dplda.methods.base.calibration import NoiseLaw
from dplda.methods.base.problem import Problem, ProblemSize
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.guarantees import guarantee_of_plan
from dplda.methods.configurations.chain.pipeline import start_route
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.configurations.sizes import Quantity
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.release import Status
from tests.methods.configurations.variants import CORPUS
from tests.privacy.sources import seeded


def plan(epsilon: float, **options: object) -> Plan:
    return Plan("config-1", epsilon, calibration=NoiseLaw.LAPLACE, **options)


@pytest.mark.parametrize("epsilon", [30.0, 300.0, 1e4])
def test_laplace_epsilons_add_up_to_the_plan_without_delta(epsilon: float) -> None:
    fitted_run = fit_spectral(CORPUS, plan(epsilon), Problem(3, 1.0), Runtime(1))
    spent_epsilon = math.fsum(release.pure_epsilon for release in fitted_run.releases)
    assert spent_epsilon <= epsilon * (1 + 1e-12)
    if fitted_run.topics.resolved:
        assert spent_epsilon == pytest.approx(epsilon)
    assert all(release.mu == 0 for release in fitted_run.releases)
    assert (
        fitted_run.guarantee.status,
        fitted_run.guarantee.epsilon,
        fitted_run.guarantee.delta,
    ) == (
        Status.PROVEN,
        epsilon,
        0.0,
    )


def test_laplace_route_above_1000_words_is_refused_before_any_draw() -> None:
    mechanisms = Mechanisms(seeded(0))
    with pytest.raises(
        InputError, match="n_words must be at most 1000 for Laplace noise"
    ) as refusal:
        start_route(plan(1.0), ProblemSize(10_000, 1001, 5, 1.0), mechanisms)
    assert "Gaussian" in str(refusal.value)
    assert mechanisms.releases == ()
    start_route(plan(1.0), ProblemSize(10_000, 1000, 5, 1.0), mechanisms)


def test_laplace_run_that_overspends_or_mixes_noise_raises() -> None:
    for epsilons, mu in (([0.6, 0.5], None), ([0.5], 0.01)):
        mechanisms = Mechanisms(seeded(0))
        for epsilon in epsilons:
            mechanisms.laplace_number(
                Quantity("n", "n", "n", "e4"), 1.0, sensitivity=1.0, epsilon=epsilon
            )
        if mu is not None:
            mechanisms.number(Quantity("n", "n", "n", "e4"), 1.0, sensitivity=1.0, mu=mu)
        with pytest.raises(RuntimeError, match="exceed the plan's budget"):
            guarantee_of_plan(plan(1.0), CORPUS, mechanisms.releases)
