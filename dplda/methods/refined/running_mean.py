"""A running mean of the released statistics with known noise, and the topics it is shrunk to."""

import math
from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.methods.base.previous_release import RunState, StepState
from dplda.methods.denoising.empirical_bayes import (
    EVEN_WEIGHTS,
    N_FIRST_ROUNDS,
    N_LATER_ROUNDS,
    Posterior,
    fit_empirical_bayes,
)
from dplda.methods.denoising.word_frequencies import NoisyWordCounts, inverse_variance_mean
from dplda.methods.refined.documents import Documents, as_fixed_point, fixed_point_step
from dplda.methods.refined.schedule import WORDS
from dplda.methods.refined.spectral_start import SpectralStart
from dplda.privacy.mechanisms import Mechanisms

MIN_TOPIC_SIZE = 0.02  # of a kth of all words; keeps topics that lost their words in play
MAX_TOPIC_SIZE = (
    2.0  # of all words, as clipped parts may add up to more; else noise alone makes topics large
)
MIN_WORD_WEIGHT = 1e-9  # of the mean word distribution, in every topic: no word has probability 0


def release_word_counts(
    documents: Documents, mechanisms: Mechanisms, since: RunState | None, *, bound: float, mu: float
) -> NoisyWordCounts:
    """One Gaussian release of word counts, each document's scaled down to ``bound``, with those released before."""
    unit = fixed_point_step(documents, bound) if mechanisms.is_exact else 0.0
    counts = as_fixed_point(documents.sum_word_counts(bound=bound, unit=unit), unit, bound=bound)
    noisy = mechanisms.vector(WORDS, counts, sensitivity=documents.sensitivity(bound), mu=mu)
    found = NoisyWordCounts(noisy, mechanisms.noise_std_of(WORDS))
    return found if since is None else inverse_variance_mean(since.words, found)


@dataclass(eq=False)
class RunningMean:
    """The state of a run between steps: a function of released values and public numbers.

    Attributes:
        topics: of the next step, shape (k, d), rows on the simplex; after the first above 0.
        averaging_weight: ``a``: step t, counted from 0, enters the running mean with weight ``a/(t + a)``; infinite for none.
        prior_topics: word frequencies of every topic by public knowledge, shape (k, d); None for alike ones.
        start: a spectral one, from which on shares follow the releases, else they would learn noise; None for none.
        previous: what an earlier release left behind; None for none.
        previous_weight: the part of all μ² that it spent. Its mean weighs as its precision times that, since its topics were
            worse: an unbroken run forgets its early steps likewise.
    """

    words: NoisyWordCounts
    topics: Matrix
    averaging_weight: float
    prior_topics: Matrix | None = None
    start: SpectralStart | None = None
    previous: StepState | None = None
    previous_weight: float = 1.0

    def __post_init__(self) -> None:
        k = len(self.topics)
        self.shares = (
            np.full(k, 1 / k) if self.previous is None else self.previous.topic_shares
        )  # of all words: those of the prior
        self._mean, self._variance, self._taken = np.zeros(self.topics.shape), 0.0, 0
        self._law, self._rounds = EVEN_WEIGHTS, N_FIRST_ROUNDS

    def add_release(self, noisy: Matrix, noise: float) -> Posterior:
        """Takes in a step's release in weighted words, shape (k, d), and its noise; the mean's posterior, in words."""
        rate = 1 / (1 + self._taken / self.averaging_weight)  # a/(t + a)
        self._taken += 1
        self._mean += rate * (noisy - self._mean)
        self._variance = (1 - rate) ** 2 * self._variance + rate**2 * noise**2
        u = self.words.word_weights
        mean, variance = self.combined_mean()
        cells, total = mean / u, self.words.total_count
        sizes: Vector = np.clip(
            np.sum(cells, axis=1), MIN_TOPIC_SIZE * total / len(cells), MAX_TOPIC_SIZE * total
        )
        toward: Matrix | Vector = (
            self.words.word_frequencies if self.prior_topics is None else self.prior_topics
        )
        if self.start is not None:
            self.shares = sizes / np.sum(sizes)
            toward = self.start.shrinkage_target(toward, variance * np.sum(u**-2) / sizes**2)
        base = sizes[:, None] * toward
        spread = np.broadcast_to(math.sqrt(variance) / u, cells.shape)
        posterior = fit_empirical_bayes(
            cells, spread, base, initial_weights=self._law, n_rounds=self._rounds
        )
        self._law, self._rounds = posterior.mixture_weights, N_LATER_ROUNDS
        found = posterior.mean + MIN_WORD_WEIGHT * base
        self.topics = found / np.sum(found, axis=1, keepdims=True)
        return posterior

    def combined_mean(self) -> tuple[Matrix, float]:
        """The running mean with that of an earlier release, by their precision, and its noise variance."""
        since = self.previous
        if since is None:
            return self._mean, self._variance
        known = since.precision * self.previous_weight * self._variance
        weight = known / (1 + known)
        variance = (1 - weight) ** 2 * self._variance + weight**2 / since.precision
        return self._mean + weight * (since.running_mean - self._mean), variance

    def checkpoint(self, topics: Matrix) -> StepState:
        """What another run continues from, with the finished topics."""
        mean, variance = self.combined_mean()
        return StepState(
            topics=topics, topic_shares=self.shares, running_mean=mean, precision=1 / variance
        )
