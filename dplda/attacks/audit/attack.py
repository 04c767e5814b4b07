"""What an attack on one release is, and by which law its scores tell neighbours apart.

The law says, for noise too little by a factor, how often a score is at least a threshold on the one neighbour and on
the other: from it the harness knows what its runs would have found.
"""

from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from scipy.special import ndtr

from dplda.attacks.audit.evidence import Measure, Scores, gaussian_mu
from dplda.attacks.audit.neighbours import Pair
from dplda.attacks.audit.promise import MOST, AuditedPromise
from dplda.attacks.audit.sabotage import Sabotage
from dplda.core.types import Matrix
from dplda.privacy import gaussian

Rates: TypeAlias = tuple[Scores, Scores]
"""How often scores are at least each of several thresholds, on the first neighbour and on the second."""


class Seen(NamedTuple):
    """Runs of one release on two neighbours.

    Attributes:
        one: what the adversary makes of every run on the first, shape (runs,); the larger ones.
        residuals: runs on the first, less what they would be without noise, over the declared scale of the noise:
            shape (runs, numbers).
    """

    one: Scores
    two: Scores
    residuals: Matrix


class Attack(Protocol):
    """One release, or several, and the worst neighbours for them."""

    @property
    def name(self) -> str:
        """Short, for a line in a picture."""

    @property
    def title(self) -> str:
        """What is attacked."""

    @property
    def edge(self) -> str:
        """Where it is released; ``all`` for a whole run."""

    @property
    def laplace(self) -> bool:
        """Whether noise is Laplace noise, and else Gaussian."""

    @property
    def reads_bits(self) -> bool:
        """Whether last bits say anything here: some number is exactly 0 on one neighbour, and not on the other."""

    def measure(self, promise: AuditedPromise) -> Measure:
        """What is bounded."""

    def claimed(self, promise: AuditedPromise) -> float:
        """What the whole run promises of these neighbours, in that measure."""

    def as_epsilon(self, value: float, promise: AuditedPromise) -> float:
        """A positive bound or claim in that measure as an ε at the promise's δ."""

    def rates(self, promise: AuditedPromise, factor: float) -> Rates:
        """The law of the scores where noise is too little by a factor."""

    def seen(self, promise: AuditedPromise, draws: int, seed: int = 0, sabotage: Sabotage | None = None) -> Seen:
        """As many runs on either neighbour."""

    @property
    def pair(self) -> Pair | None:
        """The neighbours; None where a release counts documents, each of which counts for one."""

    def stretch(self, promise: AuditedPromise, pair: Pair, sabotage: Sabotage | None = None) -> float:
        """How far apart a release is on neighbours, in its noise's norm, over its declared sensitivity."""


def bits_are_read(attack: Attack, promise: AuditedPromise, sabotage: Sabotage | None) -> bool:
    """Whether the adversary looks at last bits: of noise that may leave, and where that is the sabotage."""
    return attack.reads_bits and (promise.exact or (sabotage is not None and sabotage.bits))


class Gaussian:
    """The part of an attack that is the same for all Gaussian noise: what is bounded is a μ."""

    @property
    def laplace(self) -> bool:
        """Never."""
        return False

    def measure(self, promise: AuditedPromise) -> Measure:
        """The μ that tells so well."""
        return gaussian_mu

    def claimed(self, promise: AuditedPromise) -> float:
        """μ of the whole run."""
        return gaussian.mu_for(promise.epsilon, promise.delta)

    def as_epsilon(self, value: float, promise: AuditedPromise) -> float:
        """ε of a μ."""
        return gaussian.epsilon_for(value, promise.delta)

    def rates(self, promise: AuditedPromise, factor: float) -> Rates:
        """Scores are normal, and μ apart."""
        return shifted(factor * np.sqrt(MOST) * self.claimed(promise))


def shifted(mu: float) -> Rates:
    """Of normal scores whose means are μ deviations apart."""
    thresholds = np.linspace(-3, 3, 41) + mu / 2
    return ndtr(mu - thresholds), ndtr(-thresholds)
