"""A running mean of the released statistics with known noise, and the topics it is shrunk to."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.methods.full_batch_vi.documents import Documents
from dplda.methods.full_batch_vi.flow import WORDS
from dplda.methods.full_batch_vi.prior import Tilt
from dplda.methods.shrinkage.posterior import FIRST, NEAR_ONE, Posterior, frequencies, learn
from dplda.privacy.mechanisms import Mechanisms

RARE = 0.02  # of an equal share: rarer words weigh as much as these
POWER = -0.25  # of a word's frequency, in its weight: rare words get less noise; chosen on 20 Newsgroups and docstrings
SMALLEST_TOPIC = 0.02  # of a kth of all words; keeps topics that lost their words in play
LARGEST_TOPIC = 2.0  # of all words, as clipped parts may add up to more; else noise alone makes topics large
FIRST_ROUNDS, ROUNDS = 30, 12  # of EM for the distribution of cells, started from the step before
FLOOR = 1e-9  # of the mean word distribution, in every topic: no word has probability 0


@dataclass(frozen=True, eq=False)
class FirstWords:
    """Noisy sum of clipped word counts of the first release, shape (d,), with its noise standard deviation ≥ 0."""

    counts: Vector
    noise: float

    @classmethod
    def released(cls, documents: Documents, mechanisms: Mechanisms, *, bound: float, mu: float) -> "FirstWords":
        """One Gaussian release of word counts, each document's scaled down to ``bound``."""
        exact = mechanisms.exact
        counts = documents.whole_word_counts(bound=bound) if exact else documents.word_counts(bound=bound)[0]
        noisy = mechanisms.vector(WORDS, counts, sensitivity=documents.sensitivity(bound), mu=mu)
        return cls(noisy, mechanisms.noise_in(WORDS))

    def with_more(self, other: "FirstWords") -> "FirstWords":
        """Both readings, weighted by their noise."""
        if not self.noise or not other.noise:
            return self
        own, more = self.noise**-2, other.noise**-2
        return FirstWords((own * self.counts + more * other.counts) / (own + more), 1 / math.sqrt(own + more))

    @cached_property
    def total(self) -> float:
        """Total words, as released, at least 1."""
        return max(1.0, float(np.sum(self.counts)))

    @cached_property
    def frequencies(self) -> Vector:
        """The private unigram, shape (d,), on the simplex."""
        return frequencies(self.counts, np.full(self.counts.shape, self.noise))

    @cached_property
    def weights(self) -> Vector:
        """``u``, shape (d,), above 0: weight of every word's cells in a step."""
        d = len(self.counts)
        result: Vector = (d * np.maximum(self.frequencies, RARE / d)) ** POWER
        return result


class Steps:
    """The state of a run between steps: a function of released values and public numbers.

    Args:
        topics: of the first step, shape (k, d), rows on the simplex.
        tilt: from word frequencies to those of every topic by public knowledge, shape (k, d); None for alike ones.
        memory: ``a``: step t, counted from 0, enters the running mean with weight ``a/(t + a)``; infinite for none.
        learn_shares: whether shares follow the releases; only after a spectral start, else they would learn noise.

    Attributes:
        topics: of the next step, shape (k, d), rows on the simplex, above 0.
        shares: each topic's part of all words, shape (k,), on the simplex, above 0: those of the prior.
        mean_words: ``p``, shape (d,), on the simplex.
    """

    def __init__(
        self, words: FirstWords, topics: Matrix, memory: float, *, learn_shares: bool, tilt: Tilt | None = None
    ) -> None:
        self._words, self._memory, self._tilt = words, memory, tilt
        self.topics, self.mean_words = topics, words.frequencies
        self._learn_shares, self.shares = learn_shares, np.full(len(topics), 1 / len(topics))
        self._mean, self._variance, self._taken = np.zeros(topics.shape), 0.0, 0
        self._column_sums, self._column_variance = np.zeros(topics.shape[1]), 0.0
        self._posterior: Posterior | None = None

    def learn(self, noisy: Matrix, noise: float) -> None:
        """Takes in one step's release in weighted words, shape (k, d), with its noise standard deviation."""
        rate = 1 / (1 + self._taken / self._memory)  # a/(t + a)
        self._taken += 1
        self._mean += rate * (noisy - self._mean)
        self._variance = (1 - rate) ** 2 * self._variance + rate**2 * noise**2
        u, k = self._words.weights, len(noisy)
        self._column_sums += np.sum(noisy, axis=0) / u
        self._column_variance += k * noise**2
        self.mean_words = self._both_readings()
        cells = self._mean / u
        sizes = self._sizes()
        if self._learn_shares:
            self.shares = sizes / np.sum(sizes)
        base = sizes[:, None] * (self.mean_words if self._tilt is None else self._tilt(self.mean_words))
        spread = np.broadcast_to(math.sqrt(self._variance) / u, cells.shape)
        before = self._posterior
        first = FIRST if self._tilt is None else NEAR_ONE
        start, rounds = (first, FIRST_ROUNDS) if before is None else (before.law, ROUNDS)
        self._posterior = learn(cells, spread, base, start=start, rounds=rounds)
        found = self._posterior.mean + FLOOR * base
        self.topics = found / np.sum(found, axis=1, keepdims=True)

    @property
    def posterior(self) -> Posterior:
        """Posterior of the running mean's cells, in words; after at least one step."""
        assert self._posterior is not None
        return self._posterior

    def from_unigram(self) -> Vector:
        """``h``, shape (k,), about N(0, 1) for a topic equal to the mean word distribution; infinite without noise."""
        d = self._mean.shape[1]
        if not self._variance:
            return np.full(len(self._mean), np.inf)
        unremarkable = self._sizes()[:, None] * self.mean_words * self._words.weights
        squares = np.sum((self._mean - unremarkable) ** 2, axis=1) / self._variance
        result: Vector = (squares - d) / math.sqrt(2 * d)
        return result

    def variance(self) -> Vector:
        """Squared error of each topic from known noise, shape (k,)."""
        size = np.sum(self.posterior.mean, axis=1)
        result: Vector = np.sum(self.posterior.variance, axis=1) / np.maximum(size, 1e-300) ** 2
        return result

    def _sizes(self) -> Vector:
        """Words of every topic, shape (k,), limited so that noise cannot decide them."""
        total = self._words.total
        sizes = np.sum(self._mean / self._words.weights, axis=1)
        result: Vector = np.clip(sizes, SMALLEST_TOPIC * total / len(sizes), LARGEST_TOPIC * total)
        return result

    def _both_readings(self) -> Vector:
        """Word frequencies from the first release and the steps' column sums, weighted by their noise."""
        if not self._column_variance:
            return self._words.frequencies
        first = self._words
        total = float(np.clip(np.sum(self._column_sums), 1.0, LARGEST_TOPIC * self._taken * first.total))
        precise = (first.total / first.noise) ** 2
        later = (total * first.weights) ** 2 / self._column_variance
        both = (first.counts / first.total * precise + self._column_sums / total * later) / (precise + later)
        return frequencies(first.total * both, first.total / np.sqrt(precise + later))
