"""Mean length of a letter with lengths clipped: less clipping bias means more noise."""

import math
from collections.abc import Mapping
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
"""Clip levels at which the error is drawn, in words."""


@dataclass(frozen=True)
class ClippingView(PictureView):
    """Error of the mean length against the clip level.

    Attributes:
        n_documents: ``N``.
        mean_length: in words.
        epsilon: ε of the mean.
        delta: δ of the mean.
        clip: the marked clip level, in words.
        asked: whether the total error and the mark are hidden, before an answer.
        lowest: whether the title names the best level of those drawn, else the error at ``clip``.
    """

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
        """Letters of lognormal lengths, from a seed; ``InputError`` if impossible."""
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
        """Compute bias and noise at ``clip`` and at every drawn level, for letters of the seed.

        The best level is found at this ε, and at a tenth of it to compare; ``moved`` is the first
        over the second. ``touched`` is the share of letters that ``clip`` cuts.
        ``bias``, ``noise``, ``error`` and levels are in words. No progress is reported.
        """
        lengths = np.asarray(self._simulation(seed).draw().lengths, dtype=np.float64)
        errors = self._errors(lengths)
        errors_at_tenth = replace(self, epsilon=self.epsilon / 10)._errors(lengths)
        best_level = float(LEVELS[np.argmin(errors)])
        best_level_at_tenth = float(LEVELS[np.argmin(errors_at_tenth)])
        bias = self._bias(lengths, self.clip)
        noise = self._noise(self.clip)
        numbers = {
            "mean": float(lengths.mean()),
            "longest": float(lengths.max()),
            "touched": float(np.mean(lengths > self.clip)),
            "bias": bias,
            "noise": noise,
            "error": math.hypot(bias, noise),
            "best": best_level,
            "best_error": float(np.min(errors)),
            "moved": best_level / best_level_at_tenth,
        }
        return Picture(numbers, self._draw(lengths, numbers))

    def _draw(self, lengths: Vector, numbers: Mapping[str, float]) -> figures.Figure:
        """Lines of bias and noise, and of the total error once the question is answered.

        The title then names the best level, or bias and noise at ``clip``, which is marked. Before,
        it only says what a lower level changes, and nothing is marked.

        Args:
            lengths: of the letters.
            numbers: of the picture.
        """
        levels = LEVELS.tolist()
        curves = {
            "bias": [self._bias(lengths, level) for level in levels],
            "noise": [self._noise(level) for level in levels],
        }
        if self.asked:
            title = "A lower clip level means more bias and less noise"
        elif self.lowest:
            title = f"The error is smallest at {numbers['best']:.0f} words"
        else:
            error_parts_text = (
                f"{numbers['bias']:.1f} words of bias, {numbers['noise']:.1f} of noise"
            )
            title = f"Cut at {self.clip:,g} words: {error_parts_text}"
        if not self.asked:
            curves["error"] = self._errors(lengths).tolist()
        return figures.lines(
            levels,
            curves,
            title=title,
            x_title="clip level C, in words",
            y_title="error of the mean, in words",
            mark=None if self.asked else self.clip,
            log_y=True,
        )

    def _errors(self, lengths: Vector) -> Vector:
        """Total error at every level: the root of the sum of squares of bias and noise."""
        return np.array(
            [math.hypot(self._bias(lengths, level), self._noise(level)) for level in LEVELS]
        )

    def _bias(self, lengths: Vector, level: float) -> float:
        """Words by which clipping at a level lowers the mean length."""
        return float(np.mean(np.maximum(lengths - level, 0)))

    def _noise(self, level: float) -> float:
        """Noise of the mean: one letter moves the sum of clipped lengths by at most the level."""
        return level / self.n_documents / gaussian.mu_for(self.epsilon, self.delta)
