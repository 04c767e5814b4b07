"""Odds that ε and δ allow."""

import math
from collections.abc import Mapping, Sequence
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
FORMS = ("epsilon", "delta", "times", "word")
"""Right guesses over ε; published letters over δ; likelihood ratio; a word without noise."""
EPSILONS = np.geomspace(0.05, 10, 40).tolist()
"""Values of ε at which chances are drawn."""


@dataclass(frozen=True)
class Odds(PictureView):
    """Guesses that ε and δ allow about a letter.

    Attributes:
        epsilon: ε, marked.
        delta: δ, marked in the figure over δ.
        n_documents: number of letters.
        before: how often the guess is right without the result, in (0, 1).
        over: one of ``FORMS``.
    """

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
        if self.over not in FORMS:
            raise InputError("over", f"one of {', '.join(FORMS)}", self.over)
        checks.integer_at_least("n_documents", self.n_documents, 1)

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Compute the odds and draw what ``over`` names; uses no seed.

        Returns:
            The picture, with four numbers. ``times`` is e^ε, rounded up. ``allowed`` is the largest
            chance of a right guess at even odds before, rounded up. ``after`` is that of a guess
            right ``before`` of the time, rounded up, or 1 for a word without noise. ``struck`` is
            N δ, not rounded.
        """
        numbers = {
            "times": _round_up(math.exp(self.epsilon)),
            "allowed": round_chance_up(self._right_guess(self.epsilon)),
            "after": 1.0 if self.over == "word" else self._raised_guess(self.epsilon),
            "struck": self.n_documents * self.delta,
        }
        return Picture(numbers, self._draw())

    def _draw(self) -> figures.Figure:
        """The figure that ``over`` names.

        ``delta`` is published letters against δ, and ``times`` the largest likelihood ratio.
        ``word`` is right guesses about a word without noise.
        ``epsilon`` is right guesses against ε: bets if ``before`` is even, else raised guesses.
        """
        if self.over == "delta":
            return self._draw_published_letters()
        if self.over == "times":
            return self._draw_likelihood_ratio()
        if self.over == "word":
            return self._draw_word_without_noise()
        if self.before == EVEN:
            return self._draw_even_bets()
        return self._draw_raised_guesses()

    def _draw_likelihood_ratio(self) -> figures.Figure:
        """Largest ratio of chances of a result with one letter and with another, against ε.

        The ratio is e^ε, whatever ``delta`` is; 1 is drawn beside it.
        The curve is exact; the title has the ratio at this view's ε, rounded up to three digits.
        """
        rounded_ratio = _round_up(math.exp(self.epsilon))
        return figures.lines(
            EPSILONS,
            {
                "at most": [math.exp(epsilon) for epsilon in EPSILONS],
                "equally likely": [1.0] * len(EPSILONS),
            },
            title=f"At ε = {self.epsilon:g} a result is at most {rounded_ratio:,g} times as likely",
            x_title="privacy budget ε",
            y_title="times as likely",
            mark=self.epsilon,
            log_y=True,
        )

    def _draw_word_without_noise(self) -> figures.Figure:
        """Right guesses about a letter with one un-noised word: certain at any ε.

        Two curves beside it are ``before``, and the largest chance with noise.
        The latter is at even odds, whatever ``before`` is.
        """
        curves = {
            "with noise, at most": [self._right_guess(epsilon) for epsilon in EPSILONS],
            "before": [self.before] * len(EPSILONS),
            "without noise": [1.0] * len(EPSILONS),
        }
        return self._draw_chances(curves, "A word without noise gives its letter away at any ε")

    def _draw_even_bets(self) -> figures.Figure:
        """Largest chance of a right guess against ε and Gaussian noise, at even odds before.

        The title has the chance at this view's ε, rounded up.
        """
        curves = {
            "best guess": [self._right_guess(epsilon) for epsilon in EPSILONS],
            "a coin": [self.before] * len(EPSILONS),
        }
        largest_chance = self._right_guess(self.epsilon)
        most_wins = percent(round_chance_up(largest_chance))
        title = f"At ε = {self.epsilon:g} nobody wins more than {most_wins} of all bets"
        return self._draw_chances(curves, title)

    def _draw_raised_guesses(self) -> figures.Figure:
        """Largest chance of a right guess against ε, for a guess right ``before`` of the time.

        Every chance is rounded up, as in ``_raised_guess``.
        """
        curves = {
            "at most": [self._raised_guess(epsilon) for epsilon in EPSILONS],
            "otherwise": [self.before] * len(EPSILONS),
        }
        raised_percent = percent(self._raised_guess(self.epsilon))
        title = (
            f"At ε = {self.epsilon:g} a guess right {percent(self.before)} of the time is right"
            f" at most {raised_percent}"
        )
        return self._draw_chances(curves, title)

    def _draw_chances(self, curves: Mapping[str, Sequence[float]], title: str) -> figures.Figure:
        """Chances of a right guess over ``EPSILONS``, by name, with this view's ε marked.

        Chances are in [0, 1], one for each of ``EPSILONS``, and are shown in percent.
        """
        return figures.lines(
            EPSILONS,
            curves,
            title=title,
            x_title="privacy budget ε",
            y_title="right guesses",
            mark=self.epsilon,
            percent=True,
        )

    def _draw_published_letters(self) -> figures.Figure:
        """Expected number of letters published, ``N δ``, against δ, with a line at one letter.

        That is the number for a method that publishes each letter with probability δ.
        """
        deltas = np.geomspace(1e-9, 1e-2, 15).tolist()
        n_public = self.n_documents * self.delta
        return figures.lines(
            deltas,
            {
                "letters published": [self.n_documents * delta for delta in deltas],
                "one letter": [1.0] * len(deltas),
            },
            title=(
                f"At δ = {self.delta:g} it publishes {n_public:.3g} letters of {self.n_documents:,}"
            ),
            x_title="failure probability δ",
            y_title="letters",
            mark=self.delta,
            log_y=True,
        )

    def _right_guess(self, epsilon: float) -> float:
        """Largest chance of a right guess against Gaussian noise of this ε, at even odds before."""
        return risk_of(epsilon, self.delta, is_gaussian=True).right_guess

    def _raised_guess(self, epsilon: float) -> float:
        """Largest chance of a guess that is right ``before`` of the time otherwise.

        Against Gaussian noise of this ε, rounded up to tenths of a percent.
        """
        chance = largest_raised_guess(self.before, epsilon, self.delta, is_gaussian=True)
        return math.ceil(1000 * chance * (1 - 1e-12)) / 1000


def _round_up(number: float) -> float:
    """A number rounded up to three digits, but for the last bits of a float."""
    return float(format_rounded_up(number * (1 - 1e-12), 3))
