import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, DotProduct, Matern, WhiteKernel

from benchmarks.prediction.fitted import LeftOut
from dplda.theory.prediction.surface import Law, Surface

LAW = Law(lengths=(1.0, 3.0), smooth=1.5, linear=0.2, noise=0.05)
RNG = np.random.default_rng(0)
PLACES = RNG.normal(size=(40, 2)) @ np.array([[3.0, 0.0], [1.0, 0.2]]) + 5
VALUES, OWN = (
    np.sin(PLACES[:, 0]) + PLACES[:, 1] + 0.1 * RNG.normal(size=40),
    RNG.uniform(0, 0.5, size=40),
)


def test_surface_is_the_posterior_mean_by_another_implementation() -> None:
    kernel = ConstantKernel(1.5) * Matern([1.0, 3.0], nu=2.5) + ConstantKernel(0.2) * DotProduct(
        1.0
    )
    reference = GaussianProcessRegressor(kernel + WhiteKernel(0.05), alpha=OWN, optimizer=None)
    centre, spread = PLACES.mean(axis=0), PLACES.std(axis=0)
    level, scale = VALUES.mean(), VALUES.std()
    reference.fit((PLACES - centre) / spread, (VALUES - level) / scale)
    places_far_off = RNG.normal(size=(7, 2)) + 5
    expected = level + scale * reference.predict((places_far_off - centre) / spread)
    np.testing.assert_allclose(
        Surface(PLACES, VALUES, LAW, OWN).at(places_far_off), expected, rtol=1e-9
    )


def test_surface_left_out_one_by_one_says_what_others_say() -> None:
    """Left out one by one, at unchanged units: the centre and spread are those of all."""
    standard = (PLACES - PLACES.mean(axis=0)) / PLACES.std(axis=0)
    values = (VALUES - VALUES.mean()) / VALUES.std()
    for i in (0, 17, 39):
        kept_places = np.arange(40) != i
        between = LAW.covariance(standard[kept_places], standard[kept_places]) + np.diag(
            LAW.noise + OWN[kept_places]
        )
        prediction_without = LAW.covariance(standard[[i]], standard[kept_places]) @ np.linalg.solve(
            between, values[kept_places]
        )
        off = VALUES.std() * (values[i] - prediction_without[0])
        assert LeftOut(PLACES, VALUES, LAW, OWN).left_out()[i] == pytest.approx(off, rel=1e-8)
