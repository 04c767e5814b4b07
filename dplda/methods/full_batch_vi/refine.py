"""``refine``: private topics by full-batch variational steps, from a start that is bought only where it helps.

1. The documents' clipped word counts are released once: the private unigram, which also decides how the rest is shared.
2. Where a pair average's noise would be small against its largest eigenvalue, the ``adaptive`` route runs on a share of
the rest and its topics are the start; else the start is free of data.
3. Every step sums the documents' clipped variational statistics over *all* documents and releases the sum; a running
mean of the releases, without its known noise, gives the next topics and, after a spectral start, their shares of α0.
4. After a spectral start, its topics and the refined ones are averaged by their known errors.

Without minibatches every step is one Gaussian release, so budgets add up exactly, as μ².
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.threads import one_thread
from dplda.core.types import Matrix, Vector
from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.chain.guarantees import KEYED
from dplda.methods.chain.memory import check_memory
from dplda.methods.chain.pipeline import Curator
from dplda.methods.chain.sums import Sums
from dplda.methods.configurations.sizes import Shape
from dplda.methods.full_batch_vi.documents import Documents
from dplda.methods.full_batch_vi.flow import STATISTIC
from dplda.methods.full_batch_vi.mixing import slope
from dplda.methods.full_batch_vi.recipe import (
    Recipe,
    Shares,
    check_spending,
    noise_edge,
    promised,
    shares,
    start_noise,
    words_share,
)
from dplda.methods.full_batch_vi.start import (
    Spectral,
    first_topics,
    moments_weight,
    spectral,
    spectral_split,
)
from dplda.methods.full_batch_vi.steps import FirstWords, Steps
from dplda.methods.full_batch_vi.uncertainty import Uncertainty
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import DEFAULT, Resources
from dplda.privacy import gaussian
from dplda.privacy.noise.whole import FixedPointSum
from dplda.privacy.release import Guarantee, Release

WORDS_TAKE, START_TAKES = 0.05, 0.4  # shares of the time
FREE_START = 0x66726565  # stream of data-free topics


@dataclass(frozen=True, slots=True, eq=False)
class Refined:
    """Topics found by refinement; everything here is a function of releases and public numbers.

    Attributes:
        topics: shape (k, d), rows on the simplex.
        alpha: shape (k,), Dirichlet parameters: the given ``α0`` times each topic's share of all words after a spectral
            start, in equal parts otherwise.
        mean_words: ``p``, shape (d,), on the simplex.
        from_unigram: ``h``, shape (k,): distance of each topic's released cells from the mean word distribution, in
            standard deviations of the noise alone: about N(0, 1) for a topic equal to the mean, if steps fed no noise
            back; ``uncertainty`` counts that. Infinite without noise.
        moments_weight: shape (k,), weight of the spectral reading in each topic; 0 without a spectral start.
        releases: every noisy value drawn, in order.
        uncertainty: of every word's probability; None without noise.
    """

    topics: Matrix
    alpha: Vector
    mean_words: Vector
    from_unigram: Vector
    moments_weight: Vector
    shares: Shares
    releases: tuple[Release, ...]
    guarantee: Guarantee
    uncertainty: Uncertainty | None


@one_thread
def run_refine(
    corpus: AnyCorpus, problem: Problem, budget: Budget, resources: Resources = DEFAULT, *, recipe: Recipe | None = None
) -> tuple[Refined, Curator]:
    """Private topics by refinement, with the exact values that only the curator may see.

    Guarantee:
        The releases together are μ-GDP, with ``μ`` the Gaussian budget of (ε, δ), when one document is replaced: the
        proof is in ``dplda.methods.full_batch_vi``. The rest is post-processing.
    """
    n_topics, alpha0, report = problem.n_topics, problem.alpha0, resources.report
    checks.integer_at_least("n_topics", n_topics, 2)
    checks.between("n_topics", n_topics, 2, corpus.n_words, open_ends=False)
    checks.delta(budget.delta)
    recipe = recipe or Recipe()
    mu = gaussian.mu_for(budget.epsilon, budget.delta)
    choices = (repr(n_topics), repr(alpha0), repr(budget.epsilon), repr(budget.delta), repr(recipe))
    method = ("refined", "corrected")
    mechanisms = resources.mechanisms(resources.key(corpus, method=method, choices=choices))
    report(0.0, "counting words")
    documents = Documents(corpus.counts, n_topics)
    rho = noise_edge(corpus.n_documents, corpus.n_words, mu)
    first = words_share(rho, recipe)
    words = FirstWords.released(documents, mechanisms, bound=recipe.bound, mu=gaussian.share(mu, first))
    q = start_noise(rho, words.frequencies, words.total, corpus.n_documents, n_topics, recipe.bound)
    part = shares(first, q, recipe)
    found, shape = None, Shape(corpus.n_documents, corpus.n_words, n_topics, alpha0)
    if not mechanisms.exact:  # exact releases are charged first, and their memory checked before
        check_memory(shape, private=part.start > 0, counts=corpus.counts, free=resources.memory)
    if part.start:
        report(WORDS_TAKE, "looking for a spectral start")
        spent = Budget(budget.epsilon, budget.delta, tuple(spectral_split(part.start).items()))
        found = spectral(resources.sums or Sums(corpus.counts), shape, mechanisms, spent, seed=resources.seed)
    resolved = np.empty((0, corpus.n_words)) if found is None else found.topics[: found.resolved]
    free = np.random.default_rng([resources.seed, FREE_START])
    topics = first_topics(resolved, words.frequencies, n_topics, free)
    steps = Steps(words, topics, recipe.memory, learn_shares=found is not None)
    contributions: Callable[..., tuple[Matrix | FixedPointSum, int]] = (
        documents.whole_contributions if mechanisms.exact else documents.contributions
    )
    clipped, scales = [], []
    for t, share in enumerate(part.steps):
        begin = START_TAKES if part.start else WORDS_TAKE
        report(begin + (1 - begin) * t / len(part.steps), f"step {t + 1} of {len(part.steps)}")
        cooled = not part.start and 2 * t < len(part.steps)
        prior = (min(alpha0, recipe.cooled) if cooled else alpha0) * steps.shares
        total, over = contributions(steps.topics, words.weights, prior=prior, bound=recipe.bound)
        sensitivity = documents.sensitivity(recipe.bound)
        noisy = mechanisms.matrix(STATISTIC, total, sensitivity=sensitivity, mu=gaussian.share(mu, share))
        scales.append(mechanisms.noise_in(STATISTIC))
        steps.learn(noisy, scales[-1])
        clipped.append(over / corpus.n_documents)
    weight = _moments_weight(steps, found, recipe.misfit)
    moments = steps.topics if found is None else found.topics
    topics = steps.topics + weight[:, None] * (moments - steps.topics)
    topics = topics / np.sum(topics, axis=1, keepdims=True)
    alpha = alpha0 * steps.shares
    if all(release.noise in KEYED for release in mechanisms.releases):  # noise of the promised distribution
        check_spending([release.mu for release in mechanisms.releases], mu)
    uncertainty = Uncertainty(
        topics=topics,
        alpha=alpha,
        mean_words=steps.mean_words,
        moments=moments,
        weight=weight,
        start=None if found is None else found.noise,
        posterior=steps.posterior,
        words=words,
        noise=tuple(scales),
        n_documents=corpus.n_documents,
        recipe=recipe,
        slope=None if found is None else slope(found.averages, steps.topics),
    )
    refined = Refined(
        topics=topics,
        alpha=alpha,
        mean_words=steps.mean_words,
        from_unigram=steps.from_unigram(),
        moments_weight=weight,
        shares=part,
        releases=mechanisms.releases,
        guarantee=promised(corpus, budget, mechanisms.releases),
        uncertainty=uncertainty if any(scales) else None,
    )
    return refined, Curator(clipped=float(np.mean(clipped)))


def _moments_weight(steps: Steps, found: Spectral | None, misfit: float) -> Vector:
    if found is None:
        return np.zeros(len(steps.topics))
    weight = moments_weight(
        steps.topics,
        found.topics,
        refined_variance=steps.variance(),
        moments_variance=found.noise.variance(),
        misfit=misfit,
        trust=found.unclipped**4,
    )
    return np.where(np.arange(len(weight)) < found.resolved, weight, 0.0)
