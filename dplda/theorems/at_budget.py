"""Theorems 10 to 13 at a budget: ε and δ split over the edges and added up, as the paper does."""

import math

from dplda.configurations.published import GAMMA, SIGMA
from dplda.configurations.variant import Calibration
from dplda.errors import InputError
from dplda.plan import Plan
from dplda.privacy.composition import classic_multiplier
from dplda.theorems import bounds, explicit, sensitivities
from dplda.theorems.readings import Bound, Reading
from dplda.theorems.spectrum import Spectrum

BOUNDED = ("config-1", "config-2", "config-3", "config-4")


def at_budget(
    plan: Plan, spectrum: Spectrum, *, n_documents: int, reading: Reading | None = Reading.RECOMMENDED
) -> Bound:
    """The bound of a published configuration at a budget that is split and added up.

    Args:
        plan: one of ``config-1`` to ``config-4``, as published.
        spectrum: of the corpus or population.
        n_documents: ``N``.
        reading: of the print; None for explicit constants.

    Raises:
        InputError: a plan of which the paper has no theorem.
        NoFiniteNoise: a private lower bound is 0 where its Laplace noise is at its median; with explicit constants also
            where the noise on M2 reaches σk.
    """
    check_bounded(plan)
    configuration, parts = plan.configuration, dict(plan.split or plan.variant.default_split)
    tau = {name: classic_multiplier(part * plan.epsilon, part * plan.delta) for name, part in parts.items()}
    n = n_documents

    def lower(name: str, value: float) -> float:
        if name not in parts:
            return math.nan
        epsilon, delta = parts[name] * plan.epsilon, parts[name] * plan.delta
        return sensitivities.lower_bound(name, value, n_documents=n, epsilon=epsilon, delta=delta)

    sigma, gamma = lower(SIGMA, spectrum.sigma_k), lower(GAMMA, spectrum.gamma_s)
    if reading is None:
        return _explicit(configuration, explicit.Given(spectrum, n), tau, sigma, gamma)
    if configuration == "config-1":
        return bounds.config_1(
            spectrum, n_documents=n, tau_3=tau["e3"], tau_4=tau["e4"], tau_8=tau["e8"], reading=reading
        )
    if configuration == "config-2":
        return bounds.config_2(
            spectrum, n_documents=n, tau_6=tau["e6"], tau_8=tau["e8"], sigma_lower=sigma, reading=reading
        )
    if configuration == "config-3":
        return bounds.config_3(
            spectrum,
            n_documents=n,
            tau_7=tau["e7"],
            tau_8=tau["e8"],
            sigma_lower=sigma,
            gamma_lower=gamma,
            reading=reading,
        )
    return bounds.config_4(
        spectrum, n_documents=n, tau_9=tau["e9"], sigma_lower=sigma, gamma_lower=gamma, reading=reading
    )


def _explicit(configuration: str, given: explicit.Given, tau: dict[str, float], sigma: float, gamma: float) -> Bound:
    if configuration == "config-1":
        return explicit.config_1(given, tau_3=tau["e3"], tau_4=tau["e4"], tau_8=tau["e8"])
    if configuration == "config-2":
        return explicit.config_2(given, tau_6=tau["e6"], tau_8=tau["e8"], sigma_lower=sigma)
    if configuration == "config-3":
        return explicit.config_3(given, tau_7=tau["e7"], tau_8=tau["e8"], sigma_lower=sigma, gamma_lower=gamma)
    return explicit.config_4(given, tau_9=tau["e9"], sigma_lower=sigma, gamma_lower=gamma)


def check_bounded(plan: Plan) -> None:
    """Refuses a plan of which the paper has no theorem."""
    if plan.configuration not in BOUNDED or plan.calibration is not Calibration.PUBLISHED:
        raise InputError(
            "plan",
            f"of {', '.join(BOUNDED[:-1])} or {BOUNDED[-1]}, as published",
            f"{plan.configuration}, {plan.variant.scaling}",
            "The paper has no theorem for it: its error is not predicted here.",
        )
