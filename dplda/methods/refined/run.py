"""What the parts of a refinement share, and its two ways from word frequencies to topics: by a table, and by steps."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dplda.core.types import Matrix
from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.base.previous_release import RunState
from dplda.methods.base.problem import Budget, Problem, ProblemSize
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.memory import check_memory
from dplda.methods.denoising.word_frequencies import NoisyWordCounts, inverse_variance_mean
from dplda.methods.refined.documents import Documents, as_fixed_point, fixed_point_step
from dplda.methods.refined.error_bars import Uncertainty
from dplda.methods.refined.prior import INITIAL_PRIOR_POWER, PriorTilt
from dplda.methods.refined.running_mean import RunningMean, release_word_counts
from dplda.methods.refined.schedule import MAX_WORD_SHARE, STATISTIC, RefinedConstants, noise_edge
from dplda.methods.refined.spectral_start import (
    SpectralStart,
    find_spectral_start,
    random_topics,
    split_start_share,
)
from dplda.privacy.accounting import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral.corpus_statistics import StatisticsCache
from dplda.spectral.topics import Topics, match

WORDS_TAKE, START_TAKES = 0.05, 0.4  # shares of the time
FREE_START = 0x66726565  # stream of data-free topics
LEAST_ADDED = 1e-6  # of what a continuation spends, below which words are not released again


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What all parts of a run share; ``whole`` is the fraction of μ² for topics, ``first`` that for the first words.

    ``mu`` is what this run spends, beyond the release ``since`` that it continues, and ``added`` its part of all μ².
    """

    corpus: AnyCorpus
    problem: Problem
    budget: Budget
    resources: Runtime
    recipe: RefinedConstants
    documents: Documents
    mechanisms: Mechanisms
    mu: float
    whole: float
    first: float
    since: RunState | None = None
    added: float = 1.0

    def start_noise(self, words: NoisyWordCounts) -> float:
        r"""``q``: the noise edge of a released pair average over its largest eigenvalue.

        It is :math:`\max(1, k/10)\, ρ/(L‖p‖^2)` with :math:`L = \max(1, (m/(CN))^2)`, about the number of distinct
        words in a document: a pair average is clipped at about 1/L, and more topics than ten need less noise.
        """
        n, d = self.documents.n_documents, self.documents.n_words
        different = max(1.0, (words.total_count / (self.recipe.clip_norm * n)) ** 2)
        rho = max(1.0, self.problem.n_topics / 10) * noise_edge(n, d, self.mu)
        return rho / (different * float(np.sum(words.word_frequencies**2)))

    def lacking(self, share: float) -> float:
        """What word counts lack of a share of all μ², as a fraction of what this run spends; never all of it."""
        assert self.since is not None
        sensitivity = self.documents.sensitivity(
            self.recipe.clip_norm, exact=self.mechanisms.is_exact
        )
        held = sensitivity / self.since.word_noise_std / self.mu
        found = min(share / self.added - held**2, MAX_WORD_SHARE * self.whole)
        return found if found > LEAST_ADDED else 0.0

    def words(self, fraction: float) -> NoisyWordCounts:
        """One release of word counts, with those of the release that this run continues."""
        if self.since is not None and not fraction:
            return self.since.words
        mu, bound = gaussian.mu_of_share(self.mu, fraction), self.recipe.clip_norm
        return release_word_counts(self.documents, self.mechanisms, self.since, bound=bound, mu=mu)


@dataclass(frozen=True, slots=True, eq=False)
class StageResult:
    """Topics of either way, as in ``FitResult``."""

    topics: Topics
    state: RunState
    brought: Matrix | None
    uncertainty: Uncertainty | None = None


def fit_prior_only(run: Run, words: NoisyWordCounts, tilt: PriorTilt) -> StageResult:
    """The table's topics over word frequencies, on which all is spent: steps could not pay here."""
    both = inverse_variance_mean(
        words, replace(run, since=None).words(math.nextafter(run.whole - run.first, 0.0))
    )
    p = both.word_frequencies
    state = RunState(
        noisy_word_counts=both.counts,
        word_noise_std=both.noise_std,
        word_weights=words.word_weights,
        prior_was_accepted=True,
    )
    topics, alpha = (
        tilt(p),
        np.full(run.problem.n_topics, run.problem.alpha0 / run.problem.n_topics),
    )
    return StageResult(Topics.without_spectrum(topics, alpha, p), state, topics)


def fit_variational(run: Run, words: NoisyWordCounts, tilt: PriorTilt | None) -> StageResult:
    """Topics by steps, perhaps from a spectral start."""
    recipe, mechanisms, documents = run.recipe, run.mechanisms, run.documents
    alpha0, before = run.problem.alpha0, None if run.since is None else run.since.steps
    shares, moments, tilt, topics = _start(run, words, tilt)
    brought = None if tilt is None else tilt(words.word_frequencies)
    trust, bound = 1 - run.added, recipe.clip_norm
    steps = RunningMean(
        words,
        topics,
        recipe.averaging_weight,
        prior_topics=brought,
        start=moments,
        previous=before,
        previous_weight=trust,
    )
    unit = fixed_point_step(documents, bound) if mechanisms.is_exact else 0.0
    begin = START_TAKES if moments and not (run.since and run.since.start) else WORDS_TAKE
    for t, share in enumerate(shares):
        run.resources.report(
            begin + (1 - begin) * t / len(shares), f"step {t + 1} of {len(shares)}"
        )
        cooled = moments is None and 2 * t < len(shares)
        prior = (min(alpha0, recipe.initial_alpha0_cap) if cooled else alpha0) * steps.shares
        total = documents.sum_contributions(
            steps.topics, words.word_weights, prior=prior, bound=bound, unit=unit
        )
        apart, mu = documents.sensitivity(bound), gaussian.mu_of_share(run.mu, share)
        value = as_fixed_point(total, unit, bound=bound)
        noisy = mechanisms.matrix(STATISTIC, value, sensitivity=apart, mu=mu)
        posterior = steps.add_release(noisy, mechanisms.noise_std_of(STATISTIC))
    topics, sizes = steps.topics, np.sum(posterior.mean, axis=1, keepdims=True)
    read = posterior.noisy_values / sizes
    if moments is not None:
        variance = (
            np.sum(posterior.variance, axis=1) / np.maximum(sizes[:, 0], 1e-300) ** 2
        )  # of noise
        weight = moments.mixing_weight(topics, variance, recipe.misfit_tolerance)[:, None]
        topics, read = (one + weight * (moments.topics - one) for one in (topics, read))
    uncertainty = Uncertainty(
        topics, read, posterior.noise_std / sizes, sizes[:, 0] / np.sum(sizes)
    )
    left = None if mechanisms.is_noiseless else steps.checkpoint(topics)
    state = RunState(
        noisy_word_counts=words.counts,
        word_noise_std=words.noise_std,
        word_weights=words.word_weights,
        steps=left,
        start=moments,
        prior_was_accepted=tilt is not None,
    )
    found = Topics.without_spectrum(topics, alpha0 * steps.shares, words.word_frequencies)
    return StageResult(found, state, brought, uncertainty)


def _start(
    run: Run, words: NoisyWordCounts, tilt: PriorTilt | None
) -> tuple[Sequence[float], SpectralStart | None, PriorTilt | None, Matrix]:
    """Shares of steps, moments where they are bought, and the table's rows in order of the first topics."""
    corpus, problem, since = run.corpus, run.problem, run.since
    frequencies, q = words.word_frequencies, run.start_noise(words)
    begun = None if since is None else since.start  # a chain buys one spectral start
    bought = (
        0.0
        if begun
        else run.recipe.start_share(q, problem.n_topics, problem.alpha0, tilted=tilt is not None)
    )
    share = (run.whole - run.first) * bought
    shares = run.recipe.shares(run.first, share, run.whole)
    found, shape = (
        None,
        ProblemSize(corpus.n_documents, corpus.n_words, problem.n_topics, problem.alpha0),
    )
    if (
        not run.mechanisms.is_exact
    ):  # exact releases are charged first, and their memory checked before
        check_memory(
            shape, private=share > 0, counts=corpus.counts, free=run.resources.memory_bytes
        )
    if share:
        run.resources.report(WORDS_TAKE, "looking for a spectral start")
        spent = Budget(
            run.budget.epsilon,
            run.budget.delta,
            tuple(split_start_share(share * run.added).items()),
        )
        sums, seed = run.resources.statistics or StatisticsCache(corpus.counts), run.resources.seed
        found = find_spectral_start(sums, shape, run.mechanisms, spent, seed=seed)
    moments, before = begun or found, None if since is None else since.steps
    if before is not None:
        topics = before.topics
        tilt = tilt and tilt.aligned_to(topics, frequencies)
    elif tilt is not None:
        if found is not None and since is None:
            tilt = tilt.aligned_to(found.topics[found.was_found], frequencies)
        topics = PriorTilt(tilt.ratios, INITIAL_PRIOR_POWER)(frequencies)
    else:
        topics = random_topics(
            frequencies, problem.n_topics, np.random.default_rng([run.resources.seed, FREE_START])
        )
    if found is not None:
        if since is not None:  # topics of a chain keep their places
            found = moments = found.reorder_topics(match(topics, found.topics).tolist())
        topics = np.where(found.was_found[:, None], found.topics, topics)
    return shares, moments, tilt, topics
