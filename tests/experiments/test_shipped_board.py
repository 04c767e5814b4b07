"""The shipped answers of the board: current, complete, and used for nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import board as board_benchmark
from dplda.corpus import Corpus, Label
from dplda.experiments.configuration_board import BoardAnswer, answer_of_fit
from dplda.experiments.experiment import Experiment
from dplda.experiments.storage import shipped_board
from dplda.experiments.storage.shipped_board import read_shipped_board, write_shipped_board
from dplda.experiments.storage.shipped_fits import load_shipped_fit
from dplda.methods.base.method import Method
from dplda.spectral.corpus_statistics import StatisticsCache
from dplda.ui.state import first_visit, link

REFRESH = "run `python -m benchmarks board`: Explore opens with these numbers"
ROUNDING = 1e-4  # of a probability: inference rounds to float32, and processors round differently
SHARE_ALIKE = 0.8  # of leading words, as ties may fall otherwise there
REDRAWN_AT = (0.3, 3.0)
METHODS = board_benchmark.shipped_methods()


@pytest.fixture(scope="module")
def corpus():
    return link.TEACHING.draw()


@pytest.fixture(scope="module")
def statistics(corpus):
    return StatisticsCache(corpus.counts)


def answer_of_shipped_fit(corpus: Corpus, experiment: Experiment) -> BoardAnswer | None:
    """Of the private fit that Explore opens with, which test_shipped_fits.py draws anew; None for any other."""
    first_fits = [settings for settings, noise in first_visit.first_fits() if noise is None]
    if experiment not in first_fits:
        return None
    loaded_fit = load_shipped_fit(corpus, experiment, noise=True)
    assert loaded_fit is not None, REFRESH
    return answer_of_fit(loaded_fit)


def test_first_fit_is_redrawn_with_the_shipped_fits() -> None:
    base = link.read({})
    at_redrawn = [
        replace(base, budget=replace(base.budget, epsilon=epsilon)) for epsilon in REDRAWN_AT
    ]
    first_fits = [settings for settings, noise in first_visit.first_fits() if noise is None]
    assert [experiment in first_fits for experiment in at_redrawn] == [False, True]


@pytest.mark.parametrize("method", METHODS, ids=[method.key for method in METHODS])
def test_shipped_answers_fitted_anew_are_the_same(method: Method, corpus, statistics) -> None:
    board = read_shipped_board()
    base = link.read({})
    for epsilon in REDRAWN_AT:
        experiment = replace(base, method=method.spec, budget=replace(base.budget, epsilon=epsilon))
        shipped = board.find_answer(corpus, experiment)
        fitted_anew = answer_of_shipped_fit(corpus, experiment) or board_benchmark.fit_answer(
            base, method, epsilon, corpus, statistics
        )
        assert shipped is not None, REFRESH
        assert (shipped.n_found, shipped.refused_bound) == (
            fitted_anew.n_found,
            fitted_anew.refused_bound,
        ), REFRESH
        assert shipped.refusal == fitted_anew.refusal, REFRESH
        for words, words_anew in zip(shipped.leading_words, fitted_anew.leading_words, strict=True):
            assert len(set(words) & set(words_anew)) >= SHARE_ALIKE * len(words), REFRESH
        if fitted_anew.words is not None:
            np.testing.assert_allclose(
                shipped.words, fitted_anew.words, atol=ROUNDING, err_msg=REFRESH
            )


def test_shipped_board_has_every_step_of_the_slider() -> None:
    keys = read_shipped_board().answers.keys()
    expected = {
        (method.key, epsilon)
        for method in METHODS
        for epsilon in board_benchmark.shipped_epsilons()
    }
    assert set(keys) == expected


def test_shipped_board_answers_no_other_experiment(corpus) -> None:
    board = read_shipped_board()
    base = replace(link.read({}), method=METHODS[0].spec)
    assert board.find_answer(corpus, base) is not None
    assert board.find_answer(corpus, replace(base, seed=1)) is None
    other_delta = replace(base.budget, delta=1e-6)
    assert board.find_answer(corpus, replace(base, budget=other_delta)) is None
    own_split = replace(base.budget, split=(("e8", 1.0),))
    assert board.find_answer(corpus, replace(base, budget=own_split)) is None
    sensitive = replace(corpus, label=Label.SENSITIVE)
    assert board.find_answer(sensitive, base) is None


def test_shipped_board_written_then_read_is_the_same(tmp_path) -> None:
    board = read_shipped_board()
    refused_answer = BoardAnswer(words=None, refused_bound="σk", refusal="No.")
    answers = {
        ("config-1", 1.0): board.answers[METHODS[0].key, 3.0],
        ("config-2", 1.0): refused_answer,
    }
    path = tmp_path / "board" / "some.npz"
    write_shipped_board(replace(board, answers=answers), path)
    reread_board = read_shipped_board(path)
    assert reread_board.answers["config-2", 1.0].refused_bound == "σk"
    assert reread_board.answers["config-2", 1.0].refusal == "No."
    np.testing.assert_allclose(
        reread_board.answers["config-1", 1.0].words, answers["config-1", 1.0].words, atol=1e-7
    )
    assert (
        reread_board.answers["config-1", 1.0].leading_words
        == answers["config-1", 1.0].leading_words
    )
    assert reread_board.spectrum.sigma_k == board.spectrum.sigma_k


def test_damaged_board_is_no_board(tmp_path) -> None:
    path = tmp_path / "board.npz"
    path.write_bytes(b"nothing")
    assert read_shipped_board(path) is None
    assert shipped_board.read_shipped_board(tmp_path / "missing.npz") is None
