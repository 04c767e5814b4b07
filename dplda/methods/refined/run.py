"""What the parts of a refinement share, and its two ways from word frequencies to topics: by a table, and by steps."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dplda.core.types import Matrix
from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.base.previous_release import State
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Resources
from dplda.methods.configurations.chain.memory import check_memory
from dplda.methods.configurations.chain.statistics_cache import Sums
from dplda.methods.configurations.sizes import Shape
from dplda.methods.denoising.word_frequencies import WordReading, weighed
from dplda.methods.refined.documents import Documents, for_noise, step_of_parts
from dplda.methods.refined.error_bars import Uncertainty
from dplda.methods.refined.prior import FREE, Tilt
from dplda.methods.refined.running_mean import Steps, count_words
from dplda.methods.refined.schedule import MOST_WORDS, STATISTIC, Recipe, noise_edge
from dplda.methods.refined.spectral_start import StartMoments, free_topics, spectral, spectral_split
from dplda.privacy import gaussian
from dplda.privacy.mechanisms import Mechanisms
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
    resources: Resources
    recipe: Recipe
    documents: Documents
    mechanisms: Mechanisms
    mu: float
    whole: float
    first: float
    since: State | None = None
    added: float = 1.0

    def start_noise(self, words: WordReading) -> float:
        r"""``q``: the noise edge of a released pair average over its largest eigenvalue.

        It is :math:`\max(1, k/10)\, ρ/(L‖p‖^2)` with :math:`L = \max(1, (m/(CN))^2)`, about the number of distinct
        words in a document: a pair average is clipped at about 1/L, and more topics than ten need less noise.
        """
        n, d = self.documents.n_documents, self.documents.n_words
        different = max(1.0, (words.total / (self.recipe.bound * n)) ** 2)
        rho = max(1.0, self.problem.n_topics / 10) * noise_edge(n, d, self.mu)
        return rho / (different * float(np.sum(words.frequencies**2)))

    def lacking(self, share: float) -> float:
        """What word counts lack of a share of all μ², as a fraction of what this run spends; never all of it."""
        assert self.since is not None
        sensitivity = self.documents.sensitivity(self.recipe.bound, exact=self.mechanisms.exact)
        held = sensitivity / self.since.noise / self.mu
        found = min(share / self.added - held**2, MOST_WORDS * self.whole)
        return found if found > LEAST_ADDED else 0.0

    def words(self, fraction: float) -> WordReading:
        """One release of word counts, with those of the release that this run continues."""
        if self.since is not None and not fraction:
            return self.since.words
        mu, bound = gaussian.share(self.mu, fraction), self.recipe.bound
        return count_words(self.documents, self.mechanisms, self.since, bound=bound, mu=mu)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Topics of either way, as in ``TopicResult``."""

    topics: Topics
    state: State
    brought: Matrix | None
    uncertainty: Uncertainty | None = None


def by_words(run: Run, words: WordReading, tilt: Tilt) -> Found:
    """The table's topics over word frequencies, on which all is spent: steps could not pay here."""
    both = weighed(
        words, replace(run, since=None).words(math.nextafter(run.whole - run.first, 0.0))
    )
    p = both.frequencies
    state = State(counts=both.words, noise=both.noise, weights=words.weights, tilted=True)
    topics, alpha = (
        tilt(p),
        np.full(run.problem.n_topics, run.problem.alpha0 / run.problem.n_topics),
    )
    return Found(Topics.without_spectrum(topics, alpha, p), state, topics)


def by_steps(run: Run, words: WordReading, tilt: Tilt | None) -> Found:
    """Topics by steps, perhaps from a spectral start."""
    recipe, mechanisms, documents = run.recipe, run.mechanisms, run.documents
    alpha0, before = run.problem.alpha0, None if run.since is None else run.since.steps
    shares, moments, tilt, topics = _start(run, words, tilt)
    brought = None if tilt is None else tilt(words.frequencies)
    trust, bound = 1 - run.added, recipe.bound
    steps = Steps(
        words, topics, recipe.memory, brought=brought, start=moments, since=before, trust=trust
    )
    unit = step_of_parts(documents, bound) if mechanisms.exact else 0.0
    begin = START_TAKES if moments and not (run.since and run.since.start) else WORDS_TAKE
    for t, share in enumerate(shares):
        run.resources.report(
            begin + (1 - begin) * t / len(shares), f"step {t + 1} of {len(shares)}"
        )
        cooled = moments is None and 2 * t < len(shares)
        prior = (min(alpha0, recipe.cooled) if cooled else alpha0) * steps.shares
        total = documents.contributions(
            steps.topics, words.weights, prior=prior, bound=bound, unit=unit
        )
        apart, mu = documents.sensitivity(bound), gaussian.share(run.mu, share)
        value = for_noise(total, unit, bound=bound)
        noisy = mechanisms.matrix(STATISTIC, value, sensitivity=apart, mu=mu)
        posterior = steps.learn(noisy, mechanisms.noise_in(STATISTIC))
    topics, sizes = steps.topics, np.sum(posterior.mean, axis=1, keepdims=True)
    read = posterior.values / sizes
    if moments is not None:
        variance = (
            np.sum(posterior.variance, axis=1) / np.maximum(sizes[:, 0], 1e-300) ** 2
        )  # of noise
        weight = moments.weight(topics, variance, recipe.misfit)[:, None]
        topics, read = (one + weight * (moments.topics - one) for one in (topics, read))
    uncertainty = Uncertainty(topics, read, posterior.noise / sizes, sizes[:, 0] / np.sum(sizes))
    left = None if mechanisms.quiet else steps.left_behind(topics)
    state = State(
        counts=words.words,
        noise=words.noise,
        weights=words.weights,
        steps=left,
        start=moments,
        tilted=tilt is not None,
    )
    found = Topics.without_spectrum(topics, alpha0 * steps.shares, words.frequencies)
    return Found(found, state, brought, uncertainty)


def _start(
    run: Run, words: WordReading, tilt: Tilt | None
) -> tuple[Sequence[float], StartMoments | None, Tilt | None, Matrix]:
    """Shares of steps, moments where they are bought, and the table's rows in order of the first topics."""
    corpus, problem, since = run.corpus, run.problem, run.since
    frequencies, q = words.frequencies, run.start_noise(words)
    begun = None if since is None else since.start  # a chain buys one spectral start
    bought = (
        0.0
        if begun
        else run.recipe.start_share(q, problem.n_topics, problem.alpha0, tilted=tilt is not None)
    )
    share = (run.whole - run.first) * bought
    shares = run.recipe.shares(run.first, share, run.whole)
    found, shape = None, Shape(corpus.n_documents, corpus.n_words, problem.n_topics, problem.alpha0)
    if (
        not run.mechanisms.exact
    ):  # exact releases are charged first, and their memory checked before
        check_memory(shape, private=share > 0, counts=corpus.counts, free=run.resources.memory)
    if share:
        run.resources.report(WORDS_TAKE, "looking for a spectral start")
        spent = Budget(
            run.budget.epsilon, run.budget.delta, tuple(spectral_split(share * run.added).items())
        )
        sums, seed = run.resources.sums or Sums(corpus.counts), run.resources.seed
        found = spectral(sums, shape, run.mechanisms, spent, seed=seed)
    moments, before = begun or found, None if since is None else since.steps
    if before is not None:
        topics = before.topics
        tilt = tilt and tilt.beside(topics, frequencies)
    elif tilt is not None:
        if found is not None and since is None:
            tilt = tilt.beside(found.topics[found.resolved], frequencies)
        topics = Tilt(tilt.ratios, FREE)(frequencies)
    else:
        topics = free_topics(
            frequencies, problem.n_topics, np.random.default_rng([run.resources.seed, FREE_START])
        )
    if found is not None:
        if since is not None:  # topics of a chain keep their places
            found = moments = found.of(match(topics, found.topics).tolist())
        topics = np.where(found.resolved[:, None], found.topics, topics)
    return shares, moments, tilt, topics
