"""A corpus made of public numbers alone, to tune a plan on: nothing about it depends on a document."""

import numpy as np

from dplda.core import checks
from dplda.corpus.simulation.simulate import draw_truth
from dplda.spectral.population import Population
from dplda.theory.prediction.expected import MEAN_LENGTH
from dplda.theory.prediction.geometry import Geometry, geometry_of, poisson_lengths

CONCENTRATION = 0.1


def public_reference(*, n_words: int, n_topics: int, alpha0: float, mean_length: float = MEAN_LENGTH) -> Geometry:
    """Topics drawn from a symmetric Dirichlet, all equally frequent; the same for the same arguments.

    Args:
        n_topics: ``k``, 2 ≤ k ≤ d.
        mean_length: ``L``, a public guess at the words in a document.
    """
    checks.between("n_topics", n_topics, 2, n_words, open_ends=False)
    checks.alpha0(alpha0)
    rng = np.random.default_rng(0)
    topics = rng.dirichlet(np.full(n_words, CONCENTRATION), size=n_topics)
    return geometry_of(Population(topics, np.full(n_topics, alpha0 / n_topics)), poisson_lengths(mean_length))


def simulated_reference(*, n_words: int, n_topics: int, alpha0: float, mean_length: float, seed: int = 0) -> Geometry:
    """The population that ``dplda.simulate`` draws documents from with this seed; topics are not equally frequent.

    Args:
        n_topics: ``k``, 2 ≤ k ≤ d.
        mean_length: ``L``, words in a document.
    """
    truth = draw_truth(n_words=n_words, n_topics=n_topics, alpha0=alpha0, seed=seed, topic_concentration=CONCENTRATION)
    return geometry_of(Population(truth.topics, truth.alpha), poisson_lengths(mean_length))
