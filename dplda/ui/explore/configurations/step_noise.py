"""Noise of a run's steps beside their signal, and the step where noise exceeds it the most."""

import math
from collections.abc import Iterable

from dplda.core.errors import DpldaError
from dplda.core.formatting import digits
from dplda.experiments.experiment import Experiment
from dplda.flow import SPECTRAL, Edge
from dplda.methods.configurations.chain.noise_table import EdgeNoise, edge_noise
from dplda.theory.theorems.spectrum import Spectrum
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state import cache

STEP_NAMES = {
    Edge.E2: "pairs of words",
    Edge.E3: "triples of words",
    Edge.E4: "pairs of words",
    Edge.E6: "the tensor",
    Edge.E7: "the factors",
    Edge.E8: "pairs of words",
    Edge.E9: "the topics",
}
PAIR_EDGES = (Edge.E2, Edge.E4, Edge.E8)


def forecast_rows(
    loaded: LoadedExperiment, experiment: Experiment, spectrum: Spectrum | None
) -> tuple[EdgeNoise, ...]:
    """Forecast the noise of a configuration's quantities beside their signal.

    Args:
        loaded: the documents.
        experiment: on these documents.
        spectrum: of the documents without noise; None where unknown.

    Returns:
        A row for each quantity; empty for another method, without a spectrum, or if it is refused.
    """
    plan = experiment.plan
    if plan is None or spectrum is None:
        return ()
    corpus = loaded.corpus
    problem = experiment.problem
    try:
        return edge_noise(
            plan,
            n_documents=corpus.n_documents,
            n_words=corpus.n_words,
            n_topics=problem.n_topics,
            alpha0=problem.alpha0,
            spectrum=spectrum,
            mean_length=cache.mean_length(corpus),
        )
    except DpldaError:
        return ()


def find_drowned(noise_rows: Iterable[EdgeNoise]) -> EdgeNoise | None:
    """The quantity whose noise exceeds its signal the most; None where none does."""
    drowned = [
        row for row in noise_rows if not math.isnan(row.signal_to_noise) and row.signal_to_noise < 1
    ]
    return min(drowned, key=lambda row: row.signal_to_noise, default=None)


def is_after_pairs(noise_row: EdgeNoise) -> bool:
    """Whether a quantity is noised after the pair moment, whose eigenvalues tell signal shares."""
    return noise_row.edge not in PAIR_EDGES


def step_name(noise_row: EdgeNoise) -> str:
    """The step of a quantity, in a few words."""
    return STEP_NAMES.get(noise_row.edge, SPECTRAL.arrow(noise_row.edge).carries)


def describe_drowned(noise_row: EdgeNoise) -> str:
    """A clause on a step at which noise exceeds signal, and by how much."""
    step = step_name(noise_row)
    if not noise_row.signal_to_noise:
        return f"no finite noise protects {step}"
    ratio = digits(1 / noise_row.signal_to_noise, 2)
    return f"noise on {step} is {ratio} times its signal"
