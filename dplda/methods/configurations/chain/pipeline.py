"""From a corpus and a plan to topics: one run, and its exact values for the curator."""

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.threads import one_thread
from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.base.curator import Curator
from dplda.methods.base.problem import Budget, Problem, ProblemSize
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.memory import check_memory
from dplda.methods.configurations.chain.whole_number_statistics import statistics_for
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.route import MomentRoute, Numerics
from dplda.methods.configurations.variant import AnyRoute
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral.corpus_statistics import StatisticsCache
from dplda.spectral.topics import Topics, finish


@one_thread
def run(
    corpus: AnyCorpus,
    plan: Plan | None,
    problem: Problem,
    resources: Runtime,
    mechanisms: Mechanisms,
) -> tuple[Topics, Curator]:
    """Topics, with noise where the plan says; with the exact values that only the curator may see.

    Refuses if too few documents are usable or survive the noise.
    """
    checks.integer_between("n_topics", problem.n_topics, 2, corpus.n_words)
    shape = ProblemSize(corpus.n_documents, corpus.n_words, problem.n_topics, problem.alpha0)
    if not mechanisms.is_exact:  # exact releases are charged first, and their memory checked before
        check_memory(
            shape, private=plan is not None, counts=corpus.counts, free=resources.memory_bytes
        )
    route = start_route(plan, shape, mechanisms)
    steps = Numerics(shape, np.random.default_rng(resources.seed), resources.report)
    steps.begin_step("measuring documents")
    sums = resources.statistics or StatisticsCache(corpus.counts)
    if not sums.are_of(corpus.counts):
        raise InputError("sums", "those of this corpus", "sums of another one")
    kind = statistics_for(mechanisms)
    statistics = kind(sums, shape.coefficients, keep_short=plan is not None, tick=steps.counting)
    found = route.run(statistics, steps, is_private=plan is not None)
    components = found.components if found.resolved else None
    whitening = found.whitening if len(found.whitening.spectrum) else None
    topics = finish(
        route.postprocess(found),
        found.components,
        found.whitening,
        shape.coefficients,
        problem.n_topics,
    )
    return topics, Curator(whitening, components)


def start_route(plan: Plan | None, shape: ProblemSize, mechanisms: Mechanisms) -> AnyRoute:
    """Starts a run of the plan's configuration; of the un-noised chain without a plan."""
    if plan is None:
        return MomentRoute(shape, Budget(), mechanisms)
    return plan.variant.route(shape, plan.divided, mechanisms)
