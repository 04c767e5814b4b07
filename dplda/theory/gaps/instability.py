"""Instability after the whitened tensor: swapped orders and mismatched bases."""

import numpy as np

from dplda.core.types import Matrix
from dplda.privacy.accounting.composition import classic_multiplier
from dplda.privacy.noise.keys import SeedKey
from dplda.privacy.noise.layouts import MirroredMatrix
from dplda.privacy.noise.sources import SimulatedNoise
from dplda.spectral.cumulants import Coefficients, cube
from dplda.spectral.population import Population
from dplda.spectral.tensor import decompose
from dplda.spectral.topics import finish, match, unwhiten
from dplda.spectral.whitening import Whitening, in_frame_of, whiten

N_TOPICS, WORDS_A_TOPIC = 3, 20


def swap(apart: float) -> float:
    """How far the vectors of three equally frequent topics move where a nudge of size ``apart`` decides the order.

    It is a Frobenius distance, in the order returned.

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
    return float(np.linalg.norm(vectors[0] - vectors[1]))


def mismatch(
    *, n_documents: int, epsilon: float, delta: float, seed: int = 0
) -> tuple[float, float]:
    """Mean L1 errors of configuration 2 on three equally frequent, disjoint topics, only unwhitening noisy.

    Args:
        n_documents: ``N``, used for the noise scale on M2.
        epsilon: ε of the whole run; a third goes to M2.

    Returns:
        With the tensor in the exact basis, as published; and in the frame of the noisy moment.
    """
    topics = np.kron(np.eye(N_TOPICS), np.full((1, WORDS_A_TOPIC), 1 / WORDS_A_TOPIC))
    population = Population(topics, np.full(N_TOPICS, 1 / N_TOPICS))
    exact_moment = population.pair_moment()
    scale = classic_multiplier(epsilon / 3, delta / 3) / n_documents
    layout = MirroredMatrix(len(exact_moment))
    source = SimulatedNoise(SeedKey(seed, ("mismatch",)))
    noisy_moment = layout.array(
        source.perturb(layout.coordinates(exact_moment), scale, layout, "pair moment")
    )
    exact, noisy = whiten(exact_moment, N_TOPICS), whiten(noisy_moment, N_TOPICS)
    return _error(population, exact, noisy), _error(population, in_frame_of(exact, noisy), noisy)


def _error(population: Population, forward: Whitening, back: Whitening) -> float:
    components = decompose(population.third_moment(forward.whitener), rng=np.random.default_rng(0))
    coefficients, mean = Coefficients(population.alpha0), population.mean_words()
    found = finish(
        unwhiten(components, back, coefficients, mean), components, back, coefficients, N_TOPICS
    )
    words: Matrix = found.words[match(population.topics, found.words)]
    return float(np.mean(np.sum(np.abs(words - population.topics), axis=1)))
