"""A predicted map as Python that works it out again."""

from collections.abc import Sequence

from dplda.notebook import THREADS
from dplda.prediction.regime_axes import Axis, Grid
from dplda.prediction.unigram import UNIGRAM


def map_script(grid: Grid, methods: Sequence[str]) -> str:
    """A script that prints the predicted errors as CSV: the numbers of the map, to the last digit on one machine.

    Args:
        grid: of the map.
        methods: texts of those compared; the private unigram always is.

    Example:
        >>> from dplda.prediction.map_script import map_script
        >>> from dplda.prediction.regime_axes import Axis, Grid, Point
        >>> here = Point(n_documents=3000, n_topics=4, n_words=60, alpha0=1.0, mean_length=50, epsilon=1.0)
        >>> grid = Grid(here, Axis.DOCUMENTS, Axis.EPSILON, (1e3, 1e5), (0.1, 1.0))
        >>> "found = predicted(grid" in map_script(grid, ["adaptive/corrected"])
        True
    """
    numbers = ", ".join(f"{axis}={grid.base.at(axis):{'.0f' if axis.whole else ''}}" for axis in Axis)
    made = (
        f"here = Point({numbers})\n"
        f"grid = Grid(\n    here,\n    Axis.{grid.x.name},\n    Axis.{grid.y.name},\n    {grid.xs!r},\n"
        f"    {grid.ys!r},\n)\n"
        f"methods = {[text for text in methods if text != UNIGRAM]!r}\n"
        "found = predicted(grid, [predictors()[text] for text in methods])"
    )
    shown = (
        'print(grid.x, grid.y, *methods, "private-unigram", sep=",")\n'
        "for row, y in enumerate(grid.ys):\n"
        "    for column, x in enumerate(grid.xs):\n"
        "        errors = found.errors[:, row, column].tolist()\n"
        '        print(x, y, *errors, sep=",")'
    )
    imports = (
        "from dplda.methods import predictors\n"
        "from dplda.prediction.regime_axes import Axis, Grid, Point\n"
        "from dplda.prediction.regimes import predicted"
    )
    title = '"""Predicts the error of every method over two public numbers again; no document is looked at."""'
    return "\n\n".join((title, THREADS, imports, made, shown)) + "\n"
