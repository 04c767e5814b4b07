r"""The risk of several releases with Laplace noise, by their privacy loss distribution.

Theorem:
    A vector with Laplace noise on each coordinate, whose L1 sensitivity is ε noise scales, reveals
    no more than one number with Laplace noise that moves by ε scales.

Proof:
    The vector's shifts have sizes :math:`ε_1, ε_2, …` that add up to at most ε. One number has the
    curve :math:`H_γ = (1 - \sqrt{γ e^{-ε}})_+` for :math:`e^{-ε} \le γ`. Let
    :math:`ε_2 \le ε_1` and :math:`γ \ge 1`. For both numbers :math:`H_γ = E[H_{γ e^{-ℓ}}]` over the
    second one's loss ℓ, which is at most :math:`ε_2`. As :math:`γ e^{-ℓ} \ge e^{-ε_1}`, that is
    :math:`E[(1 - \sqrt{γ e^{-ℓ-ε_1}})_+] \le (1 - \sqrt{γ e^{-ε_1-ε_2}})_+`: two numbers reveal no
    more than one that moves by both. By exchanging the two neighbors it holds for γ below 1. So it
    does for any number of coordinates, one after the other.

Source:
    Ours. Releases compose as their dominating pairs do: Zhu, Dong and Wang (2022), Theorem 10.
    Pessimistic discretization: dp-accounting.
"""

from functools import lru_cache

from dplda.core.optional_packages import requiring
from dplda.privacy.accounting.risk import Risk, risk_of_curve

MAX_GRID_STEP = 1e-3
"""Largest spacing of losses, which are rounded up; it moves a chance by less than 1e-8."""

MIN_GRID_STEPS = 300
"""Fewest steps of the grid up to the sum of all ε."""

MAX_EPSILON = 20.0
"""Largest sum of all ε that has a grid: a right guess has a chance of .9997 there."""


@lru_cache(maxsize=256)
def risk_of_laplace(epsilons: tuple[float, ...]) -> Risk | None:
    """Work out what releases with Laplace noise let somebody guess about one document.

    None if their ε sum to more than ``MAX_EPSILON``, where ε alone promises as little.

    Args:
        epsilons: ε of each release, above 0; at least one.

    Raises:
        MissingPackageError: dp-accounting is not installed.
    """
    total_epsilon = sum(epsilons)
    if total_epsilon > MAX_EPSILON:
        return None
    with requiring("dp-accounting", "The risk of Laplace noise"):
        from dp_accounting.pld import privacy_loss_distribution

    grid_step = min(MAX_GRID_STEP, total_epsilon / MIN_GRID_STEPS)
    distributions = [
        privacy_loss_distribution.from_laplace_mechanism(
            1 / epsilon, value_discretization_interval=grid_step
        )
        for epsilon in epsilons
    ]
    composed_distribution = distributions[0]
    for distribution in distributions[1:]:
        composed_distribution = composed_distribution.compose(distribution)
    return risk_of_curve(
        lambda epsilon: float(composed_distribution.get_delta_for_epsilon(epsilon)), total_epsilon
    )
