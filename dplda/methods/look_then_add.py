"""Look, then add: a method in two releases, to rehearse and compare.

A real second release continues a released file.
"""

import math
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

FIRST_SHARE = 0.3  # of ε, for the look
LOOK_THEN_ADD = f"refined@{FIRST_SHARE:g}"


@lru_cache(32)
def look_then_add(method: Method, first_share: float) -> Method:
    """Make a method that releases twice: a look first, which a second release continues.

    It is for exploring: it can be neither released as a file nor continued.

    Args:
        method: what both releases do; it must be one that can be continued.
        first_share: share of ε for the look, in (0, 1).

    Raises:
        InputError: the share is out of its range.
    """
    checks.between("share of ε", first_share, 0, 1, open_ends=True)
    return replace(
        method,
        spec=replace(method.spec, first_share=first_share),
        family=replace(
            method.family,
            title=f"{method.title}, look then add",
            meaning=f"{first_share:.0%} of ε first",
        ),
        suffix="",
        style=Style.at(12, "L"),
        fit=partial(_fit_twice, method, first_share),
        fit_continued=None,
        is_releasable=False,
    )


def _fit_twice(
    method: Method,
    first_share: float,
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    runtime: Runtime,
) -> FitResult:
    """Fit with a share of ε, then continue that release with all of ε.

    Both fits have all of δ. The budget's other choices, such as its split, apply only to the
    second one.

    Returns:
        The second result, with the releases of both. The first result alone if the method cannot be
        continued or the first release kept no state.
    """
    first_budget = Budget(first_share * budget.epsilon, budget.delta)
    first_result = method.fit(corpus, problem, first_budget, runtime)
    if method.fit_continued is None or first_result.state is None:
        return first_result  # without noise nothing is missing
    previous = PreviousRelease(
        first_result.state,
        gaussian.mu_for(first_budget.epsilon, first_budget.delta),
        first_result.evidence,
        f"after ε = {first_budget.epsilon!r}",
        prior_was_tested=first_result.prior is not None and first_result.prior.asked,
        prior_advantage=math.nan if first_result.prior is None else first_result.prior.advantage,
    )
    second_result = method.fit_continued(previous, corpus, problem, budget, runtime)
    return replace(second_result, releases=(*first_result.releases, *second_result.releases))
