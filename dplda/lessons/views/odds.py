"""What ε and δ allow, as odds."""

import math
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from dplda import figures
from dplda.attacks.game import allowed_score
from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Report
from dplda.lessons.picture import Picture, PictureView

EVEN = 0.5
_Curves: TypeAlias = tuple[list[float], dict[str, list[float]], tuple[str, str, str]]


@dataclass(frozen=True)
class Odds(PictureView):
    """How often anybody may guess right which of two letters was in, over ε.

    Attributes:
        epsilon: ε that is spoken of.
        over: what the picture runs over, ``epsilon`` or ``delta``.
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
    over: str = "epsilon"

    def __post_init__(self) -> None:
        """Refuse what is out of range."""
        checks.epsilon(self.epsilon)
        checks.delta(self.delta, may_be_none=True)
        checks.between("before", self.before, 0, 1, open_ends=True)
        if self.over not in ("epsilon", "delta"):
            raise InputError("over", "epsilon or delta", self.over)
        checks.integer_at_least("n_documents", self.n_documents, 1)

    def look(self, seed: int, report: Report) -> Picture:
        """Work the odds out, and draw them."""
        xs, curves, titles = self._over_delta() if self.over == "delta" else self._over_epsilon()
        title, x_title, y_title = titles
        deltas = self.over == "delta"
        return Picture(
            {
                "times": math.exp(self.epsilon),
                "allowed": allowed_score(self.epsilon, self.delta),
                "after": self._after(self.epsilon),
                "struck": self.n_documents * self.delta,
            },
            figures.lines(
                xs,
                curves,
                title=title,
                x_title=x_title,
                y_title=y_title,
                mark=self.delta if deltas else self.epsilon,
                log_y=deltas,
                percent=not deltas,
            ),
        )

    def _over_epsilon(self) -> _Curves:
        xs = np.geomspace(0.05, 10, 40).tolist()
        if self.before == EVEN:
            most = _share(allowed_score(self.epsilon, self.delta))
            title = f"At ε = {self.epsilon:g} nobody is right in more than {most} of all bets"
            best = [allowed_score(x, self.delta) for x in xs]
            return xs, {"best guess": best, "a coin": [EVEN for _ in xs]}, (title, "privacy loss ε", "right guesses")
        title = (
            f"At ε = {self.epsilon:g}, {_share(self.before)} sure becomes {_share(self._after(self.epsilon))} at most"
        )
        curves = {"afterwards, at most": [self._after(x) for x in xs], "before": [self.before for _ in xs]}
        return xs, curves, (title, "privacy loss ε", "how sure")

    def _over_delta(self) -> _Curves:
        xs = np.geomspace(1e-9, 1e-2, 15).tolist()
        curves = {"letters published": [self.n_documents * x for x in xs], "one letter": [1.0 for _ in xs]}
        title = (
            f"At δ = {self.delta:g} it publishes {self.n_documents * self.delta:.3g} letters of {self.n_documents:,}"
        )
        return xs, curves, (title, "failure chance δ", "letters")

    def _after(self, epsilon: float) -> float:
        """How sure one may be afterwards, where δ does not strike."""
        return 1 / (1 + math.exp(-epsilon) * (1 - self.before) / self.before)


def _share(value: float) -> str:
    return f"{100 * value:.4g} %"
