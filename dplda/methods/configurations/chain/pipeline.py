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
from dplda.spectral.topics import Topics, finish_topics


@one_thread
def run_chain(
    corpus: AnyCorpus,
    plan: Plan | None,
    problem: Problem,
    runtime: Runtime,
    mechanisms: Mechanisms,
) -> tuple[Topics, Curator]:
    """Find topics, with noise where the plan says.

    Args:
        corpus: documents in memory or on disk.
        plan: None for the chain without noise.
        problem: topics to find.
        runtime: seed, memory, progress and perhaps cached statistics of this corpus.
        mechanisms: add the noise, and keep every release.

    Returns:
        Topics, and exact values that only the curator may see: None in place of the whitening or
        the components where nothing was found.

    Raises:
        InputError: the numbers do not fit the corpus or, unless the noise is exact, the memory; or
            the cached statistics are of another corpus.
        NoTopics: too few documents are usable or survive the noise.
    """
    is_private = plan is not None
    checks.integer_between("n_topics", problem.n_topics, 2, corpus.n_words)
    size = ProblemSize(corpus.n_documents, corpus.n_words, problem.n_topics, problem.alpha0)
    if not mechanisms.is_exact:  # exact releases are charged first, and their memory checked before
        check_memory(size, is_private=is_private, counts=corpus.counts, free=runtime.memory_bytes)
    route = start_route(plan, size, mechanisms)
    numerics = Numerics(size, np.random.default_rng(runtime.seed), runtime.report)
    numerics.begin_step("measuring documents")
    cache = runtime.statistics or StatisticsCache(corpus.counts)
    if not cache.are_of(corpus.counts):
        raise InputError("sums", "those of this corpus", "sums of another one")
    statistics = statistics_for(mechanisms)(
        cache, size.coefficients, keep_short=is_private, tick=numerics.report_pair_counting
    )
    chain_result = route.run(statistics, numerics, is_private=is_private)
    topics = finish_topics(
        route.postprocess(chain_result),
        chain_result.components,
        chain_result.whitening,
        size.coefficients,
        problem.n_topics,
    )
    curator = Curator(
        whitening=chain_result.whitening if len(chain_result.whitening.spectrum) else None,
        components=chain_result.components if chain_result.n_directions else None,
    )
    return topics, curator


def start_route(plan: Plan | None, size: ProblemSize, mechanisms: Mechanisms) -> AnyRoute:
    """Start a run of the plan's configuration; of the chain without noise if there is no plan."""
    if plan is None:
        return MomentRoute(size, Budget(), mechanisms)
    return plan.variant.route(size, plan, mechanisms)
