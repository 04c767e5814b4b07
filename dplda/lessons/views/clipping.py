"""Mean length of a letter with lengths clipped: less clipping bias means more noise."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dplda import figures
from dplda.core import checks
from dplda.core.types import Report, Vector
from dplda.corpus import LengthLaw, Simulation
from dplda.lessons.views.picture import Picture, PictureView
from dplda.privacy.accounting import gaussian

LEVELS = np.geomspace(10, 1_000, 40)


@dataclass(frozen=True)
class ClippingView(PictureView):
    """Error of the mean length against the clip level; ``asked`` hides the total; ``lowest`` names its best level."""

    number_meanings: ClassVar = {
        "mean": "true mean length, in words",
        "longest": "words of the longest letter",
        "touched": "share of letters longer than the clip level",
        "bias": "words by which clipping lowers the mean",
        "noise": "standard deviation of the noise, in words",
        "error": "total error: the root of the sum of squares of bias and noise",
        "best": "clip level with the smallest error, of those drawn",
        "best_error": "the smallest error",
        "moved": "best clip level, over the best at a tenth of this ε",
    }
    depends_on_seed: ClassVar = True

    n_documents: int = 1_000
    mean_length: int = 100
    epsilon: float = 0.5
    delta: float = 1e-5
    clip: float = 200.0
    asked: bool = False
    lowest: bool = False

    def __post_init__(self) -> None:
        checks.positive("clip", self.clip)
        gaussian.mu_for(self.epsilon, self.delta)
        self._simulation(0)

    def _simulation(self, seed: int) -> Simulation:
        return Simulation(
            n_documents=self.n_documents,
            n_words=50,
            n_topics=2,
            mean_length=self.mean_length,
            lengths=LengthLaw.LOG_NORMAL,
            newspaper="english",
            seed=seed,
        )

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Compute bias and noise at every level, for letters drawn from the seed."""
        lengths = np.asarray(self._simulation(seed).draw().lengths, dtype=np.float64)
        xs = LEVELS.tolist()
        curves = {
            "bias": [self._bias(lengths, level) for level in xs],
            "noise": [self._noise(level) for level in xs],
        }
        errors, before = (
            view._errors(lengths) for view in (self, replace(self, epsilon=self.epsilon / 10))
        )
        least = int(np.argmin(errors))
        bias, noise = self._bias(lengths, self.clip), self._noise(self.clip)
        if self.asked:
            title = "A lower clip level means more bias and less noise"
        else:
            curves["error"] = errors.tolist()
            cut = f"Cut at {self.clip:,g} words: {bias:.1f} words of bias, {noise:.1f} of noise"
            title = f"The error is smallest at {xs[least]:.0f} words" if self.lowest else cut
        numbers = {
            "mean": float(lengths.mean()),
            "longest": float(lengths.max()),
            "touched": float(np.mean(lengths > self.clip)),
            "bias": bias,
            "noise": noise,
            "error": math.hypot(bias, noise),
            "best": xs[least],
            "best_error": float(errors[least]),
            "moved": xs[least] / xs[int(np.argmin(before))],
        }
        mark, x, y = (
            None if self.asked else self.clip,
            "clip level C, in words",
            "error of the mean, in words",
        )
        return Picture(
            numbers,
            figures.lines(xs, curves, title=title, x_title=x, y_title=y, mark=mark, log_y=True),
        )

    def _errors(self, lengths: Vector) -> Vector:
        return np.array(
            [math.hypot(self._bias(lengths, level), self._noise(level)) for level in LEVELS]
        )

    def _bias(self, lengths: Vector, level: float) -> float:
        return float(np.mean(np.maximum(lengths - level, 0)))

    def _noise(self, level: float) -> float:
        """Noise of the mean: one letter moves the sum of clipped lengths by at most the level."""
        return level / self.n_documents / gaussian.mu_for(self.epsilon, self.delta)
