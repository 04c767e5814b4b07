"""The unigram: every topic is the documents' word distribution, private or not."""

from functools import partial

import numpy as np

from dplda.core import checks
from dplda.core.errors import CorpusError
from dplda.core.types import Vector
from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation.colours import Style
from dplda.methods.base.guarantees import no_noise_guarantee
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_names import FAMILY_NAMES
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.previous_release import PreviousRelease, RunState, noise_scope
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.documents.documents import Documents
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.refined.plan.noise_forecast import forecast_word_counts
from dplda.methods.refined.plan.quantities import UNIGRAM, guarantee_of_refined
from dplda.methods.refined.results.refined_details import RefinedDetails
from dplda.methods.refined.stages.word_counts import release_word_counts
from dplda.privacy.accounting import gaussian
from dplda.privacy.release import Status
from dplda.spectral.documents import measure_lengths
from dplda.spectral.moments import word_sum
from dplda.spectral.topics import Topics


def without_noise() -> Method:
    """Make the unigram without noise: every topic is the average word distribution."""
    return Method(
        spec=MethodSpec(name="unigram"),
        family=FAMILY_NAMES["unigram"],
        status=Status.NOT_PRIVATE,
        style=Style.at(9, "U"),
        fit=_fit_without_noise,
        guarantee=no_noise_guarantee,
        needs_epsilon=False,
    )


def private_unigram() -> Method:
    """Make the baseline that spends the whole budget on clipped word counts.

    Every topic is the word distribution of the noisy counts. The method can be continued.
    """
    return Method(
        spec=MethodSpec(name="private-unigram"),
        family=FAMILY_NAMES["private-unigram"],
        summary=(
            "Noise goes on the clipped word counts, and every topic is the resulting word"
            " distribution."
        ),
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
    previous: PreviousRelease | None,
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    runtime: Runtime,
) -> FitResult:
    """Fit the private unigram: one Gaussian release of clipped word counts, shrunk by its noise.

    Args:
        previous: release that this one continues; None for a first one.
        corpus: documents in memory or on disk.
        problem: its topics are all alike.
        budget: ε and δ of this release and the previous one together.
        runtime: seed, noise and memory.

    Raises:
        InputError: more topics than words, ε or δ out of its range, or nothing left of the total.

    Guarantee:
        The counts are a sum of non-negative vectors of norm at most C, one per document, so √2·C
        apart for neighbors; with ``μ`` the Gaussian budget of (ε, δ) the release is μ-GDP. One that
        continues another spends what is missing to μ², and both releases are averaged. The rest is
        post-processing.
    """
    n_topics = problem.n_topics
    checks.integer_between("n_topics", n_topics, 1, corpus.n_words)
    checks.delta(budget.delta)
    total_mu = gaussian.mu_for(budget.epsilon, budget.delta)
    clip_norm = RefinedConstants().clip_norm
    key = runtime.make_noise_key(
        corpus,
        method=noise_scope("private-unigram", previous, total_mu),
        choices=(repr(budget.epsilon), repr(budget.delta), repr(clip_norm)),
    )
    mechanisms = runtime.open_mechanisms(key)
    word_counts = release_word_counts(
        Documents(corpus.counts, n_topics=1),
        mechanisms,
        None if previous is None else previous.state,
        clip_norm=clip_norm,
        mu=total_mu if previous is None else previous.remaining_mu(total_mu),
    )
    word_frequencies = word_counts.word_frequencies
    topics = Topics.without_spectrum(
        np.tile(word_frequencies, (n_topics, 1)),
        np.full(n_topics, problem.alpha0 / n_topics),
        word_frequencies,
    )
    guarantee = guarantee_of_refined(
        corpus, budget, mechanisms.releases, continues=previous is not None
    )
    state = RunState(
        noisy_word_counts=word_counts.counts,
        word_noise_std=word_counts.noise_std,
        word_weights=word_counts.word_weights,
    )
    return FitResult(topics, mechanisms.releases, guarantee, details=RefinedDetails(state=state))


def _fit_without_noise(
    corpus: AnyCorpus, problem: Problem, budget: Budget, runtime: Runtime
) -> FitResult:
    """Make every topic the average word distribution, with equal shares; none is *resolved*.

    Raises:
        InputError: there are more topics than words.
    """
    n_topics = problem.n_topics
    word_frequencies = average_word_frequencies(corpus.in_memory())
    checks.integer_between("n_topics", n_topics, 1, len(word_frequencies))
    topics = Topics(
        np.tile(word_frequencies, (n_topics, 1)),
        np.full(n_topics, problem.alpha0 / n_topics),
        np.empty(0),
        np.zeros(n_topics),
        resolved=0,
        mean_words=word_frequencies,
    )
    return FitResult(topics, (), no_noise_guarantee())


def average_word_frequencies(corpus: Corpus) -> Vector:
    """Average the word frequencies of documents of at least three words, each weighing alike.

    Returns:
        Shape (d,), on the simplex.

    Raises:
        CorpusError: no document is long enough.
    """
    summed_frequencies = word_sum(corpus.counts, measure_lengths(corpus.counts).per_word)
    if not np.sum(summed_frequencies) > 0:
        raise CorpusError("No document has three words of the vocabulary", "Give longer documents.")
    return np.asarray(summed_frequencies / np.sum(summed_frequencies))
