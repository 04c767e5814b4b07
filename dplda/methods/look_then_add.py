"""Look, then add: a method in two releases, to rehearse and compare; a real one continues a released file."""

from dataclasses import replace
from functools import lru_cache, partial

from dplda.core import checks
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation.colours import Style
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.privacy.accounting import gaussian

FIRST = 0.3  # of ε, for the look
LOOK_THEN_ADD = f"refined@{FIRST:g}"


@lru_cache(32)
def look_then_add(method: Method, share: float) -> Method:
    """A first release with a share of ε, in (0, 1), which a second continues to all of it."""
    checks.between("share of ε", share, 0, 1, open_ends=True)
    return replace(
        method,
        spec=replace(method.spec, first_share=share),
        title=f"{method.title}, look then add",
        long_title=f"{method.title}, look then add · {share:.0%} of ε first",
        style=Style.at(12, "L"),
        fit=partial(_fit, method, share),
        fit_continued=None,
        is_releasable=False,
    )


def _fit(
    method: Method,
    share: float,
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    resources: Runtime,
) -> FitResult:
    first = Budget(share * budget.epsilon, budget.delta)
    look = method.fit(corpus, problem, first, resources)
    if method.fit_continued is None or look.state is None:
        return look  # without noise nothing is missing
    asked = look.prior is not None and look.prior.asked
    mu = gaussian.mu_for(first.epsilon, first.delta)
    earlier = PreviousRelease(
        look.state, mu, look.evidence, f"after ε = {first.epsilon!r}", prior_was_tested=asked
    )
    found = method.fit_continued(earlier, corpus, problem, budget, resources)
    return replace(found, releases=(*look.releases, *found.releases))
