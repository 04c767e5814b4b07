from dplda.methods.base.method_names import short_title
from dplda.methods.registry import parse_method
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


SECOND, THIRD = (short_title(parse_method(text).title) for text in RIVALS[1:])


def test_describe_methods_without_cells_beaten_method_is_nowhere_the_best() -> None:
    regimes = make_map(0.1, 0.2, 0.3, 1.1)
    sentence = describe_methods_without_cells(regimes, RIVALS)
    assert sentence == f"Never best here: {SECOND} and Config. 3 (as published)."


def test_describe_methods_without_cells_missing_numbers_have_their_reason() -> None:
    regimes = make_map(0.1, Answer.REFUSED, Answer.UNKNOWN, 1.1)
    assert describe_methods_without_cells(regimes, RIVALS) == (
        f"Without a number here: {SECOND} (too noisy for an answer) and {THIRD} (not predicted)."
    )


def test_describe_methods_without_cells_names_rivals_only() -> None:
    assert describe_methods_without_cells(make_map(0.1, 0.2, 0.3, 1.1), RIVALS[:1]) == ""


def test_describe_methods_without_cells_writes_a_shared_suffix_once() -> None:
    published = tuple(f"config-{number}/as published" for number in (2, 3, 4))
    cell = tuple(Expected(Answer.TOPICS, error) for error in (0.2, 0.3, 0.4, 0.1))
    regimes = RegimeMap(GRID, (*published, "private-unigram"), (cell,) * 4)
    assert describe_methods_without_cells(regimes, published) == (
        "Never best here: Config. 2, Config. 3 and Config. 4, all as published."
    )
