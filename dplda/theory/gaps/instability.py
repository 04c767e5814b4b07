"""Instability after the whitened tensor: swapped orders and mismatched bases."""

import numpy as np

from dplda.privacy.accounting.composition import classic_multiplier
from dplda.privacy.noise.keys import SeedKey
from dplda.privacy.noise.layouts import MirroredMatrix
from dplda.privacy.noise.sources import SimulatedNoise
from dplda.spectral.cumulants import Coefficients, cube
from dplda.spectral.population import Population
from dplda.spectral.tensor import decompose
from dplda.spectral.topics import finish_topics, match, unwhiten
from dplda.spectral.whitening import Whitening, in_frame_of, whiten

N_TOPICS, WORDS_A_TOPIC = 3, 20


def swap(tensor_distance: float) -> float:
    """Change of the first eigenvector of three equal topics, where a nudge decides the order.

    Two tensors are compared; in each another topic is a little larger than the others.

    Args:
        tensor_distance: Frobenius distance of the two tensors, ``Δ``.

    Returns:
        L2 distance of the two first eigenvectors, both of length 1: √2 where the order changed.

    Source:
        The published Theorem 6 claims a change of at most ``O(k² Δ/γs)`` and ignores that ``γs =
        0`` here.
    """
    nudge = tensor_distance / np.sqrt(2)
    frame = np.eye(N_TOPICS)
    equal_tensor = sum(cube(axis) for axis in frame)
    first_vectors = []
    for larger_topic in (0, 1):
        difference = nudge * cube(frame[larger_topic])
        rng = np.random.default_rng(0)
        components = decompose(equal_tensor + difference, rng=rng)
        first_vectors.append(components.vectors[:, 0])
    one_vector, other_vector = first_vectors
    return float(np.linalg.norm(one_vector - other_vector))


def mismatch(
    *, n_documents: int, epsilon: float, delta: float, seed: int = 0
) -> tuple[float, float]:
    """Mean L1 errors of configuration 2 on three equal, disjoint topics.

    Only unwhitening is noisy. The noise on M2 is the classic mechanism's at sensitivity ``1/N``;
    the tensor is that of the population.

    Args:
        n_documents: ``N``, used for the noise scale on M2.
        epsilon: ε of the whole run; a third goes to M2.
        delta: δ of the whole run; a third goes to M2.
        seed: of the noise.

    Returns:
        The error with the tensor in the exact basis, as published; and that with the tensor in the
        frame of the noisy moment.
    """
    word_probabilities = np.full((1, WORDS_A_TOPIC), 1 / WORDS_A_TOPIC)
    topics = np.kron(np.eye(N_TOPICS), word_probabilities)
    equal_alpha = np.full(N_TOPICS, 1 / N_TOPICS)
    population = Population(topics, equal_alpha)
    exact_moment = population.pair_moment()
    noise_std = classic_multiplier(epsilon / 3, delta / 3) / n_documents
    layout = MirroredMatrix(len(exact_moment))
    noise_source = SimulatedNoise(SeedKey(seed, ("mismatch",)))
    exact_coordinates = layout.coordinates(exact_moment)
    noisy_coordinates = noise_source.perturb(exact_coordinates, noise_std, layout, "pair moment")
    noisy_moment = layout.array(noisy_coordinates)
    exact_whitening = whiten(exact_moment, N_TOPICS)
    noisy_whitening = whiten(noisy_moment, N_TOPICS)
    matched_whitening = in_frame_of(exact_whitening, noisy_whitening)
    error_as_published = _topic_error(population, exact_whitening, noisy_whitening)
    error_in_one_frame = _topic_error(population, matched_whitening, noisy_whitening)
    return error_as_published, error_in_one_frame


def _topic_error(population: Population, forward: Whitening, back: Whitening) -> float:
    """Mean L1 error of the topics that are whitened by ``forward`` and unwhitened by ``back``."""
    tensor = population.third_moment(forward.whitener)
    components = decompose(tensor, rng=np.random.default_rng(0))
    coefficients = Coefficients(population.alpha0)
    raw_topics = unwhiten(components, back, coefficients, population.mean_words())
    topics = finish_topics(raw_topics, components, back, coefficients, N_TOPICS).words
    order = match(population.topics, topics)
    differences = topics[order] - population.topics
    l1_errors = np.sum(np.abs(differences), axis=1)
    return float(np.mean(l1_errors))
