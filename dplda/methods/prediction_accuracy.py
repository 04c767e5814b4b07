"""How far the predictor is off: predicted over observed error, measured on single runs.

Runs are those of ``benchmarks/results/configurations.json`` (N = 100,000, d = 100, k = 3, L = 100, five corpora, ε from
0.5 to 3), each predicted on the very population that its documents were drawn from; a test works the numbers out again.
"""

from dataclasses import dataclass

from dplda.core import checks
from dplda.methods.plan import Plan


@dataclass(frozen=True, slots=True)
class Ratio:
    """Bounds on predicted over observed error.

    Attributes:
        low: the observed error was at most the predicted one over this.
        high: it was at least the predicted one over this.
        measured: whether runs say so; if not it is a guess, never narrower than what runs say elsewhere.
    """

    low: float
    high: float
    measured: bool = True


MODERATE_ALPHA0, LARGEST_ALPHA0 = 1.0, 10.0  # of the runs
GUESS = Ratio(0.5, 2.0, measured=False)


@dataclass(frozen=True, slots=True)
class Predictor:
    """A configuration whose error is predicted, and how far off that was at ``α0`` up to 1 and up to 10."""

    configuration: str
    moderate: Ratio
    large: Ratio

    def plan(self, epsilon: float, delta: float) -> Plan:
        """What is predicted at a budget, with the configuration's own split."""
        return Plan(self.configuration, epsilon, delta)

    def ratio(self, alpha0: float) -> Ratio:
        """How far the prediction may be off at this ``α0``; beyond all runs a factor of two, or more if runs were."""
        checks.alpha0(alpha0)
        if alpha0 > LARGEST_ALPHA0:
            return Ratio(min(GUESS.low, self.large.low), max(GUESS.high, self.large.high), measured=False)
        return self.moderate if alpha0 <= MODERATE_ALPHA0 else self.large
