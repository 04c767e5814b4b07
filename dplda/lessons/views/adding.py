"""Cost of several releases of the same documents: added to, thrown away, simply summed."""

import math
from dataclasses import dataclass
from typing import ClassVar

from dplda import figures
from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Report
from dplda.lessons.views.picture import Picture, PictureView
from dplda.privacy.accounting import gaussian


@dataclass(frozen=True)
class Adding(PictureView):
    """Three releases of the same documents, each added to the one before it.

    Attributes:
        first: ε of the first release.
        second: ε after the second, larger.
        total: ε after the third, larger still.
        delta: δ of each.
        beside: whether the bars compare adding with starting over, else the two parts of the total.
    """

    number_meanings: ClassVar = {
        "missing": "ε of a release that lifts the first to the total",
        "left": "the total minus the first ε",
        "anew": "ε of all three together where each starts anew",
        "summed": "the sum of the three ε",
        "saved": "how much of that ε adding saves",
    }

    first: float = 0.3
    second: float = 0.6
    total: float = 1.0
    delta: float = 1e-7
    beside: bool = True

    def __post_init__(self) -> None:
        """Refuse a δ out of range, and values of ε that are not above 0 and rising."""
        checks.delta(self.delta)
        if not 0 < self.first < self.second < self.total:
            raise InputError(
                "first, second, total",
                "rising, above 0",
                f"{self.first}, {self.second}, {self.total}",
            )

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Count as Gaussian noise adds, and by the simple sum; uses no seed.

        ``missing`` is the ε of one more release after the first, so that both make ``total``. The
        bars are starting over against adding, or else the first, the missing and the total ε.
        """
        epsilons = (self.first, self.second, self.total)
        mus = [gaussian.mu_for(epsilon, self.delta) for epsilon in epsilons]
        missing_mu = math.sqrt(mus[2] ** 2 - mus[0] ** 2)
        missing_epsilon = gaussian.epsilon_for(missing_mu, self.delta)
        epsilon_anew = gaussian.epsilon_for(math.hypot(*mus), self.delta)
        summed_epsilon = self.first + self.second + self.total
        numbers = {
            "missing": missing_epsilon,
            "left": self.total - self.first,
            "anew": epsilon_anew,
            "summed": summed_epsilon,
            "saved": 1 - self.total / epsilon_anew,
        }
        if self.beside:
            bars = {
                "starting over, summed": summed_epsilon,
                "starting over": epsilon_anew,
                "adding": self.total,
            }
            title = (
                f"Starting over costs ε = {epsilon_anew:.3g} in all, and adding ε = {self.total:g}"
            )
        else:
            bars = {"spent": self.first, "can be added": missing_epsilon, "in all": self.total}
            title = (
                f"ε = {self.first:g} and ε = {missing_epsilon:.3g} make ε = {self.total:g} in all"
            )
        return Picture(numbers, figures.compared(bars, title=title, x_title="privacy budget ε"))
