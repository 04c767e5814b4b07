"""Noise that each accountant needs for several values under one budget."""

from collections.abc import Mapping
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

COMPARED = ("ways", "sums", "alone", "label")
"""Bars: ways of counting, with or without zCDP; one release or several; ε said and counted."""
WAYS = {
    Accounting.SPLIT_CLASSIC: "the paper's sum",
    Accounting.SPLIT_ANALYTIC: "a sum, exact for each",
    Accounting.ZCDP: "zero-concentrated",
    Accounting.EXACT: "exact, all together",
}


@dataclass(frozen=True)
class Accounts(PictureView):
    """Bars of the noise, or of the ε, of several equal releases.

    Attributes:
        count: number of releases, at least 1.
        epsilon: ε of all together.
        delta: δ of all together.
        compares: one of ``COMPARED``.
    """

    number_meanings: ClassVar = {
        "paper": "noise as in the paper, over the noise needed",
        "sum": "noise when ε and δ are split and each release is calibrated exactly,"
        " over the noise needed",
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
        self._required_noise()  # refuses impossible ε and δ

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Count the releases in four ways and compare what ``compares`` names; uses no seed.

        ``paper``, ``sum`` and ``zcdp`` are noise over that of the exact count, and ``alone`` is the
        exact noise over that of one release alone. The others are values of ε: of one release
        (``each``), of all by simple sum (``summed``), and of the paper's noise (``true``).
        """
        noise_by_accounting = {
            noise_of_way.accounting: noise_of_way for noise_of_way in self._required_noise()
        }
        exact_multiplier = noise_by_accounting[Accounting.EXACT].multipliers[0]
        exact_epsilon_of_each = gaussian.epsilon_for(1 / exact_multiplier, self.delta)
        noise_ratios = {
            accounting: noise_of_way.multipliers[0] / exact_multiplier
            for accounting, noise_of_way in noise_by_accounting.items()
        }
        numbers = {
            "paper": noise_ratios[Accounting.SPLIT_CLASSIC],
            "sum": noise_ratios[Accounting.SPLIT_ANALYTIC],
            "zcdp": noise_ratios[Accounting.ZCDP],
            "alone": exact_multiplier * gaussian.mu_for(self.epsilon, self.delta),
            "each": exact_epsilon_of_each,
            "summed": self.count * exact_epsilon_of_each,
            "true": noise_by_accounting[Accounting.SPLIT_CLASSIC].true_epsilon,
        }
        noise_by_way = {
            way: noise_by_accounting[accounting].multipliers[0] for accounting, way in WAYS.items()
        }
        return Picture(numbers, self._draw(numbers, noise_by_way, exact_multiplier))

    def _draw(
        self, numbers: Mapping[str, float], noise_by_way: Mapping[str, float], exact: float
    ) -> figures.Figure:
        """Bars of what is compared, with a title that says the finding.

        They are ε on the label and counted exactly, the noise of one release alone and of each of
        several, or the noise by each way of counting; for ``sums`` without zCDP.

        Args:
            numbers: of the picture.
            noise_by_way: noise per unit of sensitivity, by the way of counting in words.
            exact: that noise by the exact count.
        """
        if self.compares == "label":
            true_epsilon = numbers["true"]
            true_epsilon_text = digits(true_epsilon)
            return figures.compared(
                {"on the label": self.epsilon, "counted exactly": true_epsilon},
                title=(
                    f"The paper's noise for ε = {self.epsilon:g} is worth ε = {true_epsilon_text}"
                ),
                x_title="privacy budget ε",
            )
        if self.compares == "alone":
            ratio = numbers["alone"]
            bars = {"one alone": exact / ratio, f"each of {self.count}": exact}
            title = f"Each of {self.count} needs {digits(ratio)} times the noise of one alone"
        else:
            left_out_way = WAYS[Accounting.ZCDP] if self.compares == "sums" else ""
            bars = {way: noise for way, noise in noise_by_way.items() if way != left_out_way}
            ratio_text = digits(numbers["paper"])
            title = f"The paper's sum takes {ratio_text} times the noise of an exact count"
        return figures.compared(bars, title=title, x_title="noise, for each unit of sensitivity")

    def _required_noise(self) -> tuple[RequiredNoise, ...]:
        """Noise of equal releases that share ε and δ, for each way of counting."""
        return compare(self.epsilon, self.delta, (1 / self.count,) * self.count)
