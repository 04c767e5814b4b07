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
    if plan is None:
        return not_private("no noise was added.")
    if plan.variant.status is Status.PROVEN and _noise_is_real(releases):
        _check_spending(plan, releases)
    return claim(
        corpus,
        releases,
        status=plan.variant.status,
        rests_on=plan.variant.rests_on,
        epsilon=plan.epsilon,
        delta=_delta(plan, releases),
    )


def claim(
    corpus: Corpus,
    releases: tuple[Release, ...],
    *,
    status: Status,
    rests_on: tuple[str, ...],
    epsilon: float,
    delta: float,
) -> Guarantee:
    """What is left of a claim once the source of the noise and the origin of the vocabulary are looked at.

    Args:
        corpus: for its label and where its vocabulary comes from.
        releases: everything drawn.
        status: the most that may be claimed.
        rests_on: the assumptions of the claim, each a sentence.
        epsilon: ε, replacing one document.
        delta: δ.
    """
    if not _noise_is_real(releases):
        return not_private("the noise was switched off or came from an unknown source.")
    sentences = list(rests_on)
    if corpus.vocabulary_source is VocabularySource.FROM_DATA:
        if corpus.label is Label.SENSITIVE:
            status = Status.NOT_PRIVATE
            sentences.insert(0, "the vocabulary was taken from the sensitive documents themselves.")
        else:
            sentences.append(
                "The vocabulary was taken from this corpus, which is declared public; it is not protected."
            )
    sentences.append("The noise is simulated in floating point from a seed: good for looking, not for releasing.")
    return Guarantee(
        status=status,
        epsilon=epsilon if status is not Status.NOT_PRIVATE else math.inf,
        delta=delta if status is not Status.NOT_PRIVATE else 1.0,
        adjacency=Adjacency.REPLACE_ONE,
        rests_on=tuple(sentences),
        releasable=False,
    )


def not_private(reason: str) -> Guarantee:
    """Nothing is promised, and why."""
    return Guarantee(Status.NOT_PRIVATE, math.inf, 1.0, Adjacency.REPLACE_ONE, (reason,), releasable=False)


def _noise_is_real(releases: tuple[Release, ...]) -> bool:
    return all(release.noise in REAL_NOISE for release in releases)


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
