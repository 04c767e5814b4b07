"""LDA models drawn at random, and the way from their exact moments back to them."""

from dataclasses import dataclass

import numpy as np

from dplda.spectral.cumulants import Coefficients
from dplda.spectral.population import Population
from dplda.spectral.tensor import Components, decompose
from dplda.spectral.topics import Topics, finish_topics, match, unwhiten
from dplda.spectral.whitening import Whitening, whiten


@dataclass(frozen=True, slots=True, eq=False)
class Recovery:
    whitening: Whitening
    components: Components
    topics: Topics

    def topic_error(self, truth: Population) -> float:
        """Largest L1 distance of a matched topic."""
        order = match(truth.topics, self.topics.words)
        return float(np.max(np.sum(np.abs(self.topics.words[order] - truth.topics), axis=1)))

    def alpha_error(self, truth: Population) -> float:
        """Largest relative error of a Dirichlet parameter."""
        order = match(truth.topics, self.topics.words)
        return float(np.max(np.abs(self.topics.alpha[order] / truth.alpha - 1)))


def draw_population(
    k: int, *, seed: int, alpha0: float = 1.0, words_per_topic: int = 5
) -> Population:
    """Sparse topics over ``5k`` words and unequal α: up to a factor of 3 apart."""
    rng = np.random.default_rng(seed)
    weights = rng.permutation(np.linspace(0.5, 1.5, k))
    topics = rng.dirichlet(np.full(words_per_topic * k, 0.2), size=k)
    return Population(topics=topics, alpha=alpha0 * weights / weights.sum())


def recover(
    components: Components, whitening: Whitening, mean: np.ndarray, k: int, alpha0: float = 1.0
) -> Topics:
    c = Coefficients(alpha0)
    return finish_topics(unwhiten(components, whitening, c, mean), components, whitening, c, k)


def recover_from_moments(truth: Population, *, seed: int = 0) -> Recovery:
    k = len(truth.alpha)
    whitening = whiten(truth.pair_moment(), k)
    components = decompose(truth.third_moment(whitening.whitener), rng=np.random.default_rng(seed))
    return Recovery(
        whitening, components, recover(components, whitening, truth.mean_words(), k, truth.alpha0)
    )
