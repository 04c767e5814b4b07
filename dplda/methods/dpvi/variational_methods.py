"""Baseline methods: variational inference, private and not."""

from dataclasses import replace
from functools import partial

from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation.colours import Style
from dplda.flow import read
from dplda.methods.base.calibration import Calibration, PublishedReading
from dplda.methods.base.guarantees import no_noise_guarantee, state_guarantee
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_names import FAMILY_NAMES, calibration_suffix
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.dpvi import minibatch_run
from dplda.methods.dpvi import private_variational as inference
from dplda.methods.dpvi.minibatch_run import MinibatchNoise, forecast_minibatch_noise
from dplda.methods.dpvi.noiseless import fit_noiseless_variational
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.schedule_risk import risk_of_schedule
from dplda.methods.dpvi.settings import (
    ClippingScheme,
    VariationalSettings,
    clipping_scheme,
    default_settings,
)
from dplda.privacy.accounting.risk import Risk
from dplda.privacy.release import Guarantee, Status


def private_variational(
    calibration: Calibration, settings: VariationalSettings | None = None
) -> Method:
    """Make the method of private variational inference.

    Args:
        calibration: proven, or as published.
        settings: public choices of the run; None for those of the calibration.

    Raises:
        InputError: there is no such calibration.
    """
    settings = settings or default_settings(calibration)
    scheme = clipping_scheme(calibration, settings)
    is_recommended = calibration == Calibration.CORRECTED
    summary = (
        "Topics are learned from random minibatches of documents, each of which gives one noisy"
        " statistic."
    )
    if is_recommended:
        summary += " If the noise is large, the first minibatches only count words."
    return Method(
        spec=MethodSpec(name="dp-vi", scaling=calibration),
        is_recommended=is_recommended,
        family=FAMILY_NAMES["dp-vi"],
        suffix=calibration_suffix(calibration, status=scheme.status, is_recommended=is_recommended),
        summary=summary,
        status=scheme.status,
        style=Style.at(6, "V"),
        fit=partial(run_variational, calibration=calibration, settings=settings),
        guarantee=partial(_guarantee_of_scheme, scheme, settings),
        noiseless_twin=f"dp-vi/{calibration}",
        flow=read("minibatches"),
        uses_minibatches=True,
        clipping_depends_on_epsilon=False,
        documentation=(inference, run_variational, minibatch_run),
    )


def forecast_minibatches(
    method: Method, budget: Budget, n_documents: int, n_words: int
) -> MinibatchNoise:
    """Noise of a run to come, whatever the documents, with the default settings of the calibration.

    Settings that the method was made with are not known here.

    Args:
        method: a private one of these, which ``uses_minibatches``.
        budget: of the whole run.
        n_documents: number ``N`` of documents.
        n_words: number ``d`` of words in the vocabulary.
    """
    settings = default_settings(method.scaling)
    is_corrected = method.scaling == Calibration.CORRECTED
    calibration = Calibration.CORRECTED if is_corrected else Calibration.PUBLISHED
    scheme = clipping_scheme(calibration, settings)
    return forecast_minibatch_noise(budget, n_documents, n_words, scheme=scheme, settings=settings)


def published_by_document() -> Method:
    """Make the published method that scales down every document, for presets and sweeps to name.

    The paper's formula scales down the mean of a minibatch. Its text and the topics that it reports
    fit this reading.
    """
    reading = PublishedReading.BY_DOCUMENT
    method = private_variational(Calibration.PUBLISHED, default_settings(reading))
    return replace(
        method,
        spec=MethodSpec(name="dp-vi", scaling=reading),
        suffix=calibration_suffix(reading, status=method.status, is_recommended=False),
        noiseless_twin=f"dp-vi/{reading}",
    )


def without_noise() -> Method:
    """Make the method of variational inference without privacy."""
    return Method(
        spec=MethodSpec(name="vi"),
        family=FAMILY_NAMES["vi"],
        status=Status.NOT_PRIVATE,
        style=Style.at(8, "v"),
        fit=_fit_without_noise,
        guarantee=no_noise_guarantee,
        needs_epsilon=False,
    )


def _fit_without_noise(
    corpus: AnyCorpus, problem: Problem, budget: Budget, runtime: Runtime
) -> FitResult:
    topics = fit_noiseless_variational(corpus.in_memory(), problem, runtime)
    return FitResult(topics, (), no_noise_guarantee())


def _guarantee_of_scheme(
    scheme: ClippingScheme, settings: VariationalSettings, corpus: Corpus, budget: Budget
) -> Guarantee:
    """State the guarantee of a run to come, by how the effect of a document is bounded.

    Where that is proven, the noise is calibrated for its risk.
    """
    return state_guarantee(
        corpus,
        (),
        status=scheme.status,
        rests_on=scheme.rests_on,
        epsilon=budget.epsilon,
        delta=budget.delta,
        risk_of_fit=_risk_of_run(scheme, settings, budget),
        adjacency=scheme.adjacency,
    )


def _risk_of_run(
    scheme: ClippingScheme, settings: VariationalSettings, budget: Budget
) -> Risk | None:
    """The risk of a run to come; None where nothing is proven.

    Raises:
        InputError: no noise is large enough for this budget.
    """
    if scheme.status is not Status.PROVEN:
        return None
    schedule = settings.schedule(budget.epsilon, budget.delta, adjacency=scheme.adjacency)
    return risk_of_schedule(schedule)
