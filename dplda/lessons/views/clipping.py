"""The mean length of a letter, with every length cut at a clip level: bias on one side, noise on the other."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dplda import _check, figures
from dplda._types import Report, Vector
from dplda.corpus import LengthLaw, Simulation
from dplda.lessons.picture import Picture, View
from dplda.privacy import gaussian

LEVELS = np.geomspace(10, 1_000, 40)


@dataclass(frozen=True)
class Clipping(View):
    """Error of the mean length over the clip level.

    Attributes:
        n_documents: ``N``.
        mean_length: of the letters, which differ much.
        epsilon: ε.
        delta: δ.
        clip: the level that is spoken of, in words.
    """

    tells: ClassVar = {
        "mean": "true mean length, in words",
        "longest": "words of the longest letter",
        "touched": "share of letters longer than the clip level",
        "bias": "words that clipping takes off the mean",
        "noise": "standard deviation of the noise, in words",
        "error": "both together: the root of the sum of their squares",
        "best": "clip level at which that is least, of those drawn",
        "best_error": "the least error",
    }

    n_documents: int = 1_000
    mean_length: int = 100
    epsilon: float = 0.5
    delta: float = 1e-5
    clip: float = 200.0

    def __post_init__(self) -> None:
        """Refuse what is out of range."""
        _check.positive("clip", self.clip)
        gaussian.mu_for(self.epsilon, self.delta)
        _ = self._simulation

    @property
    def _simulation(self) -> Simulation:
        return Simulation(
            n_documents=self.n_documents,
            n_words=50,
            n_topics=2,
            mean_length=self.mean_length,
            lengths=LengthLaw.LOG_NORMAL,
            newspaper="english",
        )

    def look(self, seed: int, report: Report) -> Picture:
        """Work out bias and noise at every level: nothing is drawn but the letters."""
        lengths = np.asarray(self._simulation.draw().lengths, dtype=np.float64)
        xs = LEVELS.tolist()
        curves = {
            "bias bought": [self._bias(lengths, level) for level in xs],
            "noise": [self._noise(level) for level in xs],
        }
        curves["error"] = [math.hypot(*both) for both in zip(curves["bias bought"], curves["noise"], strict=True)]
        least = int(np.argmin(curves["error"]))
        bias, noise = self._bias(lengths, self.clip), self._noise(self.clip)
        title = f"Cut at {self.clip:g} words: {bias:.1f} words of bias, {noise:.1f} of noise"
        return Picture(
            {
                "mean": float(lengths.mean()),
                "longest": float(lengths.max()),
                "touched": float(np.mean(lengths > self.clip)),
                "bias": bias,
                "noise": noise,
                "error": math.hypot(bias, noise),
                "best": xs[least],
                "best_error": curves["error"][least],
            },
            lambda dark: figures.lines(
                xs,
                curves,
                title=title,
                x_title="clip level C, in words",
                y_title="error of the mean, in words",
                mark=self.clip,
                log_y=True,
                dark=dark,
            ),
            figures.lines_alt(xs, curves, title=title, x_title="C", y_title="words"),
        )

    def _bias(self, lengths: Vector, level: float) -> float:
        return float(np.mean(np.maximum(lengths - level, 0)))

    def _noise(self, level: float) -> float:
        """One letter moves the sum of lengths, each cut to lie between 0 and the level, by the level at most."""
        return level / self.n_documents / gaussian.mu_for(self.epsilon, self.delta)
