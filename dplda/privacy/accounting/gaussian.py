r"""Exact accounting of Gaussian mechanisms.

A Gaussian mechanism with sensitivity Δ and standard deviation σ has ``μ = Δ/σ``. A sequence of
them, each chosen knowing the earlier outcomes, is exactly as private as one with
:math:`μ = \sqrt{\sum μ_j^2}`, and

.. math:: δ(ε; μ) = Φ(μ/2 - ε/μ) - e^ε Φ(-μ/2 - ε/μ).
"""

import math
from collections.abc import Callable
from functools import lru_cache

from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr

from dplda.core import checks
from dplda.core.errors import InputError

MU_LOW = 1e-8  # lower end of the search for μ
MU_HIGH = 200.0  # first upper end, which grows with ε
ROUNDING_UNIT = 2.0**-52


def delta_of(epsilon: float, mu: float) -> float:
    """The smallest δ, rounded up, for which a Gaussian mechanism of parameter μ is (ε, δ)-DP.

    Raises:
        InputError: ε is below 0, or μ is not above 0.

    Source:
        Balle & Wang, analytic Gaussian mechanism; Dong, Roth & Su, Gaussian differential privacy.
    """
    checks.at_least("epsilon", epsilon, 0)
    checks.positive("mu", mu)
    epsilon = float(epsilon)
    mu = float(mu)
    log_tail = float(log_ndtr(-mu / 2 - epsilon / mu))
    second_term = math.exp(epsilon + log_tail)
    first_term = float(ndtr(mu / 2 - epsilon / mu))
    difference = max(0.0, first_term - second_term)
    # Rounding of an argument x of Φ moves Φ(x) by up to u·x² of itself,
    # and the difference keeps what its terms lose.
    largest_argument = mu / 2 + epsilon / mu
    relative_rounding = ROUNDING_UNIT * (8 + 4 * largest_argument**2)
    return min(1.0, difference + relative_rounding * first_term)


@lru_cache(maxsize=4096, typed=True)  # as np.float32(0.5) == 0.5
def mu_for(epsilon: float, delta: float) -> float:
    """The largest μ, rounded down, whose Gaussian mechanism is (ε, δ)-DP.

    The noise is Δ/μ; ε is above 0, and δ in (0, 1).

    Raises:
        InputError: ε or δ is out of range, or δ too small for this ε to be computed.

    Guarantee:
        ``delta_of(epsilon, mu_for(epsilon, delta)) <= delta``: the solver's root is moved to the
        private side until it holds.
    """
    checks.epsilon(epsilon)
    checks.between("delta", delta, 0, 1, open_ends=True)
    if delta_of(epsilon, MU_LOW) > delta:
        raise InputError(
            "delta", "large enough for this ε to be computed", f"{delta:g} with ε = {epsilon:g}"
        )

    def excess_delta(mu: float) -> float:
        """δ that μ needs at this ε, less the δ allowed."""
        return delta_of(epsilon, mu) - delta

    high_mu = MU_HIGH
    while delta_of(epsilon, high_mu) <= delta:
        high_mu *= 2
    root = float(brentq(excess_delta, MU_LOW, high_mu, xtol=1e-13, rtol=1e-12))
    return nudge_until(root, -1e-12, lambda mu: delta_of(epsilon, mu) <= delta)


def epsilon_for(mu: float, delta: float) -> float:
    """The smallest ε, rounded up, for which μ is (ε, δ)-DP; 0 where δ alone is enough.

    Raises:
        InputError: μ is not above 0, or δ not in (0, 1).
    """
    checks.positive("mu", mu)
    checks.between("delta", delta, 0, 1, open_ends=True)
    if delta_of(0.0, mu) <= delta:
        return 0.0

    def excess_delta(epsilon: float) -> float:
        """δ that μ needs at an ε, less the δ allowed."""
        return delta_of(epsilon, mu) - delta

    high_epsilon = 1.0
    while excess_delta(high_epsilon) > 0:
        high_epsilon *= 2
    root = float(brentq(excess_delta, 0.0, high_epsilon, xtol=1e-12, rtol=1e-12))
    return nudge_until(root, 1e-12, lambda epsilon: delta_of(epsilon, mu) <= delta)


def nudge_until(root: float, step: float, condition: Callable[[float], bool]) -> float:
    """A solver's root, moved to the private side in doubling steps until a condition holds.

    Args:
        root: root as found, not 0.
        step: first relative step; negative to move toward 0.
        condition: holds on the private side.
    """
    while not condition(root):
        root *= 1 + step
        step *= 2
    return root


def compose(mus: list[float]) -> float:
    """μ of adaptively chosen Gaussian mechanisms: the root of the sum of squares, rounded up."""
    total_mu = math.sqrt(math.fsum(mu**2 for mu in mus))
    return total_mu * (1 + 1e-15)


def mu_of_share(mu: float, budget_share: float) -> float:
    """μ of one release given a fraction of the budget (of μ²): ``√fraction · μ``, rounded down.

    Raises:
        InputError: the share is not in [0, 1].
    """
    checks.between("fraction", budget_share, 0, 1, open_ends=False)
    return math.sqrt(budget_share) * mu * (1 - 1e-15)


def remaining_mu(total_mu: float, spent_mu: float) -> float:
    """μ that a budget leaves, rounded down; 0 where nothing is left.

    It is the root of ``total_mu² - spent_mu²``.

    Args:
        total_mu: μ of the budget.
        spent_mu: μ of what was spent of it.
    """
    squared_mu_left = max(0.0, (total_mu - spent_mu) * (total_mu + spent_mu))
    return math.sqrt(squared_mu_left) * (1 - 1e-15)
