"""Noise on M₂ in configuration 1 under four ways of adding up what its releases cost."""

from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.composition import classic_multiplier

N_AS_PUBLISHED = 3  # charges: e3, e4 and e8, of which two are for M₂
N_NEEDED = 2  # releases: M₃, and M₂ once, from which both W and W† follow


def multipliers_on_pair_moment(epsilon: float, delta: float) -> dict[str, float]:
    """Noise multipliers on M₂ (standard deviations per unit of sensitivity) with an even split.

    Returns:
        Four, by way of accounting: the published one with three charges, then each with one more
        repair.
    """
    mu_of_half_budget = gaussian.mu_for(epsilon / N_NEEDED, delta / N_NEEDED)
    half_of_total_mu = gaussian.mu_of_share(gaussian.mu_for(epsilon, delta), 1 / N_NEEDED)
    return {
        "three charges": classic_multiplier(epsilon / N_AS_PUBLISHED, delta / N_AS_PUBLISHED),
        "M₂ once": classic_multiplier(epsilon / N_NEEDED, delta / N_NEEDED),
        "exact noise": 1 / mu_of_half_budget,
        "exact sum": 1 / half_of_total_mu,
    }
