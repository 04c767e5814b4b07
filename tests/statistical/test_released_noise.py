"""Noise in the values that a whole fit releases follows the declared law; noise that is wrong is noticed."""

from collections import defaultdict

import numpy as np
import pytest

from dplda import Plan
from dplda.methods.chain.pipeline import start_route
from dplda.methods.chain.sums import Sums
from dplda.methods.configurations.sizes import Shape
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral.statistics import Averages
from tests.methods.configurations.replay import recorded
from tests.privacy.sources import TamperedNoise
from tests.statistical.laws import ENOUGH, centred, histogram_cells, orthonormal_coordinates, unit_scale
from tests.tiny_corpora import topical_corpus

EPSILON = 1000.0
CORPUS = topical_corpus(4, n_documents=200, n_words=60, n_topics=6)
COUNTS, PAIRS, WORDS, TRIPLES = 0, 2, 3, 6  # number of the release
DRAWS = {COUNTS: 0, PAIRS: 10, WORDS: 11, TRIPLES: 22}  # of the draw: nine come before the pairs, nine before T
N_FITS = 90  # 90 tensors of 56 coordinates and 90 averages of 60 words are just enough
MEASURED = {
    COUNTS: "clipped word counts",
    PAIRS: "pair average",
    WORDS: "word average",
    TRIPLES: "whitened triple average",
}


def measured_noise(factors: dict[int, float] | None = None) -> dict[str, np.ndarray]:
    """Noise over declared scale by quantity, in independent coordinates; ``factors`` tamper with releases."""
    sums, found = Sums(CORPUS.counts), defaultdict(list)
    by_draw = {DRAWS[number]: factor for number, factor in (factors or {}).items()}
    for seed in range(N_FITS):
        source = TamperedNoise(seed, by_draw)
        plan = Plan("adaptive", EPSILON)
        fit, watched = recorded(CORPUS, plan, n_topics=6, seed=seed, noise=source, sums=sums, quick=True)
        for number in MEASURED:
            release = fit.releases[number]
            assert release.quantity == MEASURED[number]
            noise = release.value - watched.shown(release.quantity)
            coordinates = (np.ravel, histogram_cells, orthonormal_coordinates)[noise.ndim - 1](noise)
            found[MEASURED[number]].append(coordinates / release.scale)
    return {quantity: np.concatenate(parts)[:40_000] for quantity, parts in found.items()}


def follows_its_law(noise: np.ndarray) -> bool:
    """The named check: variance one and mean zero, false-alarm rate 1e-4 each, misses below 1e-6 (laws.py)."""
    return unit_scale(noise) and centred(noise)


MASS, DRAW_OF_MASS = 3, 11  # number of the release, and of the draw


@pytest.fixture(scope="module")
def honest() -> dict[str, np.ndarray]:
    return measured_noise()


@pytest.mark.parametrize("quantity", MEASURED.values())
def test_a_fit_releases_values_with_noise_of_the_declared_law(quantity: str, honest: dict[str, np.ndarray]) -> None:
    assert follows_its_law(honest[quantity])


@pytest.mark.parametrize(("number", "quantity"), MEASURED.items())
def test_a_fit_whose_noise_is_halved_on_one_quantity_is_found_out(
    number: int, quantity: str, honest: dict[str, np.ndarray]
) -> None:
    """A mutant of each release: the check fails for it, and for it alone.

    Noise of another scale is released as that scale times the honest, which the test above refuses at every scale: one
    mutant stands for those that drop or double it.
    """
    mutant = measured_noise({number: 0.5})
    np.testing.assert_allclose(mutant[quantity], 0.5 * honest[quantity], atol=1e-6)
    assert not follows_its_law(mutant[quantity])
    for other in set(MEASURED.values()) - {quantity}:
        assert follows_its_law(mutant[other])


class Documents:
    """Fifty documents over two words, as far as the route looks at them before it has released the averages."""

    shown = Averages(np.full(2, 0.5), np.full((2, 2), 0.25), 0.8)

    def pair_norms(self) -> np.ndarray:
        return np.full(50, 0.3)

    def averages(self, clip: float) -> Averages:
        return self.shown


def mass_noise(factor: float, runs: int) -> np.ndarray:
    """Noise on the mean weight over its declared scale, from runs of the route alone."""
    shape = Shape(n_documents=50, n_words=2, n_topics=2, alpha0=1.0)
    found = []
    for seed in range(runs):
        mechanisms = Mechanisms(TamperedNoise(seed, {DRAW_OF_MASS: factor}))
        route = start_route(Plan("adaptive", EPSILON), shape, mechanisms)
        noisy = route.e2(route.pairs(Documents()))
        found.append((noisy.mass - Documents.shown.mass) / mechanisms.releases[MASS].scale)
    return np.array(found)


def test_the_mass_is_released_with_noise_of_the_declared_law_and_other_noise_is_found_out() -> None:
    """Noise of another scale is released as that scale times the honest: one mutant stands for all."""
    honest, halved = mass_noise(1.0, ENOUGH), mass_noise(0.5, 100)
    assert follows_its_law(honest)
    np.testing.assert_allclose(halved, 0.5 * honest[:100], atol=1e-6)
    for factor in (0.0, 0.5, 0.9, 1.1, 2.0):
        assert not follows_its_law(factor * honest)
