r"""Theorems 10 to 13 at a budget: ε and δ split over the edges and added up, as the paper does.

With the spectrum, ε, δ and their split fixed, N enters them in two ways only: every noise term has a factor τ/N, and
the private lower bounds σ̃k and γ̃s are the true values less a constant over N. So every term falls to 0 as N grows:
some N is enough for a bound to say something, unless γs is 0. Then no N gives a finite bound.
"""

import math

from dplda.core.errors import InputError, NoFiniteNoise
from dplda.methods.configurations.published import GAMMA, SIGMA
from dplda.methods.configurations.variant import Calibration
from dplda.methods.plan import Plan
from dplda.privacy.composition import classic_multiplier
from dplda.theory.theorems import bounds, explicit, sensitivities
from dplda.theory.theorems.readings import Bound, Given, PaperReading
from dplda.theory.theorems.spectrum import Spectrum

FEWEST = 3  # documents that a moment of third order can be made of
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
        """What Procedure 1 leaves, as printed, where its Laplace noise is at its median, 0; never its ``max{0, ·}``."""
        if name not in spent:
            return math.nan
        epsilon, delta = spent[name]
        return sensitivities.positive(name, value - 2 / (n_documents * epsilon) * math.log(1 / (2 * delta)))

    tau = {name: classic_multiplier(*shares) for name, shares in spent.items()}
    given = Given(spectrum, n_documents, tau, lower(SIGMA, spectrum.sigma_k), lower(GAMMA, spectrum.gamma_s))
    if reading is None:
        return explicit.BY_CONFIGURATION[plan.configuration](given)
    return bounds.BY_CONFIGURATION[plan.configuration](given, reading)


def check_bounded(plan: Plan) -> None:
    """Refuses a plan of which the paper has no theorem."""
    if plan.configuration not in BOUNDED or plan.calibration is not Calibration.PUBLISHED:
        wanted, got = f"of {', '.join(BOUNDED[:-1])} or {BOUNDED[-1]}, as published", plan.variant.scaling
        fix = "The paper has no theorem for it: its error is not predicted here."
        raise InputError("plan", wanted, f"{plan.configuration}, {got}", fix)


def documents_needed(plan: Plan, spectrum: Spectrum, *, reading: PaperReading | None = PaperReading.RECOMMENDED) -> int:
    """The least N at which a bound, as of ``at_budget``, is not vacuous; it is not vacuous at any larger one either.

    Raises:
        NoFiniteNoise: γs is 0, two topics being equally large: no number of documents is enough.
    """
    if not spectrum.gamma_s > 0:
        raise NoFiniteNoise(GAMMA)

    def says_something(n_documents: int) -> bool:
        try:
            return not at_budget(plan, spectrum, n_documents=n_documents, reading=reading).vacuous
        except NoFiniteNoise:
            return False

    too_few, enough = FEWEST - 1, FEWEST
    while not says_something(enough):
        too_few, enough = enough, 2 * enough
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if says_something(middle):
            enough = middle
        else:
            too_few = middle
    return enough
