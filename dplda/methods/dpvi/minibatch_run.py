"""A private variational run between minibatches, each one noisy sum.

Everything between them is a function of releases and public numbers.
"""

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
from dplda.methods.dpvi.accounting import SamplingSchedule
from dplda.methods.dpvi.e_step import exponentiated_expectation, until_settled
from dplda.methods.dpvi.settings import ClippingScheme, VariationalSettings
from dplda.methods.refined.documents.documents import Documents
from dplda.privacy.accounting import gaussian
from dplda.privacy.bounded_sum import BoundedSum
from dplda.privacy.mechanisms import Mechanisms, Members
from dplda.privacy.sensitivity import rounding

WORDS = Quantity(
    name="word counts",
    symbol="c̄",
    words="mean word counts of a minibatch",
    edge="minibatch",
    reason=(
        "Every document's counts are scaled down to a length, and the sum is divided by the public"
        " S."
    ),
)
STATISTIC = Quantity(
    name="statistic",
    symbol="s̄",
    words="mean statistic of a minibatch",
    edge="minibatch",
    reason=(
        "Every document's statistic is scaled down to length C, and the sum is divided by the"
        " public S."
    ),
)
MIN_TOPIC_SIZE = 0.02  # of the mean topic's words: the minimum for each
START_STREAM = 0x73746172  # of the first topics, which are public


def choose_word_steps(
    settings: VariationalSettings,
    scheme: ClippingScheme,
    *,
    n_documents: int,
    n_words: int,
    mu: float,
) -> int:
    """Choose how many minibatches count words alone, from settings or public numbers.

    Without a setting it is the share ``first_word_share`` of all minibatches.

    Args:
        settings: public choices of the run.
        scheme: as published, under either reading, no minibatch counts words.
        n_documents: public ``N``.
        n_words: public ``d``.
        mu: Gaussian budget of the whole run; ∞ without noise.

    Raises:
        InputError: the settings ask for them where minibatches are as published.
    """
    if not scheme.filters_noise:
        if settings.word_steps:
            raise InputError(
                "word_steps", "0 where minibatches are as printed", f"{settings.word_steps}"
            )
        return 0
    if settings.word_steps is not None:
        return settings.word_steps
    return round(first_word_share(n_documents, n_words, mu) * settings.steps)


def document_sensitivity(*, n_documents: int, clip_norm: float, mean_batch_size: float) -> float:
    """Bound one document's part in the mean statistic of a minibatch: ``C/S``, Frobenius norm.

    Args:
        n_documents: public ``N``.
        clip_norm: ``C``, norm that a document's statistic is scaled down to, in words.
        mean_batch_size: public ``S``.

    Guarantee:
        Adding or removing a document adds or removes one term of the sum, of norm at most C; the
        divisor S is public and does not depend on the minibatch. The factor covers the rounding of
        scaling down to C; the sum has at most N non-negative parts.
    """
    part_norm = clip_norm / mean_batch_size
    sum_rounding = rounding(n_documents=n_documents, part_norm=n_documents * part_norm)
    return (1 + 1e-12) * part_norm + sum_rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class MinibatchNoise:
    """The noise of one run, known before it.

    Attributes:
        budget: of the whole run.
        scheme: how the effect of a document is bounded.
        settings: public choices of the run.
        schedule: its minibatches and their noise multiplier.
        mean_batch_size: ``S``, expected number of documents in a minibatch.
        sensitivity: largest part of one document in the mean statistic, in words.
        word_steps: number of minibatches that count words alone.
        word_noise_std: standard deviation of the noise on each word in these.
    """

    budget: Budget
    scheme: ClippingScheme
    settings: VariationalSettings
    schedule: SamplingSchedule
    mean_batch_size: float
    sensitivity: float
    word_steps: int
    word_noise_std: float

    @property
    def noise_std(self) -> float:
        """Standard deviation of the noise on each entry of the mean statistic."""
        return self.schedule.noise_multiplier * self.sensitivity


def forecast_minibatch_noise(
    budget: Budget,
    n_documents: int,
    n_words: int,
    *,
    scheme: ClippingScheme,
    settings: VariationalSettings,
) -> MinibatchNoise:
    """Forecast the noise of a run, whatever the documents.

    Args:
        budget: of the whole run.
        n_documents: public ``N``.
        n_words: public ``d``.
        scheme: how the effect of a document is bounded.
        settings: public choices of the run.

    Raises:
        InputError: the settings do not fit the scheme, or no noise is large enough.
    """
    schedule = settings.schedule(budget.epsilon, budget.delta, adjacency=scheme.adjacency)
    mean_batch_size = n_documents * schedule.sampling_rate
    word_sensitivity = document_sensitivity(
        n_documents=n_documents,
        clip_norm=settings.words_bound,
        mean_batch_size=mean_batch_size,
    )
    return MinibatchNoise(
        budget=budget,
        scheme=scheme,
        settings=settings,
        schedule=schedule,
        mean_batch_size=mean_batch_size,
        sensitivity=document_sensitivity(
            n_documents=n_documents, clip_norm=scheme.clip_norm, mean_batch_size=mean_batch_size
        ),
        word_steps=choose_word_steps(
            settings,
            scheme,
            n_documents=n_documents,
            n_words=n_words,
            mu=gaussian.mu_for(budget.epsilon, budget.delta),
        ),
        word_noise_std=schedule.noise_multiplier * word_sensitivity,
    )


class MinibatchRun:
    """One run: word counts of its first minibatches, and the two parts of λ.

    Args:
        counts: word counts of the documents, shape (N, d).
        n_topics: ``k``.
        alpha0: sum of the parameters of the symmetric Dirichlet of topic shares.
        settings: public choices of the run.
        schedule: minibatches and their noise multiplier.
        scheme: how the effect of a document is bounded.
        mechanisms: draw minibatches and add the noise.
        members: generator of who is in a minibatch; secret.
        seed: of the first topics, which are public.
    """

    def __init__(
        self,
        counts: Counts,
        *,
        n_topics: int,
        alpha0: float,
        settings: VariationalSettings,
        schedule: SamplingSchedule,
        scheme: ClippingScheme,
        mechanisms: Mechanisms,
        members: np.random.Generator,
        seed: int,
    ) -> None:
        """Begin with random topics, which no document affects, and nothing learned."""
        n_words = counts.shape[1]
        self._counts = counts
        self._settings = settings
        self._schedule = schedule
        self._scheme = scheme
        self._mechanisms = mechanisms
        self._members = members
        self._alpha = np.full(n_topics, alpha0 / n_topics)
        self._e_step = partial(
            until_settled, tolerance=settings.tolerance, most_iterations=settings.most_iterations
        )
        public_rng = np.random.default_rng([seed, START_STREAM])
        self._prior: Matrix = public_rng.gamma(
            settings.spread, 1 / settings.spread, (n_topics, n_words)
        )
        self._average = np.zeros_like(self._prior)
        self._variance = 0.0
        self._n_topic_steps = 0
        self._word_total = np.zeros(n_words)
        self._n_word_steps = 0

    @property
    def parameters(self) -> Matrix:
        """``λ``, shape (k, d): remaining start and η, plus the average of the statistics so far."""
        return self._prior + np.maximum(self._average, 0.0)

    @property
    def denoised_parameters(self) -> Matrix:
        """``λ`` with known noise filtered out, shape (k, d).

        If no step learned topics, every row is the word frequencies alone. As published, or without
        noise, it is ``parameters`` as they are: steps were cut at 0, and nothing more is filtered.
        """
        k, d = self._average.shape
        if not self._n_topic_steps:
            return np.tile(self._noisy_word_counts.word_frequencies, (k, 1))
        if not self._scheme.filters_noise or not self._variance:
            return self.parameters
        noise_std = math.sqrt(self._variance)
        word_counts_of_topics = NoisyWordCounts.as_frequencies(
            np.sum(self._average, axis=0), math.sqrt(k) * noise_std
        )
        word_frequencies = inverse_variance_mean(
            self._noisy_word_counts, word_counts_of_topics
        ).word_frequencies
        topic_sizes = np.sum(self._average, axis=1)
        mean_size = max(1.0, float(np.mean(topic_sizes)))
        topic_sizes = np.maximum(topic_sizes, MIN_TOPIC_SIZE * mean_size)
        topic_posterior = fit_empirical_bayes(
            self._average, np.full((k, d), noise_std), np.outer(topic_sizes, word_frequencies)
        )
        return self._prior + topic_posterior.mean

    def count_words(self) -> None:
        """Draw one minibatch and count its words, over all topics."""
        total = self._mechanisms.minibatch(self._draw_members, self._sum_word_counts)
        noisy = self._release_mean(WORDS, total, self._settings.words_bound)
        self._n_word_steps += 1
        self._word_total += self._counts.shape[0] * noisy[0]

    def learn_topics(self) -> None:
        """Draw one minibatch and learn from it."""
        total = self._mechanisms.minibatch(self._draw_members, self._sum_statistics)
        self.learn_from_sum(total)

    def learn_from_sum(self, total: Matrix) -> None:
        """Add noise to the bounded statistic of a minibatch and move λ toward it.

        As published, the noisy statistic is cut at 0. Changes this run's prior, average and
        variance.

        Args:
            total: statistic summed over the minibatch, without noise, shape (k, d).
        """
        noisy_mean = self._release_mean(STATISTIC, total, self._scheme.clip_norm)
        if not self._scheme.filters_noise:
            noisy_mean = np.maximum(noisy_mean, 0.0)
        n_documents = self._counts.shape[0]
        noise_std = n_documents * self._mechanisms.noise_std_of(STATISTIC)
        self._n_topic_steps += 1
        learning_rate = (self._settings.offset + self._n_topic_steps) ** -self._settings.decay
        self._prior = (1 - learning_rate) * self._prior + learning_rate * self._settings.topic_prior
        self._average = (
            1 - learning_rate
        ) * self._average + learning_rate * n_documents * noisy_mean
        self._variance = (1 - learning_rate) ** 2 * self._variance + learning_rate**2 * noise_std**2

    @property
    def _noisy_word_counts(self) -> NoisyWordCounts:
        """Word frequencies by the minibatches that counted words; of infinite noise without any."""
        if not self._n_word_steps:
            return NoisyWordCounts(np.zeros(self._average.shape[1]), math.inf)
        noise_std = (
            self._counts.shape[0]
            * self._mechanisms.noise_std_of(WORDS)
            / math.sqrt(self._n_word_steps)
        )
        return NoisyWordCounts.as_frequencies(self._word_total / self._n_word_steps, noise_std)

    def _release_mean(self, quantity: Quantity, total: Matrix, clip_norm: float) -> Matrix:
        """Release a minibatch's sum over the public ``S``, with noise for one document's part."""
        n_documents = self._counts.shape[0]
        mean_batch_size = n_documents * self._schedule.sampling_rate
        sensitivity = document_sensitivity(
            n_documents=n_documents, clip_norm=clip_norm, mean_batch_size=mean_batch_size
        )
        return self._mechanisms.minibatch_matrix(
            quantity,
            BoundedSum(total / mean_batch_size, sensitivity),
            noise_multiplier=self._schedule.noise_multiplier,
            sampling_rate=self._schedule.sampling_rate,
        )

    def _draw_members(self) -> Members:
        return self._members.random(self._counts.shape[0]) < self._schedule.sampling_rate

    def _minibatch(self, members: Members) -> Documents:
        """The members' documents; counts of longer ones than ``longest`` are scaled down to it."""
        return Documents(
            self._counts[np.flatnonzero(members)],
            len(self._alpha),
            max_length=self._settings.longest,
            e_step=self._e_step,
        )

    def _sum_word_counts(self, members: Members) -> Matrix:
        """Members' summed word counts, shape (1, d), each document's scaled down."""
        minibatch = self._minibatch(members)
        return minibatch.sum_word_counts(clip_norm=self._settings.words_bound)[None]

    def _sum_statistics(self, members: Members) -> Matrix:
        """Sum the members' statistics, shape (k, d), and bound them.

        Each document's part is scaled down to the clip norm, or (published) the sum is, if its norm
        is above.
        """
        topics = exponentiated_expectation(self.parameters)
        clip_norm = self._scheme.clip_norm
        summed_statistic = self._minibatch(members).sum_contributions(
            topics,
            np.ones(topics.shape[1]),
            prior=self._alpha,
            clip_norm=clip_norm if self._scheme.clips_documents else math.inf,
        )
        norm_of_sum = float(np.linalg.norm(summed_statistic))
        if self._scheme.clips_documents or norm_of_sum <= clip_norm:
            return summed_statistic
        return summed_statistic * (clip_norm / norm_of_sum)
