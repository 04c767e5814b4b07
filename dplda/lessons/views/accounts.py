"""Noise that each accountant needs for several values under one budget."""

from dataclasses import dataclass
from typing import ClassVar

from dplda import figures
from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.formatting import digits
from dplda.core.types import Report
from dplda.lessons.views.picture import Picture, PictureView
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.composition import Accounting, RequiredNoise, compare

COMPARED = (
    "ways",
    "sums",
    "alone",
    "label",
)  # of counting; those without zCDP; one and several; the paper's ε
WAYS = {
    Accounting.SPLIT_CLASSIC: "the paper's sum",
    Accounting.SPLIT_ANALYTIC: "a sum, exact for each",
    Accounting.ZCDP: "zero-concentrated",
    Accounting.EXACT: "exact, all together",
}


@dataclass(frozen=True)
class Accounts(PictureView):
    """Bars of the noise, or of the ε, of ``count`` equal releases; ``compares`` says which."""

    number_meanings: ClassVar = {
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
    compares: str = "ways"

    def __post_init__(self) -> None:
        checks.integer_at_least("count", self.count, 1)
        if self.compares not in COMPARED:
            raise InputError("compares", f"one of {', '.join(COMPARED)}", self.compares)
        self._needed()

    def make_picture(self, seed: int, report: Report) -> Picture:
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
        noise = {name: needed[how].multipliers[0] for how, name in WAYS.items()}
        x_title = "noise, for each unit of sensitivity"
        title = (
            f"The paper's sum takes {digits(numbers['paper'])} times the noise of an exact count"
        )
        if self.compares == "alone":
            noise = {"one alone": exact / numbers["alone"], f"each of {self.count}": exact}
            title = f"Each of {self.count} needs {digits(numbers['alone'])} times the noise of one alone"
        elif self.compares == "label":
            noise, x_title = (
                {"on the label": self.epsilon, "counted exactly": numbers["true"]},
                "privacy budget ε",
            )
            title = (
                f"The paper's noise for ε = {self.epsilon:g} is worth ε = {digits(numbers['true'])}"
            )
        elif self.compares == "sums":
            del noise[WAYS[Accounting.ZCDP]]
        return Picture(numbers, figures.compared(noise, title=title, x_title=x_title))

    def _needed(self) -> tuple[RequiredNoise, ...]:
        return compare(self.epsilon, self.delta, (1 / self.count,) * self.count)
