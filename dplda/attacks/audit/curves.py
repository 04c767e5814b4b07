r"""The curve of δ against ε for random minibatches, as a measure of an attacker's success.

Different errors show at different ε, so no single number suffices. The family holds the
accountant's curve and those of the same schedule with more and less noise. Being right with
probability p and wrong with q disproves :math:`p \le e^ε q + δ(ε)` for every curve that is too low
at some ε, in either direction. The bound is the ε, at the promise's δ, of the least private curve
disproved.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dplda.attacks.audit.evidence import Scores
from dplda.core.types import Matrix, Vector
from dplda.methods.dpvi.replaced_loss import replacement_loss
from dplda.methods.dpvi.settings import VariationalSettings

NOISE_FACTORS = np.geomspace(1 / 8, 8, 37)  # by which noise is too small; the middle one is 1
LOSS_GRID = 2e-3  # of losses: coarser than the accountant's, so that curves are never below its own
N_EPSILONS = 33  # values of ε at which curves are compared


@dataclass(frozen=True, slots=True, eq=False)
class DeltaCurves:
    """Curves of one schedule with more and less noise.

    Attributes:
        epsilons: from 0, shape (points,).
        deltas: δ of each curve there, shape (curves, points), the most private first.
        bounds: ε of each curve at the promise's δ, shape (curves,); ascending.
    """

    epsilons: Vector
    deltas: Matrix
    bounds: Vector

    def __call__(self, hits: Scores, alarms: Scores) -> Scores:
        """ε of the least private curve disproved, interpolated; minus infinity for none.

        A curve is disproved at any of its points, by hits or by misses.

        The result is at most the last of ``bounds``.

        Args:
            hits: lower bound on the chance of a hit at each threshold, shape (n,).
            alarms: upper bound on the chance of a false alarm there, shape (n,).
        """
        proven_epsilon = np.full(len(hits), -np.inf)
        points = zip(self.epsilons, self.deltas.T, strict=True)
        for epsilon, deltas in points:
            weight = np.exp(epsilon)
            delta_by_hits = hits - weight * alarms
            missed_hits = 1 - hits
            delta_by_misses = (1 - alarms) - weight * missed_hits
            proven_delta = np.maximum(delta_by_hits, delta_by_misses)
            disproved_epsilon = np.interp(proven_delta, deltas, self.bounds, left=-np.inf)
            proven_epsilon = np.maximum(proven_epsilon, disproved_epsilon)
        return proven_epsilon


@lru_cache(maxsize=16)
def delta_curves(epsilon: float, delta: float, settings: VariationalSettings) -> DeltaCurves:
    """Curves δ(ε) of a run's schedule, for noise as declared and off by each of the factors.

    Args:
        epsilon: ε of the run; curves reach from 0 to it.
        delta: δ of the run, at which each curve's ε is worked out, too.
        settings: minibatches and steps of the run.

    Returns:
        One curve for each factor, none below the one before it. The middle factor's ε is that of
        the run.

    Raises:
        InputError: the accountant finds no noise that is large enough.
    """
    sigma = settings.schedule(epsilon, delta).noise_multiplier
    even_steps = np.linspace(0, 1, N_EPSILONS)
    epsilons = epsilon * even_steps**2
    deltas = np.empty((len(NOISE_FACTORS), N_EPSILONS))
    epsilons_at_delta = np.empty(len(NOISE_FACTORS))
    for curve, factor in enumerate(NOISE_FACTORS):
        loss = replacement_loss(
            sigma / factor, settings.sampling_rate, settings.steps, grid_step=LOSS_GRID
        )
        deltas[curve] = [loss.get_delta_for_epsilon(curve_epsilon) for curve_epsilon in epsilons]
        epsilons_at_delta[curve] = loss.get_epsilon_for_delta(delta)
    middle_curve = len(NOISE_FACTORS) // 2
    epsilons_at_delta[middle_curve] = epsilon  # exact up to the grid of losses
    rising_deltas = np.maximum.accumulate(deltas)
    return DeltaCurves(epsilons, rising_deltas, epsilons_at_delta)
