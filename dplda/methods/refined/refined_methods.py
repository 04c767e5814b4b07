"""Methods based on refinement: private, and un-noised passes."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeAlias

from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation.colours import Style
from dplda.methods import refined as proof
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain import spectral_methods
from dplda.methods.refined import algorithm
from dplda.methods.refined.noise_forecast import forecast_releases
from dplda.methods.refined.noiseless import N_PASSES, fit_noiseless
from dplda.methods.refined.prior import TopicPrior
from dplda.methods.refined.prior_sources import SOURCES, PriorKind, PriorSource
from dplda.methods.refined.schedule import (
    REFINED,
    WITH_TABLE,
    RefinedConstants,
    guarantee_of_refined,
)
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Status

PriorOf: TypeAlias = Callable[[int, tuple[str, ...]], TopicPrior]
"""A table of public knowledge for a number of topics of documents over some words."""

ASKED = "The documents are asked first, privately, whether that helps."
WITHOUT_NOISE = Budget(1e6, 1e-7)  # budget of the noiseless twin: the limit of all runs as ε grows
START_TAKES = 0.2  # share of the time of un-noised passes


def refined(
    recipe: RefinedConstants | None = None,
    prior: PriorOf | None = None,
    *,
    trusted: bool = False,
    assumed: str = "",
) -> Method:
    """The refinement method; its ``prior``, used without asking the documents if ``trusted``, rests on ``assumed``."""
    return Method(
        spec=MethodSpec(name="refined"),
        title="Refined",
        long_title="Refined · noise on every step",
        summary=(
            "Noise goes on the word counts first, and on moments if it is small enough. Then it goes on every step of"
            " variational inference over all documents. The noise level is known, so part of it is filtered out."
        ),
        status=Status.PROVEN,
        style=Style.at(11, "R"),
        fit=partial(_fit, recipe, prior, trusted, None),
        fit_continued=partial(_fit, recipe, prior, trusted),
        guarantee=partial(guarantee_of_refined, assumed=assumed),
        noiseless_twin="refined",
        is_releasable=True,
        needs_pair_matrix=True,
        supports_out_of_core=True,
        clipping_depends_on_epsilon=False,
        flow=REFINED if prior is None or trusted else WITH_TABLE,
        forecast_noise=partial(
            forecast_releases,
            tests_prior=prior is not None and not trusted,
            prior_is_trusted=trusted,
        ),
        documentation=(algorithm, proof),
    )


@lru_cache(maxsize=16)  # fits are kept by method
def refined_with(table: PriorSource, *, trusted: bool) -> Method:
    """Refinement that leans on public knowledge, where the documents bear it out or its owner trusts it."""
    english = table.kind is PriorKind.ENGLISH
    asked = "The table is used without asking the documents." if trusted else ASKED
    plain = refined(
        prior=lambda k, _: table.load_prior(k), trusted=trusted, assumed=table.assumption
    )
    return replace(
        plain,
        spec=MethodSpec(
            name="refined-english" if english else "refined", prior=table, prior_is_trusted=trusted
        ),
        title=f"Refined + {table.title}" + (", trusted" if trusted else ""),
        long_title="Refined + English · public text" if english else "",
        summary=(
            "Like Refined, but public knowledge says which words belong together where noise hides it:"
            f" {SOURCES[table.kind]}. {asked}"
        ),
        style=Style.at(13, "E") if english else plain.style,
    )


def without_noise(passes: int = N_PASSES) -> Method:
    """The spectral method without noise, then un-noised passes; unlike a noiseless refinement it does not clip."""
    return replace(
        spectral_methods.without_noise(),
        spec=MethodSpec(name="unnoised-refined"),
        title="Refined, no noise",
        style=Style.at(12, "r"),
        fit=partial(_fit_unnoised, passes),
        supports_out_of_core=False,
    )


def _fit_unnoised(
    passes: int, documents: AnyCorpus, problem: Problem, budget: Budget, resources: Runtime
) -> FitResult:
    def report(start: float, stop: float, share: float, step: str) -> None:
        resources.report(start + (stop - start) * share, step)

    corpus, first = (
        documents.in_memory(),
        replace(resources, report=partial(report, 0.0, START_TAKES)),
    )
    found = spectral_methods.without_noise().fit(corpus, problem, budget, first)
    then, alpha0, seed = partial(report, START_TAKES, 1.0), problem.alpha0, resources.seed
    topics = fit_noiseless(
        corpus, found.topics, alpha0=alpha0, passes=passes, seed=seed, report=then
    )
    return replace(found, topics=topics, whitening=None, components=None)  # those of other topics


def _fit(
    recipe: RefinedConstants | None,
    prior: PriorOf | None,
    trusted: bool,
    since: PreviousRelease | None,
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    resources: Runtime,
) -> FitResult:
    if isinstance(resources.noise, NoNoise):
        budget = WITHOUT_NOISE
    table = None if prior is None else prior(problem.n_topics, corpus.vocabulary)
    found = algorithm.fit_refined(
        corpus,
        problem,
        budget,
        resources,
        constants=recipe,
        prior=table,
        prior_is_trusted=trusted,
        previous=since,
    )
    return (
        replace(found, uncertainty=None) if trusted else found
    )  # it does not know how wrong a table is
