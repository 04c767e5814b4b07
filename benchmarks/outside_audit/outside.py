"""OpenDP's and dp-accounting's own checkers, asked about what our mechanisms declare."""

import math
from collections.abc import Sequence

from dp_accounting import (
    DpEvent,
    DpEventBuilder,
    GaussianDpEvent,
    LaplaceDpEvent,
    PoissonSampledDpEvent,
    SelfComposedDpEvent,
)
from dp_accounting.pld import PLDAccountant
from dp_accounting.privacy_accountant import NeighboringRelation
from opendp.combinators import make_zCDP_to_approxDP
from opendp.core import Measurement
from opendp.domains import atom_domain, vector_domain
from opendp.measurements import make_gaussian, make_laplace
from opendp.metrics import l1_distance, l2_distance
from opendp.mod import enable_features

from benchmarks.outside_audit.record_play import Declared

STEPS_PER_SENSITIVITY = (
    2.0**30
)  # as exact noise has them: OpenDP's discrete noise is asked about whole numbers
ROUNDING = 1e-9  # relative
INTERVAL = 1e-4  # of dp-accounting's grid of losses, which rounds up


def opendp_measurement(release: Declared) -> Measurement:
    """OpenDP's measurement with the noise of a release, on whole numbers for Gaussian noise."""
    enable_features("contrib")
    if release.law == "Laplace":
        domain = vector_domain(atom_domain(T=float, nan=False), size=1)
        return make_laplace(domain, l1_distance(T=float), scale=release.scale)
    steps = STEPS_PER_SENSITIVITY * release.scale / release.sensitivity
    domain = vector_domain(atom_domain(T="i64"), size=1)
    return make_gaussian(domain, l2_distance(T="f64"), scale=steps)


def opendp_cost(release: Declared) -> float:
    """ρ of Gaussian noise, or ε of Laplace noise, by OpenDP's map from the declared sensitivity."""
    return float(opendp_measurement(release).map(_input_distance(release)))


def opendp_agrees(release: Declared) -> bool:
    """Whether OpenDP's checker accepts what we charge: ρ = μ²/2, or ε."""
    our_cost = release.sensitivity / release.scale
    if release.law != "Laplace":
        our_cost = our_cost**2 / 2
    measurement = opendp_measurement(release)
    return bool(measurement.check(_input_distance(release), our_cost * (1 + ROUNDING)))


def _input_distance(release: Declared) -> float:
    return release.sensitivity if release.law == "Laplace" else STEPS_PER_SENSITIVITY


def opendp_epsilon(releases: Sequence[Declared], delta: float) -> float:
    """ε of all Gaussian releases together at a δ, by OpenDP's conversion from zero-concentrated privacy.

    An upper bound on the exact ε of their noise.
    """
    rho = math.fsum(opendp_cost(release) for release in releases)
    combined = Declared(stream="all", sensitivity=1.0, scale=1 / math.sqrt(2 * rho))
    approximate_dp = make_zCDP_to_approxDP(opendp_measurement(combined))
    return float(approximate_dp.map(STEPS_PER_SENSITIVITY).epsilon(delta))


def accounted_delta(
    releases: Sequence[Declared],
    epsilon: float,
    relation: NeighboringRelation = NeighboringRelation.ADD_OR_REMOVE_ONE,
) -> float:
    """δ of all releases together at an ε, by dp-accounting's privacy loss distributions.

    It is rounded up on their grid. Noise of Gaussian and Laplace releases is that per unit of the declared
    sensitivity, so the accountant's relation matters for random minibatches alone.

    Args:
        releases: as declared.
        epsilon: at which δ is asked for.
        relation: neighbors of random minibatches.
    """
    composed = DpEventBuilder()
    for release in releases:
        composed.compose(event_of(release))
    accountant = PLDAccountant(relation, value_discretization_interval=INTERVAL)
    return float(accountant.compose(composed.build()).get_delta(epsilon))


def event_of(release: Declared) -> DpEvent:
    """The release as dp-accounting calls it."""
    noise_multiplier = release.scale / release.sensitivity
    if release.law == "Laplace":
        return LaplaceDpEvent(noise_multiplier)
    if release.sampling_rate == 1:
        return GaussianDpEvent(noise_multiplier)
    step = PoissonSampledDpEvent(release.sampling_rate, GaussianDpEvent(noise_multiplier))
    return SelfComposedDpEvent(step, release.steps)
