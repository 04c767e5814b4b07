"""What is asked of a method, by plain keywords."""

import math

from dplda.corpus import Corpus
from dplda.experiments.experiment import CorpusSource, Experiment, HeldDocuments, fit
from dplda.flow import Edge
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import DEFAULT_RUNTIME, Runtime
from dplda.methods.registry import METHODS

SOMEBODYS = HeldDocuments()


def asked(
    n_topics: int = 3,
    alpha0: float = 1.0,
    epsilon: float = math.inf,
    delta: float = 1e-7,
    **runtime_arguments,
) -> tuple[Problem, Budget, Runtime]:
    budget = Budget() if epsilon == math.inf else Budget(epsilon, delta)
    return Problem(n_topics, alpha0), budget, Runtime(**runtime_arguments)


def settings_of(
    method: Method,
    n_topics: int = 3,
    alpha0: float = 1.0,
    seed: int = 0,
    corpus: CorpusSource = SOMEBODYS,
    **budget_arguments,
) -> Experiment:
    return Experiment(
        corpus=corpus,
        method=method.spec,
        problem=Problem(n_topics, alpha0),
        budget=Budget(**budget_arguments),
        seed=seed,
    )


def fitted_by(experiment: Experiment, corpus: Corpus, **resources) -> FitResult:
    return fit(experiment, corpus, Runtime(**resources))


def called(method, documents, **arguments):
    """A method's own function, its public choices among the keywords."""
    method_arguments = {
        name: arguments.pop(name)
        for name in ("constants", "settings", "calibration", "prior")
        if name in arguments
    }
    return method(documents, *asked(**arguments), **method_arguments)


def bought(result: FitResult) -> bool:
    """Whether a refinement released anything for a spectral start."""
    return any(release.edge == Edge.E2 for release in result.releases)


def private_unigram(
    corpus: Corpus, budget: Budget, resources: Runtime = DEFAULT_RUNTIME
) -> FitResult:
    return METHODS["private-unigram"].fit(corpus, Problem(1, 1.0), budget, resources)
