"""From a corpus and a plan to topics: one run, its fit, and its exact values for the curator."""

from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.threads import one_thread
from dplda.corpus.on_disk import AnyCorpus
from dplda.flow import Edge, is_protected
from dplda.methods.chain.guarantees import guarantee_of
from dplda.methods.chain.memory import check_memory
from dplda.methods.chain.sums import Sums
from dplda.methods.chain.whole_sums import statistics_for
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.route import MomentRoute, Numerics
from dplda.methods.configurations.sizes import Shape
from dplda.methods.configurations.variant import AnyRoute
from dplda.methods.plan import Plan
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import DEFAULT, Resources
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Guarantee, Release
from dplda.spectral.tensor import Components
from dplda.spectral.topics import Topics, finish
from dplda.spectral.whitening import Whitening


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The result of a run, with its guarantee.

    With a plan, everything here is a function of releases and public numbers; the rest is in ``Curator``.

    ``whitening`` and ``components`` are None where noise hides all of them, and where a plan leaves them un-noised.
    """

    plan: Plan | None
    shape: Shape
    topics: Topics
    whitening: Whitening | None
    components: Components | None
    releases: tuple[Release, ...]
    guarantee: Guarantee


@dataclass(frozen=True, slots=True, eq=False)
class Curator:
    """Further values of a run, exact or noisy as the fit used them: for the curator only, never in a file."""

    whitening: Whitening | None = None
    components: Components | None = None
    clipped: float = 0.0


def fit(corpus: AnyCorpus, plan: Plan | None, problem: Problem, resources: Resources = DEFAULT) -> Fit:
    """The fit of ``run``, without the curator's values."""
    return run(corpus, plan, problem, resources)[0]


@one_thread
def run(corpus: AnyCorpus, plan: Plan | None, problem: Problem, resources: Resources = DEFAULT) -> tuple[Fit, Curator]:
    """Fits topics, with noise where the plan says; with the exact values that only the curator may see.

    Refuses if too few documents are usable or survive the noise.
    """
    checks.integer_between("n_topics", problem.n_topics, 2, corpus.n_words)
    shape = Shape(corpus.n_documents, corpus.n_words, problem.n_topics, problem.alpha0)
    mechanisms = _mechanisms(corpus, plan, problem, resources)
    if not mechanisms.exact:  # exact releases are charged first, and their memory checked before
        check_memory(shape, private=plan is not None, counts=corpus.counts, free=resources.memory)
    route = start_route(plan, shape, mechanisms)
    steps = Numerics(shape, np.random.default_rng(resources.seed), resources.report)
    steps.reached("measuring documents")
    sums = resources.sums or Sums(corpus.counts)
    if not sums.are_of(corpus.counts):
        raise InputError("sums", "those of this corpus", "sums of another one")
    kind = statistics_for(mechanisms)
    statistics = kind(sums, shape.coefficients, keep_short=plan is not None, tick=steps.counting)
    found = route.follow(statistics, steps, keeps_secret=plan is not None)
    components = found.components if found.resolved else None
    whitening = found.whitening if len(found.whitening.spectrum) else None
    topics = finish(route.polish(found), found.components, found.whitening, shape.coefficients, problem.n_topics)
    fitted = Fit(
        plan=plan,
        shape=shape,
        topics=topics,
        whitening=whitening if _may_be_seen(plan, Edge.E8) else None,
        components=components if _may_be_seen(plan, Edge.E6) else None,
        releases=mechanisms.releases,
        guarantee=guarantee_of(plan, corpus, mechanisms.releases),
    )
    return fitted, Curator(whitening, components, statistics.clipped)


def _mechanisms(corpus: AnyCorpus, plan: Plan | None, problem: Problem, resources: Resources) -> Mechanisms:
    if plan is None:
        return resources.through(resources.noise or NoNoise())
    method = (plan.configuration, str(plan.variant.scaling))
    choices = (plan.to_json(), str(problem.n_topics), repr(problem.alpha0))
    return resources.mechanisms(resources.key(corpus, method=method, choices=choices))


def _may_be_seen(plan: Plan | None, edge: Edge) -> bool:
    """Whether everything made of an edge's values is a function of releases; without a plan nothing is promised."""
    return plan is None or is_protected(edge, REGISTRY[plan.configuration].edges)


def start_route(plan: Plan | None, shape: Shape, mechanisms: Mechanisms) -> AnyRoute:
    """Starts a run of the plan's configuration; of the un-noised chain without a plan."""
    if plan is None:
        return MomentRoute(shape, Budget(), mechanisms)
    return plan.variant.route(shape, plan.divided, mechanisms)
