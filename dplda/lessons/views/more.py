"""More documents or more ε: the predicted map, and the gain from ten times as much of either."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dplda import figures
from dplda.core.types import Report
from dplda.lessons.views.picture import Picture, PublicNumbersView
from dplda.theory.prediction.advice import least_errors
from dplda.theory.prediction.expected import UNIGRAM, expected, predicted_methods
from dplda.theory.prediction.regime_axes import Axis, Grid
from dplda.theory.prediction.regimes import RegimeMap, predicted

DOCUMENTS = (1e3, 1e6)
"""Ends of the map's axis of documents."""
EPSILONS = (0.1, 10.0)
"""Ends of the map's axis of ε."""
N_VALUES = 7
"""Values along an axis of the map."""


@dataclass(frozen=True)
class MoreOfWhat(PublicNumbersView):
    """The map of methods over N and ε, or bars of the error with ten times as much of either.

    Attributes:
        n_documents: N of the point from which one moves.
        epsilon: its ε.
        delta: its δ.
        n_topics: its k.
        n_words: its d.
        alpha0: its α0.
        mean_length: its words of a document.
        bars: ``letters``, ``ε`` or both, separated by a space, for bars of what ten times as much
            of them gains; empty for the map.
    """

    number_meanings: ClassVar = {
        "error": "smallest predicted error of all methods, 0 to 2",
        "error_documents": "that error with ten times as many documents",
        "error_epsilon": "that error with ten times the ε",
        "gain_documents": "how many times smaller the error is with more documents",
        "gain_epsilon": "how many times smaller the error is with more ε",
        "rather": "the gain by documents over the gain by ε",
        "unigram": "predicted error of one private word list for every topic, with ten times as"
        " many documents",
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
        """Predict the map and three errors from public numbers, and draw what ``bars`` asks for.

        They are the smallest error of any method now, with ten times the documents, and with ten
        times the ε. ``unigram`` is the error of word frequencies alone, with ten times the
        documents. No seed is used.
        """
        point = self._point
        more_documents = point.moved(Axis.DOCUMENTS, 10 * point.n_documents)
        more_epsilon = point.moved(Axis.EPSILON, 10 * point.epsilon)
        error_now, error_with_more_documents, error_with_more_epsilon = least_errors(
            [point, more_documents, more_epsilon]
        )
        regime_map = self._predict_map()
        numbers = {
            "error": error_now,
            "error_documents": error_with_more_documents,
            "error_epsilon": error_with_more_epsilon,
            "gain_documents": error_now / error_with_more_documents,
            "gain_epsilon": error_now / error_with_more_epsilon,
            "rather": error_with_more_epsilon / error_with_more_documents,
            "unigram": expected([more_documents], UNIGRAM)[0].error,
            "worthless": float(np.mean(~regime_map.worth)),
        }
        if self.bars:
            return Picture(numbers, self._draw_bars(numbers))
        return Picture(numbers, figures.regimes(regime_map, here=point))

    def _predict_map(self) -> RegimeMap:
        """The map of all methods over documents and ε, about this view's other numbers."""
        n_documents = Axis.DOCUMENTS.values(*DOCUMENTS, N_VALUES)
        epsilons = Axis.EPSILON.values(*EPSILONS, N_VALUES)
        grid = Grid(self._point, Axis.DOCUMENTS, Axis.EPSILON, n_documents, epsilons)
        return predicted(grid, predicted_methods())

    def _draw_bars(self, numbers: Mapping[str, float]) -> figures.Figure:
        """Bars of the error now, and with ten times as much of what ``bars`` names.

        The title has the error now and with ten times the letters, whatever the bars are of.
        """
        errors = {"now": numbers["error"]}
        if "ε" in self.bars:
            errors["ten times the ε"] = numbers["error_epsilon"]
        if "letters" in self.bars:
            errors["ten times the letters"] = numbers["error_documents"]
        title = (
            f"Predicted error: {numbers['error']:.2g} now,"
            f" {numbers['error_documents']:.2g} with ten times the letters"
        )
        return figures.compared(errors, title=title, x_title="predicted error, 0 to 2")
