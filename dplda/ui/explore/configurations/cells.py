"""Everything that the board shows of one method: its answer, error, noise and bound."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import streamlit as st

from dplda.core.errors import DpldaError, NoFiniteNoise
from dplda.core.types import Matrix
from dplda.experiments.configuration_board import (
    BoardAnswer,
    ErrorKind,
    answer_of_fit,
    answer_of_refusal,
    experiment_of,
    mean_error,
)
from dplda.experiments.experiment import Experiment
from dplda.experiments.storage.shipped_board import read_shipped_board
from dplda.figures.flows import edge_numbers
from dplda.figures.flows.edge_numbers import EdgeNumbers
from dplda.methods.base.method import Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations import Calibration
from dplda.methods.configurations.chain.noise_table import EdgeNoise
from dplda.methods.configurations.plan import Plan
from dplda.methods.dpvi.variational_methods import forecast_minibatches
from dplda.theory.prediction.expected import Answer, expected
from dplda.theory.theorems.at_budget import BOUNDED, at_budget
from dplda.theory.theorems.readings import Bound
from dplda.theory.theorems.spectrum import Spectrum
from dplda.ui.explore.configurations import step_noise
from dplda.ui.shell import predictions
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state import cache, link
from dplda.ui.state.keys import Key
from dplda.ui.state.progress import keep_placeholder

MAX_WORDS = 1_000  # of a vocabulary on which four fits are run unasked
MAX_PAIRS = 20_000_000  # (document, word) with a count, likewise
SENSITIVE_HELP = (
    "Until then everything here follows from public numbers. A request to release topics of these"
    " documents will say that you looked."
)
SLOW_HELP = "These documents are many, so this may take minutes. Until then errors are predicted."


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoardCell:
    """One method on the board.

    Attributes:
        method: the method, in the form that the board shows.
        experiment: of this method, on the board's documents.
        answer: its topics or its refusal; None where it was not run.
        error: mean L1 error, in [0, 2]; None where unknown.
        error_kind: where the error comes from.
        rows: noise of its quantities; empty where unknown.
        numbers: of its edges; empty where unknown.
        bound: its theorem's bound as published; None without one.
        failed_bound: symbol of the private bound that leaves the theorem without a number.
    """

    method: Method
    experiment: Experiment
    answer: BoardAnswer | None
    error: float | None
    error_kind: ErrorKind
    rows: tuple[EdgeNoise, ...]
    numbers: tuple[EdgeNumbers, ...]
    bound: Bound | None
    failed_bound: str

    @property
    def drowned(self) -> EdgeNoise | None:
        """The quantity whose noise exceeds its signal the most; None where none does."""
        return step_noise.find_drowned(self.rows)


def runs_unasked(loaded: LoadedExperiment) -> bool:
    """Whether the board runs its methods without being asked: nothing sensitive, nothing slow."""
    corpus = loaded.corpus
    is_quick = corpus.n_words <= MAX_WORDS and corpus.counts.nnz <= MAX_PAIRS
    return is_quick and not loaded.is_sensitive


def is_run(loaded: LoadedExperiment) -> bool:
    """Whether the board runs its methods, by itself or because it was asked."""
    return runs_unasked(loaded) or bool(st.session_state.get(run_key(loaded)))


def offer_run(loaded: LoadedExperiment) -> None:
    """Draw the choice to run the methods where they are not run unasked."""
    help_text = SENSITIVE_HELP if loaded.is_sensitive else SLOW_HELP
    st.toggle("Run them on these documents", key=run_key(loaded), help=help_text)


def run_key(loaded: LoadedExperiment) -> str:
    """The key of the control that asks for runs: other documents are asked for anew."""
    return f"{Key.BOARD_RUN}.{loaded.corpus.digest[:12]}"


def noiseless_topics(loaded: LoadedExperiment) -> Matrix | None:
    """Spectral topics without noise, which define the numbers; None where they may not be shown."""
    if not is_run(loaded) or loaded.is_sensitive:
        return None
    board = read_shipped_board()
    if board is not None and board.has_settings(loaded.corpus, _with_shipped_noise(loaded)):
        return keep_placeholder(board.noiseless)
    try:
        result = cache.without_noise(loaded.corpus, loaded.experiment, cache.UNNOISED)
    except DpldaError:
        return None
    return None if result is None else result.topics.words


def _with_shipped_noise(loaded: LoadedExperiment) -> Experiment:
    """The experiment with the shipped seed and δ, on which no fit without noise depends."""
    first = link.read({})
    budget = replace(loaded.experiment.budget, delta=first.budget.delta)
    return replace(loaded.experiment, seed=first.seed, budget=budget)


def read_spectrum(loaded: LoadedExperiment) -> Spectrum | None:
    """The spectrum without noise; None where there is none, or it may not be read."""
    if not is_run(loaded):
        return None
    try:
        return cache.spectrum(loaded.corpus, loaded.experiment)
    except DpldaError:
        return None


def fill_cells(
    loaded: LoadedExperiment,
    methods: Sequence[Method],
    *,
    spectrum: Spectrum | None,
    noiseless: Matrix | None,
) -> tuple[BoardCell, ...]:
    """Run, or predict, every method of the board."""
    return tuple(_fill_cell(loaded, method, spectrum, noiseless) for method in methods)


def _fill_cell(
    loaded: LoadedExperiment, method: Method, spectrum: Spectrum | None, noiseless: Matrix | None
) -> BoardCell:
    experiment = experiment_of(loaded.experiment, method)
    answer = find_answer(loaded, experiment) if is_run(loaded) else None
    error, error_kind = _find_error(loaded, experiment, answer, noiseless)
    rows = step_noise.forecast_rows(loaded, experiment, spectrum)
    bound, failed_bound = _find_bound(loaded, experiment, spectrum)
    return BoardCell(
        method=method,
        experiment=experiment,
        answer=answer,
        error=error,
        error_kind=error_kind,
        rows=rows,
        numbers=_edge_numbers(loaded, experiment, rows),
        bound=bound,
        failed_bound=failed_bound,
    )


def find_answer(loaded: LoadedExperiment, experiment: Experiment) -> BoardAnswer | None:
    """The answer of an experiment, shipped or run once; None where it was canceled."""
    corpus = loaded.corpus
    board = read_shipped_board()
    shipped = None if board is None else board.find_answer(corpus, experiment)
    if shipped is not None:
        return keep_placeholder(shipped)
    answers = cache.caches(corpus).pictures
    key = ("board", cache.fit_key(corpus, experiment))
    known = answers.get(key)
    if isinstance(known, BoardAnswer):
        return keep_placeholder(known)
    try:
        result = cache.fit(corpus, experiment)
    except DpldaError as error:
        answer = answer_of_refusal(error)
    else:
        if result is None:
            return None
        answer = answer_of_fit(result)
    answers.put(key, answer, 1)
    return answer


def _find_error(
    loaded: LoadedExperiment,
    experiment: Experiment,
    answer: BoardAnswer | None,
    noiseless: Matrix | None,
) -> tuple[float | None, ErrorKind]:
    """Error of a run against the truth, or the topics without noise; else the predicted one."""
    if answer is None:
        predicted = _predict_error(loaded, experiment.method)
        kind = ErrorKind.UNKNOWN if predicted is None else ErrorKind.PREDICTED
        return predicted, kind
    if answer.words is None:
        return None, ErrorKind.UNKNOWN
    truth = loaded.corpus.truth
    if truth is not None:
        measured = mean_error(answer.words, truth.topics)
        if measured is not None:
            return measured, ErrorKind.MEASURED
    distance = mean_error(answer.words, noiseless)
    kind = ErrorKind.UNKNOWN if distance is None else ErrorKind.TO_NOISELESS
    return distance, kind


def _predict_error(loaded: LoadedExperiment, method: MethodSpec) -> float | None:
    (prediction,) = expected([predictions.own_point(loaded)], method.text)
    if prediction.answer in (Answer.REFUSED, Answer.UNKNOWN):
        return None
    return prediction.error


def _edge_numbers(
    loaded: LoadedExperiment, experiment: Experiment, rows: tuple[EdgeNoise, ...]
) -> tuple[EdgeNumbers, ...]:
    """Numbers for the picture of a method's flow."""
    corpus = loaded.corpus
    method = experiment.registered_method
    budget = experiment.budget
    if rows:
        return edge_numbers.of_table(rows)
    return _forecast_numbers(method, experiment.problem, budget, corpus.n_documents, corpus.n_words)


@lru_cache(maxsize=256)
def _forecast_numbers(
    method: Method, problem: Problem, budget: Budget, n_documents: int, n_words: int
) -> tuple[EdgeNumbers, ...]:
    """Numbers of a method that forecasts its noise from public numbers; empty for another one."""
    if method.forecast_noise is not None:
        forecast = method.forecast_noise(problem, budget, n_documents, n_words)
        return edge_numbers.of_planned(forecast)
    if method.uses_minibatches and method.flow is not None:
        minibatches = forecast_minibatches(method, budget, n_documents, n_words)
        return edge_numbers.of_minibatches(method.flow.noised[0], minibatches)
    return ()


def _find_bound(
    loaded: LoadedExperiment, experiment: Experiment, spectrum: Spectrum | None
) -> tuple[Bound | None, str]:
    """The bound of a configuration's theorem as published, or the symbol of what leaves none."""
    method = experiment.registered_method
    if spectrum is None or method.name not in BOUNDED:
        return None, ""
    budget = experiment.budget
    plan = Plan(method.name, budget.epsilon, budget.delta, calibration=Calibration.PUBLISHED)
    try:
        return at_budget(plan, spectrum, n_documents=loaded.corpus.n_documents), ""
    except NoFiniteNoise as error:
        return None, error.quantity
