"""A running mean of the released statistics with known noise, and the topics it is shrunk to."""

import math
from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.methods.base.previous_release import State, Stepped
from dplda.methods.denoising.empirical_bayes import FIRST, FIRST_ROUNDS, ROUNDS, Posterior, learn
from dplda.methods.denoising.word_frequencies import WordReading, weighed
from dplda.methods.refined.documents import Documents, for_noise, step_of_parts
from dplda.methods.refined.schedule import WORDS
from dplda.methods.refined.spectral_start import StartMoments
from dplda.privacy.mechanisms import Mechanisms

SMALLEST_TOPIC = 0.02  # of a kth of all words; keeps topics that lost their words in play
LARGEST_TOPIC = (
    2.0  # of all words, as clipped parts may add up to more; else noise alone makes topics large
)
FLOOR = 1e-9  # of the mean word distribution, in every topic: no word has probability 0


def count_words(
    documents: Documents, mechanisms: Mechanisms, since: State | None, *, bound: float, mu: float
) -> WordReading:
    """One Gaussian release of word counts, each document's scaled down to ``bound``, with those released before."""
    unit = step_of_parts(documents, bound) if mechanisms.exact else 0.0
    counts = for_noise(documents.word_counts(bound=bound, unit=unit), unit, bound=bound)
    noisy = mechanisms.vector(WORDS, counts, sensitivity=documents.sensitivity(bound), mu=mu)
    found = WordReading(noisy, mechanisms.noise_in(WORDS))
    return found if since is None else weighed(since.words, found)


@dataclass(eq=False)
class Steps:
    """The state of a run between steps: a function of released values and public numbers.

    Attributes:
        topics: of the next step, shape (k, d), rows on the simplex; after the first above 0.
        memory: ``a``: step t, counted from 0, enters the running mean with weight ``a/(t + a)``; infinite for none.
        brought: word frequencies of every topic by public knowledge, shape (k, d); None for alike ones.
        start: a spectral one, from which on shares follow the releases, else they would learn noise; None for none.
        since: what an earlier release left behind; None for none.
        trust: the part of all μ² that it spent. Its mean weighs as its precision times that, since its topics were
            worse: an unbroken run forgets its early steps likewise.
    """

    words: WordReading
    topics: Matrix
    memory: float
    brought: Matrix | None = None
    start: StartMoments | None = None
    since: Stepped | None = None
    trust: float = 1.0

    def __post_init__(self) -> None:
        k = len(self.topics)
        self.shares = (
            np.full(k, 1 / k) if self.since is None else self.since.shares
        )  # of all words: those of the prior
        self._mean, self._variance, self._taken = np.zeros(self.topics.shape), 0.0, 0
        self._law, self._rounds = FIRST, FIRST_ROUNDS

    def learn(self, noisy: Matrix, noise: float) -> Posterior:
        """Takes in a step's release in weighted words, shape (k, d), and its noise; the mean's posterior, in words."""
        rate = 1 / (1 + self._taken / self.memory)  # a/(t + a)
        self._taken += 1
        self._mean += rate * (noisy - self._mean)
        self._variance = (1 - rate) ** 2 * self._variance + rate**2 * noise**2
        u = self.words.weights
        mean, variance = self.reading()
        cells, total = mean / u, self.words.total
        sizes: Vector = np.clip(
            np.sum(cells, axis=1), SMALLEST_TOPIC * total / len(cells), LARGEST_TOPIC * total
        )
        toward: Matrix | Vector = self.words.frequencies if self.brought is None else self.brought
        if self.start is not None:
            self.shares = sizes / np.sum(sizes)
            toward = self.start.base(toward, variance * np.sum(u**-2) / sizes**2)
        base = sizes[:, None] * toward
        spread = np.broadcast_to(math.sqrt(variance) / u, cells.shape)
        posterior = learn(cells, spread, base, start=self._law, rounds=self._rounds)
        self._law, self._rounds = posterior.law, ROUNDS
        found = posterior.mean + FLOOR * base
        self.topics = found / np.sum(found, axis=1, keepdims=True)
        return posterior

    def reading(self) -> tuple[Matrix, float]:
        """The running mean with that of an earlier release, by their precision, and its noise variance."""
        since = self.since
        if since is None:
            return self._mean, self._variance
        known = since.precision * self.trust * self._variance
        weight = known / (1 + known)
        variance = (1 - weight) ** 2 * self._variance + weight**2 / since.precision
        return self._mean + weight * (since.mean - self._mean), variance

    def left_behind(self, topics: Matrix) -> Stepped:
        """What another run continues from, with the finished topics."""
        mean, variance = self.reading()
        return Stepped(topics=topics, shares=self.shares, mean=mean, precision=1 / variance)
