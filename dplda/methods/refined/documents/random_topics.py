"""Topics that are free of data, from which inference begins where nothing better is known."""

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.methods.refined.plan.constants import RANDOM_TOPIC_CONCENTRATION


def random_topics(word_frequencies: Vector, n_topics: int, rng: np.random.Generator) -> Matrix:
    """Topics that are free of data, (k, d): word frequencies times gamma numbers, normalized."""
    factors = rng.gamma(
        RANDOM_TOPIC_CONCENTRATION,
        1 / RANDOM_TOPIC_CONCENTRATION,
        (n_topics, len(word_frequencies)),
    )
    unnormalized = word_frequencies * factors
    return np.asarray(unnormalized / np.sum(unnormalized, axis=1, keepdims=True))
