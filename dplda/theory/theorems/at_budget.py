"""Theorems 10 to 13 at a budget: ε and δ split over the edges and added up, as the paper does."""

import math

from dplda.core.errors import InputError
from dplda.methods.configurations.published import GAMMA, SIGMA
from dplda.methods.configurations.variant import Calibration
from dplda.methods.plan import Plan
from dplda.privacy.composition import classic_multiplier
from dplda.theory.theorems import bounds, explicit, sensitivities
from dplda.theory.theorems.given import Given
from dplda.theory.theorems.readings import Bound, PaperReading
from dplda.theory.theorems.spectrum import Spectrum

BOUNDED = tuple(bounds.BY_CONFIGURATION)


def at_budget(
    plan: Plan, spectrum: Spectrum, *, n_documents: int, reading: PaperReading | None = PaperReading.RECOMMENDED
) -> Bound:
    """The bound of a published configuration at a budget that is split and added up.

    Args:
        plan: one of ``config-1`` to ``config-4``, as published.
        reading: of the print; None for explicit constants.

    Raises:
        NoFiniteNoise: a private lower bound is 0 where its Laplace noise is at its median; with explicit constants also
            where the noise on M2 reaches σk.
    """
    check_bounded(plan)
    parts = dict(plan.split or plan.variant.default_split)
    spent = {name: (part * plan.epsilon, part * plan.delta) for name, part in parts.items()}

    def lower(name: str, value: float) -> float:
        if name not in spent:
            return math.nan
        epsilon, delta = spent[name]
        return sensitivities.lower_bound(name, value, n_documents=n_documents, epsilon=epsilon, delta=delta)

    tau = {name: classic_multiplier(*shares) for name, shares in spent.items()}
    given = Given(spectrum, n_documents, tau, lower(SIGMA, spectrum.sigma_k), lower(GAMMA, spectrum.gamma_s))
    if reading is None:
        return explicit.BY_CONFIGURATION[plan.configuration](given)
    return bounds.BY_CONFIGURATION[plan.configuration](given, reading)


def check_bounded(plan: Plan) -> None:
    """Refuses a plan of which the paper has no theorem."""
    if plan.configuration not in BOUNDED or plan.calibration is not Calibration.PUBLISHED:
        raise InputError(
            "plan",
            f"of {', '.join(BOUNDED[:-1])} or {BOUNDED[-1]}, as published",
            f"{plan.configuration}, {plan.variant.scaling}",
            "The paper has no theorem for it: its error is not predicted here.",
        )
