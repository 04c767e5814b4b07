"""How far the predictor is off: predicted over observed error, measured on single runs.

Runs are those of ``benchmarks/results/configurations.json`` (N = 100,000, d = 100, k = 3, L = 100, five corpora, ε from
0.5 to 3), each predicted on the very population that its documents were drawn from; a test works the numbers out again.
"""

from dataclasses import dataclass

from dplda import _check
from dplda.errors import InputError


@dataclass(frozen=True, slots=True)
class Ratio:
    """Bounds on predicted over observed error.

    Attributes:
        low: the observed error was at most the predicted one over this.
        high: it was at least the predicted one over this.
        measured: whether runs say so; if not it is a guess, a factor of two either way.
    """

    low: float
    high: float
    measured: bool = True


LARGEST_ALPHA0 = 10.0  # of the runs
GUESS = Ratio(0.5, 2.0, measured=False)
# At α0 ≤ 1, and at α0 ≤ 10. Configuration 2 has one run at 10, which is no measurement.
_RATIOS = {
    "adaptive": (Ratio(0.85, 1.15), Ratio(0.72, 1.15)),
    "shared-moment": (Ratio(0.87, 1.3), Ratio(0.64, 1.8)),
    "config-1": (Ratio(0.93, 1.1), Ratio(0.55, 1.3)),
    "config-2": (Ratio(0.61, 1.9), GUESS),
}


def ratio_of(configuration: str, alpha0: float) -> Ratio:
    """How far the prediction of a configuration may be off at this ``α0``.

    Raises:
        InputError: a configuration without a predictor.
    """
    _check.positive("alpha0", alpha0)
    if configuration not in _RATIOS:
        raise InputError("configuration", "one of " + ", ".join(_RATIOS), "another name")
    if alpha0 > LARGEST_ALPHA0:
        return GUESS
    moderate, large = _RATIOS[configuration]
    return moderate if alpha0 <= 1 else large
