import math

from dplda import figures
from dplda.experiments.papers.curves import same_noise
from dplda.lessons.views import VIEWS
from dplda.theory.prediction.curves import ErrorCurve
from dplda.theory.theorems.readings import TRIVIAL, Bound, Term
from tests.figures.checked import checked

EPSILONS = (0.1, 1.0, 10.0)
LARGE = ErrorCurve("config-1", EPSILONS, (900.0, 90.0, 9.0))
HOLE = ErrorCurve("config-2", EPSILONS, (math.nan, 9.0, 0.9), ("σk",))
NONE = ErrorCurve("config-3", EPSILONS, (math.nan,) * 3, ("σk",))
TWO = Bound(
    "Theorem 10", "as printed", (Term("direction", ("e3",), 90.0), Term("size", ("e3", "e8"), 0.0))
)
ONE = Bound("Theorem 11", "as printed", (Term("direction", ("e6",), 0.9),))


def test_every_term_of_a_bound_is_drawn_beside_the_line_above_which_it_says_nothing() -> None:
    figure = checked(
        figures.bound_terms({"config-1": TWO, "config-2": ONE, "config-3": None}, epsilon=1.0)
    )
    drawn = {trace.name: trace.x for trace in figure.data}
    assert drawn == {"direction": (90.0, 0.9), "size": (0.0,), "sum": (90.0, 0.9)}
    assert any(shape.x0 == TRIVIAL for shape in figure.layout.shapes)
    assert len({trace.marker.symbol for trace in figure.data}) == 3
    assert (
        figure.layout.yaxis.categoryarray[0] == "Configuration 3, as published<br>no finite bound"
    )


def test_what_is_found_is_the_title() -> None:
    found = (
        {"config-1": TWO, "config-2": ONE},
        {"config-1": TWO, "config-3": None},
        {"config-3": None},
    )
    said = (
        "only Configuration 2, as published has a useful bound",
        "there is no useful bound: all",
        "there is no useful bound",
    )
    for bounds, words in zip(found, said, strict=True):
        assert words in figures.bound_terms(bounds, epsilon=1.0).title
    best = figures.predictions([LARGE, HOLE], epsilon=10.0).title
    assert best == "Predictions recommend Configuration 2 at 2 of 3 values of ε"
    assert figures.predictions([NONE], epsilon=10.0).title.startswith("No error is predicted")


def test_the_current_epsilon_is_marked() -> None:
    figure = checked(figures.predictions([LARGE, HOLE], epsilon=1.0))
    assert any(note.text == "ε = 1" for note in figure.layout.annotations)
    assert any(shape.x0 == 1.0 for shape in figure.layout.shapes)
    drawn = checked(figures.bound_terms({"config-1": TWO}, epsilon=1.0, watermark="Curator"))
    assert any(note.text == "Curator" for note in drawn.layout.annotations)


def test_exact_composition_needs_the_least_and_the_same_noise_is_drawn_under_four_accountings() -> (
    None
):
    needed = checked(VIEWS["accounts"]().look(0, lambda share, line: None).figure).data[0].x
    assert min(needed) == needed[-1]
    epsilons = same_noise()
    figure = checked(figures.accountants(epsilons))
    assert list(figure.data[0].x) == list(epsilons.values())
