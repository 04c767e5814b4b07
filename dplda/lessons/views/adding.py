"""What several releases of the same documents cost together: added to, thrown away, and simply summed."""

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
    """Releases at ε = ``first``, ``second`` and ``total``; with ``beside`` those who start anew are shown too."""

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
        checks.delta(self.delta)
        if not 0 < self.first < self.second < self.total:
            raise InputError(
                "first, second, total",
                "rising, above 0",
                f"{self.first}, {self.second}, {self.total}",
            )

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Count as Gaussian noise adds, and by the simple sum."""
        mus = [
            gaussian.mu_for(epsilon, self.delta)
            for epsilon in (self.first, self.second, self.total)
        ]
        missing = gaussian.epsilon_for(math.sqrt(mus[2] ** 2 - mus[0] ** 2), self.delta)
        anew, summed = (
            gaussian.epsilon_for(math.hypot(*mus), self.delta),
            self.first + self.second + self.total,
        )
        numbers = {
            "missing": missing,
            "left": self.total - self.first,
            "anew": anew,
            "summed": summed,
            "saved": 1 - self.total / anew,
        }
        bars = {"starting over, summed": summed, "starting over": anew, "adding": self.total}
        title = f"Starting over costs ε = {anew:.3g} in all, and adding ε = {self.total:g}"
        if not self.beside:
            bars = {"spent": self.first, "can be added": missing, "in all": self.total}
            title = f"ε = {self.first:g} and ε = {missing:.3g} make ε = {self.total:g} in all"
        return Picture(numbers, figures.compared(bars, title=title, x_title="privacy budget ε"))
