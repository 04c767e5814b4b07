"""Replacing one document: the worst pair of contributions, and the loss of it by a second route."""

import math

import dp_accounting
import numpy as np
import pytest
from dp_accounting.pld import PLDAccountant
from dp_accounting.privacy_accountant import NeighboringRelation
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from scipy.special import ndtr

from dplda.methods.dpvi.replaced_loss import replacement_loss
from dplda.privacy.accounting import gaussian

SCHEDULES = [(1.24, 0.05, 20), (5.0, 0.1, 50), (20.0, 0.2, 100)]


def by_dp_accounting(sigma: float, rate: float, steps: int, relation: NeighboringRelation) -> float:
    step = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(sigma))
    return (
        PLDAccountant(relation)
        .compose(dp_accounting.SelfComposedDpEvent(step, steps))
        .get_epsilon(1e-7)
    )


@pytest.mark.parametrize(("sigma", "rate", "steps"), SCHEDULES)
def test_replaced_loss_lies_between_that_of_removal_or_any_sign(
    sigma: float, rate: float, steps: int
) -> None:
    """dp-accounting's replacement has the two contributions point in opposite directions."""
    ours = replacement_loss(sigma, rate, steps).get_epsilon_for_delta(1e-7)
    assert by_dp_accounting(sigma, rate, steps, NeighboringRelation.ADD_OR_REMOVE_ONE) < ours
    assert ours < by_dp_accounting(sigma, rate, steps, NeighboringRelation.REPLACE_ONE)


def test_replaced_loss_of_nearly_full_batches_is_gaussian() -> None:
    epsilon = replacement_loss(3.0, 1 - 1e-9, 4).get_epsilon_for_delta(1e-6)
    assert epsilon == pytest.approx(gaussian.epsilon_for(math.sqrt(2 * 4) / 3, 1e-6), rel=1e-4)


def hockey_stick(
    epsilon: float, rate: float, own_vector: tuple[float, float], other_vector: tuple[float, float]
) -> float:
    """H of the two laws for contributions in the plane, in units of σ: a closed form inside an integral.

    Over what is left of the plane across ``own``, the excess is a rising function of the coordinate along ``own``
    where ``other`` is orthogonal or turned away from it, and is integrated numerically in general.
    """
    grid = np.linspace(-8, 9, 681)
    x, y = np.meshgrid(grid, grid, indexing="ij")

    def law(mean: tuple[float, float]) -> np.ndarray:
        return np.exp(-((x - mean[0]) ** 2 + (y - mean[1]) ** 2) / 2) / (2 * math.pi)

    rest_of_law = (1 - rate) * law((0, 0))
    excess = (
        rest_of_law
        + rate * law(own_vector)
        - math.exp(epsilon) * (rest_of_law + rate * law(other_vector))
    )
    return float(np.sum(np.maximum(excess, 0)) * (grid[1] - grid[0]) ** 2)


def worst(epsilon: float, rate: float, size: float) -> float:
    """H of orthogonal contributions of this norm, by one integral over a closed form."""

    def inner(y: float) -> float:
        # rate·X − c where X = exp(size·x − size²/2): positive beyond x0; a call option in closed form
        c = (1 - rate) * math.expm1(epsilon) + math.exp(epsilon) * rate * math.exp(
            size * y - size**2 / 2
        )
        x0 = (math.log(c / rate) + size**2 / 2) / size
        return (
            (rate * ndtr(size - x0) - c * ndtr(-x0))
            * math.exp(-(y**2) / 2)
            / math.sqrt(2 * math.pi)
        )

    return integrate.quad(inner, -12, 12, epsabs=1e-13, epsrel=1e-11)[0]


@pytest.mark.parametrize(("sigma", "rate"), [(1.0, 0.1), (2.0, 0.3), (0.8, 0.02)])
@pytest.mark.parametrize("epsilon", [0.02, 1.0])
def test_replaced_loss_of_one_step_is_just_above_the_worst_pair(
    sigma: float, rate: float, epsilon: float
) -> None:
    exact = worst(epsilon, rate, 1 / sigma)
    delta = replacement_loss(sigma, rate, 1).get_delta_for_epsilon(epsilon)
    assert exact - 1e-12 <= delta <= exact * (1 + 1e-3) + 1e-12


@settings(max_examples=20, deadline=None)
@given(
    st.tuples(st.floats(0, 1), st.floats(0, math.pi / 2)),
    st.tuples(st.floats(0, 1), st.floats(0, math.pi / 2)),
    st.sampled_from([(0.05, 0.1), (0.5, 0.3), (0.2, 1.0)]),
)
def test_replaced_loss_of_any_non_negative_pair_is_at_most_the_worst(
    own_polar: tuple[float, float], other_polar: tuple[float, float], setting: tuple[float, float]
) -> None:
    """Any two vectors of the first quadrant of norm at most 1; the plane holds every pair up to a rotation."""
    epsilon, rate = setting
    vectors = [(r * math.cos(angle), r * math.sin(angle)) for r, angle in (own_polar, other_polar)]
    assert hockey_stick(epsilon, rate, *vectors) <= worst(epsilon, rate, 1.0) + 2e-5


def test_replaced_loss_bound_is_exceeded_only_by_opposite_signs() -> None:
    """So the check above can fail: non-negativity is needed."""
    assert hockey_stick(0.2, 0.3, (1, 0), (0, 1)) == pytest.approx(worst(0.2, 0.3, 1.0), abs=2e-5)
    assert hockey_stick(0.2, 0.3, (1, 0), (-1, 0)) > 1.05 * worst(0.2, 0.3, 1.0)
