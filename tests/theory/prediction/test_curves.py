import math
from dataclasses import replace

import numpy as np
import pytest

from dplda.corpus.simulation.simulate import draw_truth
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.plan import Plan
from dplda.spectral.population import Population
from dplda.theory.prediction.curves import bound_curve, prediction_curve
from dplda.theory.prediction.expected import expected
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.theorems.at_budget import BOUNDED, at_budget
from dplda.theory.theorems.readings import PaperReading
from dplda.theory.theorems.spectrum import from_population

EPSILONS = (0.1, 1.0, 3.0, 10.0)


def published(configuration: str) -> Plan:
    return Plan(configuration, 1.0, calibration=Calibration.PUBLISHED)


@pytest.fixture(scope="module")
def spectrum():
    """Of a population whose topics are not equally large: else γs is 0 and there is no bound."""
    truth = draw_truth(n_words=100, n_topics=3, alpha0=0.1, seed=0)
    return from_population(Population(truth.topics, truth.alpha))


@pytest.mark.parametrize("configuration", BOUNDED)
@pytest.mark.parametrize("reading", [PaperReading.RECOMMENDED, None])
def test_curve_is_the_bound_at_every_epsilon(configuration, reading, spectrum) -> None:
    plan = published(configuration)
    curve = bound_curve(plan, spectrum, n_documents=10**7, reading=reading, epsilons=EPSILONS)
    for epsilon in EPSILONS:
        bound = at_budget(
            replace(plan, epsilon=epsilon), spectrum, n_documents=10**7, reading=reading
        )
        assert curve.at(epsilon) == pytest.approx(bound.total)
    assert np.all(np.diff(curve.totals) < 0)


def test_bound_curve_without_finite_noise_has_a_hole(spectrum) -> None:
    curve = bound_curve(
        published("config-2"),
        spectrum,
        n_documents=3000,
        reading=PaperReading.RECOMMENDED,
        epsilons=(0.1, 10.0),
    )
    assert math.isnan(curve.at(0.1))
    assert math.isfinite(curve.at(10.0))
    assert curve.refused == ("σk",)
    assert math.isnan(curve.at(0.7))


def test_prediction_is_what_is_expected_at_every_epsilon() -> None:
    point = Point(
        n_documents=20_000, n_topics=3, n_words=80, alpha0=0.5, mean_length=60, epsilon=2.0
    )
    curve = prediction_curve(point, "refined", EPSILONS)
    for epsilon, low, high in zip(EPSILONS, curve.low, curve.high, strict=True):
        (prediction,) = expected([point.moved(Axis.EPSILON, epsilon)], "refined")
        assert curve.at(epsilon) == pytest.approx(prediction.error, rel=1e-9)
        assert (low, high) == pytest.approx((prediction.low, prediction.high), rel=1e-9)
