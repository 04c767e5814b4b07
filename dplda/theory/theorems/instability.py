"""Instability after the whitened tensor: swapped orders, mismatched bases, and vacuous bounds."""

from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix
from dplda.methods.configurations import REGISTRY, Calibration
from dplda.methods.plan import Plan
from dplda.privacy.composition import classic_multiplier
from dplda.privacy.noise.keys import SeedKey
from dplda.privacy.noise.layouts import SymmetricMatrix
from dplda.privacy.noise.sources import SimulatedNoise
from dplda.spectral.cumulants import Coefficients, cube
from dplda.spectral.population import Population
from dplda.spectral.tensor import decompose
from dplda.spectral.topics import match, recover
from dplda.spectral.whitening import Whitening, in_frame_of, whiten
from dplda.theory.theorems.at_budget import BOUNDED, at_budget
from dplda.theory.theorems.readings import Bound
from dplda.theory.theorems.spectrum import Spectrum

N_TOPICS, WORDS_A_TOPIC = 3, 20


@dataclass(frozen=True, slots=True)
class Swap:
    """Two nearly equal tensors and the distance of their decompositions.

    Attributes:
        moved: Frobenius distance of their vectors, in the order returned.
    """

    apart: float
    moved: float


def swap(apart: float = 1e-10) -> Swap:
    """Decompositions of three equally frequent topics, where a nudge of size ``apart`` decides the order.

    Source:
        The published Theorem 6 claims a change of at most ``O(k² apart/γs)`` and ignores that ``γs = 0`` here.
    """
    nudge = apart / np.sqrt(2)
    frame = np.eye(N_TOPICS)
    equal = sum(cube(axis) for axis in frame)
    vectors = []
    for first in (0, 1):
        found = decompose(equal + nudge * cube(frame[first]), rng=np.random.default_rng(0))
        vectors.append(found.vectors[:, 0])
    return Swap(apart=apart, moved=float(np.linalg.norm(vectors[0] - vectors[1])))


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Mean L1 topic errors when the tensor is exact and only unwhitening is noisy.

    Attributes:
        as_published: with the tensor in the exact basis.
        aligned: with the tensor in the frame of the noisy moment.
    """

    as_published: float
    aligned: float


def mismatch(*, n_documents: int, epsilon: float, delta: float, seed: int = 0) -> Mismatch:
    """Errors of configuration 2 on three equally frequent, disjoint topics, with noise as the only error.

    Args:
        n_documents: ``N``, used for the noise scale on M2.
        epsilon: ε of the whole run; a third goes to M2.
    """
    topics = np.kron(np.eye(N_TOPICS), np.full((1, WORDS_A_TOPIC), 1 / WORDS_A_TOPIC))
    population = Population(topics, np.full(N_TOPICS, 1 / N_TOPICS))
    exact_moment = population.pair_moment()
    scale = classic_multiplier(epsilon / 3, delta / 3) / n_documents
    layout = SymmetricMatrix(len(exact_moment))
    source = SimulatedNoise(SeedKey(seed, ("mismatch",)))
    noisy_moment = layout.array(source.perturb(layout.coordinates(exact_moment), scale, layout, "pair moment"))
    exact, noisy = whiten(exact_moment, N_TOPICS), whiten(noisy_moment, N_TOPICS)
    aligned = _error(population, in_frame_of(exact, noisy), noisy)
    return Mismatch(_error(population, exact, noisy), aligned)


def published_bounds(
    spectrum: Spectrum, *, n_documents: int, epsilon: float, delta: float
) -> tuple[tuple[str, Bound], ...]:
    """Theorems 10 to 13 at the published split, by configuration.

    Raises:
        NoFiniteNoise: a private lower bound is 0.
    """
    plans = (Plan(name, epsilon, delta, calibration=Calibration.PUBLISHED) for name in BOUNDED)
    return tuple((REGISTRY[it.configuration].title, at_budget(it, spectrum, n_documents=n_documents)) for it in plans)


def _error(population: Population, forward: Whitening, back: Whitening) -> float:
    components = decompose(population.third_moment(forward.whitener), rng=np.random.default_rng(0))
    coefficients, mean = Coefficients(population.alpha0), population.mean_words()
    found = recover(components, back, coefficients, mean_words=mean, n_topics=N_TOPICS)
    words: Matrix = found.words[match(population.topics, found.words)]
    return float(np.mean(np.sum(np.abs(words - population.topics), axis=1)))
