"""Noise in the values that a whole fit releases follows the declared law; noise that is wrong is noticed."""

import numpy as np
import pytest

from dplda import Plan
from dplda.methods.chain.pipeline import start_route
from dplda.methods.configurations.sizes import Shape
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral.statistics import Averages
from tests.privacy.sources import TamperedNoise
from tests.statistical.laws import ENOUGH
from tests.statistical.released_noise import EPSILON, MEASURED, follows_its_law, measured_noise

MASS, DRAW_OF_MASS = 3, 11  # number of the release, and of the draw


@pytest.fixture(scope="module")
def honest() -> dict[str, np.ndarray]:
    return measured_noise()


@pytest.mark.parametrize("quantity", MEASURED.values())
def test_a_fit_releases_values_with_noise_of_the_declared_law(quantity: str, honest: dict[str, np.ndarray]) -> None:
    assert follows_its_law(honest[quantity])


@pytest.mark.parametrize("quantity", MEASURED.values())
@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_the_same_measurement_refuses_other_scales(quantity: str, factor: float, honest: dict[str, np.ndarray]) -> None:
    assert not follows_its_law(factor * honest[quantity])


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
