"""Theorems 10 to 13 at a budget: ε and δ split over the edges and added up, as the paper does."""

import math

from dplda.configurations.published import GAMMA, SIGMA
from dplda.errors import InputError
from dplda.privacy.composition import classic_multiplier
from dplda.theorems import bounds, explicit, sensitivities
from dplda.theorems.readings import Bound, Reading
from dplda.theorems.spectrum import Spectrum

BOUNDED = ("config-1", "config-2", "config-3", "config-4")


def at_budget(
    configuration: str,
    spectrum: Spectrum,
    *,
    n_documents: int,
    epsilon: float,
    delta: float,
    split: dict[str, float],
    reading: Reading | None = Reading.RECOMMENDED,
) -> Bound:
    """The bound of a published configuration at a budget that is split and added up.

    Args:
        configuration: ``"config-1"`` to ``"config-4"``.
        spectrum: of the corpus or population.
        n_documents: ``N``.
        epsilon: ε of the whole run.
        delta: δ of the whole run.
        split: fraction of ε and of δ for each quantity of the configuration, as in its published variant.
        reading: of the print; None for explicit constants.

    Raises:
        NoFiniteNoise: a private lower bound is 0 where its Laplace noise is at its median; with explicit constants also
            where the noise on M2 reaches σk.
    """
    tau = {name: classic_multiplier(part * epsilon, part * delta) for name, part in split.items()}
    n, sigma, gamma = n_documents, math.nan, math.nan
    if configuration != "config-1":
        sigma, gamma = _lower_bounds(configuration, spectrum, n, epsilon, delta, split)
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


def _lower_bounds(
    configuration: str, spectrum: Spectrum, n_documents: int, epsilon: float, delta: float, split: dict[str, float]
) -> tuple[float, float]:
    """``σ̃k`` and, where the configuration has one, ``γ̃s``."""
    if configuration not in BOUNDED:
        raise InputError("configuration", "config-1, config-2, config-3 or config-4", "another name")

    def lower(name: str, value: float) -> float:
        part = split[name]
        return sensitivities.lower_bound(
            name, value, n_documents=n_documents, epsilon=part * epsilon, delta=part * delta
        )

    sigma = lower(SIGMA, spectrum.sigma_k)
    return sigma, lower(GAMMA, spectrum.gamma_s) if GAMMA in split else math.nan
