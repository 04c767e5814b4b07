"""Fraction of a budget that a spectral start gets, from its noise and public numbers."""

from dplda.methods.refined.plan.constants import START_NOISE_FACTOR_WITH_PRIOR, RefinedConstants


def min_start_fraction(constants: RefinedConstants, alpha0: float) -> float:
    """Least fraction of what word counts leave that a spectral start gets."""
    return min(constants.min_start_share * max(1.0, alpha0), constants.max_noisy_start_share)


def start_fraction(
    constants: RefinedConstants,
    start_noise: float,
    n_topics: int,
    alpha0: float,
    *,
    prior_leaning: float = 0.0,
) -> float:
    """Fraction of what word counts leave that a spectral start gets; 0 if the noise is too large.

    A start only has to separate topics, which takes more the more noise and mixing there is: steps
    make the better ones, unless documents mix many topics or there is next to no noise. So the
    fraction grows with the noise up to ``max_noisy_start_share``, and rises to
    ``largest_start_share`` where there is hardly any.

    Args:
        start_noise: noise edge of a pair average over its largest eigenvalue, at least 0.
        prior_leaning: weight of a prior in [0, 1], which is a start too: the more a run leans on
            it, the surer a bought one has to be.
    """
    noise_factor = 1 - (1 - START_NOISE_FACTOR_WITH_PRIOR) * prior_leaning
    largest_useful_noise = constants.max_start_noise * noise_factor
    if start_noise >= largest_useful_noise:
        return 0.0
    mixing_factor = (1 + alpha0) * (2 + alpha0) / 2  # the third moment of topics alone is smaller
    topic_factor = min(n_topics / 10, 10 / n_topics)  # start_noise has grown with k above 10
    moment_noise = start_noise * topic_factor * mixing_factor
    separating_fraction = (moment_noise / constants.tolerable_moment_noise) ** 2
    noisy_fraction = max(
        min_start_fraction(constants, alpha0),
        min(separating_fraction, constants.max_noisy_start_share),
    )
    fraction_range = constants.largest_start_share - noisy_fraction
    return noisy_fraction + fraction_range / (1 + (start_noise / constants.low_start_noise) ** 2)
