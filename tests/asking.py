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
    **resources,
) -> tuple[Problem, Budget, Runtime]:
    spent = Budget() if epsilon == math.inf else Budget(epsilon, delta)
    return Problem(n_topics, alpha0), spent, Runtime(**resources)


def settings_of(
    method: Method,
    n_topics: int = 3,
    alpha0: float = 1.0,
    seed: int = 0,
    corpus: CorpusSource = SOMEBODYS,
    **spent,
) -> Experiment:
    return Experiment(
        corpus=corpus,
        method=method.spec,
        problem=Problem(n_topics, alpha0),
        budget=Budget(**spent),
        seed=seed,
    )


def fitted_by(experiment: Experiment, corpus: Corpus, **resources) -> FitResult:
    return fit(experiment, corpus, Runtime(**resources))


def called(method, documents, **given):
    """A method's own function, its public choices among the keywords."""
    own = {
        name: given.pop(name)
        for name in ("constants", "settings", "calibration", "prior")
        if name in given
    }
    return method(documents, *asked(**given), **own)


def bought(found: FitResult) -> bool:
    """Whether a refinement released anything for a spectral start."""
    return any(release.edge == Edge.E2 for release in found.releases)


def private_unigram(
    corpus: Corpus, budget: Budget, resources: Runtime = DEFAULT_RUNTIME
) -> FitResult:
    return METHODS["private-unigram"].fit(corpus, Problem(1, 1.0), budget, resources)
