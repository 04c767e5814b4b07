"""``refine``: private topics by full-batch variational steps, from a start that is bought only where it helps.

1. The documents' clipped word counts are released once: the private unigram, which also decides how the rest is shared.
2. Where a pair average's noise would be small against its largest eigenvalue, the ``adaptive`` route runs on a share of
the rest and its topics are the start; else the start is free of data: random, or a table of public knowledge.
3. Every step sums the documents' clipped variational statistics over *all* documents and releases the sum; a running
mean of the releases, without its known noise, gives the next topics and, after a spectral start, their shares of α0.
4. After a spectral start noisy topics are shrunk toward its own as far as these are surer, not to word frequencies
alone, and at the end the two are averaged by their known errors.

Without minibatches every step is one Gaussian release, so budgets add up exactly, as μ².
"""

import math
from dataclasses import replace
from functools import partial
from zlib import crc32

import numpy as np

from dplda.core import checks
from dplda.core.threads import one_thread
from dplda.core.types import Report, silent
from dplda.corpus.corpus import Truth
from dplda.corpus.on_disk import AnyCorpus
from dplda.corpus.simulation.simulate import draw_documents
from dplda.evaluation.knowledge import PriorUse
from dplda.methods.base.guarantees import TRUSTED_NOISE
from dplda.methods.base.method import FitResult
from dplda.methods.base.previous_release import PreviousRelease, noise_scope
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import DEFAULT_RUNTIME, Runtime
from dplda.methods.refined.documents import MAX_DOCUMENT_LENGTH, Documents
from dplda.methods.refined.error_bars import Uncertainty
from dplda.methods.refined.evidence import TopicEvidence, release_evidence, release_prior_advantage
from dplda.methods.refined.prior import PriorTilt, TopicPrior, describe_assumption, prior_power
from dplda.methods.refined.run import Run, fit_prior_only, fit_variational
from dplda.methods.refined.schedule import (
    ASSUMED_PRIOR_ADVANTAGE,
    RefinedConstants,
    check_spending,
    guarantee_of_refined,
    noise_edge,
    prior_acceptance_threshold,
)
from dplda.privacy.accounting import gaussian

AGAIN = 0x66726521  # stream of documents drawn from topics
MAX_BOOTSTRAP_DOCUMENTS = 100_000  # of these, in one run
N_BOOTSTRAP_TOPICS = 10  # of all runs together, where documents are few: few topics err by few numbers, which vary much
MAX_NULL_DOCUMENTS = 20_000  # of documents without topics, in each of many runs


@one_thread
def fit_refined(
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    resources: Runtime = DEFAULT_RUNTIME,
    *,
    constants: RefinedConstants | None = None,
    prior: TopicPrior | None = None,
    prior_is_trusted: bool = False,
    previous: PreviousRelease | None = None,
) -> FitResult:
    """Private topics by refinement; all but the curator's values is a function of releases and public numbers.

    Args:
        budget: of this run, together with all that it continues.
        prior: public knowledge, used where the documents bear it out; None for none.
        trusted: whether it is used without asking them.
        since: the release to continue; None for none.

    Guarantee:
        The releases together are μ-GDP, with ``μ`` the Gaussian budget of (ε, δ), when one document is replaced: the
        proof is in ``dplda.methods.refined``. With ``since``, those of its whole chain are. The rest is
        post-processing.
    """
    n_topics = problem.n_topics
    checks.integer_between("n_topics", n_topics, 2, corpus.n_words)
    checks.delta(budget.delta)
    constants = constants or RefinedConstants()
    total = gaussian.mu_for(budget.epsilon, budget.delta)
    mu = total if previous is None else previous.remaining_mu(total)
    table = () if prior is None else (prior.digest, prior_is_trusted)
    choices = tuple(
        map(repr, (n_topics, problem.alpha0, budget.epsilon, budget.delta, constants, *table))
    )
    mechanisms = resources.open_mechanisms(
        resources.make_noise_key(
            corpus, method=noise_scope("refined", previous, total), choices=choices
        )
    )
    resources.report(0.0, "counting words")
    documents = Documents(corpus.counts, n_topics)
    edge = noise_edge(corpus.n_documents, corpus.n_words, total)
    asked = (
        0.0
        if prior is None or prior_is_trusted or previous is not None
        else constants.for_gate(corpus.n_documents, mu)
    )
    gate = (
        asked > 0 if previous is None else previous.prior_was_tested
    )  # once: by the first run of a chain
    evidence_share = constants.for_evidence(
        corpus.n_documents, mu, total_mu=None if previous is None else total
    )
    whole = 1 - asked - evidence_share
    first = whole * constants.for_words(edge)
    run = Run(
        corpus, problem, budget, resources, constants, documents, mechanisms, mu, whole, first
    )
    if previous is not None:
        run = replace(run, since=previous.state, added=(mu / total) ** 2 * (1 - 1e-15))
        run = replace(run, first=run.lacking(first))
    words, gained, tilt = run.words(run.first), math.nan, None
    if prior is not None:
        ratios, used = (
            prior.ratios_for(corpus.vocabulary),
            prior_is_trusted if previous is None else previous.state.prior_was_accepted,
        )
        if asked:
            gained = release_prior_advantage(run, words, ratios, asked)
            used = gained > prior_acceptance_threshold(corpus.n_documents, mu)
        tilt = PriorTilt(ratios, prior_power(edge)) if used else None
    stepped = tilt is None or edge < constants.prior_only_noise * (
        ASSUMED_PRIOR_ADVANTAGE if math.isnan(gained) else gained
    )
    found = (
        fit_prior_only(run, words, tilt)
        if tilt is not None and not stepped
        else fit_variational(run, words, tilt)
    )
    simulated_recipe = replace(constants, prior_only_noise=1e9 if stepped else 0.0)
    if (
        previous is not None
    ):  # runs at the total at once, whose evidence has the noise of this one's
        simulated_recipe = replace(
            simulated_recipe, max_evidence_share=evidence_share * (mu / total) ** 2
        )
    assumed = "" if prior is None else describe_assumption(prior.name, prior.digest, prior.source)
    leant_on = (
        None if tilt is None or prior is None else prior.with_numbered_words(corpus.vocabulary)
    )
    evidence = release_evidence(run, found, total_mu=total, evidence_share=evidence_share)
    if previous is not None and previous.evidence is not None:
        evidence = evidence.with_length_of(previous.evidence)
    again = partial(
        _again,
        problem,
        budget,
        simulated_recipe,
        leant_on,
        corpus.n_documents,
        min(MAX_DOCUMENT_LENGTH, 2 * evidence.length),
    )
    runs = min(
        math.ceil(N_BOOTSTRAP_TOPICS / n_topics),
        max(1, round(MAX_BOOTSTRAP_DOCUMENTS / 2 / corpus.n_documents)),
    )
    true, flat = (
        Truth(found.topics.words, found.topics.alpha),
        Truth(found.topics.mean_words[None], np.ones(1)),
    )
    anew = tuple(partial(again, true, MAX_BOOTSTRAP_DOCUMENTS, number) for number in range(runs))
    if all(
        release.noise in TRUSTED_NOISE for release in mechanisms.releases
    ):  # noise of the promised distribution
        check_spending(
            [previous.mu if previous else 0.0, *(release.mu for release in mechanisms.releases)],
            total,
        )
    return FitResult(
        found.topics,
        mechanisms.releases,
        guarantee_of_refined(
            corpus, budget, mechanisms.releases, assumed, continues=previous is not None
        ),
        uncertainty=None
        if mechanisms.is_noiseless or found.uncertainty is None
        else replace(found.uncertainty, bootstrap_fits=anew),
        state=None if mechanisms.is_noiseless else found.state,
        evidence=replace(evidence, null_fit=partial(again, flat, MAX_NULL_DOCUMENTS)),
        prior=None
        if prior is None
        else PriorUse(prior.name, prior.digest, gate, bool(tilt), stepped, gained),
        prior_topics=found.brought,
    )


def _again(
    problem: Problem,
    budget: Budget,
    recipe: RefinedConstants,
    prior: TopicPrior | None,
    n: int,
    length: float,
    truth: Truth,
    most: int,
    number: int,
    report: Report = silent,
) -> tuple[Uncertainty | None, TopicEvidence | None]:
    """A whole run on documents drawn from topics; of many documents, on ``most`` with as much less noise."""
    rng = np.random.default_rng(
        [AGAIN, number, crc32(truth.topics.tobytes())]
    )  # each run has draws of its own
    if (many := min(n, most)) < n:
        mu = gaussian.mu_for(budget.epsilon, budget.delta) * n / many
        budget = replace(
            budget, epsilon=min(checks.LARGEST, gaussian.epsilon_for(mu, budget.delta))
        )
    drawn = draw_documents(truth, many, length, rng=rng)
    resources = Runtime(int(rng.integers(2**31)), report=report, memory_bytes=math.inf)
    found = fit_refined(
        drawn, problem, budget, resources, constants=recipe, prior=prior, prior_is_trusted=True
    )
    return found.uncertainty, found.evidence
