"""``refined``: private topics by full-batch variational steps, from a start bought where it helps.

1. Word counts. The documents' clipped word counts are released once: the private unigram, which
   also decides how the rest is shared.
2. Prior test. A prior, which is public knowledge of topics, is used where the documents accept it,
   or its owner trusts it, and the run leans on it as far as its released advantage says. Where
   noise hides all topics of documents alone, by their number and length, the rest is spent on word
   counts, and the prior's topics are the result.
3. Spectral start. Where a pair average's noise would be small against its largest eigenvalue, the
   ``adaptive`` route runs on a share of the rest and its topics are the start; else the start is
   free of data: random, or the prior's topics.
4. Variational steps. Every step sums the documents' clipped variational statistics over *all*
   documents and releases the sum; a running mean of the releases, without its known noise, gives
   the next topics and, after a spectral start, their shares of α0. After a spectral start noisy
   topics are shrunk toward its own as far as these are surer, not to word frequencies alone, and at
   the end the two are averaged by their known errors. Beside a prior they are shrunk toward the
   mixture of its topics that they are nearest to, and large topics are split where documents turn
   out to lack one of the prior's.
5. Evidence. The documents' gain by the topics is released.

Without minibatches every step is one Gaussian release, so budgets add up exactly, as μ²
(``schedule``).
"""

import math

from dplda.core.threads import one_thread
from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.base.method import FitResult
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import DEFAULT_RUNTIME, Runtime
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.refined.prior.topic_prior import TopicPrior
from dplda.methods.refined.stages.evidence import release_evidence
from dplda.methods.refined.stages.prior_only import fit_prior_only
from dplda.methods.refined.stages.prior_test import decide_on_prior
from dplda.methods.refined.stages.result import check_spending_of_run, make_fit_result
from dplda.methods.refined.stages.run import open_run
from dplda.methods.refined.stages.variational_steps import fit_variational
from dplda.methods.refined.stages.word_counts import release_first_word_counts


@one_thread
def fit_refined(
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    runtime: Runtime = DEFAULT_RUNTIME,
    *,
    constants: RefinedConstants | None = None,
    prior: TopicPrior | None = None,
    prior_is_trusted: bool = False,
    prior_advantage: float = math.nan,
    previous: PreviousRelease | None = None,
) -> FitResult:
    """Find private topics by refinement, a function of releases and public numbers alone.

    Releases word counts, decides on the prior, and runs variational steps; with a prior in use and
    too much noise for steps, more word counts in their place. Releases evidence last.

    Args:
        corpus: the protected documents.
        problem: topics to find.
        budget: (ε, δ) of this run, together with all that it continues.
        runtime: seed, noise, memory and progress.
        constants: public choices; None for the usual ones.
        prior: public knowledge, used where the documents accept it; None for none.
        prior_is_trusted: whether it is used without asking them.
        prior_advantage: advantage of a trusted prior, in nats a document, which says how far to
            lean on it; NaN for the usual one.
        previous: the release to continue; None for none.

    Raises:
        InputError: k or δ is out of range, or nothing is left of the total.
        RuntimeError: the run did not spend what was planned.

    Guarantee:
        The releases together are μ-GDP, with ``μ`` the Gaussian budget of (ε, δ), when one document
        is replaced: the proof is in ``dplda.methods.refined``. With ``previous``, those of its
        whole chain are. The rest is post-processing.
    """
    run = open_run(
        corpus,
        problem,
        budget,
        runtime,
        constants=constants or RefinedConstants(),
        prior=prior,
        prior_is_trusted=prior_is_trusted,
        previous=previous,
    )
    word_counts = release_first_word_counts(run)
    decision = decide_on_prior(
        run,
        word_counts,
        prior,
        is_trusted=prior_is_trusted,
        assumed_advantage=prior_advantage,
    )
    if decision.has_steps or decision.tilt is None:
        stage_result = fit_variational(run, word_counts, decision)
    else:
        stage_result = fit_prior_only(run, word_counts, decision.tilt)
    evidence = release_evidence(run, stage_result.topics)
    check_spending_of_run(run, decision, stage_result)
    return make_fit_result(fit_refined, run, prior, decision, stage_result, evidence)
