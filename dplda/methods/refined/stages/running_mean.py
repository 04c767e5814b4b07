"""A running mean of the released statistics with known noise, and the topics it is shrunk to."""

import math
from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.methods.base.previous_release import SpectralStart, StepState
from dplda.methods.denoising.empirical_bayes import (
    EVEN_WEIGHTS,
    N_FIRST_ROUNDS,
    N_LATER_ROUNDS,
    Posterior,
    fit_empirical_bayes,
)
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.documents.random_topics import random_topics
from dplda.methods.refined.plan.constants import (
    EMPTY_TOPIC_SIZE,
    EMPTY_TOPIC_STDS,
    MAX_TOPIC_SIZE,
    MIN_TOPIC_SIZE,
    MIN_WORD_WEIGHT,
)
from dplda.methods.refined.stages.prior_mixture import mix_prior_topics
from dplda.methods.refined.stages.spectral_start import shrinkage_target


@dataclass(eq=False)
class RunningMean:
    """The state of a run between steps: a function of released values and public numbers.

    Attributes:
        words: released word counts.
        topics: topics of the next step, shape (k, d), rows on the simplex; after the first step
            above 0.
        averaging_weight: ``a``: step t, counted from 0, enters the running mean with weight ``a/(t
            + a)``.
        prior_topics: word frequencies by public knowledge, (k, d), whose mixtures topics are shrunk
            to; None for the word frequencies of all documents.
        start: a spectral start, from which on topic shares follow the releases, as without it they
            would learn noise; None for none.
        previous: state that the steps of an earlier release left; None for none.
        previous_weight: part of all μ² that earlier releases spent. Their mean weighs as its
            precision times that, as its topics were worse: an unbroken run forgets its early steps
            likewise.
    """

    words: NoisyWordCounts
    topics: Matrix
    averaging_weight: float
    prior_topics: Matrix | None = None
    start: SpectralStart | None = None
    previous: StepState | None = None
    previous_weight: float = 1.0

    def __post_init__(self) -> None:
        """Begin with a mean of no steps, and with equal topic shares or those of an earlier run."""
        n_topics = len(self.topics)
        self.topic_shares = np.full(n_topics, 1 / n_topics)
        if self.previous is not None:
            self.topic_shares = self.previous.topic_shares
        self._mean = np.zeros(self.topics.shape)
        self._variance = 0.0
        self._n_steps = 0
        self._mixture_weights = EVEN_WEIGHTS
        self._n_em_rounds = N_FIRST_ROUNDS

    def add_release(self, noisy_statistic: Matrix, noise_std: float) -> Posterior:
        """Average a step's release into the running mean, and set the topics of the next step.

        Sets ``topics`` to the denoised mean, shrunk toward the word frequencies, or toward the
        prior's topics mixed with them. With a spectral start the goal is a mixture with its topics,
        and ``topic_shares`` are set to the sizes of topics.

        Args:
            noisy_statistic: the released statistic in weighted words, (k, d).
            noise_std: standard deviation of the noise in each of its entries.

        Returns:
            What the running mean says of every cell once its noise is taken off, in words.
        """
        self._update_mean(noisy_statistic, noise_std)
        mean_statistic, mean_variance = self.combined_mean()
        word_weights = self.words.word_weights
        mean_counts = mean_statistic / word_weights
        topic_sizes = self._topic_sizes(mean_counts)
        shrinkage_goal: Matrix | Vector = self.words.word_frequencies
        if self.prior_topics is not None:
            shrinkage_goal = mix_prior_topics(
                mean_counts, self.prior_topics, self.words.word_frequencies, word_weights
            )
        if self.start is not None:
            self.topic_shares = topic_sizes / np.sum(topic_sizes)
            topic_variance = mean_variance * np.sum(word_weights**-2) / topic_sizes**2
            shrinkage_goal = shrinkage_target(self.start, shrinkage_goal, topic_variance)
        expected_cells = topic_sizes[:, None] * shrinkage_goal
        cell_noise_std = np.broadcast_to(math.sqrt(mean_variance) / word_weights, mean_counts.shape)
        posterior = fit_empirical_bayes(
            mean_counts,
            cell_noise_std,
            expected_cells,
            initial_weights=self._mixture_weights,
            n_rounds=self._n_em_rounds,
        )
        self._mixture_weights = posterior.mixture_weights
        self._n_em_rounds = N_LATER_ROUNDS
        denoised_cells = posterior.mean + MIN_WORD_WEIGHT * expected_cells
        self.topics = denoised_cells / np.sum(denoised_cells, axis=1, keepdims=True)
        return posterior

    def split_large_topics(self, rng: np.random.Generator) -> None:
        """Split the largest topics in two, in the place of topics that documents surely lack.

        The two halves are the topic times random numbers, and further steps part them. Topics stay
        as they are where all have words enough, or noise hides that one has not.

        Args:
            rng: random numbers that no document affects.
        """
        mean_statistic, mean_variance = self.combined_mean()
        word_weights = self.words.word_weights
        topic_sizes = np.sum(mean_statistic / word_weights, axis=1)
        size_noise_std = math.sqrt(mean_variance * float(np.sum(word_weights**-2)))
        size_upper_bounds = topic_sizes + EMPTY_TOPIC_STDS * size_noise_std
        empty_topics = np.flatnonzero(size_upper_bounds < EMPTY_TOPIC_SIZE * np.mean(topic_sizes))
        by_size = np.argsort(-topic_sizes, kind="stable")
        for empty_topic, large_topic in zip(empty_topics, by_size, strict=False):
            halves = random_topics(self.topics[large_topic], 2, rng)
            self.topics[[large_topic, empty_topic]] = halves

    def combined_mean(self) -> tuple[Matrix, float]:
        """The running mean, averaged by precision with an earlier one, and its noise variance.

        The earlier mean's precision counts times ``previous_weight``.
        """
        previous = self.previous
        if previous is None:
            return self._mean, self._variance
        relative_precision = previous.precision * self.previous_weight * self._variance
        weight_of_previous = relative_precision / (1 + relative_precision)
        variance_of_mean = (
            1 - weight_of_previous
        ) ** 2 * self._variance + weight_of_previous**2 / previous.precision
        return self._mean + weight_of_previous * (
            previous.running_mean - self._mean
        ), variance_of_mean

    def checkpoint(self, topics: Matrix) -> StepState:
        """State that another run continues from, with the finished topics; there must be noise."""
        mean_statistic, mean_variance = self.combined_mean()
        return StepState(
            topics=topics,
            topic_shares=self.topic_shares,
            running_mean=mean_statistic,
            precision=1 / mean_variance,
        )

    def _update_mean(self, noisy_statistic: Matrix, noise_std: float) -> None:
        """Average a release into the mean of this run's steps, and its noise into the variance."""
        rate = 1 / (1 + self._n_steps / self.averaging_weight)  # a/(t + a)
        self._n_steps += 1
        self._mean += rate * (noisy_statistic - self._mean)
        self._variance = (1 - rate) ** 2 * self._variance + rate**2 * noise_std**2

    def _topic_sizes(self, cells: Matrix) -> Vector:
        """Words of each topic, (k,), within bounds that keep it in play and noise in check."""
        total_count = self.words.total_count
        smallest_size = MIN_TOPIC_SIZE * total_count / len(cells)
        largest_size = MAX_TOPIC_SIZE * total_count
        return np.asarray(np.clip(np.sum(cells, axis=1), smallest_size, largest_size))
