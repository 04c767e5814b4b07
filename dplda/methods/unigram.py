"""The unigram: every topic is the documents' word distribution, private or not."""

from functools import partial

import numpy as np

from dplda.core import checks
from dplda.core.errors import CorpusError
from dplda.core.types import Vector
from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation.colours import Style
from dplda.methods.base.fit_details import RefinedDetails
from dplda.methods.base.guarantees import no_noise_guarantee
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.previous_release import PreviousRelease, RunState, noise_scope
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.constants import RefinedConstants
from dplda.methods.refined.documents import Documents
from dplda.methods.refined.noise_forecast import forecast_word_counts
from dplda.methods.refined.quantities import UNIGRAM, guarantee_of_refined
from dplda.methods.refined.stages.word_counts import release_word_counts
from dplda.privacy.accounting import gaussian
from dplda.privacy.release import Status
from dplda.spectral.documents import lengths
from dplda.spectral.moments import word_sum
from dplda.spectral.topics import Topics


def without_noise() -> Method:
    """The average word distribution."""
    return Method(
        spec=MethodSpec(name="unigram"),
        title="Unigram",
        status=Status.NOT_PRIVATE,
        style=Style.at(9, "U"),
        fit=_fit_without_noise,
        guarantee=no_noise_guarantee,
        needs_epsilon=False,
    )


def private_unigram() -> Method:
    """The baseline that spends the whole budget on word counts."""
    return Method(
        spec=MethodSpec(name="private-unigram"),
        title="Private unigram",
        summary="Noise goes on the clipped word counts, and every topic is the resulting word distribution.",
        status=Status.PROVEN,
        style=Style.at(10, "P"),
        fit=partial(_fit_private, None),
        fit_continued=_fit_private,
        guarantee=guarantee_of_refined,
        noiseless_twin="private-unigram",
        is_releasable=True,
        supports_out_of_core=True,
        flow=UNIGRAM,
        forecast_noise=forecast_word_counts,
        documentation=(_fit_private,),
        clipping_depends_on_epsilon=False,
    )


def _fit_private(
    since: PreviousRelease | None,
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    resources: Runtime,
) -> FitResult:
    """The private unigram: one Gaussian release of clipped word counts, shrunk by its noise.

    Guarantee:
        The counts are a sum of non-negative vectors of norm at most C, one per document, so √2·C apart for neighbors;
        with ``μ`` the Gaussian budget of (ε, δ) the release is μ-GDP. One that continues another spends what is missing
        to μ², and both readings are averaged. The rest is post-processing.
    """
    k = problem.n_topics
    checks.integer_between("n_topics", k, 1, corpus.n_words)
    checks.delta(budget.delta)
    mu, bound = gaussian.mu_for(budget.epsilon, budget.delta), RefinedConstants().clip_norm
    choices = (repr(budget.epsilon), repr(budget.delta), repr(bound))
    key = resources.make_noise_key(
        corpus, method=noise_scope("private-unigram", since, mu), choices=choices
    )
    mechanisms = resources.open_mechanisms(key)
    mu = mu if since is None else since.remaining_mu(mu)
    documents, before = Documents(corpus.counts, n_topics=1), None if since is None else since.state
    words = release_word_counts(documents, mechanisms, before, clip_norm=bound, mu=mu)
    p = words.word_frequencies
    topics = Topics.without_spectrum(np.tile(p, (k, 1)), np.full(k, problem.alpha0 / k), p)
    state = RunState(
        noisy_word_counts=words.counts,
        word_noise_std=words.noise_std,
        word_weights=words.word_weights,
    )
    promise = guarantee_of_refined(corpus, budget, mechanisms.releases, continues=since is not None)
    return FitResult(topics, mechanisms.releases, promise, details=RefinedDetails(state=state))


def _fit_without_noise(
    corpus: AnyCorpus, problem: Problem, budget: Budget, resources: Runtime
) -> FitResult:
    k, p = problem.n_topics, average_words(corpus.in_memory())
    checks.integer_between("n_topics", k, 1, len(p))
    words, alpha = np.tile(p, (k, 1)), np.full(k, problem.alpha0 / k)
    topics = Topics(words, alpha, np.empty(0), np.zeros(k), resolved=0, mean_words=p)
    return FitResult(topics, (), no_noise_guarantee())


def average_words(corpus: Corpus) -> Vector:
    """The average word frequencies of documents long enough, shape (d,), on the simplex."""
    total = word_sum(corpus.counts, lengths(corpus.counts).per_word)
    if not np.sum(total) > 0:
        raise CorpusError("No document has three words of the vocabulary", "Give longer documents.")
    return np.asarray(total / np.sum(total))
