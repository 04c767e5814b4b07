"""The registry of methods."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from dplda import flow
from dplda.core.errors import InputError
from dplda.corpus import Corpus, simulate
from dplda.evaluation.colours import MARKERS
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.plan import Plan, plan_of_method
from dplda.methods.dpvi.variational_methods import forecast_minibatches
from dplda.methods.registry import METHODS, calibrations, parse_method, releasable_methods
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Status
from tests.asking import called

ALL = list(METHODS.values())
PROBLEM, BUDGET = Problem(3, 1.0), Budget(80.0, 1e-6)


def budget(method: Method) -> Budget:
    """Minibatches at an ε whose noise is found sooner."""
    return replace(BUDGET, epsilon=4.0) if method.uses_minibatches else BUDGET


def ran(method: Method, corpus: Corpus, **resources) -> FitResult:
    return method.fit(corpus, PROBLEM, budget(method), Runtime(2, **resources))


for_each_method = pytest.mark.parametrize("method", ALL, ids=lambda method: method.key)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return simulate(n_documents=500, n_words=20, n_topics=3, alpha0=1.0, mean_length=30, seed=1)


@pytest.fixture(scope="module")
def fitted(corpus) -> Callable[[Method], FitResult]:
    return cache(lambda method: ran(method, corpus))


@pytest.fixture(scope="module")
def quietly(corpus) -> Callable[[Method], FitResult]:
    return cache(lambda method: ran(method, corpus, noise=NoNoise()))


def test_methods_include_every_variant_of_a_configuration() -> None:
    texts = {
        f"{name}/{calibration}"
        for name, configuration in REGISTRY.items()
        for calibration in configuration.variants
    }
    assert texts == {text for text, method in METHODS.items() if method.name in REGISTRY}


def test_methods_are_told_apart() -> None:
    """By title, letter and colour; by shape as far as there are shapes."""
    assert len({method.title for method in ALL}) == len(ALL)
    looks = {method.name: method.style for method in ALL}
    for quantity, times in (
        ("letter", 1),
        ("colour", 1),
        ("marker", math.ceil(len(looks) / len(MARKERS))),
    ):
        assert max(Counter(getattr(look, quantity) for look in looks.values()).values()) == times


@pytest.mark.parametrize("name", sorted({method.name for method in ALL}))
def test_parse_method_of_a_name_takes_the_recommended_calibration(name) -> None:
    method = parse_method(name)
    assert next(iter(calibrations(name).values())) is method
    assert sum(calibration.is_recommended for calibration in calibrations(name).values()) == 1
    if name in REGISTRY:
        assert (
            method.scaling == REGISTRY[name].recommended.scaling == Plan(name, 1.0).variant.scaling
        )


@for_each_method
def test_status_is_that_of_the_calibration(method) -> None:
    private = Status.AS_PUBLISHED if method.scaling == Calibration.PUBLISHED else Status.PROVEN
    assert method.status is (private if method.needs_epsilon else Status.NOT_PRIVATE)
    assert method.noiseless_twin in METHODS


@for_each_method
def test_method_keeps_the_guarantee_stated_before_its_fit(method, corpus, fitted) -> None:
    """Topics on the simplex; the promise of a run to come is that of the run; spending is what was asked for."""
    fitted_run, promised_guarantee = fitted(method), method.guarantee(corpus, budget(method))
    assert fitted_run.topics.words.shape == (3, 20)
    np.testing.assert_allclose(fitted_run.topics.words.sum(axis=1), 1)
    assert fitted_run.guarantee == promised_guarantee
    assert promised_guarantee.mechanism is method.status
    assert bool(fitted_run.releases) == method.needs_epsilon
    if method.needs_epsilon:
        assert promised_guarantee.claimed_epsilon == budget(method).epsilon


@for_each_method
def test_method_without_noise_repeats_its_run_without_a_promise(
    method, corpus, fitted, quietly
) -> None:
    quiet, repeated_run = quietly(method), ran(method, corpus, noise=NoNoise())
    assert quiet.guarantee.mechanism is Status.NOT_PRIVATE
    np.testing.assert_array_equal(quiet.topics.words, repeated_run.topics.words)
    assert np.array_equal(fitted(method).topics.words, quiet.topics.words) == (
        not method.needs_epsilon
    )


@pytest.mark.parametrize(
    "text", [text for text, method in METHODS.items() if not method.clipping_depends_on_epsilon]
)
def test_method_without_noise_is_equal_at_any_epsilon(text, corpus, quietly) -> None:
    run_of_other_epsilon = METHODS[text].fit(
        corpus, PROBLEM, Budget(1.0, 1e-3), Runtime(2, NoNoise())
    )
    np.testing.assert_array_equal(
        quietly(METHODS[text]).topics.words, run_of_other_epsilon.topics.words
    )


@for_each_method
def test_method_draws_the_noise_of_its_forecast(method, corpus, fitted) -> None:
    """Of minibatches up to rounding; a plan is that of the configuration, with the budget."""
    if method.uses_minibatches:
        foretold = forecast_minibatches(method, budget(method), corpus.n_documents, corpus.n_words)
        releases, schedule, words = fitted(method).releases, foretold.schedule, foretold.word_steps
        of_words = (
            foretold.word_noise_std / schedule.noise_multiplier,
            foretold.word_noise_std,
            words,
        )
        of_topics = (foretold.sensitivity, foretold.noise_std, schedule.steps - words)
        drawn_noise = [(release.sensitivity, release.scale, release.steps) for release in releases]
        assert drawn_noise == [
            pytest.approx(noise, rel=1e-12) for noise in (of_words, of_topics) if noise[-1]
        ]
        assert {release.sampling_rate for release in releases} == {schedule.sampling_rate}
    plan = plan_of_method(method.spec, budget(method))
    if plan is not None:
        assert (plan.configuration, plan.variant.scaling, plan.epsilon) == (
            method.name,
            method.scaling,
            BUDGET.epsilon,
        )
        assert plan.variant.names == method.quantities
    has_plan = plan_of_method(method.spec, budget(method)) is not None
    assert has_plan == (method.name in REGISTRY)


@for_each_method
def test_flow_of_a_method_marks_the_edges_it_releases(method, fitted) -> None:
    if method.flow is not None:
        assert flow.is_cut(method.flow.noised, method.flow)
        released = {release.edge for release in fitted(method).releases}
        sure = {edge for edge in method.flow.noised if not method.flow.arrow(edge).optional}
        assert sure <= released <= set(method.flow.noised)


def test_releasable_methods_are_proven() -> None:
    assert releasable_methods()
    assert all(
        method.status is Status.PROVEN and method.is_recommended for method in releasable_methods()
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lda",
        "config-1/",
        "config-1/wrong",
        "config-3/corrected",
        "vi/corrected",
        "dp-vi/Laplace",
        3,
        None,
    ],
)
def test_parse_method_of_an_unknown_name_is_refused(text) -> None:
    with pytest.raises(InputError):
        parse_method(text)


@for_each_method
@pytest.mark.parametrize(
    "wrong",
    [
        {"alpha0": math.nan},
        {"alpha0": -1.0},
        {"seed": -1},
        *({"n_topics": bad} for bad in (0, 2.5, 21, 10**30)),
    ],
)
def test_method_with_arguments_out_of_range_is_refused(
    method: Method, wrong: dict[str, float], corpus: Corpus
) -> None:
    with pytest.raises(InputError):
        called(method.fit, corpus, **{"epsilon": 4.0} | wrong)
