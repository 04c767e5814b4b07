"""The guarantee of a run of the chain, from its plan, releases and corpus."""

import math

from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.base.calibration import NoiseLaw
from dplda.methods.base.guarantees import TRUSTED_NOISE, no_noise_guarantee, state_guarantee
from dplda.methods.configurations.plan import Plan
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.laplace_risk import risk_of_laplace
from dplda.privacy.accounting.risk import Risk
from dplda.privacy.release import Guarantee, Release, Status

ROUNDING = 1 + 1e-12  # factor by which sums of budgets may pass the plan's


def guarantee_of_plan(
    plan: Plan | None, corpus: AnyCorpus, releases: tuple[Release, ...]
) -> Guarantee:
    """State the guarantee of a run of a plan.

    It claims the plan's ε, and its δ unless all noise is Laplace noise, which needs none.

    Args:
        plan: None for the chain without noise.
        corpus: documents of the run.
        releases: every noisy value that the run drew; empty for a run to come.

    Raises:
        RuntimeError: releases with noise of a trusted kind spend more than a proven plan's budget.
    """
    if plan is None:
        return no_noise_guarantee()
    variant = plan.variant
    is_proven = variant.status is Status.PROVEN
    if is_proven and all(release.noise in TRUSTED_NOISE for release in releases):
        _check_spending(plan, releases)
    return state_guarantee(
        corpus,
        releases,
        status=variant.status,
        rests_on=variant.rests_on,
        epsilon=plan.epsilon,
        delta=_delta_used(plan, releases),
        split_origin=plan.chosen,
        gaussian_fit=is_proven and variant.law is NoiseLaw.GAUSSIAN,
        risk_of_fit=_risk_of_losses(plan),
    )


def _risk_of_losses(plan: Plan) -> Risk | None:
    """The risk of a proven plan with Laplace noise; None for any other."""
    variant = plan.variant
    if variant.status is not Status.PROVEN or variant.law is not NoiseLaw.LAPLACE:
        return None
    return risk_of_laplace(
        tuple(plan.epsilon * fraction for fraction in plan.portions.values() if fraction > 0)
    )


def _delta_used(plan: Plan, releases: tuple[Release, ...]) -> float:
    """δ of the plan, or 0 where every release has pure ε-DP."""
    if releases:
        uses_delta = any(release.mu for release in releases)
    else:
        uses_delta = plan.variant.law is not NoiseLaw.LAPLACE
    return plan.delta if uses_delta else 0.0


def _check_spending(plan: Plan, releases: tuple[Release, ...]) -> None:
    """Raise RuntimeError for a run that spent more than planned.

    Compares the sum of ε if releases have pure ε, else the composed μ; rounding is allowed for.
    The plan's μ is that of its ε and of the δ that failing private bounds leave. Releases of pure
    ε must not be mixed with Gaussian ones: that raises, too.
    """
    pure_epsilon = math.fsum(release.pure_epsilon for release in releases)
    if pure_epsilon:
        mixes_laws = any(release.mu for release in releases)
        if mixes_laws or pure_epsilon > plan.epsilon * ROUNDING:
            raise RuntimeError(f"releases of ε = {pure_epsilon:g} exceed the plan's budget")
        return
    spent_mu = gaussian.compose([release.mu for release in releases])
    allowed_mu = gaussian.mu_for(plan.epsilon, (1 - plan.variant.failure) * plan.delta)
    if spent_mu > allowed_mu * ROUNDING:
        raise RuntimeError(f"releases of μ = {spent_mu:g} exceed the plan's budget")
