"""A running mean of the released statistics with known noise, and the topics it is shrunk to."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.methods.continuing import Begun, State, Stepped
from dplda.methods.full_batch_vi.documents import Documents
from dplda.methods.full_batch_vi.flow import WORDS
from dplda.methods.full_batch_vi.prior import Tilt
from dplda.methods.shrinkage.posterior import (
    FIRST,
    FIRST_ROUNDS,
    NEAR_ONE,
    ROUNDS,
    Posterior,
    frequencies,
    learn,
    of_words,
)
from dplda.privacy.mechanisms import Mechanisms

RARE = 0.02  # of an equal share: rarer words weigh as much as these
POWER = -0.25  # of a word's frequency, in its weight: rare words get less noise; chosen on 20 Newsgroups and docstrings
SMALLEST_TOPIC = 0.02  # of a kth of all words; keeps topics that lost their words in play
LARGEST_TOPIC = 2.0  # of all words, as clipped parts may add up to more; else noise alone makes topics large
FLOOR = 1e-9  # of the mean word distribution, in every topic: no word has probability 0


@dataclass(frozen=True, eq=False)
class FirstWords:
    """Noisy sum of clipped word counts, shape (d,), with its noise standard deviation ≥ 0.

    ``first`` holds the weights of an earlier release, where this one continues it.
    """

    counts: Vector
    noise: float
    first: Vector | None = None

    @classmethod
    def released(cls, documents: Documents, mechanisms: Mechanisms, *, bound: float, mu: float) -> "FirstWords":
        """One Gaussian release of word counts, each document's scaled down to ``bound``."""
        exact = mechanisms.exact
        counts = documents.whole_word_counts(bound=bound) if exact else documents.word_counts(bound=bound)[0]
        noisy = mechanisms.vector(WORDS, counts, sensitivity=documents.sensitivity(bound), mu=mu)
        return cls(noisy, mechanisms.noise_in(WORDS))

    @classmethod
    def kept(cls, state: State) -> "FirstWords":
        """Those of an earlier release."""
        return cls(state.counts, state.noise, state.weights)

    def with_more(self, other: "FirstWords") -> "FirstWords":
        """Both readings, weighted by their noise."""
        if not self.noise or not other.noise:
            return self
        own, more = self.noise**-2, other.noise**-2
        counts = (own * self.counts + more * other.counts) / (own + more)
        return FirstWords(counts, 1 / math.sqrt(own + more), self.first)

    def left_behind(self, steps: Stepped | None = None, start: Begun | None = None, *, tilted: bool = False) -> State:
        """What another run continues from."""
        return State(
            counts=self.counts, noise=self.noise, weights=self.weights, steps=steps, start=start, tilted=tilted
        )

    @cached_property
    def total(self) -> float:
        """Total words, as released, at least 1."""
        return max(1.0, float(np.sum(self.counts)))

    @cached_property
    def posterior(self) -> Posterior:
        """The counts, freed from known noise."""
        return of_words(self.counts, np.full(self.counts.shape, self.noise))

    @cached_property
    def frequencies(self) -> Vector:
        """The private unigram, shape (d,), on the simplex."""
        return frequencies(self.posterior)

    @cached_property
    def weights(self) -> Vector:
        """``u``, shape (d,), above 0: weight of every word's cells in a step."""
        if self.first is not None:
            return self.first
        d = len(self.counts)
        return np.asarray((d * np.maximum(self.frequencies, RARE / d)) ** POWER)


class Steps:
    """The state of a run between steps: a function of released values and public numbers.

    Args:
        topics: of the first step, shape (k, d), rows on the simplex.
        tilt: from word frequencies to those of every topic by public knowledge, shape (k, d); None for alike ones.
        memory: ``a``: step t, counted from 0, enters the running mean with weight ``a/(t + a)``; infinite for none.
        learn_shares: whether shares follow the releases; only after a spectral start, else they would learn noise.
        since: what an earlier release left behind; None for none.
        trust: the part of all μ² that it spent. Its mean weighs as its precision times that, since its topics were
            worse: an unbroken run forgets its early steps likewise.

    Attributes:
        topics: of the next step, shape (k, d), rows on the simplex, above 0.
        shares: each topic's part of all words, shape (k,), on the simplex, above 0: those of the prior.
        mean_words: ``p``, shape (d,), on the simplex.
    """

    def __init__(
        self,
        words: FirstWords,
        topics: Matrix,
        memory: float,
        *,
        learn_shares: bool,
        tilt: Tilt | None = None,
        since: Stepped | None = None,
        trust: float = 1.0,
    ) -> None:
        self._words, self._memory, self._tilt = words, memory, tilt
        self.topics, self.mean_words = topics, words.frequencies
        self._learn_shares, self.shares = learn_shares, np.full(len(topics), 1 / len(topics))
        self._since, self._trust = since, trust
        if since is not None:
            self.shares = since.shares
        self._mean, self._variance, self._taken = np.zeros(topics.shape), 0.0, 0
        self._column_sums, self._column_variance = np.zeros(topics.shape[1]), 0.0
        self._posterior: Posterior | None = None
        self._all_words = words.posterior

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
        mean, variance = self.reading()
        cells = mean / u
        sizes = self._sizes()
        if self._learn_shares:
            self.shares = sizes / np.sum(sizes)
        base = sizes[:, None] * (self.mean_words if self._tilt is None else self._tilt(self.mean_words))
        spread = np.broadcast_to(math.sqrt(variance) / u, cells.shape)
        before = self._posterior
        first = FIRST if self._tilt is None else NEAR_ONE
        start, rounds = (first, FIRST_ROUNDS) if before is None else (before.law, ROUNDS)
        self._posterior = learn(cells, spread, base, start=start, rounds=rounds)
        found = self._posterior.mean + FLOOR * base
        self.topics = found / np.sum(found, axis=1, keepdims=True)

    def reading(self) -> tuple[Matrix, float]:
        """The running mean with that of an earlier release, by their precision, and its noise variance."""
        since = self._since
        if since is None:
            return self._mean, self._variance
        weight = kept_weight(since.precision * self._trust, self._variance)
        variance = (1 - weight) ** 2 * self._variance + weight**2 / since.precision
        return self._mean + weight * (since.mean - self._mean), variance

    def columns(self) -> tuple[Vector, float]:
        """Word frequencies by the column sums of all releases, and their precision over ``u²``."""
        total, own = self._total(), 0.0
        if self._column_variance:
            own = total**2 / self._column_variance
        if self._since is None:
            return self._column_sums / total, own
        both = own + self._since.column_precision
        weight = own / both if both else 1.0
        return self._since.columns + weight * (self._column_sums / total - self._since.columns), both

    def left_behind(self, topics: Matrix, scales: tuple[float, ...]) -> Stepped:
        """What another run continues from: the finished topics, and the noise of this run's own steps."""
        mean, variance = self.reading()
        columns, precision = self.columns()
        before = () if self._since is None else self._since.scales
        return Stepped(
            topics=topics,
            shares=self.shares,
            mean=mean,
            precision=1 / variance,
            columns=columns,
            column_precision=precision,
            scales=(*before, scales),
        )

    @property
    def posterior(self) -> Posterior:
        """Posterior of the running mean's cells, in words; after at least one step."""
        assert self._posterior is not None
        return self._posterior

    def variance(self) -> Vector:
        """Squared error of each topic from known noise, shape (k,)."""
        size = np.sum(self.posterior.mean, axis=1)
        return np.asarray(np.sum(self.posterior.variance, axis=1) / np.maximum(size, 1e-300) ** 2)

    def _sizes(self) -> Vector:
        """Words of every topic, shape (k,), limited so that noise cannot decide them."""
        total = self._words.total
        sizes = np.sum(self.reading()[0] / self._words.weights, axis=1)
        return np.asarray(np.clip(sizes, SMALLEST_TOPIC * total / len(sizes), LARGEST_TOPIC * total))

    def _both_readings(self) -> Vector:
        """Word frequencies from the first release and the steps' column sums, weighted by their noise."""
        if not self._column_variance:
            return self._words.frequencies
        first, total = self._words, self._total()
        precise = (first.total / first.noise) ** 2
        columns, later = self._column_sums / total, (total * first.weights) ** 2 / self._column_variance
        if self._since is not None:
            columns, precision = self.columns()
            later = precision * first.weights**2
        both = (first.counts / first.total * precise + columns * later) / (precise + later)
        spread = first.total / np.sqrt(precise + later)
        self._all_words = of_words(first.total * both, spread, start=self._all_words.law, rounds=ROUNDS)
        return frequencies(self._all_words)

    def _total(self) -> float:
        """Words in all column sums, at least 1."""
        return float(np.clip(np.sum(self._column_sums), 1.0, LARGEST_TOPIC * self._taken * self._words.total))


def kept_weight(precision: float, variance: float) -> float:
    """Weight of an earlier mean of some precision beside one with a noise variance, in [0, 1)."""
    return precision * variance / (1 + precision * variance)
