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
from dplda.lessons.views.picture import Picture, PictureView
from dplda.privacy.accounting.odds import format_rounded_up, round_chance_up
from dplda.privacy.accounting.risk import largest_raised_guess, risk_of

EVEN = 0.5
SHOWN = ("epsilon", "delta", "times", "word")


@dataclass(frozen=True)
class Odds(PictureView):
    """What ε and δ (``over``) allow somebody to guess about a letter, or a word of it that has no noise."""

    number_meanings: ClassVar = {
        "times": "how many times as likely an output can be with one letter as with another",
        "allowed": "how often anyone can be right against Gaussian noise who starts at even odds",
        "after": "how often a guess can be right that is right `before` of the time otherwise",
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
        if self.over not in SHOWN:
            raise InputError("over", f"one of {', '.join(SHOWN)}", self.over)
        checks.integer_at_least("n_documents", self.n_documents, 1)

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Compute the odds and draw them."""
        numbers = {
            "times": _up(math.exp(self.epsilon)),
            "allowed": round_chance_up(self._right_guess(self.epsilon)),
            "after": 1.0 if self.over == "word" else self._raised_guess(self.epsilon),
            "struck": self.n_documents * self.delta,
        }
        return Picture(
            numbers, self._over_delta() if self.over == "delta" else self._over_epsilon()
        )

    def _over_epsilon(self) -> figures.Figure:
        xs, y = np.geomspace(0.05, 10, 40).tolist(), "right guesses"
        before = [self.before for _ in xs]
        at = f"At ε = {self.epsilon:g}"
        if self.over == "times":
            title, y = (
                f"{at} a result is at most {_up(math.exp(self.epsilon)):,g} times as likely",
                "times as likely",
            )
            curves = {"at most": [math.exp(x) for x in xs], "equally likely": [1.0 for _ in xs]}
        elif self.over == "word":
            title = "A word without noise gives its letter away at any ε"
            curves = {
                "with noise, at most": [self._right_guess(x) for x in xs],
                "before": before,
                "without noise": [1.0 for _ in xs],
            }
        elif self.before == EVEN:
            allowed = percent(round_chance_up(self._right_guess(self.epsilon)))
            title = f"{at} nobody wins more than {allowed} of all bets"
            curves = {"best guess": [self._right_guess(x) for x in xs], "a coin": before}
        else:
            raised = percent(self._raised_guess(self.epsilon))
            title = (
                f"{at} a guess right {percent(self.before)} of the time is right at most {raised}"
            )
            curves = {"at most": [self._raised_guess(x) for x in xs], "otherwise": before}
        x, mark, log = "privacy budget ε", self.epsilon, self.over == "times"
        return figures.lines(
            xs, curves, title=title, x_title=x, y_title=y, mark=mark, log_y=log, percent=not log
        )

    def _over_delta(self) -> figures.Figure:
        xs, n = np.geomspace(1e-9, 1e-2, 15).tolist(), self.n_documents
        curves = {"letters published": [n * x for x in xs], "one letter": [1.0 for _ in xs]}
        title = f"At δ = {self.delta:g} it publishes {n * self.delta:.3g} letters of {n:,}"
        x = "failure probability δ"
        return figures.lines(
            xs, curves, title=title, x_title=x, y_title="letters", mark=self.delta, log_y=True
        )

    def _right_guess(self, epsilon: float) -> float:
        """Largest chance of a right guess against Gaussian noise of this ε, rounded up."""
        return risk_of(epsilon, self.delta, is_gaussian=True).right_guess

    def _raised_guess(self, epsilon: float) -> float:
        """Largest chance of a guess against Gaussian noise of this ε, up to tenths of a percent."""
        chance = largest_raised_guess(self.before, epsilon, self.delta, is_gaussian=True)
        return math.ceil(1000 * chance * (1 - 1e-12)) / 1000


def _up(number: float) -> float:
    """Rounded up to three digits, but for the last bits of a float."""
    return float(format_rounded_up(number * (1 - 1e-12), 3))
