"""Configurations 1 to 4 with the noise of the authors' public code: to reproduce their figures.

No list of methods has them, so no page offers them for one's own documents; presets, sweeps and
Python name them, as in ``config-2/authors' code``. They promise nothing and are never released.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from dplda.core import checks
from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.flow import SPECTRAL
from dplda.methods.base.calibration import AuthorsNoise
from dplda.methods.base.guarantees import not_private_guarantee
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem, ProblemSize
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.authors import authors_route, sensitivities
from dplda.methods.configurations.authors.authors_route import NOISED_EDGES, AuthorsRoute
from dplda.methods.configurations.route import Numerics
from dplda.privacy.release import Guarantee, Status
from dplda.spectral.corpus_statistics import CorpusStatistics, StatisticsCache
from dplda.spectral.topics import finish_topics

REASONS = {
    "config-1": (
        "the authors' code adds noise to W and W† as if they moved as little as M₂. Above 200 words"
        " M₃ gets none."
    ),
    "config-2": (
        "the authors' code keeps the exact unwhitening, so the noise on e8 is lost. Above 200 words"
        " the noise on e6 is lost as well, and there is none at all."
    ),
    "config-3": (
        "the authors' code keeps the exact unwhitening, so the noise on e8 is lost. It raises σk"
        " and γs to at least 0.1, so the noise on e7 is far too small."
    ),
    "config-4": (
        "the authors' code raises σk and γs to at least 0.1, so the noise on e9 is far too small."
    ),
}
"""Why a configuration protects nobody, clauses that end in a full stop."""


def authors_methods() -> Iterator[Method]:
    """Make a method for each of the four configurations, as read and as inferred."""
    for name in NOISED_EDGES:
        for noise in AuthorsNoise:
            yield _make_method(name, noise)


def _make_method(name: str, noise: AuthorsNoise) -> Method:
    """Make the method of one configuration with the noise of the authors' code: not private.

    It is not the configuration's recommended one, and cannot be released.
    """
    configuration = REGISTRY[name]
    return Method(
        spec=MethodSpec(name=name, scaling=noise),
        is_recommended=False,
        family=configuration.family,
        suffix=f", {noise}",
        summary=f"Noise as in the authors' public code. Not private: {REASONS[name]}",
        status=Status.NOT_PRIVATE,
        style=configuration.style,
        fit=partial(_fit, name, noise),
        guarantee=partial(_guarantee, name),
        clipping_depends_on_epsilon=False,
        flow=replace(SPECTRAL, noised=NOISED_EDGES[name]),
        documentation=(authors_route, sensitivities),
    )


def _fit(
    name: str,
    noise: AuthorsNoise,
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    runtime: Runtime,
) -> FitResult:
    """Topics of one configuration with the noise of the authors' code.

    The result holds no exact values for the curator, and its guarantee promises nothing.

    Raises:
        InputError: ε, δ or k is out of range.
    """
    checks.epsilon(budget.epsilon)
    checks.delta(budget.delta)
    checks.integer_between("n_topics", problem.n_topics, 2, corpus.n_words)
    size = ProblemSize(corpus.n_documents, corpus.n_words, problem.n_topics, problem.alpha0)
    key = runtime.make_noise_key(
        corpus,
        method=(name, str(noise)),
        choices=(repr(budget), str(problem.n_topics), repr(problem.alpha0)),
    )
    mechanisms = runtime.open_mechanisms(key)
    route = AuthorsRoute(
        size,
        budget,
        mechanisms,
        configuration=name,
        scales_sensitivities=noise is AuthorsNoise.AS_READ,
    )
    numerics = Numerics(size, np.random.default_rng(runtime.seed), runtime.report)
    cache = runtime.statistics or StatisticsCache(corpus.counts)
    statistics = CorpusStatistics(
        cache, size.coefficients, keep_short=True, tick=numerics.report_pair_counting
    )
    # The direct solver gives every draw the same exact W, so that sums of triples are kept.
    result = route.run(statistics, numerics, is_private=True)
    topics = finish_topics(
        route.postprocess(result),
        result.components,
        result.whitening,
        size.coefficients,
        problem.n_topics,
    )
    return FitResult(topics, mechanisms.releases, _guarantee(name))


def _guarantee(name: str, *_: Corpus | Budget) -> Guarantee:
    return not_private_guarantee(REASONS[name])
