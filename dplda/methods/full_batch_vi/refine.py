r"""``refine``: private topics by full-batch variational steps, from a start that is bought only where it pays.

1. The documents' clipped word counts are released once: the private unigram, and what decides how the rest is shared.
2. Where the noise of a pair average would be small against its largest eigenvalue, the ``adaptive`` route runs on a
   share of what is left and its topics are the start; else the start is free of data.
3. In every step the documents' variational statistic is summed over *all* documents, each one's part clipped, and
   released; a running mean of the releases, shrunk by its known noise, gives the topics of the next step, and after a
   spectral start their shares of α0.
4. Where there was a spectral start, its topics are weighed against the refined ones by what each is known to be off.

Without sampling of minibatches every step is one Gaussian release, so that budgets add up exactly, as μ².
"""

import numpy as np

from dplda.core import checks
from dplda.core.threads import one_thread
from dplda.core.types import Matrix, Vector
from dplda.corpus.corpus import Corpus
from dplda.methods.chain.guarantees import KEYED, claim
from dplda.methods.chain.memory import check_memory
from dplda.methods.chain.sums import Sums
from dplda.methods.configurations.sizes import Shape
from dplda.methods.full_batch_vi.budget import (
    Shares,
    check_spending,
    noise_edge,
    shares,
    start_noise,
    words_share,
)
from dplda.methods.full_batch_vi.documents import Documents
from dplda.methods.full_batch_vi.flow import STATISTIC, WORDS
from dplda.methods.full_batch_vi.mixing import slope
from dplda.methods.full_batch_vi.recipe import RESTS_ON, Recipe
from dplda.methods.full_batch_vi.result import Refined, RefinedRun
from dplda.methods.full_batch_vi.start import Spectral, data_free, first_topics, spectral, spectral_split
from dplda.methods.full_batch_vi.steps import FirstWords, Steps
from dplda.methods.full_batch_vi.uncertainty import Uncertainty
from dplda.methods.full_batch_vi.weighing import moments_weight
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import DEFAULT, Resources
from dplda.privacy import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.whole import FixedPointSum
from dplda.privacy.release import Status

WORDS_TAKE, START_TAKES = 0.05, 0.4  # of the time
FREE_START = 0x66726565  # a stream of its own for topics that are free of data


def refine(
    corpus: Corpus, problem: Problem, budget: Budget, resources: Resources = DEFAULT, *, recipe: Recipe | None = None
) -> Refined:
    """The topics of a run, without what only the curator may see; for arguments and errors see ``run_refine``."""
    return run_refine(corpus, problem, budget, resources, recipe=recipe).refined


@one_thread
def run_refine(
    corpus: Corpus, problem: Problem, budget: Budget, resources: Resources = DEFAULT, *, recipe: Recipe | None = None
) -> RefinedRun:
    r"""Private topics by refinement.

    Args:
        recipe: the public choices; the defaults where None.

    Guarantee:
        The releases together are μ-GDP, with ``μ`` the Gaussian budget of (ε, δ), when one document is replaced: the
        proof stands in ``dplda.methods.full_batch_vi``. What follows releases is post-processing.
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
    words, part = _words(documents, mechanisms, mu, recipe)
    topics = data_free(words.frequencies, n_topics, np.random.default_rng([resources.seed, FREE_START]))
    found = None
    if part.start:
        report(WORDS_TAKE, "looking for a spectral start")
        shape = Shape(corpus.n_documents, corpus.n_words, n_topics, alpha0)
        if not mechanisms.exact:  # a release was charged: what it may need was asked before that
            check_memory(shape, private=True)
        spent = Budget(budget.epsilon, budget.delta, tuple(spectral_split(part.start).items()))
        found = spectral(resources.sums or Sums(corpus.counts), shape, mechanisms, spent, seed=resources.seed)
    if found is not None:
        topics = first_topics(found, words.frequencies, topics)
    steps = Steps(words, topics, recipe.memory, learn_shares=found is not None)
    clipped, scales = [], []
    for t, share in enumerate(part.steps):
        begin = START_TAKES if part.start else WORDS_TAKE
        report(begin + (1 - begin) * t / len(part.steps), f"step {t + 1} of {len(part.steps)}")
        cooled = not part.start and 2 * t < len(part.steps)
        prior = (min(alpha0, recipe.cooled) if cooled else alpha0) * steps.shares
        total, over = _statistic(documents, steps.topics, words.weights, prior, recipe.bound, whole=mechanisms.exact)
        noisy = mechanisms.matrix(
            STATISTIC,
            total,
            sensitivity=documents.sensitivity(recipe.bound),
            mu=gaussian.share(mu, share),
        )
        scales.append(mechanisms.noise_in(STATISTIC))
        steps.learn(noisy, scales[-1])
        clipped.append(over / corpus.n_documents)
    weight = _moments_weight(steps, found, recipe.misfit)
    moments = steps.topics if found is None else found.topics
    topics = steps.topics + weight[:, None] * (moments - steps.topics)
    topics = topics / np.sum(topics, axis=1, keepdims=True)
    alpha = alpha0 * steps.shares
    _check_spent(mechanisms, mu)
    return RefinedRun(
        Refined(
            topics=topics,
            alpha=alpha,
            mean_words=steps.mean_words,
            from_unigram=steps.from_unigram(),
            moments_weight=weight,
            shares=part,
            releases=mechanisms.releases,
            guarantee=claim(
                corpus,
                mechanisms.releases,
                status=Status.PROVEN,
                rests_on=RESTS_ON,
                epsilon=budget.epsilon,
                delta=budget.delta,
                gaussian_fit=True,
            ),
            uncertainty=None
            if not any(scales)
            else Uncertainty(
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
            ),
        ),
        tuple(clipped),
    )


def _words(documents: Documents, mechanisms: Mechanisms, mu: float, recipe: Recipe) -> tuple[FirstWords, Shares]:
    """The first release, and how the rest of the budget is shared after it."""
    n, d = documents.n_documents, documents.n_words
    rho = noise_edge(n, d, mu)
    spent = words_share(rho, recipe)
    noisy = mechanisms.vector(
        WORDS,
        documents.whole_word_counts(bound=recipe.bound)
        if mechanisms.exact
        else documents.word_counts(bound=recipe.bound),
        sensitivity=documents.sensitivity(recipe.bound),
        mu=gaussian.share(mu, spent),
    )
    words = FirstWords(noisy, mechanisms.noise_in(WORDS))
    q = start_noise(rho, words.frequencies, words.total, n, documents.n_topics, recipe.bound)
    return words, shares(spent, q, recipe)


def _statistic(
    documents: Documents, topics: Matrix, weights: Vector, prior: Vector, bound: float, *, whole: bool
) -> tuple[Matrix | FixedPointSum, int]:
    """What a step releases, in whole numbers where noise is exact, and how many documents were scaled down."""
    if whole:
        return documents.whole_contributions(topics, weights, prior=prior, bound=bound)
    found = documents.contributions(topics, weights, prior=prior, bound=bound)
    return found.total, found.clipped


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


def _check_spent(mechanisms: Mechanisms, mu: float) -> None:
    """Budgets add up, where there is noise that has the promised law."""
    if all(release.noise in KEYED for release in mechanisms.releases):
        check_spending([release.mu for release in mechanisms.releases], mu)
