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
from dplda.methods.base.method import TopicResult
from dplda.methods.base.previous_release import Earlier, scope
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import DEFAULT, Resources
from dplda.methods.configurations.chain.guarantees import KEYED
from dplda.methods.refined.documents import LONGEST, Documents
from dplda.methods.refined.error_bars import Uncertainty
from dplda.methods.refined.evidence import TopicEvidence, advantage, released
from dplda.methods.refined.prior import Prior, Tilt, assumption, power
from dplda.methods.refined.run import Run, by_steps, by_words
from dplda.methods.refined.schedule import (
    USUAL,
    Recipe,
    borne_out,
    check_spending,
    noise_edge,
    promised,
)
from dplda.privacy import gaussian

AGAIN = 0x66726521  # stream of documents drawn from topics
MOST_DRAWN = 100_000  # of these, in one run
TOPICS = 10  # of all runs together, where documents are few: few topics err by few numbers, which vary much
FLAT_DRAWN = 20_000  # of documents without topics, in each of many runs


@one_thread
def run_refine(
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    resources: Resources = DEFAULT,
    *,
    recipe: Recipe | None = None,
    prior: Prior | None = None,
    trusted: bool = False,
    since: Earlier | None = None,
) -> TopicResult:
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
    recipe = recipe or Recipe()
    total = gaussian.mu_for(budget.epsilon, budget.delta)
    mu = total if since is None else since.missing(total)
    table = () if prior is None else (prior.digest, trusted)
    choices = tuple(
        map(repr, (n_topics, problem.alpha0, budget.epsilon, budget.delta, recipe, *table))
    )
    mechanisms = resources.mechanisms(
        resources.key(corpus, method=scope("refined", since, total), choices=choices)
    )
    resources.report(0.0, "counting words")
    documents = Documents(corpus.counts, n_topics)
    edge = noise_edge(corpus.n_documents, corpus.n_words, total)
    asked = (
        0.0
        if prior is None or trusted or since is not None
        else recipe.for_gate(corpus.n_documents, mu)
    )
    gate = asked > 0 if since is None else since.asked  # once: by the first run of a chain
    evidence_share = recipe.for_evidence(
        corpus.n_documents, mu, total_mu=None if since is None else total
    )
    whole = 1 - asked - evidence_share
    first = whole * recipe.for_words(edge)
    run = Run(corpus, problem, budget, resources, recipe, documents, mechanisms, mu, whole, first)
    if since is not None:
        run = replace(run, since=since.state, added=(mu / total) ** 2 * (1 - 1e-15))
        run = replace(run, first=run.lacking(first))
    words, gained, tilt = run.words(run.first), math.nan, None
    if prior is not None:
        ratios, used = (
            prior.over(corpus.vocabulary),
            trusted if since is None else since.state.tilted,
        )
        if asked:
            gained = advantage(run, words, ratios, asked)
            used = gained > borne_out(corpus.n_documents, mu)
        tilt = Tilt(ratios, power(edge)) if used else None
    stepped = tilt is None or edge < recipe.pays * (USUAL if math.isnan(gained) else gained)
    found = (
        by_words(run, words, tilt)
        if tilt is not None and not stepped
        else by_steps(run, words, tilt)
    )
    simulated_recipe = replace(recipe, pays=1e9 if stepped else 0.0)
    if since is not None:  # runs at the total at once, whose evidence has the noise of this one's
        simulated_recipe = replace(simulated_recipe, evidence=evidence_share * (mu / total) ** 2)
    assumed = "" if prior is None else assumption(prior.name, prior.digest, prior.source)
    leant_on = None if tilt is None or prior is None else prior.numbered(corpus.vocabulary)
    evidence = released(run, found, total_mu=total, evidence_share=evidence_share)
    if since is not None and since.evidence is not None:
        evidence = evidence.with_length_of(since.evidence)
    again = partial(
        _again,
        problem,
        budget,
        simulated_recipe,
        leant_on,
        corpus.n_documents,
        min(LONGEST, 2 * evidence.length),
    )
    runs = min(math.ceil(TOPICS / n_topics), max(1, round(MOST_DRAWN / 2 / corpus.n_documents)))
    true, flat = (
        Truth(found.topics.words, found.topics.alpha),
        Truth(found.topics.mean_words[None], np.ones(1)),
    )
    anew = tuple(partial(again, true, MOST_DRAWN, number) for number in range(runs))
    if all(
        release.noise in KEYED for release in mechanisms.releases
    ):  # noise of the promised distribution
        check_spending(
            [since.mu if since else 0.0, *(release.mu for release in mechanisms.releases)], total
        )
    return TopicResult(
        found.topics,
        mechanisms.releases,
        promised(corpus, budget, mechanisms.releases, assumed, continues=since is not None),
        uncertainty=None
        if mechanisms.quiet or found.uncertainty is None
        else replace(found.uncertainty, again=anew),
        state=None if mechanisms.quiet else found.state,
        evidence=replace(evidence, without_topics=partial(again, flat, FLAT_DRAWN)),
        prior=None
        if prior is None
        else PriorUse(prior.name, prior.digest, gate, bool(tilt), stepped, gained),
        brought=found.brought,
    )


def _again(
    problem: Problem,
    budget: Budget,
    recipe: Recipe,
    prior: Prior | None,
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
    resources = Resources(int(rng.integers(2**31)), report=report, memory=math.inf)
    found = run_refine(drawn, problem, budget, resources, recipe=recipe, prior=prior, trusted=True)
    return found.uncertainty, found.evidence
