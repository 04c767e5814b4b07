"""More documents or more ε: the predicted map, and the gain from ten times as much of either."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dplda import figures
from dplda.core.types import Report
from dplda.lessons.views.picture import Picture, PublicNumbersView
from dplda.theory.prediction.advice import least_errors
from dplda.theory.prediction.expected import UNIGRAM, expected, predicted_methods
from dplda.theory.prediction.regime_axes import Axis, Grid
from dplda.theory.prediction.regimes import predicted

DOCUMENTS, EPSILONS = (1e3, 1e6), (0.1, 10.0)
FINE = 7  # values along an axis


@dataclass(frozen=True)
class MoreOfWhat(PublicNumbersView):
    """The map of methods over N and ε, or bars of the error with ten times as much of what ``bars`` names."""

    number_meanings: ClassVar = {
        "error": "smallest predicted error of all methods, 0 to 2",
        "error_documents": "that error with ten times as many documents",
        "error_epsilon": "that error with ten times the ε",
        "gain_documents": "how many times smaller the error is with more documents",
        "gain_epsilon": "how many times smaller the error is with more ε",
        "rather": "the gain by documents over the gain by ε",
        "unigram": "predicted error of one private word list for every topic, with ten times as many documents",
        "worthless": "share of the map where nothing beats that one list",
    }

    n_documents: int = 10_000
    epsilon: float = 0.5
    delta: float = 1e-7
    n_topics: int = 10
    n_words: int = 1_000
    alpha0: float = 0.1
    mean_length: int = 60
    bars: str = ""

    def __post_init__(self) -> None:
        _ = self._point

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Predict every cell from public numbers."""
        base = self._point
        xs, ys = Axis.DOCUMENTS.values(*DOCUMENTS, FINE), Axis.EPSILON.values(*EPSILONS, FINE)
        found = predicted(Grid(base, Axis.DOCUMENTS, Axis.EPSILON, xs, ys), predicted_methods())
        moved = [
            base,
            base.moved(Axis.DOCUMENTS, 10 * base.n_documents),
            base.moved(Axis.EPSILON, 10 * base.epsilon),
        ]
        error, by_documents, by_epsilon = least_errors(moved)
        numbers = {
            "error": error,
            "error_documents": by_documents,
            "error_epsilon": by_epsilon,
            "gain_documents": error / by_documents,
            "gain_epsilon": error / by_epsilon,
            "rather": by_epsilon / by_documents,
            "unigram": expected([moved[1]], UNIGRAM)[0].error,
            "worthless": float(np.mean(~found.worth)),
        }
        if not self.bars:
            return Picture(numbers, figures.regimes(found, here=base))
        errors = {
            "now": error,
            "ten times the ε": by_epsilon,
            "ten times the letters": by_documents,
        }
        shown = {
            name: value
            for name, value in errors.items()
            if name == "now" or name.split()[-1] in self.bars
        }
        title = f"Predicted error: {error:.2g} now, {by_documents:.2g} with ten times the letters"
        return Picture(
            numbers, figures.compared(shown, title=title, x_title="predicted error, 0 to 2")
        )
