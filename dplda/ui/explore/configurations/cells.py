"""Everything that the board shows of one method: its answer, error, noise and bound."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import streamlit as st

from dplda.core.errors import DpldaError, NoFiniteNoise
from dplda.core.types import Matrix
from dplda.corpus import Corpus
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
SLOW_HELP = "There are many documents, so this may take minutes. Until then errors are predicted."


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
    """Spectral topics without noise, shipped or fitted once; they define the topics' numbers.

    None if the board was not run, the documents are sensitive, or the fit is refused or canceled.
    """
    if not is_run(loaded) or loaded.is_sensitive:
        return None
    shipped_board = read_shipped_board()
    if shipped_board is not None and shipped_board.has_settings(
        loaded.corpus, _with_shipped_noise(loaded)
    ):
        return keep_placeholder(shipped_board.noiseless)
    try:
        noiseless_fit = cache.without_noise(loaded.corpus, loaded.experiment, cache.UNNOISED)
    except DpldaError:
        return None
    return None if noiseless_fit is None else noiseless_fit.topics.words


def _with_shipped_noise(loaded: LoadedExperiment) -> Experiment:
    """The experiment with the shipped seed and δ, on which no fit without noise depends."""
    first = link.read({})
    budget = replace(loaded.experiment.budget, delta=first.budget.delta)
    return replace(loaded.experiment, seed=first.seed, budget=budget)


def read_spectrum(loaded: LoadedExperiment) -> Spectrum | None:
    """The spectrum without noise, cached or from a fit.

    None if the board is not run, there is no spectrum, or the fit was canceled.
    """
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
    topics_without_noise: Matrix | None,
) -> tuple[BoardCell, ...]:
    """Run, or predict, every method of the board, in their order.

    They run only if the board is run. A method that refuses has a cell that says so.
    """
    return tuple(_fill_cell(loaded, method, spectrum, topics_without_noise) for method in methods)


def _fill_cell(
    loaded: LoadedExperiment,
    method: Method,
    spectrum: Spectrum | None,
    topics_without_noise: Matrix | None,
) -> BoardCell:
    """Collect what is known of a method: its answer, error, noise, and its theorem's bound.

    It is run if needed, and if the board is run.
    """
    experiment = experiment_of(loaded.experiment, method)
    answer = find_answer(loaded, experiment) if is_run(loaded) else None
    error, error_kind = _find_error(loaded, experiment, answer, topics_without_noise)
    noise_rows = step_noise.forecast_rows(loaded, experiment, spectrum)
    bound, failed_symbol = _find_bound(loaded, experiment, spectrum)
    return BoardCell(
        method=method,
        experiment=experiment,
        answer=answer,
        error=error,
        error_kind=error_kind,
        rows=noise_rows,
        numbers=_edge_numbers(loaded, experiment, noise_rows),
        bound=bound,
        failed_bound=failed_symbol,
    )


def find_answer(loaded: LoadedExperiment, experiment: Experiment) -> BoardAnswer | None:
    """Find the answer of an experiment: shipped, cached, or from a fit that is run now, and kept.

    A refusal is an answer, too. Returns None if the fit was canceled.
    """
    corpus = loaded.corpus
    shipped_board = read_shipped_board()
    shipped_answer = (
        None if shipped_board is None else shipped_board.find_answer(corpus, experiment)
    )
    if shipped_answer is not None:
        return keep_placeholder(shipped_answer)
    answer_cache = cache.caches(corpus).pictures
    answer_key = ("board", cache.fit_key(corpus, experiment))
    cached_answer = answer_cache.get(answer_key)
    if isinstance(cached_answer, BoardAnswer):
        return keep_placeholder(cached_answer)
    new_answer = _run(corpus, experiment)
    if new_answer is not None:
        answer_cache.put(answer_key, new_answer, 1)
    return new_answer


def _run(corpus: Corpus, experiment: Experiment) -> BoardAnswer | None:
    """Fit an experiment, and return its answer, which may be a refusal; None if it was canceled."""
    try:
        fit_result = cache.fit(corpus, experiment)
    except DpldaError as error:
        return answer_of_refusal(error)
    return None if fit_result is None else answer_of_fit(fit_result)


def _find_error(
    loaded: LoadedExperiment,
    experiment: Experiment,
    answer: BoardAnswer | None,
    topics_without_noise: Matrix | None,
) -> tuple[float | None, ErrorKind]:
    """Find an error and its kind: predicted without a run, else of the run.

    A run's error is against the truth; if that is unknown, or of another number of topics, it is
    the distance from the topics without noise. None, as unknown, if there is neither, or the run
    was refused. An answer with one word list for every topic has an error, too.
    """
    if answer is None:
        predicted_error = _predict_error(loaded, experiment.method)
        if predicted_error is None:
            return None, ErrorKind.UNKNOWN
        return predicted_error, ErrorKind.PREDICTED
    if answer.words is None:
        return None, ErrorKind.UNKNOWN
    truth = loaded.corpus.truth
    if truth is not None:
        measured_error = mean_error(answer.words, truth.topics)
        if measured_error is not None:
            return measured_error, ErrorKind.MEASURED
    distance = mean_error(answer.words, topics_without_noise)
    if distance is None:
        return None, ErrorKind.UNKNOWN
    return distance, ErrorKind.TO_NOISELESS


def _predict_error(loaded: LoadedExperiment, method: MethodSpec) -> float | None:
    """The error that a method is predicted to have; None if refused or unknown."""
    (prediction,) = expected([predictions.own_point(loaded)], method.text)
    if prediction.answer in (Answer.REFUSED, Answer.UNKNOWN):
        return None
    return prediction.error


def _edge_numbers(
    loaded: LoadedExperiment, experiment: Experiment, noise_rows: tuple[EdgeNoise, ...]
) -> tuple[EdgeNumbers, ...]:
    """Numbers for the picture of a method's flow: of the rows, if there are any, else forecast.

    Empty for a method without either.
    """
    corpus = loaded.corpus
    method = experiment.registered_method
    budget = experiment.budget
    if noise_rows:
        return edge_numbers.of_table(noise_rows)
    return _forecast_numbers(method, experiment.problem, budget, corpus.n_documents, corpus.n_words)


@lru_cache(maxsize=256)
def _forecast_numbers(
    method: Method, problem: Problem, budget: Budget, n_documents: int, n_words: int
) -> tuple[EdgeNumbers, ...]:
    """Numbers for the picture of a flow whose noise is forecast from public numbers alone.

    They are of releases or, for a method with minibatches, of these; empty for another method.
    """
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
    """Compute the bound of a configuration's theorem as published.

    Returns:
        The bound and an empty text; None and the symbol of the quantity that leaves no bound; or
        None and an empty text without a spectrum or a theorem.
    """
    method = experiment.registered_method
    if spectrum is None or method.name not in BOUNDED:
        return None, ""
    budget = experiment.budget
    published_plan = Plan(
        method.name, budget.epsilon, budget.delta, calibration=Calibration.PUBLISHED
    )
    try:
        return at_budget(published_plan, spectrum, n_documents=loaded.corpus.n_documents), ""
    except NoFiniteNoise as error:
        return None, error.quantity
