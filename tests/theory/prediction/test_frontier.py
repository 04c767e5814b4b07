import pytest

from dplda.theory.prediction import frontier
from dplda.theory.prediction.expected import UNIGRAM, Answer, Expected
from dplda.theory.prediction.frontier import describe_frontier, stretches_along
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.regimes import Outcome

HERE = Point(n_documents=50_000, n_topics=3, n_words=100, alpha0=0.1, mean_length=60, epsilon=1.0)
METHODS = ("config-1/corrected", "config-2/corrected", UNIGRAM)


def predict_from(error_of_1, error_of_2):
    """A stand-in for predictions: errors as functions of N; 1.1 for one list of words."""

    def cells_at(points, methods):
        assert methods == METHODS
        return tuple(
            tuple(
                Expected(Answer.TOPICS, error, error, error)
                for error in (error_of_1(p.n_documents), error_of_2(p.n_documents), 1.1)
            )
            for p in points
        )

    return cells_at


@pytest.fixture
def crossing(monkeypatch):
    """No topics below 9,000 documents, then configuration 2, and from 40,000 on configuration 1."""
    cells = predict_from(lambda n: 40_000 / n, lambda n: 1.2 if n < 9_000 else 1.0)
    monkeypatch.setattr(frontier, "cells_at", cells)


def test_stretches_along_crossing_errors_begin_where_the_winner_changes(crossing) -> None:
    below, second, first_stretch = stretches_along(Axis.DOCUMENTS, HERE, METHODS)
    assert (below.winner, second.winner, first_stretch.winner) == (UNIGRAM, METHODS[1], METHODS[0])
    assert second.low == pytest.approx(9_000, rel=0.06)
    assert first_stretch.low == pytest.approx(40_000, rel=0.1)
    assert (below.low, first_stretch.high) == (1_000, 1_000_000)


def test_describe_frontier_crossing_errors_names_winners_with_their_start(crossing) -> None:
    sentence = describe_frontier(Axis.DOCUMENTS, Axis.EPSILON, HERE, METHODS)
    assert sentence == (
        "At ε = 1: **Configuration 2** from N ≈ 9,400, **Configuration 1** from"
        " N ≈ 42,000. Below N ≈ 9,400: nothing better than one private list of words."
    )


def test_describe_frontier_one_winner_says_so_of_the_whole_axis(monkeypatch) -> None:
    monkeypatch.setattr(frontier, "cells_at", predict_from(lambda _: 0.1, lambda _: 0.2))
    sentence = describe_frontier(Axis.DOCUMENTS, Axis.EPSILON, HERE, METHODS)
    assert sentence == "At ε = 1: **Configuration 1** at every N."


def test_stretches_along_wide_tie_is_a_stretch_of_its_own(monkeypatch) -> None:
    cells = predict_from(lambda n: 0.5 if n < 50_000 else 0.2, lambda _: 0.5)
    monkeypatch.setattr(frontier, "cells_at", cells)
    winners = [stretch.winner for stretch in stretches_along(Axis.DOCUMENTS, HERE, METHODS)]
    assert winners == [Outcome.UNDECIDED, METHODS[0]]


def test_stretches_along_outside_values_stay_where_predictions_reach() -> None:
    far = HERE.moved(Axis.DOCUMENTS, 5_000_000)
    stretches = stretches_along(Axis.DOCUMENTS, far, METHODS)
    assert stretches[0].low == 1_000
    assert stretches[-1].high == 1_000_000
