"""What ε and δ allow, as odds."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dplda import figures
from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.formatting import percent
from dplda.core.types import Report
from dplda.lessons.picture import Picture, PictureView
from dplda.privacy.odds import best_guess, rounded_up, short

EVEN = 0.5


@dataclass(frozen=True)
class Odds(PictureView):
    """Share of right guesses about which of two letters was in, against ε or δ (``over``)."""

    tells: ClassVar = {
        "times": "how many times as likely an output can be with one letter as with another",
        "allowed": "how often anyone can be right who starts at even odds",
        "after": "how sure someone can be afterwards who was `before` sure, unless δ applies",
        "struck": "letters that δ may leave unprotected, on average at most",
    }

    epsilon: float = 1.0
    delta: float = 1e-7
    n_documents: int = 20_000
    before: float = 0.5
    over: str = "epsilon"

    def __post_init__(self) -> None:
        checks.epsilon(self.epsilon)
        checks.delta(self.delta, may_be_none=True)
        checks.between("before", self.before, 0, 1, open_ends=True)
        if self.over not in ("epsilon", "delta"):
            raise InputError("over", "epsilon or delta", self.over)
        checks.integer_at_least("n_documents", self.n_documents, 1)

    def look(self, seed: int, report: Report) -> Picture:
        """Compute the odds and draw them."""
        numbers = {
            "times": _up(math.exp(self.epsilon)),
            "allowed": rounded_up(best_guess(self.epsilon, self.delta)),
            "after": self._after(self.epsilon),
            "struck": self.n_documents * self.delta,
        }
        return Picture(numbers, self._over_delta() if self.over == "delta" else self._over_epsilon())

    def _over_epsilon(self) -> figures.Figure:
        xs = np.geomspace(0.05, 10, 40).tolist()
        if self.before == EVEN:
            most = percent(rounded_up(best_guess(self.epsilon, self.delta)))
            title, y = f"At ε = {self.epsilon:g} nobody wins more than {most} of all bets", "right guesses"
            curves = {"best guess": [best_guess(x, self.delta) for x in xs], "a coin": [EVEN for _ in xs]}
        else:
            sure, after = percent(self.before), percent(self._after(self.epsilon))
            title, y = f"At ε = {self.epsilon:g}, {sure} sure becomes at most {after}", "how sure"
            curves = {"afterwards, at most": [self._after(x) for x in xs], "before": [self.before for _ in xs]}
        x = "privacy budget ε"
        return figures.lines(xs, curves, title=title, x_title=x, y_title=y, mark=self.epsilon, percent=True)

    def _over_delta(self) -> figures.Figure:
        xs, n = np.geomspace(1e-9, 1e-2, 15).tolist(), self.n_documents
        curves = {"letters published": [n * x for x in xs], "one letter": [1.0 for _ in xs]}
        title = f"At δ = {self.delta:g} it publishes {n * self.delta:.3g} letters of {n:,}"
        x = "failure probability δ"
        return figures.lines(xs, curves, title=title, x_title=x, y_title="letters", mark=self.delta, log_y=True)

    def _after(self, epsilon: float) -> float:
        """Certainty afterwards, unless δ applies, rounded up."""
        return min(1.0, _up(1 / (1 + math.exp(-epsilon) * (1 - self.before) / self.before)))


def _up(number: float) -> float:
    """Rounded up to three digits, but for the last bits of a float."""
    return float(short(number * (1 - 1e-12), 3))
