"""Several noisy values under one budget: how much noise each way of counting asks for."""

from dataclasses import dataclass
from typing import ClassVar

from dplda import figures
from dplda.core import checks
from dplda.core.types import Report
from dplda.lessons.picture import Picture, PictureView
from dplda.privacy import gaussian
from dplda.privacy.composition import Accounting, Needed, compare


@dataclass(frozen=True)
class Accounts(PictureView):
    """Bars of the noise that each of several equal releases needs.

    Attributes:
        epsilon: ε of all together.
        delta: δ of all together.
    """

    tells: ClassVar = {
        "paper": "noise as in the paper, over what is needed",
        "sum": "noise when ε and δ are divided and each calibrated exactly, over what is needed",
        "zcdp": "noise by zero-concentrated DP, over what is needed",
        "alone": "noise of one of several, over that of one alone",
        "each": "ε of one of them alone, by the exact count",
        "summed": "those ε added up",
        "true": "ε that all of the paper's noise really has",
    }

    count: int = 3
    epsilon: float = 1.0
    delta: float = 1e-7

    def __post_init__(self) -> None:
        checks.integer_at_least("count", self.count, 1)
        self._needed()

    def look(self, seed: int, report: Report) -> Picture:
        """Count in four ways."""
        needed = {one.accounting: one for one in self._needed()}
        exact = needed[Accounting.EXACT].multipliers[0]
        each = gaussian.epsilon_for(1 / exact, self.delta)
        ratio = {how: one.multipliers[0] / exact for how, one in needed.items()}
        numbers = {
            "paper": ratio[Accounting.SPLIT_CLASSIC],
            "sum": ratio[Accounting.SPLIT_ANALYTIC],
            "zcdp": ratio[Accounting.ZCDP],
            "alone": exact * gaussian.mu_for(self.epsilon, self.delta),
            "each": each,
            "summed": self.count * each,
            "true": needed[Accounting.SPLIT_CLASSIC].true_epsilon,
        }
        return Picture(numbers, figures.accounting(tuple(needed.values()), 0, name=f"each of {self.count}"))

    def _needed(self) -> tuple[Needed, ...]:
        return compare(self.epsilon, self.delta, (1 / self.count,) * self.count)
