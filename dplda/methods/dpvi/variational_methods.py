"""Baseline methods: variational inference, private and not."""

from functools import partial

from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation.colours import Style
from dplda.flow import read
from dplda.methods.base.guarantees import no_noise_guarantee, state_guarantee
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations import Calibration
from dplda.methods.dpvi import minibatch_run
from dplda.methods.dpvi import private_variational as inference
from dplda.methods.dpvi.minibatch_run import minibatch_noise
from dplda.methods.dpvi.noiseless import variational
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.settings import Scheme, VariationalSettings, scheme_of
from dplda.privacy.release import Guarantee, Status


def private_variational(
    calibration: Calibration, settings: VariationalSettings | None = None
) -> Method:
    """Private variational inference, proven or as published; ``settings`` None for the defaults."""
    settings = settings or VariationalSettings()
    scheme = scheme_of(calibration, settings)
    recommended = calibration == Calibration.CORRECTED
    title = "DP variational inference"
    return Method(
        spec=MethodSpec(name="dp-vi", scaling=calibration),
        is_recommended=recommended,
        title=title if recommended else f"{title}, {calibration}",
        summary=(
            "Topics are learned from random minibatches of documents, each of which gives one noisy statistic."
            + (
                " If the noise is large, the first minibatches only count words."
                if recommended
                else ""
            )
        ),
        status=scheme.status,
        style=Style.at(6, "V"),
        fit=partial(run_variational, calibration=calibration, settings=settings),
        guarantee=partial(_promise, scheme),
        noiseless_twin=f"dp-vi/{calibration}",
        flow=read("minibatches"),
        forecast_minibatch_noise=partial(minibatch_noise, scheme=scheme, settings=settings),
        clipping_depends_on_epsilon=False,
        documentation=(inference, run_variational, minibatch_run),
    )


def without_noise() -> Method:
    """Variational inference without privacy."""
    return Method(
        spec=MethodSpec(name="vi"),
        title="Variational inference",
        status=Status.NOT_PRIVATE,
        style=Style.at(8, "v"),
        fit=_fit_variational,
        guarantee=no_noise_guarantee,
        needs_epsilon=False,
    )


def _fit_variational(
    corpus: AnyCorpus, problem: Problem, budget: Budget, resources: Runtime
) -> FitResult:
    return FitResult(variational(corpus.in_memory(), problem, resources), (), no_noise_guarantee())


def _promise(scheme: Scheme, corpus: Corpus, budget: Budget) -> Guarantee:
    return state_guarantee(
        corpus,
        (),
        status=scheme.status,
        rests_on=scheme.rests_on,
        epsilon=budget.epsilon,
        delta=budget.delta,
    )
