"""Methods for every variant of every configuration, and the spectral method without noise."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from inspect import getmodule

from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation.colours import Style
from dplda.flow import SPECTRAL, Edge, is_protected
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_names import FAMILY_NAMES, calibration_suffix
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem, ProblemSize
from dplda.methods.base.runtime import DEFAULT_RUNTIME, Runtime
from dplda.methods.configurations import REGISTRY, Configuration
from dplda.methods.configurations.chain.guarantees import guarantee_of_plan
from dplda.methods.configurations.chain.pipeline import run_chain
from dplda.methods.configurations.chain.spectral_details import SpectralDetails
from dplda.methods.configurations.plan import Plan, plan_of_method
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Guarantee, Status


def methods_for_configuration(configuration: Configuration) -> Iterator[Method]:
    """Make a method for every variant of one configuration, the recommended one first."""
    for scaling, variant in configuration.variants.items():
        is_recommended = variant is configuration.recommended
        suffix = calibration_suffix(scaling, status=variant.status, is_recommended=is_recommended)
        spec = MethodSpec(name=configuration.name, scaling=scaling)
        yield Method(
            spec=spec,
            is_recommended=is_recommended,
            family=configuration.family,
            suffix=suffix,
            summary=configuration.summary,
            status=variant.status,
            style=configuration.style,
            fit=partial(_fit_at_budget, spec),
            guarantee=partial(_guarantee_at_budget, spec),
            quantities=variant.names,
            is_releasable=variant.is_releasable,
            needs_pair_matrix=True,
            supports_out_of_core=True,
            flow=replace(SPECTRAL, noised=configuration.edges),
            documentation=(getmodule(variant.route), variant.route),
        )


def without_noise() -> Method:
    """Make the spectral method without any noise."""
    spec = MethodSpec(name="unnoised")
    return Method(
        spec=spec,
        family=FAMILY_NAMES["unnoised"],
        status=Status.NOT_PRIVATE,
        style=Style.at(7, "N"),
        fit=partial(_fit_at_budget, spec),
        guarantee=partial(_guarantee_at_budget, spec),
        needs_epsilon=False,
        supports_out_of_core=True,
    )


def fit_spectral(
    corpus: AnyCorpus, plan: Plan | None, problem: Problem, runtime: Runtime = DEFAULT_RUNTIME
) -> FitResult:
    """Find topics by the spectral method, with noise where the plan says.

    Args:
        corpus: documents in memory or on disk.
        plan: None without noise.
        problem: topics to find.
        runtime: seed, noise, memory and progress.

    Returns:
        Topics with exact values for the curator. The details hold the whitening and the components
        only where all that follows from them is a function of releases; else None.

    Raises:
        InputError: the numbers do not fit the corpus or the memory.
        NoTopics: too few documents are usable or survive the noise.
    """
    mechanisms = _open_mechanisms(corpus, plan, problem, runtime)
    topics, curator = run_chain(corpus, plan, problem, runtime, mechanisms)
    return FitResult(
        topics,
        mechanisms.releases,
        guarantee_of_plan(plan, corpus, mechanisms.releases),
        curator,
        details=SpectralDetails(
            size=ProblemSize(corpus.n_documents, corpus.n_words, problem.n_topics, problem.alpha0),
            plan=plan,
            whitening=curator.whitening if _is_released_behind(plan, Edge.E8) else None,
            components=curator.components if _is_released_behind(plan, Edge.E6) else None,
        ),
    )


def _open_mechanisms(
    corpus: AnyCorpus, plan: Plan | None, problem: Problem, runtime: Runtime
) -> Mechanisms:
    """Open mechanisms with noise of a key made from the corpus, the plan and the problem.

    Without a plan they have the runtime's own noise, or none.
    """
    if plan is None:
        return runtime.make_mechanisms(runtime.noise or NoNoise())
    key = runtime.make_noise_key(
        corpus,
        method=(plan.configuration, str(plan.variant.scaling)),
        choices=(plan.to_json(), str(problem.n_topics), repr(problem.alpha0)),
    )
    return runtime.open_mechanisms(key)


def _is_released_behind(plan: Plan | None, edge: Edge) -> bool:
    """Whether all that follows from an edge's values is a function of releases.

    Without a plan nothing is promised, so everything may be seen.
    """
    return plan is None or is_protected(edge, REGISTRY[plan.configuration].edges)


def _fit_at_budget(
    spec: MethodSpec, corpus: AnyCorpus, problem: Problem, budget: Budget, runtime: Runtime
) -> FitResult:
    return fit_spectral(corpus, plan_of_method(spec, budget), problem, runtime)


def _guarantee_at_budget(spec: MethodSpec, corpus: Corpus, budget: Budget) -> Guarantee:
    return guarantee_of_plan(plan_of_method(spec, budget), corpus, ())
