"""Methods based on refinement: private, and un-noised passes."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeAlias

from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation.colours import Style
from dplda.methods import refined as proof
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_names import FAMILY_NAMES, FamilyName
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.prior_source import SOURCES, PriorKind, PriorSource
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain import spectral_methods
from dplda.methods.configurations.chain.spectral_details import SpectralDetails
from dplda.methods.refined import algorithm
from dplda.methods.refined.documents.noiseless import fit_noiseless
from dplda.methods.refined.plan.constants import (
    N_NOISELESS_PASSES,
    NOISELESS_START_PROGRESS,
    RefinedConstants,
)
from dplda.methods.refined.plan.noise_forecast import forecast_releases
from dplda.methods.refined.plan.quantities import REFINED, WITH_TABLE, guarantee_of_refined
from dplda.methods.refined.prior.prior_files import prior_from_source
from dplda.methods.refined.prior.topic_prior import TopicPrior
from dplda.methods.refined.results.refined_details import RefinedDetails
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Status

PriorOf: TypeAlias = Callable[[int, tuple[str, ...]], TopicPrior]
"""A table of public knowledge for a number of topics of documents over some words."""

PRIOR_IS_TESTED = "The documents are asked first, privately, whether that helps."
PRIOR_IS_TRUSTED = "The table is used without asking the documents."
NOISELESS_BUDGET = Budget(1e6, 1e-7)
"""Budget of the noiseless twin: the limit of all runs as ε grows."""


def refined(
    recipe: RefinedConstants | None = None,
    prior: PriorOf | None = None,
    *,
    trusted: bool = False,
    assumed: str = "",
) -> Method:
    """Make the refinement method, which can be continued.

    Its spec names no prior, even with one; ``refined_with`` sets a spec that does.

    Args:
        recipe: public choices of a run; None for the usual ones.
        prior: public knowledge for a number of topics over some words; None for none.
        trusted: whether the prior is used without a test on the documents.
        assumed: what a guarantee rests on with the prior, a sentence.
    """
    fit = partial(_fit, recipe, prior, trusted)
    return Method(
        spec=MethodSpec(name="refined"),
        family=FAMILY_NAMES["refined"],
        summary=(
            "Noise goes on the word counts first, and on moments if it is small enough. Then it"
            " goes on every step of variational inference over all documents. The noise level is"
            " known, so part of it is filtered out."
        ),
        status=Status.PROVEN,
        style=Style.at(11, "R"),
        fit=partial(fit, None),
        fit_continued=fit,
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
    """Make the refinement method with a prior that the owner trusts or the documents test.

    The method's spec, family and summary say which prior it is and how it is used.
    Its guarantee rests on the assumption of the table.
    The English table gives it a name and a style of its own.
    """
    is_english = table.kind is PriorKind.ENGLISH
    usage_sentence = PRIOR_IS_TRUSTED if trusted else PRIOR_IS_TESTED
    method = refined(
        prior=lambda n_topics, _: prior_from_source(table, n_topics),
        trusted=trusted,
        assumed=table.assumption,
    )
    return replace(
        method,
        spec=MethodSpec(
            name="refined-english" if is_english else "refined",
            prior=table,
            prior_is_trusted=trusted,
        ),
        family=_family_with_prior(table, trusted=trusted),
        summary=(
            "Like Refined, but public knowledge says which words belong together where noise hides"
            f" it: {SOURCES[table.kind]}. {usage_sentence}"
        ),
        style=Style.at(13, "E") if is_english else method.style,
    )


def _family_with_prior(table: PriorSource, *, trusted: bool) -> FamilyName:
    """The listed name for the shipped table that is tested; else one with the table's title."""
    listed_name = FAMILY_NAMES["refined-english"]
    title = f"Refined + {table.title}" + (", trusted" if trusted else "")
    is_english = table.kind is PriorKind.ENGLISH
    return replace(listed_name, title=title, meaning=listed_name.meaning if is_english else "")


def without_noise(passes: int = N_NOISELESS_PASSES) -> Method:
    """Make the method of a spectral fit and passes over the documents, all without noise.

    Unlike a refinement without noise it does not clip.

    Args:
        passes: over all documents.
    """
    return replace(
        spectral_methods.without_noise(),
        spec=MethodSpec(name="unnoised-refined"),
        family=FAMILY_NAMES["unnoised-refined"],
        style=Style.at(12, "r"),
        fit=partial(_fit_unnoised, passes),
        supports_out_of_core=False,
    )


def _fit_unnoised(
    n_passes: int, documents: AnyCorpus, problem: Problem, budget: Budget, runtime: Runtime
) -> FitResult:
    """Fit by the spectral method, then pass over all documents, all without noise.

    All documents are read into memory.
    The result's details keep the size alone: whitening and components belong to other topics.
    """

    def report_part(start: float, end: float, progress: float, message: str) -> None:
        """Report the progress of a part that takes the whole fit from ``start`` to ``end``."""
        runtime.report(start + (end - start) * progress, message)

    corpus = documents.in_memory()
    report_spectral_part = partial(report_part, 0.0, NOISELESS_START_PROGRESS)
    spectral_fit = spectral_methods.without_noise().fit(
        corpus, problem, budget, replace(runtime, report=report_spectral_part)
    )
    topics = fit_noiseless(
        corpus,
        spectral_fit.topics,
        alpha0=problem.alpha0,
        n_passes=n_passes,
        seed=runtime.seed,
        report=partial(report_part, NOISELESS_START_PROGRESS, 1.0),
    )
    assert isinstance(spectral_fit.details, SpectralDetails)
    # Whitening and components belong to other topics.
    details_of_size = SpectralDetails(size=spectral_fit.details.size)
    return replace(spectral_fit, topics=topics, details=details_of_size)


def _fit(
    constants: RefinedConstants | None,
    prior_of: PriorOf | None,
    prior_is_trusted: bool,
    previous: PreviousRelease | None,
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    runtime: Runtime,
) -> FitResult:
    """Fit with a prior made for this vocabulary; a trusted one leaves no error bars.

    Without noise, the given budget is replaced by the noiseless one.
    """
    if isinstance(runtime.noise, NoNoise):
        budget = NOISELESS_BUDGET
    prior = None if prior_of is None else prior_of(problem.n_topics, corpus.vocabulary)
    result = algorithm.fit_refined(
        corpus,
        problem,
        budget,
        runtime,
        constants=constants,
        prior=prior,
        prior_is_trusted=prior_is_trusted,
        previous=previous,
    )
    if prior_is_trusted:  # error bars do not know how wrong a prior is
        assert isinstance(result.details, RefinedDetails)
        return replace(result, details=replace(result.details, uncertainty=None))
    return result
