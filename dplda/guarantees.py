"""What may be claimed of a run: the plan, its releases and its corpus put together."""

import math

from dplda.configurations.route import Calibration
from dplda.corpus.corpus import Corpus, Label, VocabularySource
from dplda.plan import Plan
from dplda.privacy import gaussian
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Guarantee, Release, Status

REAL_NOISE = frozenset({"simulated"})  # kinds of source whose noise has the promised law


def guarantee_of(plan: Plan | None, corpus: Corpus, releases: tuple[Release, ...]) -> Guarantee:
    """The guarantee of one run.

    Args:
        plan: None for an un-noised run.
        corpus: for its label and where its vocabulary comes from.
        releases: everything drawn; their budgets must add up to no more than the plan's.

    Raises:
        RuntimeError: the releases spent more than the plan allows; nothing may be claimed then.
    """
    if plan is None or any(release.noise not in REAL_NOISE for release in releases):
        reason = "no noise was added." if plan is None else "the noise was switched off or came from an unknown source."
        return Guarantee(Status.NOT_PRIVATE, math.inf, 1.0, Adjacency.REPLACE_ONE, (reason,), releasable=False)
    if plan.variant.status is Status.PROVEN:
        _check_spending(plan, releases)
    status, rests_on = plan.variant.status, list(plan.variant.rests_on)
    if corpus.vocabulary_source is VocabularySource.FROM_DATA:
        if corpus.label is Label.SENSITIVE:
            status = Status.NOT_PRIVATE
            rests_on.insert(0, "the vocabulary was taken from the sensitive documents themselves.")
        else:
            rests_on.append("The vocabulary was taken from this corpus, which is declared public; it is not protected.")
    rests_on.append("The noise is simulated in floating point from a seed: good for looking, not for releasing.")
    return Guarantee(
        status=status,
        epsilon=plan.epsilon if status is not Status.NOT_PRIVATE else math.inf,
        delta=_delta(plan, releases) if status is not Status.NOT_PRIVATE else 1.0,
        adjacency=Adjacency.REPLACE_ONE,
        rests_on=tuple(rests_on),
        releasable=False,
    )


def _delta(plan: Plan, releases: tuple[Release, ...]) -> float:
    """δ of the run, or of a run to come: none where all noise is Laplace noise."""
    if not releases:
        return 0.0 if plan.calibration is Calibration.LAPLACE else plan.delta
    return plan.delta if any(release.mu for release in releases) else 0.0


def _check_spending(plan: Plan, releases: tuple[Release, ...]) -> None:
    pure = math.fsum(release.pure_epsilon for release in releases)
    if pure:
        if pure > plan.epsilon * (1 + 1e-12) or any(release.mu for release in releases):
            raise RuntimeError(f"releases of ε = {pure:g} exceed the plan's budget")
        return
    spent = gaussian.compose([release.mu for release in releases])
    if spent > gaussian.mu_for(plan.epsilon, plan.delta) * (1 + 1e-12):
        raise RuntimeError(f"releases of μ = {spent:g} exceed the plan's budget")
