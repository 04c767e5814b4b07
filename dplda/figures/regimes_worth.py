"""Maps of which methods are worth their noise where: how far down the list of errors one may go."""

import numpy as np

from dplda.figures.plain import Figure
from dplda.figures.regimes import OUTCOMES, method_title, picture, span_of
from dplda.prediction.regime_axes import Point
from dplda.prediction.regimes import Outcome, RegimeMap


def regimes_worth(found: RegimeMap, *, here: Point | None = None, dark: bool = False) -> Figure:
    """Each cell shows the method of largest error among those that beat the unigram model at their worst too.

    Who has the least error may be the same everywhere; who is still good enough is not.

    Args:
        found: the errors.
        here: the current experiment, marked with a cross where it lies within the map.
        dark: whether the page's ground is dark.

    Example:
        With numbers made up:

        >>> from dplda import figures
        >>> from dplda.prediction.regime_axes import Axis, Grid, Point
        >>> from dplda.prediction.regimes import PredictedCell, map_of
        >>> here = Point(n_documents=3000, n_topics=4, n_words=60, alpha0=1.0, mean_length=50, epsilon=1.0)
        >>> grid = Grid(here, Axis.DOCUMENTS, Axis.EPSILON, (1e3, 1e5), (0.1, 1.0))
        >>> few = PredictedCell(errors=(0.7, 1.2), at_worst=(0.9, 1.4), unnoised=0.4, unigram=1.0)
        >>> many = PredictedCell(errors=(0.1, 0.3), at_worst=(0.2, 0.6), unnoised=0.05, unigram=1.0)
        >>> cells = {point: many if point.n_documents == 1e5 else few for _, _, point in grid.points()}
        >>> found = map_of(grid, cells, ("adaptive", "config-1"), frozenset())
        >>> print(figures.regimes_worth(found).layout.title.text.replace("<br>", " "))
        Adaptive leads in all 4 cells worth their noise; in 2 another would do
    """
    return picture(
        found,
        found.last_worth,
        lambda code: _meaning(found, code),
        title=regimes_worth_finding(found),
        here=here,
        dark=dark,
    )


def regimes_worth_finding(found: RegimeMap) -> str:
    """What the map says, a sentence: who leads in how many cells, and in how many a larger error would do."""
    worth, leads = found.worth, found.winners
    some = int(np.sum(np.any(worth, axis=0)))
    if not some:
        return "Nothing is worth its noise anywhere on this map" if found.n_done else "no cell can be worked out"
    numbers, counts = np.unique(leads[leads >= 0], return_counts=True)
    if not numbers.size:  # the least error is not safe there, and a larger one is
        return f"Something is worth its noise in {some} of {found.n_done} cells"
    first, most = int(numbers[np.argmax(counts)]), int(np.max(counts))
    of = f"all {some}" if most == some else f"{most} of {some}"
    several = int(np.sum(np.sum(worth, axis=0) > 1))
    also = f"; in {several} another would do" if several else ""
    return f"{method_title(found.methods[first])} leads in {of} cells worth their noise{also}"


def regimes_worth_alt(found: RegimeMap) -> str:
    """The map in words: the finding, the axes, how many cells each outcome has.

    Example:
        With numbers made up:

        >>> from dplda import figures
        >>> from dplda.prediction.regime_axes import Axis, Grid, Point
        >>> from dplda.prediction.regimes import PredictedCell, map_of
        >>> here = Point(n_documents=3000, n_topics=4, n_words=60, alpha0=1.0, mean_length=50, epsilon=1.0)
        >>> grid = Grid(here, Axis.DOCUMENTS, Axis.EPSILON, (1e3, 1e5), (0.1, 1.0))
        >>> few = PredictedCell(errors=(0.7, 1.2), at_worst=(0.9, 1.4), unnoised=0.4, unigram=1.0)
        >>> many = PredictedCell(errors=(0.1, 0.3), at_worst=(0.2, 0.6), unnoised=0.05, unigram=1.0)
        >>> cells = {point: many if point.n_documents == 1e5 else few for _, _, point in grid.points()}
        >>> found = map_of(grid, cells, ("adaptive", "config-1"), frozenset())
        >>> print(figures.regimes_worth_alt(found))
        Adaptive leads in all 4 cells worth their noise; in 2 another would do. Map over documents N from 1,000 to
        100,000, privacy loss ε from 0.1 to 1. Cells: Adaptive alone: 2; Configuration 1 too: 2.
    """
    codes, counts = np.unique(found.last_worth, return_counts=True)
    listed = sorted(zip(counts.tolist(), codes.tolist(), strict=True), key=lambda pair: (-pair[0], pair[1]))
    cells = "; ".join(f"{_meaning(found, code)}: {count}" for count, code in listed)
    return f"{regimes_worth_finding(found)}. {span_of(found.grid)} Cells: {cells}."


def _meaning(found: RegimeMap, code: int) -> str:
    if code < 0:
        return OUTCOMES[Outcome(code)][1]
    alone = bool(np.all(np.sum(found.worth, axis=0)[found.last_worth == code] == 1))
    return f"{method_title(found.methods[code])} {'alone' if alone else 'too'}"
