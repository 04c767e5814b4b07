"""The script of a map prints the numbers of the map."""

import contextlib
import io

import numpy as np

from dplda.methods import predictors
from dplda.prediction.map_script import map_script
from dplda.prediction.regime_axes import Axis, Grid, Point
from dplda.prediction.regimes import predicted

HERE = Point(n_documents=3000, n_topics=3, n_words=30, alpha0=0.5, mean_length=50, epsilon=1.0)
GRID = Grid(HERE, Axis.DOCUMENTS, Axis.EPSILON, (1000.0, 100_000.0), (0.1, 1.0, 10.0))
METHODS = ("adaptive/corrected", "config-1/corrected")


def printed(text: str) -> list[list[str]]:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(text, "map.py", "exec"), {})
    return [line.split(",") for line in out.getvalue().splitlines()]


def test_it_prints_the_numbers_of_the_map() -> None:
    head, *rows = printed(map_script(GRID, METHODS))
    assert head == ["n_documents", "epsilon", *METHODS, "private-unigram"]
    found = predicted(GRID, [predictors()[text] for text in METHODS])
    assert len(rows) == 6
    for number, row in enumerate(rows):
        place = divmod(number, 2)
        x, y, *errors = map(float, row)
        assert (x, y) == (GRID.xs[place[1]], GRID.ys[place[0]])
        np.testing.assert_array_equal(errors, found.errors[:, *place])
