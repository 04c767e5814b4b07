"""Noise that each accountant needs for several values under one budget."""

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
    """Bars of the noise that each of ``count`` equal releases needs, without ``zcdp`` only three of four ways."""

    tells: ClassVar = {
        "paper": "noise as in the paper, over the noise needed",
        "sum": "noise when ε and δ are split and each release is calibrated exactly, over the noise needed",
        "zcdp": "noise by zero-concentrated DP, over the noise needed",
        "alone": "noise of one of several releases, over the noise of a single one",
        "each": "ε of one of them alone, counted exactly",
        "summed": "the sum of those ε",
        "true": "ε that the paper's noise really gives",
    }

    count: int = 3
    epsilon: float = 1.0
    delta: float = 1e-7
    zcdp: bool = True

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
        shown = [one for how, one in needed.items() if self.zcdp or how is not Accounting.ZCDP]
        return Picture(numbers, figures.accounting(shown, 0, name=f"each of {self.count}"))

    def _needed(self) -> tuple[Needed, ...]:
        return compare(self.epsilon, self.delta, (1 / self.count,) * self.count)
