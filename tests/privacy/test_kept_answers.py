"""Noise whose answers are kept: each is kept before it is given, given once more in order, and counted alike."""

import numpy as np
import pytest

from dplda.core.errors import NotReleasable
from dplda.core.types import Vector
from dplda.privacy.noise.exact import ExactNoise, tv_slack_of
from dplda.privacy.noise.kept_answers import AnswerLabel, KeptNoise
from dplda.privacy.noise.layouts import PlainVector

SCALE = 2.0**26
VALUE = np.arange(7, dtype=np.int64)


class Shelf:
    """Answers in memory."""

    def __init__(self, kept_answers: tuple[tuple[AnswerLabel, Vector], ...] = ()) -> None:
        self.kept = list(kept_answers)
        self._n_given = 0

    def next_answer(self, label: AnswerLabel) -> Vector | None:
        if self._n_given == len(self.kept):
            return None
        kept_label, answer = self.kept[self._n_given]
        assert kept_label == label
        self._n_given += 1
        return answer.copy()

    def keep_answer(self, label: AnswerLabel, answer: Vector) -> None:
        self.kept.append((label, answer.copy()))
        self._n_given += 1


def source(shelf: Shelf, *, max_slack: float = np.inf) -> KeptNoise:
    return KeptNoise(ExactNoise(epsilon=1.0, delta=1e-7, max_charged_slack=max_slack), shelf)


def test_kept_answers_are_given_again_before_new_ones() -> None:
    first_shelf = Shelf()
    run = source(first_shelf)
    first_answers = [run.perturb(VALUE, SCALE, PlainVector(), "counts") for _ in range(2)]
    second = Shelf(tuple(first_shelf.kept))
    resumed_run = source(second)
    later_answers = [resumed_run.perturb(VALUE, SCALE, PlainVector(), "counts") for _ in range(3)]
    np.testing.assert_array_equal(first_answers, later_answers[:2])
    assert not np.array_equal(later_answers[2], later_answers[1])
    assert len(second.kept) == 3


def test_answer_is_kept_before_it_is_given() -> None:
    """A store that fails is asked for nothing more, and the run gets nothing."""

    class Full(Shelf):
        def keep_answer(self, label: AnswerLabel, answer: Vector) -> None:
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        source(Full()).perturb(VALUE, SCALE, PlainVector(), "counts")


def test_changed_answer_leaves_the_kept_one_alone() -> None:
    shelf = Shelf()
    answer = source(shelf).perturb(VALUE, SCALE, PlainVector(), "counts")
    kept_answer = shelf.kept[0][1].copy()
    answer *= 2.0**-26
    np.testing.assert_array_equal(
        source(Shelf(tuple(shelf.kept))).perturb(VALUE, SCALE, PlainVector(), "counts"), kept_answer
    )


def test_label_of_a_kept_answer_names_its_request() -> None:
    shelf = Shelf()
    source(shelf).perturb(VALUE, SCALE, PlainVector(), "counts")
    assert shelf.kept[0][0] == AnswerLabel("counts", SCALE, 7)


def test_distance_of_exact_noise_counts_for_kept_answers_too() -> None:
    """So a run that starts again may not draw more than one that was never interrupted."""
    slack_of_one = tv_slack_of(len(VALUE), SCALE)
    shelf = Shelf()
    run = source(shelf, max_slack=2.5 * slack_of_one)
    for _ in range(2):
        run.perturb(VALUE, SCALE, PlainVector(), "counts")
    resumed_run = source(Shelf(tuple(shelf.kept)), max_slack=2.5 * slack_of_one)
    for _ in range(2):
        resumed_run.perturb(VALUE, SCALE, PlainVector(), "counts")
    for source_of_noise in (run, resumed_run):
        with pytest.raises(NotReleasable, match="too coarse"):
            source_of_noise.perturb(VALUE, SCALE, PlainVector(), "counts")


@pytest.mark.parametrize("value", [VALUE.astype(float), VALUE.astype(np.int32)])
def test_value_that_is_no_whole_number_is_refused_although_an_answer_is_kept(value) -> None:
    shelf = Shelf()
    source(shelf).perturb(VALUE, SCALE, PlainVector(), "counts")
    with pytest.raises(NotReleasable, match="not a sum of whole numbers"):
        source(Shelf(tuple(shelf.kept))).perturb(value, SCALE, PlainVector(), "counts")


def test_laplace_noise_is_refused() -> None:
    with pytest.raises(NotReleasable, match="Laplace"):
        source(Shelf()).perturb_laplace(VALUE, SCALE, PlainVector(), "counts")
