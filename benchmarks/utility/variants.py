"""What the registry does not list: the private unigram, and refinement without noise or without one of its parts."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.corpus import Corpus
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.previous_release import SpectralStart
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.denoising import spectral_topics as shrunk_topics
from dplda.methods.denoising import word_frequencies
from dplda.methods.denoising.empirical_bayes import Posterior, fit_empirical_bayes
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined import algorithm
from dplda.methods.refined.documents import documents
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.refined.stages import running_mean, spectral_start, variational_steps
from dplda.methods.registry import parse_method
from dplda.privacy.noise.sources import NoNoise, SimulatedNoise
from dplda.privacy.release import Status
from dplda.spectral.topics import RawTopics

REFINED = parse_method("refined")
DIGEST = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[
    :12
]  # results of other variants are not these


def private_unigram() -> Method:
    """The registry's: the whole budget spent on refinement's first release.

    It draws the noise that refinement draws first, so that the two differ by what they do with it and not by luck.
    """
    known = parse_method("private-unigram")
    return replace(known, fit=partial(_fit_with_noise_of_refined, known))


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


def without_one_part() -> tuple[Method, ...]:
    """Refinement with each of its parts switched off, one at a time."""
    return tuple(
        replace(
            REFINED,
            spec=MethodSpec(name=f"refined-no-{name.replace(' ', '-')}"),
            family=replace(REFINED.family, title=f"no {name}"),
            fit=partial(_fit_under, off),
        )
        for name, off in PARTS.items()
    )


def _constant(field: str, value: float) -> Callable[[], AbstractContextManager[object]]:
    return partial(
        patch.object, algorithm, "RefinedConstants", partial(RefinedConstants, **{field: value})
    )


def _unshrunk(
    noisy_values: Matrix,
    noise_std: Matrix,
    expected_values: Matrix,
    *,
    initial_weights: object = None,
    n_rounds: int = 0,
) -> Posterior:
    """Cells as released, negative ones cut; their law is learned all the same, for the intervals."""
    return replace(
        fit_empirical_bayes(noisy_values, noise_std, expected_values, n_rounds=0),
        mean=np.maximum(noisy_values, 0.0),
    )


def _cut(words: NoisyWordCounts) -> Vector:
    """Word frequencies from counts as released, negative ones cut."""
    kept = np.maximum(words.counts, 1e-12 * words.total_count)
    return np.asarray(kept / np.sum(kept))


@contextmanager
def _without_shrinkage() -> Iterator[None]:
    with (
        patch.object(running_mean, "fit_empirical_bayes", _unshrunk),
        patch.object(NoisyWordCounts, "word_frequencies", property(_cut)),
    ):
        yield


def _no_weight(moments: SpectralStart, refined: Matrix, *known: object) -> Vector:
    return np.zeros(len(refined))


def _other(moments: SpectralStart, other: Matrix, *known: object) -> Matrix:
    return other


def _nothing(*known: object) -> float:
    return 0.0


def _as_they_are(raw: RawTopics, *known: object) -> RawTopics:
    return raw


PARTS: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "spectral start": _constant("max_start_noise", 0.0),
    "aspect refit": partial(patch.object, shrunk_topics, "_aspect_weight", _nothing),
    "shrinkage of the start": partial(patch.object, spectral_start, "denoise_topics", _as_they_are),
    "reach of rounds": partial(
        patch.object, documents, "OVER_RELAXATION", (1.0,) * len(documents.OVER_RELAXATION)
    ),
    "weighing of steps": _constant("averaging_weight", 1.0),
    "growing budgets": _constant("budget_growth_exponent", 0.0),
    "word weights": partial(patch.object, word_frequencies, "WORD_WEIGHT_EXPONENT", 0.0),
    "cooled prior": _constant("initial_alpha0_cap", 1e9),
    "shrinkage": _without_shrinkage,
    "shrinkage toward the start": partial(patch.object, running_mean, "shrinkage_target", _other),
    "weighing of moments": partial(patch.object, variational_steps, "mixing_weight", _no_weight),
}
"""What switches off each part of refinement; a name that the product no longer has is an error."""


def _fit_under(
    off: Callable[[], AbstractContextManager[object]],
    corpus: Corpus,
    problem: Problem,
    budget: Budget,
    resources: Runtime,
) -> FitResult:
    with off():
        return REFINED.fit(corpus, problem, budget, resources)


def _fit_without_noise(
    corpus: Corpus, problem: Problem, budget: Budget, resources: Runtime
) -> FitResult:
    return REFINED.fit(corpus, problem, budget, replace(resources, noise=NoNoise()))


def _fit_with_noise_of_refined(
    known: Method, corpus: Corpus, problem: Problem, budget: Budget, resources: Runtime
) -> FitResult:
    noise = SimulatedNoise(
        replace(resources, secret=None).make_noise_key(
            corpus, method=("refined", "corrected"), choices=()
        )
    )
    return known.fit(corpus, problem, budget, replace(resources, noise=resources.noise or noise))
