"""Theorems 10 to 13 at a budget, with ε and δ split over the edges and summed as in the paper.

Every noise term has a factor τ/N, and the private lower bounds σ̃k and γ̃s are the true values
minus a constant over N. So every term falls to 0 as N grows, unless γs is 0: then no N gives a
finite bound.
"""

import math

from dplda.core.errors import InputError, NoFiniteNoise
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.published import GAMMA, SIGMA
from dplda.privacy.accounting.composition import classic_multiplier
from dplda.theory.theorems import bounds, explicit
from dplda.theory.theorems.readings import Bound, BoundInputs, PaperReading
from dplda.theory.theorems.spectrum import Spectrum

FEWEST = 3
"""Smallest number of documents with a third-order moment."""
BOUNDED = tuple(bounds.BY_CONFIGURATION)


def at_budget(
    plan: Plan,
    spectrum: Spectrum,
    *,
    n_documents: int,
    reading: PaperReading | None = PaperReading.RECOMMENDED,
) -> Bound:
    """The bound of a published configuration (``config-1`` to ``config-4``) at the plan's ε and δ.

    Args:
        plan: of a published configuration.
        spectrum: of the corpus, or of a population.
        n_documents: ``N``, at least 3.
        reading: which print of the paper; None for explicit constants.

    Raises:
        InputError: the paper has no theorem for the plan.
        NoFiniteNoise: a private lower bound is 0 at its median noise, or (explicit constants) noise
            on M2 reaches σk.
    """
    inputs = numbers_of(plan, spectrum, n_documents=n_documents)
    if reading is None:
        return explicit.BY_CONFIGURATION[plan.configuration](inputs)
    return bounds.BY_CONFIGURATION[plan.configuration](inputs, reading)


def numbers_of(plan: Plan, spectrum: Spectrum, *, n_documents: int) -> BoundInputs:
    """The numbers that a plan's theorem depends on, with ``τ`` of every edge at the plan's split.

    Procedure 1's lower bounds are those at its median Laplace noise, 0, and at least 0. One that is
    0 makes a bound infinite only where the chosen reading uses it; one without a share of the
    budget is NaN.

    Args:
        plan: of a published configuration.
        spectrum: of the corpus, or of a population.
        n_documents: ``N``, at least 3.

    Raises:
        InputError: the paper has no theorem for the plan.
    """
    check_bounded(plan)
    budget_by_name = split_budget(plan)

    def lower_bound(name: str, exact_value: float) -> float:
        if name not in budget_by_name:
            return math.nan
        epsilon, delta = budget_by_name[name]
        median_bound = exact_value - 2 / (n_documents * epsilon) * math.log(1 / (2 * delta))
        return max(0.0, median_bound)

    return BoundInputs(
        spectrum=spectrum,
        n_documents=n_documents,
        tau={name: classic_multiplier(*budget) for name, budget in budget_by_name.items()},
        sigma_lower=lower_bound(SIGMA, spectrum.sigma_k),
        gamma_lower=lower_bound(GAMMA, spectrum.gamma_s),
    )


def split_budget(plan: Plan) -> dict[str, tuple[float, float]]:
    """``ε_i`` and ``δ_i`` of a published plan's quantities, by name: equal shares of both."""
    shares = dict(plan.split or plan.variant.default_split)
    budget_by_name = {}
    for name, share in shares.items():
        budget_by_name[name] = (share * plan.epsilon, share * plan.delta)
    return budget_by_name


def check_bounded(plan: Plan) -> None:
    """Refuse a plan that the paper has no theorem for: another method, or another calibration.

    Raises:
        InputError: the plan is not of a configuration in ``BOUNDED`` as published.
    """
    if plan.configuration in BOUNDED and plan.calibration is Calibration.PUBLISHED:
        return
    raise InputError(
        "plan",
        f"of {', '.join(BOUNDED[:-1])} or {BOUNDED[-1]}, as published",
        f"{plan.configuration}, {plan.variant.scaling}",
        "The paper has no theorem for it: its error is not predicted here.",
    )


def documents_needed(
    plan: Plan, spectrum: Spectrum, *, reading: PaperReading | None = PaperReading.RECOMMENDED
) -> int:
    """The smallest N, at least ``FEWEST``, at which the bound is not vacuous.

    It stays informative for every larger N.

    Args:
        plan: of a published configuration.
        spectrum: of the corpus, or of a population; it stays the same at every N.
        reading: which print of the paper; None for explicit constants.

    Raises:
        InputError: the paper has no theorem for the plan.
        NoFiniteNoise: γs is 0 because two topics are equally large, so no N is enough.
    """
    if not spectrum.gamma_s > 0:
        raise NoFiniteNoise(GAMMA)

    def is_informative(n_documents: int) -> bool:
        try:
            bound = at_budget(plan, spectrum, n_documents=n_documents, reading=reading)
        except NoFiniteNoise:
            return False
        return not bound.vacuous

    too_few = FEWEST - 1
    sufficient_number = FEWEST
    while not is_informative(sufficient_number):
        too_few = sufficient_number
        sufficient_number = 2 * sufficient_number
    while sufficient_number - too_few > 1:
        middle_number = (too_few + sufficient_number) // 2
        if is_informative(middle_number):
            sufficient_number = middle_number
        else:
            too_few = middle_number
    return sufficient_number
