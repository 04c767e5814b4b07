"""The state of a finished run, from which another one continues: functions of released values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dplda.core.errors import InputError
from dplda.core.types import Matrix, Vector
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.privacy.accounting import gaussian


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StepState:
    """State of the steps at the end of a run, with which a continued run begins.

    Attributes:
        topics: as released, shape (k, d).
        topic_shares: of the prior, shape (k,), on the simplex.
        running_mean, precision: running mean of the steps, shape (k, d), and 1 over the noise
            variance of an entry.
    """

    topics: Matrix
    topic_shares: Vector
    running_mean: Matrix
    precision: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SpectralStart:
    """Topics of a spectral start.

    Attributes:
        topics: shape (k, d), rows on the simplex; those that were not found are the mean.
        error_variance: squared error of each by known noise, to first order, shape (k,); shrinking
            leaves less of it.
        was_found: which topics were found, shape (k,).
        unclipped_share: fraction of documents that the clip level of pairs aims to leave unchanged;
            public.
    """

    topics: Matrix
    error_variance: Vector
    was_found: NDArray[np.bool_]
    unclipped_share: float

    def reorder_topics(self, order: Sequence[int]) -> "SpectralStart":
        """The same with topics in another order."""
        rows = list(order)
        return replace(
            self,
            topics=self.topics[rows],
            error_variance=self.error_variance[rows],
            was_found=self.was_found[rows],
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RunState:
    """Released state of a run at its end, with which a continued run begins.

    Attributes:
        noisy_word_counts, word_noise_std: the word counts as released, shape (d,), and their noise
            standard deviation.
        word_weights: ``u`` of the first release, shape (d,).
        steps, start: None without.
        prior_was_accepted: whether the documents let a table of public knowledge in.
    """

    noisy_word_counts: Vector
    word_noise_std: float
    word_weights: Vector
    steps: StepState | None = None
    start: SpectralStart | None = None
    prior_was_accepted: bool = False

    @property
    def words(self) -> NoisyWordCounts:
        """The word counts as a run reads them."""
        return NoisyWordCounts(self.noisy_word_counts, self.word_noise_std, self.word_weights)

    def reorder_topics(self, order: Sequence[int]) -> "RunState":
        """The same state with topics in another order, in its steps and start where it has them."""
        topic_order = list(order)
        steps = self.steps
        if steps is not None:
            steps = replace(
                steps,
                topics=steps.topics[topic_order],
                topic_shares=steps.topic_shares[topic_order],
                running_mean=steps.running_mean[topic_order],
            )
        return replace(
            self, steps=steps, start=self.start and self.start.reorder_topics(topic_order)
        )


@dataclass(frozen=True, slots=True, eq=False)
class PreviousRelease:
    """A release to continue.

    Attributes:
        state: of its run.
        mu: Gaussian budget of all releases so far.
        evidence: as released; None for a method without. Its mean length of documents stays in use;
            its gains are those of topics that the next release replaces.
        noise_key: SHA-256 of its file, hexadecimal: belongs to the key of the noise, so none is
            used again.
        prior_was_tested: whether the documents were asked about public knowledge.
        prior_advantage: its released advantage, in nats a document; NaN if unknown.
    """

    state: RunState
    mu: float
    evidence: ReleasedEvidence | None
    noise_key: str
    prior_was_tested: bool = False
    prior_advantage: float = math.nan

    def remaining_mu(self, mu: float) -> float:
        """Gaussian budget that the next release may spend of a total ``μ`` for all together.

        Raises:
            InputError: nothing is left of it.
        """
        if mu <= self.mu:
            raise InputError(
                "ε",
                "above that of the release to continue",
                "no more than it",
                "Choose a larger total.",
            )
        return gaussian.remaining_mu(mu, self.mu)


def noise_scope(method: str, previous: PreviousRelease | None, total_mu: float) -> tuple[str, ...]:
    """Key of the noise stream.

    A continued run includes the parent's hash and the total μ, so that no draw is used twice.

    Args:
        method: name of the method.
        previous: the release that is continued; None for none.
        total_mu: Gaussian budget of this run and of all that it continues.
    """
    return (
        (method, "corrected")
        if previous is None
        else (method, "continued", previous.noise_key, repr(total_mu))
    )
