import html
from types import SimpleNamespace

import numpy as np
import pytest

from dplda import figures
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.figures import theme
from dplda.figures.topics.lanes import fitted_lane, next_reference, true_lane
from dplda.spectral.topics import Topics

REFERENCE = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
MEAN = np.full(3, 1 / 3)


def topics(words: np.ndarray, n_resolved: int) -> Topics:
    k = len(words)
    overlap = np.where(np.arange(k) < n_resolved, 0.9, 0.0)
    return Topics(words, np.linspace(1, 0.1, k), np.ones(n_resolved), overlap, n_resolved, MEAN)


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [1, 0, 2]])
def test_topics_take_the_place_of_the_reference_topic_they_resemble(order) -> None:
    private_lane = fitted_lane("private", topics(REFERENCE[order], 3), REFERENCE)
    assert [slot.number for slot in private_lane.slots] == [1, 2, 3]
    for slot, expected in zip(private_lane.slots, REFERENCE, strict=True):
        assert slot.words.tolist() == expected.tolist()


def test_topic_below_the_noise_leaves_its_place_empty() -> None:
    words = np.array([REFERENCE[2], MEAN, MEAN])
    private_lane = fitted_lane("private", topics(words, 1), REFERENCE)
    assert [slot.words is None for slot in private_lane.slots] == [True, True, False]
    assert private_lane.slots[2].overlap == 0.9
    assert len(private_lane.filled) == 1
    assert next_reference(private_lane, REFERENCE).tolist() == REFERENCE.tolist(), (
        "what stood in an empty place before"
    )
    assert len(fitted_lane("private", topics(words, 0), REFERENCE).filled) == 0


@pytest.mark.parametrize("n_true", [2, 3, 5])
def test_true_topics_fit_in_whatever_their_number(n_true) -> None:
    truth = np.vstack([REFERENCE, np.tile(MEAN, (2, 1))])[:n_true][::-1]
    lane_of_truth = true_lane("truth", truth, np.ones(n_true), REFERENCE)
    assert len(lane_of_truth.slots) == 3
    assert len(lane_of_truth.filled) == min(n_true, 3)
    for slot, expected in zip(lane_of_truth.slots, REFERENCE, strict=True):
        assert slot.words is None or slot.words.tolist() == expected.tolist()


def test_topic_facts_move_with_their_topic() -> None:
    interval_ends = REFERENCE[[2, 0, 1]] / 2, REFERENCE[[2, 0, 1]] * 2
    uncertainty = SimpleNamespace(interval=lambda: interval_ends)
    evidence = ReleasedEvidence(2.0, 0.1, 50.0, 0.1, np.array([0.9, 0.1, 0.5]), 0.05)
    arguments = ("private", topics(REFERENCE[[2, 0, 1]], 3), REFERENCE)
    lane_of_release = fitted_lane(*arguments, uncertainty=uncertainty, evidence=evidence)
    assert [slot.evidence for slot in lane_of_release.slots] == [0.1, 0.5, 0.9]
    assert [slot.supported for slot in lane_of_release.slots] == [False, True, True]
    lane_without_errors = fitted_lane(*arguments, evidence=evidence, supported_topics=(0,))
    assert [slot.supported for slot in lane_without_errors.slots] == [False, False, True]
    for slot in lane_of_release.slots:
        np.testing.assert_array_equal(slot.lower, slot.words / 2)
        np.testing.assert_array_equal(slot.upper, slot.words * 2)


@pytest.mark.parametrize(("dark", "ink"), [(False, str(theme.INK)), (True, theme.INK.dark)])
def test_titles_as_html_are_escaped_in_the_ink_of_the_page(dark, ink) -> None:
    lanes = [
        fitted_lane(title, topics(REFERENCE, 3), REFERENCE) for title in ("<img src=x>", "truth")
    ]
    lane_figure = figures.lane_titles(lanes)
    lane_html = figures.static_html(lane_figure, dark=dark)
    assert "<img" not in lane_html
    assert f'aria-label="{html.escape(lane_figure.alt)}"' in lane_html
    assert lane_html.count(f"color:{ink}") == 2
    assert "left:0.00%" in lane_html
