"""Stage 6: the result of a run, its spending and its guarantee."""

from collections.abc import Callable
from dataclasses import replace

from dplda.core.types import Matrix
from dplda.evaluation.knowledge import PriorUse
from dplda.methods.base.guarantees import TRUSTED_NOISE
from dplda.methods.base.method import FitResult
from dplda.methods.base.prior_source import describe_assumption
from dplda.methods.refined.plan.quantities import guarantee_of_refined
from dplda.methods.refined.plan.run_path import RunPath
from dplda.methods.refined.prior.topic_prior import TopicPrior
from dplda.methods.refined.results.refined_details import RefinedDetails
from dplda.methods.refined.results.topic_evidence import TopicEvidence
from dplda.methods.refined.stages.bootstrap import plan_simulated_runs
from dplda.methods.refined.stages.prior_test import PriorDecision
from dplda.methods.refined.stages.run import RefinementRun, StageResult
from dplda.spectral.topics import match


def check_spending_of_run(run: RefinementRun, decision: PriorDecision, result: StageResult) -> None:
    """Refuse a run that did not spend as planned.

    Noise of another distribution than promised is not checked, as nothing is claimed of it.

    Raises:
        RuntimeError: it spent otherwise, or too much.
    """
    releases = run.mechanisms.releases
    if all(release.noise in TRUSTED_NOISE for release in releases):
        run_path = RunPath(has_steps=decision.has_steps, start_share=result.start_share)
        previous_mu = 0.0 if run.previous is None else run.previous.mu
        run.schedule.check_releases(run_path, releases, previous_mu=previous_mu)


def make_fit_result(
    fit: Callable[..., FitResult],
    run: RefinementRun,
    prior: TopicPrior | None,
    decision: PriorDecision,
    result: StageResult,
    evidence: TopicEvidence,
) -> FitResult:
    """Put together all that a run releases, with its guarantee and what follows from it.

    Without noise there is neither a state to continue from nor uncertainty.
    Runs on simulated documents are prepared only: each is fitted when it is called for.

    Args:
        fit: the method, for runs on simulated documents.
        run: the run.
        prior: public knowledge; None for none.
        decision: whether the prior was tested and is in use.
        result: topics, and the state that another run continues from.
        evidence: released evidence.
    """
    releases = run.mechanisms.releases
    bootstrap_fits, evidence_with_runs = plan_simulated_runs(
        fit, run, prior, decision, result, evidence
    )
    assumption_sentence = ""
    prior_use = None
    if prior is not None:
        assumption_sentence = describe_assumption(prior.name, prior.digest, prior.source)
        prior_use = PriorUse(
            prior.name,
            prior.digest,
            decision.was_tested,
            decision.tilt is not None,
            not result.is_prior_only,
            decision.advantage,
        )
    uncertainty = result.uncertainty
    if uncertainty is not None:
        uncertainty = replace(uncertainty, bootstrap_fits=bootstrap_fits)
    is_noiseless = run.mechanisms.is_noiseless
    return FitResult(
        result.topics,
        releases,
        guarantee_of_refined(
            run.corpus,
            run.budget,
            releases,
            assumption_sentence,
            continues=run.previous is not None,
        ),
        details=RefinedDetails(
            state=None if is_noiseless else result.state,
            uncertainty=None if is_noiseless else uncertainty,
            evidence=evidence_with_runs,
            prior=prior_use,
            prior_topics=_match_prior_topics(result),
        ),
    )


def _match_prior_topics(result: StageResult) -> Matrix | None:
    """The prior's topics, each at the place of the topic that it is most like; None without prior.

    Steps may move topics from one of the prior's to another.
    """
    if result.prior_topics is None or result.is_prior_only:
        return result.prior_topics
    return result.prior_topics[match(result.topics.words, result.prior_topics)]
