"""Fits that the board of configurations opens with, at every step of ε, written to ``assets/board``."""

from collections.abc import Iterator
from dataclasses import replace

from benchmarks.rerun import Row
from dplda.core.errors import DpldaError
from dplda.corpus import Corpus
from dplda.experiments.configuration_board import (
    OURS,
    BoardAnswer,
    answer_of_fit,
    answer_of_refusal,
    board_methods,
)
from dplda.experiments.experiment import Experiment, fit
from dplda.experiments.storage import shipped_board
from dplda.experiments.storage.shipped_board import ShippedBoard, describe_settings
from dplda.methods.base.method import Method
from dplda.methods.base.problem import ProblemSize
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations import Calibration
from dplda.privacy.noise.sources import NoNoise
from dplda.spectral.corpus_statistics import StatisticsCache
from dplda.theory.theorems.spectrum import from_unnoised
from dplda.ui.explore.configurations.across_view import EPSILONS
from dplda.ui.state import cache, link

FORMS = (Calibration.CORRECTED, Calibration.PUBLISHED)


def run() -> Iterator[Row]:
    """One row: the number of answers, and the bytes of the file."""
    board = make_board()
    shipped_board.write_shipped_board(board)
    yield {"answers": len(board.answers), "bytes": shipped_board.PATH.stat().st_size}


def make_board() -> ShippedBoard:
    """Fit the board's methods at every step of ε."""
    corpus = link.TEACHING.draw()
    statistics = StatisticsCache(corpus.counts)
    base = link.read({})
    noiseless = fit(
        base.without_noise(cache.UNNOISED),
        corpus,
        Runtime(noise=NoNoise(), statistics=statistics),
    )
    curator = noiseless.curator
    assert curator.whitening is not None
    problem = base.problem
    size = ProblemSize(corpus.n_documents, corpus.n_words, problem.n_topics, problem.alpha0)
    return ShippedBoard(
        settings=describe_settings(corpus, base),
        answers={
            (method.key, epsilon): fit_answer(base, method, epsilon, corpus, statistics)
            for method in shipped_methods()
            for epsilon in shipped_epsilons()
        },
        noiseless=noiseless.topics.words,
        spectrum=from_unnoised(
            size, noiseless.topics.mean_words, curator.whitening, curator.components
        ),
    )


def shipped_methods() -> list[Method]:
    """The paper's four in both forms, and ours."""
    methods = {method.key: method for form in FORMS for method in board_methods(form, (OURS,))}
    return list(methods.values())


def shipped_epsilons() -> list[float]:
    """Steps of the slider, and columns across ε."""
    return sorted({float(epsilon) for epsilon in (*link.EPSILONS, *EPSILONS)})


def fit_answer(
    base: Experiment, method: Method, epsilon: float, corpus: Corpus, statistics: StatisticsCache
) -> BoardAnswer:
    """Fit a method at one ε, or note its refusal.

    Args:
        base: experiment of the board, whose method and ε are replaced.
        method: that is fitted.
        epsilon: of the fit.
        corpus: documents of the board.
        statistics: of these documents, shared by all fits.
    """
    budget = replace(base.budget, epsilon=epsilon, split=())
    experiment = replace(base, method=method.spec, budget=budget)
    try:
        return answer_of_fit(fit(experiment, corpus, Runtime(statistics=statistics)))
    except DpldaError as error:
        return answer_of_refusal(error)
