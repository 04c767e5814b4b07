"""What ε and δ allow, as odds."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dplda import _check, figures
from dplda._types import Report
from dplda.leak.game import allowed_score
from dplda.lessons.picture import Picture, View


@dataclass(frozen=True)
class Odds(View):
    """How often anybody may guess right which of two letters was in, over ε.

    Attributes:
        epsilon: ε that is spoken of.
        delta: δ.
        n_documents: ``N``.
        before: how sure somebody was beforehand, a probability.
    """

    tells: ClassVar = {
        "times": "how many times as likely an output may be with one letter as with another",
        "allowed": "how often anybody may be right who starts at even odds",
        "after": "how sure somebody may be afterwards who was `before` beforehand, where δ does not strike",
        "struck": "letters that δ leaves without any promise, at most, on average",
    }

    epsilon: float = 1.0
    delta: float = 1e-7
    n_documents: int = 20_000
    before: float = 0.5

    def __post_init__(self) -> None:
        """Refuse what is out of range."""
        _check.positive("epsilon", self.epsilon)
        _check.between("delta", self.delta, 0, 1, open_ends=False)
        _check.between("before", self.before, 0, 1, open_ends=True)
        _check.integer_at_least("n_documents", self.n_documents, 1)

    def look(self, seed: int, report: Report) -> Picture:
        """Work the odds out, and draw them over ε."""
        times = math.exp(self.epsilon)
        xs = np.geomspace(0.05, 10, 40).tolist()
        curves = {"best guess": [allowed_score(x, self.delta) for x in xs], "a coin": [0.5 for _ in xs]}
        allowed = allowed_score(self.epsilon, self.delta)
        title = f"At ε = {self.epsilon:g} nobody can be right in more than {allowed:.1%} of cases"
        return Picture(
            {
                "times": times,
                "allowed": allowed,
                "after": times * self.before / (times * self.before + 1 - self.before),
                "struck": self.n_documents * self.delta,
            },
            lambda dark: figures.lines(
                xs,
                curves,
                title=title,
                x_title="privacy loss ε",
                y_title="right guesses",
                mark=self.epsilon,
                percent=True,
                dark=dark,
            ),
            figures.lines_alt(xs, curves, title=title, x_title="ε", y_title="right guesses"),
        )
