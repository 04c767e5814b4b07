"""Methods for every variant of every configuration, and the spectral method without noise."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial
from inspect import getmodule

from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation.colours import Style
from dplda.flow import SPECTRAL, Edge, is_protected
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem, ProblemSize
from dplda.methods.base.runtime import DEFAULT_RUNTIME, Runtime
from dplda.methods.configurations import REGISTRY, Configuration
from dplda.methods.configurations.chain.guarantees import guarantee_of_plan
from dplda.methods.configurations.chain.pipeline import run
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.variant import Variant
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Guarantee, Status


def methods_for_configuration(known: Configuration) -> Iterator[Method]:
    """A method for every variant of one configuration."""
    for scaling, variant in known.variants.items():
        recommended = variant is known.recommended
        plan = partial(_plan, known.name, variant)
        yield Method(
            spec=MethodSpec(name=known.name, scaling=scaling),
            is_recommended=recommended,
            title=known.title if recommended else f"{known.title}, {scaling}",
            long_title=known.label if recommended else f"{known.label}, {scaling}",
            summary=known.summary,
            status=variant.status,
            style=known.style,
            fit=partial(_fit, plan),
            guarantee=partial(_promise, plan),
            quantities=variant.names,
            is_releasable=variant.is_releasable,
            needs_pair_matrix=True,
            supports_out_of_core=True,
            make_plan=plan,
            flow=replace(SPECTRAL, noised=known.edges),
            documentation=(getmodule(variant.route), variant.route),
        )


def without_noise() -> Method:
    """The spectral method without any noise."""
    return Method(
        spec=MethodSpec(name="unnoised"),
        title="Spectral, no noise",
        status=Status.NOT_PRIVATE,
        style=Style.at(7, "N"),
        fit=partial(_fit, _no_plan),
        guarantee=partial(_promise, _no_plan),
        needs_epsilon=False,
        supports_out_of_core=True,
    )


def fit_spectral(
    corpus: AnyCorpus, plan: Plan | None, problem: Problem, resources: Runtime = DEFAULT_RUNTIME
) -> FitResult:
    """Topics with noise where the plan says; refuses if too few documents are usable or survive the noise."""
    mechanisms = _mechanisms(corpus, plan, problem, resources)
    topics, curator = run(corpus, plan, problem, resources, mechanisms)
    return FitResult(
        topics,
        mechanisms.releases,
        guarantee_of_plan(plan, corpus, mechanisms.releases),
        curator,
        plan=plan,
        shape=ProblemSize(corpus.n_documents, corpus.n_words, problem.n_topics, problem.alpha0),
        whitening=curator.whitening if _may_be_seen(plan, Edge.E8) else None,
        components=curator.components if _may_be_seen(plan, Edge.E6) else None,
    )


def _mechanisms(
    corpus: AnyCorpus, plan: Plan | None, problem: Problem, resources: Runtime
) -> Mechanisms:
    if plan is None:
        return resources.make_mechanisms(resources.noise or NoNoise())
    method = (plan.configuration, str(plan.variant.scaling))
    choices = (plan.to_json(), str(problem.n_topics), repr(problem.alpha0))
    return resources.open_mechanisms(
        resources.make_noise_key(corpus, method=method, choices=choices)
    )


def _may_be_seen(plan: Plan | None, edge: Edge) -> bool:
    """Whether everything made of an edge's values is a function of releases; without a plan nothing is promised."""
    return plan is None or is_protected(edge, REGISTRY[plan.configuration].edges)


def _plan(configuration: str, variant: Variant, budget: Budget) -> Plan:
    return Plan(configuration, **asdict(budget), calibration=variant.calibration, law=variant.law)


def _no_plan(budget: Budget) -> None:
    """No plan, whatever the budget."""


def _fit(
    plan: Callable[[Budget], Plan | None],
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    resources: Runtime,
) -> FitResult:
    return fit_spectral(corpus, plan(budget), problem, resources)


def _promise(plan: Callable[[Budget], Plan | None], corpus: Corpus, budget: Budget) -> Guarantee:
    return guarantee_of_plan(plan(budget), corpus, ())
