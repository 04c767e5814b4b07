"""Methods that the registry does not list: the private unigram with refinement's noise, and refinement without noise."""

import hashlib
from dataclasses import replace
from functools import partial
from pathlib import Path

from dplda.corpus import Corpus
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.registry import parse_method
from dplda.privacy.noise.sources import NoNoise, SimulatedNoise
from dplda.privacy.release import Status

REFINED = parse_method("refined")
DIGEST = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[
    :12
]  # results of other variants are not these


def private_unigram() -> Method:
    """The registry's: the whole budget spent on refinement's first release.

    It draws the noise that refinement draws first, so that the two differ by what they do with it and not by luck.
    """
    method = parse_method("private-unigram")
    return replace(method, fit=partial(_fit_with_noise_of_refined, method))


def noiseless() -> Method:
    """Refinement with its noise switched off."""
    return replace(
        REFINED,
        spec=MethodSpec(name="refined-no-noise"),
        family=replace(REFINED.family, title="Refined, its noise switched off"),
        status=Status.NOT_PRIVATE,
        needs_epsilon=False,
        fit=_fit_without_noise,
    )


def _fit_without_noise(
    corpus: Corpus, problem: Problem, budget: Budget, runtime: Runtime
) -> FitResult:
    return REFINED.fit(corpus, problem, budget, replace(runtime, noise=NoNoise()))


def _fit_with_noise_of_refined(
    method: Method, corpus: Corpus, problem: Problem, budget: Budget, runtime: Runtime
) -> FitResult:
    """Fit the unigram with the noise that *Refined* would draw, unless a source of noise is given."""
    noise = SimulatedNoise(
        replace(runtime, secret=None).make_noise_key(
            corpus, method=("refined", "corrected"), choices=()
        )
    )
    return method.fit(corpus, problem, budget, replace(runtime, noise=runtime.noise or noise))
