"""What may be claimed of a run: the plan, its releases and its corpus put together."""

import math

from dplda.configurations import REGISTRY
from dplda.corpus.corpus import Corpus, Label, VocabularySource
from dplda.plan import Plan
from dplda.privacy import gaussian
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Guarantee, Release, Status


def guarantee_of(plan: Plan | None, corpus: Corpus, releases: tuple[Release, ...]) -> Guarantee:
    """The guarantee of one run.

    Args:
        plan: None for an un-noised run.
        corpus: for its label and where its vocabulary comes from.
        releases: everything drawn; their budgets must add up to no more than the plan's.

    Raises:
        RuntimeError: the releases spent more than the plan allows; nothing may be claimed then.
    """
    if plan is None or any(release.noise == "none" for release in releases):
        reason = "no noise was added." if plan is None else "the noise was switched off."
        return Guarantee(Status.NOT_PRIVATE, math.inf, 1.0, Adjacency.REPLACE_ONE, (reason,), releasable=False)
    spent = gaussian.compose([release.mu for release in releases])
    if spent > gaussian.mu_for(plan.epsilon, plan.delta) * (1 + 1e-12):
        raise RuntimeError(f"releases of μ = {spent:g} exceed the plan's budget")
    configuration = REGISTRY[plan.configuration]
    status, rests_on = configuration.status, list(configuration.rests_on)
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
        delta=plan.delta if status is not Status.NOT_PRIVATE else 1.0,
        adjacency=Adjacency.REPLACE_ONE,
        rests_on=tuple(rests_on),
        releasable=False,
    )
