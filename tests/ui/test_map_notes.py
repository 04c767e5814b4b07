from dplda.theory.prediction.expected import Answer, Expected
from dplda.theory.prediction.regime_axes import Axis, Grid, Point
from dplda.theory.prediction.regimes import RegimeMap
from dplda.ui.compare.map_notes import describe_methods_without_cells

HERE = Point(n_documents=3000, n_topics=4, n_words=60, alpha0=1.0, mean_length=50, epsilon=1.0)
GRID = Grid(HERE, Axis.DOCUMENTS, Axis.EPSILON, (1000.0, 10_000.0), (0.1, 1.0))
RIVALS = ("config-1/corrected", "config-2/corrected", "config-3/as published")
METHODS = (*RIVALS, "private-unigram")


def make_map(*errors: float | Answer) -> RegimeMap:
    """A map with the same predictions in all four cells."""
    cell = tuple(
        Expected(error) if isinstance(error, Answer) else Expected(Answer.TOPICS, error)
        for error in errors
    )
    return RegimeMap(GRID, METHODS, (cell,) * 4)


def test_describe_methods_without_cells_beaten_method_is_nowhere_the_best() -> None:
    regimes = make_map(0.1, 0.2, 0.3, 1.1)
    assert describe_methods_without_cells(regimes, RIVALS) == (
        "Nowhere the best here: Configuration 2 and Configuration 3, as published."
    )


def test_describe_methods_without_cells_missing_numbers_have_their_reason() -> None:
    regimes = make_map(0.1, Answer.REFUSED, Answer.UNKNOWN, 1.1)
    assert describe_methods_without_cells(regimes, RIVALS) == (
        "Without a number here: Configuration 2 (too noisy for an answer) and Configuration 3,"
        " as published (not predicted)."
    )


def test_describe_methods_without_cells_names_rivals_only() -> None:
    assert describe_methods_without_cells(make_map(0.1, 0.2, 0.3, 1.1), RIVALS[:1]) == ""
