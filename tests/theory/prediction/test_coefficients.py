"""The predictor's coefficients by a second route: every coordinate of the noise is put in alone, and squares add up."""

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from dplda.methods.configurations.variant import Levels
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.population import Population
from dplda.spectral.tensor import decompose
from dplda.spectral.topics import unwhiten
from dplda.spectral.whitening import Whitening, aligned, in_frame_of, whiten
from dplda.theory.prediction import predictor, sampling
from dplda.theory.prediction.geometry import geometry_of, poisson_lengths

K, D, SMALL = 3, 7, 1e-6
TRUTH = Population(np.random.default_rng(5).dirichlet(np.full(D, 0.4), size=K), np.array([0.3, 0.5, 0.4]))
COEFFICIENTS = Coefficients(TRUTH.alpha0)
GEOMETRY = geometry_of(TRUTH, poisson_lengths(60))
OFF = ~np.eye(K, dtype=bool)


def dual(population: Population) -> np.ndarray:
    """``g_i = √w_i M2† μ_i``, shape (K, d)."""
    weighted = population.topics * np.sqrt(population.alpha / (population.alpha0 * (population.alpha0 + 1)))[:, None]
    return np.linalg.pinv(weighted).T


def coordinates(diagonal: float) -> Iterator[np.ndarray]:
    """Symmetric matrices, each one independent coordinate of noise of deviation 1 off the diagonal."""
    for x, y in itertools.combinations_with_replacement(range(D), 2):
        unit = np.zeros((D, D))
        unit[x, y] = unit[y, x] = 1.0 if x < y else np.sqrt(diagonal)
        yield unit


def turned(forward: Whitening, back: Whitening) -> np.ndarray:
    """Shares ``c_ij`` of the true topics in those found along these whitenings, shape (K, K)."""
    components = decompose(TRUTH.third_moment(forward.whitener), rng=np.random.default_rng(0))
    raw = unwhiten(components, back, COEFFICIENTS, TRUTH.mean_words()).words
    mixed = raw / raw.sum(axis=1, keepdims=True) @ TRUTH.topics.T @ np.linalg.inv(TRUTH.topics @ TRUTH.topics.T)
    return mixed[np.argsort(np.argmax(mixed, axis=1))]


EXACT = TRUTH.pair_moment()


def shared(noise: np.ndarray) -> np.ndarray:
    both = whiten(EXACT + noise, K)
    return turned(both, both)


def ahead(noise: np.ndarray) -> np.ndarray:
    forward = whiten(EXACT + noise, K)
    return turned(forward, aligned(whiten(EXACT, K), forward))


def behind(noise: np.ndarray) -> np.ndarray:
    forward = whiten(EXACT, K)
    return turned(forward, aligned(whiten(EXACT + noise, K), forward))


def framed(noise: np.ndarray) -> np.ndarray:
    back = whiten(EXACT + noise, K)
    return turned(in_frame_of(whiten(EXACT, K), back), back)


@pytest.mark.parametrize(
    ("found", "levels"),
    [
        (shared, Levels(pairs=0.3, back=0.3, shared=True, diagonal=4.0)),
        (ahead, Levels(pairs=0.3, back=0.0, shared=False, diagonal=4.0)),
        (behind, Levels(pairs=0.0, back=0.3, shared=False, diagonal=4.0)),
        (shared, Levels(pairs=0.3, back=0.3, shared=True, diagonal=2.0)),
        (framed, Levels(pairs=0.0, back=0.3, shared=False, diagonal=2.0, exact_whitening=True)),
    ],
    ids=["shared", "ahead", "behind", "isotropic", "exact whitening"],
)
def test_turns_by_pair_noise_are_those_of_its_coordinates(
    found: Callable[[np.ndarray], np.ndarray], levels: Levels
) -> None:
    still = found(np.zeros((D, D)))
    moves = [(found(SMALL * unit) - still) / SMALL for unit in coordinates(levels.diagonal)]
    variance = max(levels.pairs, levels.back) ** 2 * np.sum(np.square(moves), axis=0)
    predicted = predictor._pair_turns(levels, GEOMETRY)
    np.testing.assert_allclose(predicted[OFF], variance[OFF], rtol=1e-3)


def test_variance_of_an_entry_is_that_of_its_coordinates() -> None:
    g = dual(TRUTH)
    for diagonal in (2.0, 4.0, 7.0):
        levels = Levels(pairs=1.0, back=1.0, shared=True, diagonal=diagonal)
        variance = sum((g @ unit @ g.T) ** 2 for unit in coordinates(diagonal))
        np.testing.assert_allclose(predictor._entry_variance(levels, GEOMETRY), variance, rtol=1e-10)


def cells_seen(along: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every unordered triple of words (or axes) as a tensor dealt evenly to its orders, seen as ``Φ_iij``.

    Returns:
        Shape (cells, k, k), and how many distinct orders each cell has.
    """
    x = np.array(list(itertools.combinations_with_replacement(range(along.shape[1]), 3)))
    orders = [x[:, list(order)] for order in itertools.permutations(range(3))]
    seen = sum(np.einsum("ic,ic,jc->cij", along[:, a], along[:, b], along[:, c]) for a, b, c in (o.T for o in orders))
    distinct = np.array([len(set(itertools.permutations(cell))) for cell in x.tolist()])
    return seen / 6, distinct


def test_turns_by_tensor_noise_are_those_of_its_coordinates() -> None:
    """A coordinate of isotropic noise is a cell over the root of its orders."""
    cells, distinct = cells_seen(np.eye(K))
    units = cells * np.sqrt(distinct)[:, None, None]
    moves = [sampling.turns(np.zeros((K, K)), unit, GEOMETRY.eigenvalues) for unit in units]
    predicted = predictor._tensor_turns(Levels(0.0, 0.0, shared=True, diagonal=4.0, tensor=0.2), GEOMETRY)
    np.testing.assert_allclose(predicted[OFF], 0.2**2 * np.sum(np.square(moves), axis=0)[OFF], rtol=1e-10)


def test_turns_by_noise_on_triples_are_those_of_its_cells() -> None:
    """A cell of one word thrice counts two thirds: the rest is left out, a sum over words of sixth powers."""
    cells, distinct = cells_seen(dual(TRUTH))
    moves = [sampling.turns(np.zeros((K, K)), cell, GEOMETRY.eigenvalues) for cell in cells]
    variance = np.einsum("c,cij->ij", np.where(distinct == 1, 2 / 3, 1.0), np.square(moves))
    predicted = predictor._tensor_turns(Levels(0.0, 0.0, shared=True, diagonal=4.0, triples=0.2), GEOMETRY)
    np.testing.assert_allclose(predicted[OFF], 0.2**2 * variance[OFF], rtol=1e-10)


def test_turns_by_noise_on_mean_words_are_those_of_its_coordinates() -> None:
    """``M2`` holds ``−a E1⊗E1``: noise on one word moves it along that word and the mean."""
    g, a = dual(TRUTH), COEFFICIENTS.a
    seen = g @ TRUTH.mean_words()
    moves = [-a * (np.multiply.outer(seen, word) + np.multiply.outer(word, seen)) for word in g.T]
    turns = [sampling.turns(move, np.zeros((K, K)), GEOMETRY.eigenvalues) for move in moves]
    predicted = predictor._pair_turns(Levels(0.0, 0.0, shared=True, diagonal=4.0, words=0.2), GEOMETRY)
    np.testing.assert_allclose(predicted[OFF], 0.2**2 * np.sum(np.square(turns), axis=0)[OFF], rtol=1e-10)


@pytest.mark.parametrize("diagonal", [2.0, 4.0])
def test_what_leaves_the_plane_is_noise_seen_along_each_topic(diagonal: float) -> None:
    """Of pairs up to one word's part in many; of mean words exactly."""
    many = Population(np.random.default_rng(2).dirichlet(np.full(400, 0.5), size=K), TRUTH.alpha)
    geometry = geometry_of(many, poisson_lengths(60), groups=400)
    h = np.linalg.pinv(many.pair_moment()) @ many.topics.T
    out = np.eye(400) - np.linalg.pinv(many.topics) @ many.topics
    deviation = 1e-9  # far below the eigenvalues, which tilt otherwise
    levels = Levels(deviation, deviation, shared=True, diagonal=diagonal, words=0.2)
    predicted, by_words = predictor._out_of_plane(levels, geometry), predictor._word_noise(levels, geometry)
    for i in range(K):
        moved = h[:, i] @ h[:, i] * np.eye(400) + np.outer(h[:, i], h[:, i]) + (diagonal - 2) * np.diag(h[:, i] ** 2)
        np.testing.assert_allclose(predicted[i], deviation**2 * np.diag(out @ moved @ out), rtol=0.01)
        along = COEFFICIENTS.a * many.mean_words() @ h[:, i]
        np.testing.assert_allclose(by_words[i], (0.2 * along) ** 2 * np.diag(out), rtol=1e-8)
