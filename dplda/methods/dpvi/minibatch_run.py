"""A private variational run between minibatches, each one noisy sum: a function of releases and public numbers."""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from dplda.core.errors import InputError
from dplda.core.types import Counts, Matrix
from dplda.methods.base.problem import Budget
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.denoising.empirical_bayes import fit_empirical_bayes
from dplda.methods.denoising.word_frequencies import (
    NoisyWordCounts,
    first_word_share,
    inverse_variance_mean,
)
from dplda.methods.dpvi.accounting import Schedule
from dplda.methods.dpvi.e_step import exponentiated_expectation, until_settled
from dplda.methods.dpvi.settings import Scheme, VariationalSettings
from dplda.methods.refined.documents import Documents
from dplda.privacy.accounting import gaussian
from dplda.privacy.mechanisms import Mechanisms, Members
from dplda.privacy.sensitivity import rounding

WORDS = Quantity(
    "word counts",
    "c̄",
    "mean word counts of a minibatch",
    "minibatch",
    "Every document's counts are scaled down to a length, and the sum is divided by the public S.",
)
STATISTIC = Quantity(
    "statistic",
    "s̄",
    "mean statistic of a minibatch",
    "minibatch",
    "Every document's statistic is scaled down to length C, and the sum is divided by the public S.",
)
SMALLEST_TOPIC = 0.02  # of the mean topic's words: the minimum for each
START = 0x73746172  # stream of the first topics, which are public


def word_steps_of(
    settings: VariationalSettings, scheme: Scheme, *, n_documents: int, n_words: int, mu: float
) -> int:
    """Number of minibatches that count words alone, from settings or public numbers; ``mu`` of the whole run."""
    if not scheme.per_document:
        if settings.word_steps:
            raise InputError(
                "word_steps", "0 where minibatches are as printed", f"{settings.word_steps}"
            )
        return 0
    if settings.word_steps is not None:
        return settings.word_steps
    return round(first_word_share(n_documents, n_words, mu) * settings.steps)


def part_of_one_document(*, n_documents: int, bound: float, expected: float) -> float:
    """Bound on one document's part in the mean statistic of a minibatch: ``C/S``, Frobenius norm, unit of words.

    Guarantee:
        Adding or removing a document adds or removes one term of the sum, of norm at most C; the divisor S is public
        and does not depend on the minibatch. The factor covers the rounding of scaling down to C; the sum has at most N
        non-negative parts.
    """
    part = bound / expected
    return (1 + 1e-12) * part + rounding(n_documents=n_documents, part_norm=n_documents * part)


@dataclass(frozen=True, slots=True)
class MinibatchNoise:
    """The noise of one run, ``S = expected`` documents in a minibatch; ``words_scale`` in those that count words."""

    budget: Budget
    scheme: Scheme
    settings: VariationalSettings
    schedule: Schedule
    expected: float
    sensitivity: float
    word_steps: int
    words_scale: float

    @property
    def scale(self) -> float:
        """Standard deviation of the noise on each entry of the mean statistic."""
        return self.schedule.noise_multiplier * self.sensitivity


def minibatch_noise(
    budget: Budget, n_documents: int, n_words: int, *, scheme: Scheme, settings: VariationalSettings
) -> MinibatchNoise:
    """The noise of a run, whatever the documents."""
    schedule, mu = (
        settings.schedule(budget.epsilon, budget.delta),
        gaussian.mu_for(budget.epsilon, budget.delta),
    )
    expected = n_documents * schedule.sampling_rate
    part, words = (
        part_of_one_document(n_documents=n_documents, bound=bound, expected=expected)
        for bound in (scheme.bound, settings.words_bound)
    )
    word_steps = word_steps_of(settings, scheme, n_documents=n_documents, n_words=n_words, mu=mu)
    words_scale = schedule.noise_multiplier * words
    return MinibatchNoise(
        budget, scheme, settings, schedule, expected, part, word_steps, words_scale
    )


class MinibatchRun:
    """One run: word counts of its first minibatches, and the two parts of λ."""

    def __init__(
        self,
        counts: Counts,
        n_topics: int,
        alpha0: float,
        settings: VariationalSettings,
        schedule: Schedule,
        scheme: Scheme,
        mechanisms: Mechanisms,
        members: np.random.Generator,
        seed: int,
    ) -> None:
        self._counts, self._settings, self._schedule, self._scheme = (
            counts,
            settings,
            schedule,
            scheme,
        )
        self._mechanisms = mechanisms
        self._members = members
        start = np.random.default_rng([seed, START])
        self._prior: Matrix = start.gamma(
            settings.spread, 1 / settings.spread, (n_topics, counts.shape[1])
        )
        self._average = np.zeros_like(self._prior)
        self._variance = 0.0
        self._counts_seen, self._n_counted, self._learned = np.zeros(counts.shape[1]), 0, 0
        self._alpha = np.full(n_topics, alpha0 / n_topics)
        self._rounds = partial(
            until_settled, tolerance=settings.tolerance, most_iterations=settings.most_iterations
        )

    @property
    def parameters(self) -> Matrix:
        """``λ``, shape (k, d): the remaining start and η, plus the average of the statistics so far."""
        return self._prior + np.maximum(self._average, 0.0)

    @property
    def shrunk(self) -> Matrix:
        """``λ`` with known noise filtered out, unless steps were cut at 0; words alone if no step learned topics."""
        k, d = self._average.shape
        if not self._learned:
            return np.tile(self._counted.word_frequencies, (k, 1))
        if not self._scheme.per_document or not self._variance:
            return self.parameters
        noise = math.sqrt(self._variance)
        later = NoisyWordCounts.as_frequencies(np.sum(self._average, axis=0), math.sqrt(k) * noise)
        words = inverse_variance_mean(self._counted, later).word_frequencies
        sizes = np.sum(self._average, axis=1)
        sizes = np.maximum(sizes, SMALLEST_TOPIC * max(1.0, float(np.mean(sizes))))
        return (
            self._prior
            + fit_empirical_bayes(
                self._average, np.full((k, d), noise), np.outer(sizes, words)
            ).mean
        )

    def count(self) -> None:
        """Draws one minibatch and counts its words, over all topics."""
        total = self._mechanisms.minibatch(self._taken, self._word_counts)
        noisy = self._released(WORDS, total, self._settings.words_bound)
        self._n_counted += 1
        self._counts_seen += self._counts.shape[0] * noisy[0]

    def step(self) -> None:
        """Draws one minibatch and learns from it."""
        self.learn(self._mechanisms.minibatch(self._taken, self._bounded))

    def learn(self, total: Matrix) -> None:
        """Adds noise to the bounded statistic of a minibatch and moves λ."""
        noisy, n = self._released(STATISTIC, total, self._scheme.bound), self._counts.shape[0]
        self._learned += 1
        rate = (self._settings.offset + self._learned) ** -self._settings.decay
        self._prior = (1 - rate) * self._prior + rate * self._settings.topic_prior
        learned = noisy if self._scheme.per_document else np.maximum(noisy, 0.0)
        self._average = (1 - rate) * self._average + rate * n * learned
        noise = n * self._mechanisms.noise_std_of(STATISTIC)
        self._variance = (1 - rate) ** 2 * self._variance + rate**2 * noise**2

    @property
    def _counted(self) -> NoisyWordCounts:
        if not self._n_counted:
            return NoisyWordCounts(np.zeros(self._average.shape[1]), math.inf)
        noise = (
            self._counts.shape[0]
            * self._mechanisms.noise_std_of(WORDS)
            / math.sqrt(self._n_counted)
        )
        return NoisyWordCounts.as_frequencies(self._counts_seen / self._n_counted, noise)

    def _released(self, of: Quantity, total: Matrix, bound: float) -> Matrix:
        n = self._counts.shape[0]
        expected = n * self._schedule.sampling_rate
        return self._mechanisms.minibatch_matrix(
            of,
            total / expected,
            sensitivity=part_of_one_document(n_documents=n, bound=bound, expected=expected),
            noise_multiplier=self._schedule.noise_multiplier,
            sampling_rate=self._schedule.sampling_rate,
        )

    def _taken(self) -> Members:
        return self._members.random(self._counts.shape[0]) < self._schedule.sampling_rate

    def _minibatch(self, members: Members) -> Documents:
        counts, longest = self._counts[np.flatnonzero(members)], self._settings.longest
        return Documents(counts, len(self._alpha), max_length=longest, e_step=self._rounds)

    def _word_counts(self, members: Members) -> Matrix:
        """Members' summed word counts, shape (1, d), each document's scaled down."""
        return self._minibatch(members).sum_word_counts(clip_norm=self._settings.words_bound)[None]

    def _bounded(self, members: Members) -> Matrix:
        """Members' summed statistic, each part or the whole scaled down, as the calibration says."""
        topics, bound = exponentiated_expectation(self.parameters), self._scheme.bound
        minibatch, each = self._minibatch(members), bound if self._scheme.per_document else math.inf
        total = minibatch.sum_contributions(
            topics, np.ones(topics.shape[1]), prior=self._alpha, clip_norm=each
        )
        norm = float(np.linalg.norm(total))
        return total if self._scheme.per_document or norm <= bound else total * (bound / norm)
