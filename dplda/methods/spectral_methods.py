"""Methods for every variant of every configuration, and the spectral method without noise."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial
from inspect import getmodule

from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation.colours import Style
from dplda.flow import SPECTRAL
from dplda.methods.chain.guarantees import guarantee_of
from dplda.methods.chain.pipeline import run
from dplda.methods.configurations import Configuration
from dplda.methods.configurations.variant import Variant
from dplda.methods.method import Method, TopicResult
from dplda.methods.plan import Plan
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import Resources
from dplda.privacy.release import Guarantee, Status


def methods_of(known: Configuration) -> Iterator[Method]:
    """A method for every variant of one configuration."""
    for scaling, variant in known.variants.items():
        recommended = variant is known.recommended
        plan = partial(_plan, known.name, variant)
        yield Method(
            name=known.name,
            scaling=scaling,
            recommended=recommended,
            title=known.title if recommended else f"{known.title}, {scaling}",
            long_title=known.label if recommended else f"{known.label}, {scaling}",
            summary=known.summary,
            status=variant.status,
            look=known.look,
            fit=partial(_fit, plan),
            promise=partial(_promise, plan),
            quantities=variant.names,
            releasable=variant.releasable,
            holds_pairs=True,
            streams=True,
            plan=plan,
            flow=replace(SPECTRAL, noised=known.edges),
            told_by=(getmodule(variant.route), variant.route),
        )


def without_noise() -> Method:
    """The spectral method without any noise."""
    return Method(
        name="unnoised",
        title="Spectral, no noise",
        status=Status.NOT_PRIVATE,
        look=Style.at(7, "N"),
        fit=partial(_fit, _no_plan),
        promise=partial(_promise, _no_plan),
        needs_epsilon=False,
        streams=True,
    )


def _plan(configuration: str, variant: Variant, budget: Budget) -> Plan:
    return Plan(configuration, **asdict(budget), calibration=variant.calibration, law=variant.law)


def _no_plan(budget: Budget) -> None:
    """No plan, whatever the budget."""


def _fit(
    plan: Callable[[Budget], Plan | None], corpus: AnyCorpus, problem: Problem, budget: Budget, resources: Resources
) -> TopicResult:
    found, curator = run(corpus, plan(budget), problem, resources)
    return TopicResult(found.topics, found.releases, found.guarantee, curator, found)


def _promise(plan: Callable[[Budget], Plan | None], corpus: Corpus, budget: Budget) -> Guarantee:
    return guarantee_of(plan(budget), corpus, ())
