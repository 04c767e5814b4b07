"""Noise as in the authors' public code: where it is, how wide it is, and that it is no promise."""

import math

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.corpus import Corpus, simulate
from dplda.experiments.specs.spec import Sweep
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.authors.authors_methods import authors_methods
from dplda.methods.configurations.authors.authors_route import (
    MAX_WORDS_WITH_RAW_TRIPLES,
    NOISED_EDGES,
)
from dplda.methods.registry import (
    METHODS,
    calibrations,
    parse_method,
    releasable_methods,
)
from dplda.privacy.release import Status

PROBLEM = Problem(3, 1.0)
N = 600
TEXTS = sorted(method.key for method in authors_methods())


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return simulate(n_documents=N, n_words=20, n_topics=3, alpha0=1.0, mean_length=40, seed=1)


@pytest.fixture(scope="module")
def many_words() -> Corpus:
    n_words = MAX_WORDS_WITH_RAW_TRIPLES + 1
    return simulate(n_documents=N, n_words=n_words, n_topics=3, alpha0=1.0, mean_length=40, seed=1)


def fit(text: str, corpus: Corpus, *, epsilon: float = 3.0, seed: int = 0) -> FitResult:
    return parse_method(text).fit(corpus, PROBLEM, Budget(epsilon, 1e-7), Runtime(seed=seed))


def noised_edges(result: FitResult) -> set[str]:
    return {str(release.edge) for release in result.releases if release.mu}


def noise_std(result: FitResult, name: str) -> float:
    (release,) = (release for release in result.releases if release.name == name)
    return release.scale


@pytest.mark.parametrize("text", TEXTS)
def test_authors_method_promises_nothing(text, corpus) -> None:
    method = parse_method(text)
    guarantee = fit(text, corpus).guarantee
    assert method.status is Status.NOT_PRIVATE
    assert guarantee.mechanism is Status.NOT_PRIVATE
    assert not guarantee.releasable
    assert guarantee == method.guarantee(corpus, Budget(3.0, 1e-7))


@pytest.mark.parametrize("text", TEXTS)
def test_authors_method_is_in_no_list_that_pages_offer(text) -> None:
    method = parse_method(text)
    assert method not in releasable_methods()
    assert method not in METHODS.values()
    assert method not in calibrations(method.name).values()
    assert not method.is_recommended


@pytest.mark.parametrize("text", TEXTS)
def test_authors_method_in_a_spec_is_read_back(text) -> None:
    table = {
        "methods": [text],
        "epsilons": [1.0],
        "settings": [{"name": "s", "n_topics": 3, "alpha0": 1.0, "embedded": {}}],
    }
    sweep = Sweep.from_table(table)
    assert Sweep.from_toml(sweep.to_toml()) == sweep


def test_parse_method_of_an_unknown_authors_noise_is_refused() -> None:
    with pytest.raises(InputError):
        parse_method("adaptive/authors' code")


@pytest.mark.parametrize("name", NOISED_EDGES)
def test_authors_method_up_to_200_words_adds_noise_where_the_code_does(name, corpus) -> None:
    result = fit(f"{name}/authors' code", corpus)
    assert noised_edges(result) == {str(edge) for edge in NOISED_EDGES[name]}


@pytest.mark.parametrize(
    ("name", "edges"),
    [("config-1", {"e4", "e8"}), ("config-2", set()), ("config-3", {"e7"}), ("config-4", {"e9"})],
)
def test_authors_method_above_200_words_loses_noise_on_triples(name, edges, many_words) -> None:
    assert noised_edges(fit(f"{name}/authors' code", many_words)) == edges


def test_authors_configuration_2_above_200_words_gives_the_noiseless_topics(many_words) -> None:
    noisy = fit("config-2/authors' code", many_words, epsilon=0.001)
    exact = parse_method("unnoised").fit(many_words, PROBLEM, Budget(), Runtime())
    np.testing.assert_allclose(noisy.topics.words, exact.topics.words, atol=1e-6)


def test_authors_noise_has_the_width_of_the_code_s_formulas(corpus) -> None:
    """By hand at α0 = 1: s2 = 2, s3 = 3; ε = 3 leaves 0.99 to an edge of configuration 1."""
    log_delta = math.log(1e7)
    multiplier = (math.sqrt(0.99 + log_delta) + math.sqrt(log_delta)) / (math.sqrt(2) * 0.99)
    pairs = 4 / N  # 2 + 4 · 1/2
    triples = (2 + 4 / 3) / N + 12 / 6 * (N - 1) / (N * (N - 2))
    result = fit("config-1/authors' code", corpus)
    assert noise_std(result, "e4") == pytest.approx(math.sqrt(2) * 2 * pairs * multiplier)
    assert noise_std(result, "e8") == pytest.approx(2 * pairs * multiplier / math.sqrt(2))
    assert noise_std(result, "e3") == pytest.approx(triples * multiplier)
    inferred = fit("config-1/authors' code, unscaled", corpus)
    assert noise_std(inferred, "e4") == pytest.approx(noise_std(result, "e4") / 2)
    assert noise_std(inferred, "e3") == pytest.approx(noise_std(result, "e3") / 3)


def test_authors_noise_on_the_tensor_ignores_a_small_sigma(corpus) -> None:
    """Raised to 0.1 the bound no longer follows σk, which a formula without it would divide by."""
    result = fit("config-2/authors' code", corpus, epsilon=30.0)
    sigma_release = next(release for release in result.releases if release.name == "σk")
    log_delta = math.log(2e7)
    epsilon = 30 / 4
    multiplier = (math.sqrt(epsilon + log_delta) + math.sqrt(log_delta)) / (math.sqrt(2) * epsilon)
    pairs = 2 * 4 / N
    triples = 3 * ((2 + 4 / 3) / N + 12 / 6 * (N - 1) / (N * (N - 2)))
    norm = 1 + 2 * N / (N - 1) + N**2 / ((N - 1) * (N - 2))
    bound = 0.1
    below = 0.1
    sensitivity = norm * 6**1.5 * pairs**3 / bound**3 * below**1.5 + triples * (3 / below) ** 1.5
    sensitivity *= 3 / (2 * math.sqrt(2))
    tensor_scale = 3 / 2**1.5
    assert float(np.squeeze(sigma_release.value)) < 0.09
    assert noise_std(result, "e6") == pytest.approx(
        math.sqrt(6) * sensitivity * multiplier / tensor_scale
    )


def test_authors_method_repeats_a_run_with_its_seed(corpus) -> None:
    first_run = fit("config-4/authors' code", corpus, seed=3)
    repeated_run = fit("config-4/authors' code", corpus, seed=3)
    run_of_other_seed = fit("config-4/authors' code", corpus, seed=4)
    np.testing.assert_array_equal(first_run.topics.words, repeated_run.topics.words)
    assert not np.array_equal(first_run.topics.words, run_of_other_seed.topics.words)
