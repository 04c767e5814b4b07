"""Numbers made up: what the examples of this package draw."""

import numpy as np
import pandas as pd

from dplda.figures.errors.error_parts import Parts
from dplda.figures.errors.method_lines import Measure, MethodLine, lines_of
from dplda.figures.topics.lanes import Lane, Slot
from dplda.methods.variational.accounting import Accountant
from dplda.theory.prediction.curves import ErrorCurve
from dplda.theory.prediction.regime_axes import Axis, Grid, Point
from dplda.theory.prediction.regimes import PredictedCell, RegimeMap, map_of

BOUND = ErrorCurve("config-4", (1.0, 3.0), (9.0, 1.2), (("noise on the topics", (9.0, 1.2)),))
PREDICTION = ErrorCurve("adaptive", (1.0, 3.0), (0.2, 0.1), (("pairs", (0.15, 0.05)), ("triples", (0.05, 0.05))))
LANE = Lane("private", (Slot(1, np.array([0.7, 0.1, 0.2])), Slot(2, None)))
PARTS = Parts("Adaptive", (0.5, 3.0), sampling=(0.1, 0.1), privacy=(0.4, 0.05), total=(0.45, 0.12))
EPSILONS = {Accountant.CAPPED: 2.44, Accountant.PLD: 0.93}
"""ε of the same noise, by an early accountant and by an exact one."""


def lines() -> tuple[MethodLine, ...]:
    """One method at two ε, run twice at the first."""
    names = {"setting": "short", "method": "adaptive", "configuration": "adaptive", "calibration": "corrected"}
    found = {"epsilon": [1.0, 1.0, 3.0], "l1_mean": [0.2, 0.4, 0.1], "refused": "", "failed": ""}
    return lines_of(pd.DataFrame(names | found | {"status": "proven"}), Measure.L1_MEAN)


def regime_map() -> RegimeMap:
    """Two values along each axis; with many documents one method wins, with few it is too near to tell."""
    here = Point(n_documents=3000, n_topics=4, n_words=60, alpha0=1.0, mean_length=50, epsilon=1.0)
    grid = Grid(here, Axis.DOCUMENTS, Axis.EPSILON, (1e3, 1e5), (0.1, 1.0))
    few = PredictedCell((0.9, 1.0), at_best=(0.7, 1.0), at_worst=(1.2, 1.0), unnoised=0.4)
    many = PredictedCell((0.1, 1.0), at_best=(0.1, 1.0), at_worst=(0.2, 1.0), unnoised=0.05)
    cells = {point: many if point.n_documents == 1e5 else few for _, _, point in grid.points()}
    return map_of(grid, cells, ("adaptive", "private-unigram"))
